<?php
// Reads cases and writes answers, for the adapters in PHP.

// Thrown for a case that the library has no call for.
class NotOffered extends Exception {}

set_error_handler(fn () => true);

// Answers each case with $asks[question](octets of the input, case).
function serve(string $name, string $version, array $asks): void
{
    $write = fn (array $reply) => print json_encode($reply, JSON_INVALID_UTF8_SUBSTITUTE) . "\n";
    $write(['name' => $name, 'version' => $version, 'asks' => array_keys($asks)]);
    while (($line = fgets(STDIN)) !== false) {
        $case = json_decode($line, true);
        $reply = ['id' => $case['id']];
        try {
            $reply['answer'] = $asks[$case['ask']](base64_decode($case['base64']), $case);
        } catch (NotOffered $lack) {
            $reply['not offered'] = $lack->getMessage();
        } catch (Throwable $error) {
            $reply['error'] = $error->getMessage();
        }
        $write($reply);
    }
}

function trimmed(string $text): string
{
    return trim($text, " \t\r\n");
}
