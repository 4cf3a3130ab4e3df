# Asks MIME::Parser of MIME-tools; words are decoded by the call that its documentation prefers.
use strict;
use warnings;
use lib 'adapters/perl';
use Cases;
use MIME::Parser;
use MIME::WordDecoder qw(mime_to_perl_string);

sub message_of {
    my $parser = MIME::Parser->new;
    $parser->output_to_core(1);
    $parser->tmp_to_core(1);
    return $parser->parse_data($_[0]);
}

sub is_multipart { $_[0]->mime_type =~ m{^multipart/} }

# The parser has put a message in a part below it.
sub held { is_multipart($_[0]) ? undef : scalar $_[0]->parts(0) }

sub part {
    my ($octets, $case) = @_;
    return part_of(message_of($octets), $case->{part}, sub { is_multipart($_[0]) ? $_[0]->parts : () }, \&held);
}

sub structure {
    my $entity = shift;
    return is_multipart($entity) ? [$entity->mime_type, map { structure($_) } $entity->parts] : $entity->mime_type;
}

sub field {
    my ($octets, $case) = @_;
    my $head = message_of($octets)->head;
    $head->unfold;
    my $body = $head->get($case->{field}, 0) // return undef;
    return trimmed(mime_to_perl_string($body));
}

# The parser writes values of RFC 2231 as encoded words, as for `recommended_filename`.
sub parameter {
    my ($octets, $case) = @_;
    my $value = part($octets, $case)->head->mime_attr("$case->{field}.$case->{parameter}") // return undef;
    return mime_to_perl_string($value);
}

sub octets {
    my $part = part(@_);
    return encoded($part->bodyhandle ? $part->bodyhandle->as_string : held($part)->as_string);
}

serve('MIME-tools', $MIME::Parser::VERSION // $MIME::Tools::VERSION,
    'field' => \&field,
    'structure' => sub { structure(message_of($_[0])) },
    'parameter' => \&parameter,
    'file name' => sub { part(@_)->head->recommended_filename },
    'octets' => \&octets,
);
