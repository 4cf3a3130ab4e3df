<?php
// Asks PHP's iconv, which decodes the fields of a header.
require __DIR__ . '/serve.php';

function field(string $octets, array $case): ?string
{
    $header = preg_split('/\r?\n\r?\n/', $octets, 2)[0];
    $fields = iconv_mime_decode_headers($header, ICONV_MIME_DECODE_CONTINUE_ON_ERROR, 'UTF-8');
    if ($fields === false) {
        throw new Exception('not decoded');
    }
    $found = array_change_key_case($fields)[strtolower($case['field'])] ?? null;
    return $found === null ? null : trimmed(((array) $found)[0]);
}

serve('PHP iconv', PHP_VERSION, ['field' => 'field']);
