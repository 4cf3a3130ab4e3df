<?php
// Asks PHP's imap, which is the c-client library of the University of Washington, about a mailbox file.
require __DIR__ . '/serve.php';

const TEXTS = ['subject', 'message_id', 'in_reply_to', 'references', 'newsgroups', 'followup_to'];
const LISTS = ['to', 'from', 'cc', 'bcc', 'reply_to', 'sender', 'return_path'];
const TYPES = ['text', 'multipart', 'message', 'application', 'audio', 'image', 'video', 'model', 'other'];

// Asks about the input, or about a mailbox with the input as its only message.
function ask(string $octets, array $case, callable $question): mixed
{
    $is_mailbox = isset($case['message']) || $case['ask'] === 'messages';
    $path = tempnam(sys_get_temp_dir(), 'suite');
    file_put_contents($path, $is_mailbox ? $octets : "From a@example.com Thu Jan  1 00:00:00 1970\r\n$octets");
    // For root the names of mailboxes are relative to /.
    $name = posix_geteuid() === 0 ? ltrim($path, '/') : $path;
    try {
        $box = imap_open($name, '', '', OP_READONLY) ?: throw new Exception((string) imap_last_error());
        return $question($box, $case['message'] ?? 1);
    } finally {
        imap_errors();
        imap_alerts();
        unlink($path);
    }
}

function decoded(string $value): string
{
    $text = '';
    foreach (imap_mime_header_decode($value) as $piece) {
        $converted = $piece->charset === 'default' ? $piece->text : iconv($piece->charset, 'UTF-8', $piece->text);
        $text .= $converted === false ? throw new Exception("charset $piece->charset") : $converted;
    }
    return $text;
}

// A property of the header, which has one for each of these fields.
function header_property(string $octets, array $case, array $fields): mixed
{
    $key = str_replace('-', '_', strtolower($case['field']));
    if (!in_array($key, $fields)) {
        throw new NotOffered('this field');
    }
    return ask($octets, $case, fn ($box, $message) => imap_headerinfo($box, $message)->$key ?? null);
}

function field(string $octets, array $case): ?string
{
    $value = header_property($octets, $case, TEXTS);
    return $value === null ? null : trimmed(decoded($value));
}

function addresses(string $octets, array $case): array
{
    $answer = [];
    foreach (header_property($octets, $case, LISTS) ?? [] as $one) {
        // An entry without a host begins or ends a group.
        if (isset($one->host)) {
            $name = isset($one->personal) ? decoded($one->personal) : null;
            $address = imap_rfc822_write_address($one->mailbox ?? '', $one->host, '');
            $answer[] = ['name' => $name, 'address' => $address];
        }
    }
    return $answer;
}

function structure(object $part): array|string
{
    $type = strtolower(TYPES[$part->type] . '/' . ($part->subtype ?? ''));
    return $part->type === 1 ? [$type, ...array_map('structure', $part->parts ?? [])] : $type;
}

function parameter(string $octets, array $case): ?string
{
    $part = ask($octets, $case, fn (...$place) => imap_bodystruct(...[...$place, $case['part']]));
    $list = strtolower($case['field']) === 'content-type' ? $part->parameters : $part->dparameters ?? [];
    foreach ($list as $one) {
        if (!strcasecmp($one->attribute, $case['parameter'])) {
            return decoded($one->value);
        }
    }
    return null;
}

function octets(string $octets, array $case): string
{
    // In a mailbox of this format every line ends with a line feed, and the library reads CRLF for it.
    if (preg_match('/\r(?!\n)|(?<!\r)\n|\0/', $octets)) {
        throw new NotOffered('octets that a mailbox file does not keep');
    }
    [$part, $body] = ask($octets, $case, fn (...$place) => [
        imap_bodystruct(...[...$place, $case['part']]),
        imap_fetchbody(...[...$place, $case['part'], FT_PEEK]),
    ]);
    return base64_encode(match ($part->encoding) {
        3 => imap_base64($body),
        4 => imap_qprint($body),
        default => $body,
    });
}

serve('PHP imap', PHP_VERSION, [
    'field' => 'field',
    'addresses' => 'addresses',
    'structure' => fn ($octets, $case) => structure(ask($octets, $case, 'imap_fetchstructure')),
    'parameter' => 'parameter',
    'octets' => 'octets',
    'messages' => fn ($octets, $case) => ask($octets, $case, fn ($box) => imap_num_msg($box)),
]);
