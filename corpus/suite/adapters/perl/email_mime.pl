# Asks Email::MIME, with Email::Address::XS for addresses.
use strict;
use warnings;
use lib 'adapters/perl';
use Cases;
use Email::MIME;
use Email::MIME::ContentType;
use Email::MIME::Header::AddressList;

sub media_type {
    my $found = parse_content_type($_[0]->content_type);
    return lc "$found->{type}/$found->{subtype}";
}

# Email::MIME does not look into a message in a part: it is parsed as one that was received.
sub held { media_type($_[0]) eq 'message/rfc822' ? Email::MIME->new($_[0]->body) : undef }

sub part {
    my ($octets, $case) = @_;
    return part_of(Email::MIME->new($octets), $case->{part}, sub { $_[0]->subparts }, \&held);
}

sub structure {
    my $type = media_type($_[0]);
    return $type =~ m{^multipart/} ? [$type, map { structure($_) } $_[0]->subparts] : $type;
}

sub list {
    my ($octets, $case) = @_;
    return Email::MIME->new($octets)->header_as_obj($case->{field}, 0, 'Email::MIME::Header::AddressList');
}

# An empty place in a list is an object without an address.
sub mailboxes { [map { {name => $_->phrase, address => $_->address} } grep { defined $_->address } @_] }

sub groups {
    my @pairs = list(@_)->groups;
    my @groups;
    while (my ($name, $members) = splice @pairs, 0, 2) {
        push @groups, {group => $name, addresses => mailboxes(@$members)};
    }
    return \@groups;
}

sub parameter {
    my ($octets, $case) = @_;
    my $body = part($octets, $case)->header_raw($case->{field}) // return undef;
    my $is_type = lc $case->{field} eq 'content-type';
    my $found = $is_type ? parse_content_type($body) : parse_content_disposition($body);
    return $found->{attributes}{lc $case->{parameter}};
}

sub text {
    my $part = part(@_);
    $part->encode_check_set(0);    # U+FFFD instead of an exception
    return $part->body_str;
}

serve('Email::MIME', $Email::MIME::VERSION,
    'field' => sub { trimmed(scalar Email::MIME->new($_[0])->header_str($_[1]{field})) },
    'addresses' => sub { mailboxes(list(@_)->addresses) },
    'groups' => \&groups,
    'fields' => sub {
        my @pairs = Email::MIME->new($_[0])->header_raw_pairs;
        return [@pairs[grep { $_ % 2 == 0 } 0 .. $#pairs]];
    },
    'structure' => sub { structure(Email::MIME->new($_[0])) },
    'parameter' => \&parameter,
    'file name' => sub { scalar part(@_)->filename },
    'octets' => sub { encoded(part(@_)->body) },
    'text' => \&text,
);
