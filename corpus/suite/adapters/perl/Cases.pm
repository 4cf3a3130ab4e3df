# Reads cases and writes answers, for the adapters in Perl.
package Cases;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use MIME::Base64 qw(decode_base64 encode_base64);
our @EXPORT = qw(serve encoded trimmed part_of);

my $json = JSON::PP->new->ascii->allow_nonref;

# Answers each case with `$asks{question}->(octets of the input, case)`.
sub serve {
    my ($name, $version, %asks) = @_;
    $| = 1;
    local $SIG{__WARN__} = sub { };
    print $json->encode({name => $name, version => "$version", asks => [sort keys %asks]}), "\n";
    while (my $line = <STDIN>) {
        my $case = $json->decode($line);
        my $reply = {id => $case->{id}};
        my $answer = eval { $asks{$case->{ask}}->(decode_base64($case->{base64}), $case) };
        if ($@) { $reply->{error} = "$@" } else { $reply->{answer} = $answer }
        print $json->encode($reply), "\n";
    }
}

sub encoded { encode_base64($_[0], '') }

sub trimmed { defined $_[0] ? $_[0] =~ s/\A[ \t\r\n]+|[ \t\r\n]+\z//gr : undef }

# The part with this number of IMAP. `$parts` lists the parts of a multipart, or is empty;
# `$held` is the message in a part, or `undef`.
sub part_of {
    my ($message, $number, $parts, $held) = @_;
    my ($whole, $part) = ($message);
    for my $place (split /\./, $number) {
        $whole = $held->($part) // $part if defined $part;
        my @parts = $parts->($whole);
        $part = @parts ? $parts[$place - 1] : $place == 1 ? $whole : undef;
        die "no such part\n" unless defined $part;
    }
    return $part;
}

1;
