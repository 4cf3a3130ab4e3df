<?php
// Asks PHP's mailparse, with mbstring for words and charsets, which mailparse leaves alone.
require __DIR__ . '/serve.php';

// Malformed octets become U+FFFD instead of question marks.
mb_substitute_character(0xFFFD);

// A message and the data of its parts, under mailparse's numbers: 1 for the whole, 1.1 for its first part.
final class Parsed
{
    public array $data = [];
    private $handle;

    public function __construct(private string $octets)
    {
        $this->handle = mailparse_msg_create();
        mailparse_msg_parse($this->handle, $octets);
        foreach (mailparse_msg_get_structure($this->handle) as $id) {
            $this->data[$id] = mailparse_msg_get_part_data(mailparse_msg_get_part($this->handle, $id));
        }
    }

    public function header(string $name, string $id = '1'): ?string
    {
        return ((array) ($this->data[$id]['headers'][strtolower($name)] ?? null))[0] ?? null;
    }

    private function children(string $id): array
    {
        return array_values(preg_grep('/^' . preg_quote($id) . '\.\d+$/', array_keys($this->data)));
    }

    private function is(string $id, string $pattern): bool
    {
        return (bool) preg_match($pattern, $this->data[$id]['content-type']);
    }

    public function structure(string $id = '1'): array|string
    {
        $type = $this->data[$id]['content-type'];
        if (!$this->is($id, '~^multipart/~i')) {
            return $type;
        }
        return [$type, ...array_map([$this, 'structure'], $this->children($id))];
    }

    // mailparse's number of the part with this number of IMAP.
    public function part(string $number): string
    {
        [$whole, $part] = ['1', null];
        foreach (explode('.', $number) as $place) {
            if ($part !== null) {
                $whole = $this->is($part, '~^message/rfc822$~i') ? $this->children($part)[0] ?? $part : $part;
            }
            $parts = $this->is($whole, '~^multipart/~i') ? $this->children($whole) : [];
            if ($parts !== []) {
                $part = $parts[$place - 1] ?? throw new Exception('no such part');
            } elseif ($place === '1') {
                $part = $whole;
            } else {
                throw new Exception('no such part');
            }
        }
        return $part;
    }

    public function octets(string $id): string
    {
        return mailparse_msg_extract_part(mailparse_msg_get_part($this->handle, $id), $this->octets, null);
    }
}

function decoded(?string $value): ?string
{
    return $value === null ? null : mb_decode_mimeheader($value);
}

function field(string $octets, array $case): ?string
{
    $value = (new Parsed($octets))->header($case['field']);
    return $value === null ? null : trimmed(decoded($value));
}

function addresses(string $octets, array $case): array
{
    $found = mailparse_rfc822_parse_addresses((new Parsed($octets))->header($case['field']) ?? '');
    // Without a name, `display` is the address.
    $name = fn ($one) => $one['display'] === $one['address'] ? null : decoded($one['display']);
    return array_map(fn ($one) => ['name' => $name($one), 'address' => $one['address']], $found);
}

// The data has the parameters of both fields, such as content-name and disposition-filename.
function parameter(string $octets, array $case): ?string
{
    $parsed = new Parsed($octets);
    $key = substr(strtolower($case['field']), strtolower($case['field']) === 'content-type' ? 0 : 8);
    $key = str_replace('content-type', 'content', $key) . '-' . strtolower($case['parameter']);
    return decoded($parsed->data[$parsed->part($case['part'])][$key] ?? null);
}

function file_name(string $octets, array $case): ?string
{
    $parsed = new Parsed($octets);
    $data = $parsed->data[$parsed->part($case['part'])];
    return decoded($data['disposition-filename'] ?? $data['content-name'] ?? null);
}

function text(string $octets, array $case): string
{
    $parsed = new Parsed($octets);
    $id = $parsed->part($case['part']);
    return mb_convert_encoding($parsed->octets($id), 'UTF-8', $parsed->data[$id]['charset']);
}

serve('PHP mailparse and mbstring', phpversion('mailparse') . ', ' . PHP_VERSION, [
    'field' => 'field',
    'addresses' => 'addresses',
    'structure' => fn ($octets) => (new Parsed($octets))->structure(),
    'parameter' => 'parameter',
    'file name' => 'file_name',
    'octets' => function ($octets, $case) {
        $parsed = new Parsed($octets);
        return base64_encode($parsed->octets($parsed->part($case['part'])));
    },
    'text' => 'text',
    'decode' => fn ($octets, $case) => mb_convert_encoding($octets, 'UTF-8', $case['charset']),
]);
