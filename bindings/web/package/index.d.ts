/** Octets, in any kind of buffer. */
export type Octets = ArrayBufferLike | ArrayBufferView;

/** The effect of a finding on the text. */
export type Effect = 'noted' | 'assumed' | 'repaired' | 'lost';

/** The source of a charset decision. */
export type Source = 'declared' | 'bom' | 'document' | 'evidence' | 'detected' | 'default';

/** Something assumed, repaired or lost. Offsets and lengths count octets. */
export interface Finding {
  kind: string;
  effect: Effect;
  /** `source`: offsets in the message; `octets`: offsets in the part after transfer decoding. */
  in: 'source' | 'octets';
  offset: number;
  length: number;
  detail: string;
}

/** A range of a field and the charset it was decoded in. */
export interface CharsetUse {
  offset: number;
  length: number;
  charset: string;
  source: Source;
}

export interface Field {
  name: string;
  /** The decoded text, unfolded. */
  text: string;
  charsets: CharsetUse[];
  findings: Finding[];
}

export interface Part {
  /** The section number, as numbered by IMAP, such as `1.2`. */
  part: string;
  media_type: string;
  /** The charset as declared, verbatim. */
  label: string | null;
  /** The preferred MIME name of the charset; `null` for parts that are not text. */
  charset: string | null;
  source: Source | null;
  transfer_encoding: '7bit' | '8bit' | 'binary' | 'quoted-printable' | 'base64' | 'x-uuencode' | 'unknown';
  disposition: string | null;
  filename: string | null;
  /** Octets after transfer decoding. */
  octets: number;
  /** The text, for text parts. */
  text?: string;
  /** The text as a person reads it, if it differs: without markup, flowed lines joined. */
  reading_text?: string;
  /** The uuencoded files in a text/plain part. */
  uuencoded?: UuencodedFile[];
  /** The fields of the embedded message, for a part that is one. */
  fields?: Field[];
  findings: Finding[];
}

/** A uuencoded file; the text of its part still contains the lines. */
export interface UuencodedFile {
  name: string;
  /** The number of octets of the file. */
  octets: number;
  /** The octets of the text, in UTF-8, before the `begin` line. */
  offset: number;
  /** The octets of the lines, in UTF-8, from `begin` to `end`. */
  length: number;
  findings: Finding[];
}

/** A date with its original numbers, in RFC 3339 format. */
export interface MailDate {
  text: string;
  /** The seconds since 1 January 1970, 00:00 UTC. */
  unix_seconds: number;
  findings: Finding[];
}

export interface Message {
  /** The date of the Date field. */
  date: MailDate | null;
  /** The date of the first Received field. */
  received_date: MailDate | null;
  /** The identifier of the message without its angle brackets. */
  message_id: string | null;
  in_reply_to: string[];
  references: string[];
  fields: Field[];
  parts: Part[];
  findings: Finding[];
}

/** Evidence for or against a charset. */
export interface Evidence {
  kind: string;
  side: 'for' | 'against' | 'neither';
  charset: string | null;
  offset: number;
  length: number;
  detail: string;
}

export interface Decoded {
  text: string;
  charset: string;
  source: Source;
  /** The probability that the text is right, in percent. */
  confidence: number;
  evidence: Evidence[];
  findings: Finding[];
}

export interface Guess {
  charset: string;
  source: Source;
  confidence: number;
  runner_up: string | null;
}

export interface ContentType {
  media_type: string;
  label: string | null;
  /** The charset that the label names, by its preferred MIME name. */
  charset: string | null;
  parameters: { name: string; text: string }[];
  findings: Finding[];
}

export interface LabelMeaning {
  label: string;
  charset: string | null;
  mibenum: number | null;
  matched: 'exact' | 'loose' | 'repaired' | 'unknown';
  decoded: boolean;
  reason: string | null;
}

export interface ConvertOptions {
  /** How to write header text that is not ASCII: as encoded words, or as raw UTF-8 (RFC 6532). */
  headers?: 'words' | 'utf8';
  /** How to treat text that cannot be decoded without loss. */
  'on-malformed'?: 'keep' | 'replace' | 'fail';
  /** Also convert text attachments. */
  attachments?: boolean;
  /** Keep charset declarations inside documents that become wrong. */
  'keep-declarations'?: boolean;
  /** Also convert guessed text, if the confidence is at least this percentage. */
  guessed?: number;
}

export interface Change {
  part: string;
  field: string | null;
  label: string | null;
  charset: string;
  source: Source;
  replacements: number;
  findings: Finding[];
  before: { offset: number; length: number };
  after: { offset: number; length: number };
}

export interface Converted {
  /** The message in UTF-8. */
  octets: Uint8Array;
  changes: Change[];
  changed_fields: number;
  changed_parts: number;
  relabelled_parts: number;
  failure: string | null;
  /** What was left unchanged, and why. */
  findings: Finding[];
}

/**
 * Parses a message: returns its fields and parts, as printed by `mime-charset inspect --json --text`, without
 * path and index. Any octets are a message. A string is encoded as UTF-8.
 *
 * Like all functions, throws a TypeError if an argument does not have the declared type.
 */
export function parse(message: Octets | string, options?: { text?: boolean }): Message;

/** The octets of a part after transfer decoding; `undefined` if there is no such part. */
export function octets(message: Octets | string, part: string): Uint8Array | undefined;

/** Decodes octets, with their label and media type if known; `null` means none, as in `Part`. */
export function decode(octets: Octets, options?: { label?: string | null; mediaType?: string | null }): Decoded;

/** The likely charset of octets without a label. */
export function detect(octets: Octets): Guess;

/** Parses the body of a Content-Type field. */
export function contentType(body: Octets | string): ContentType;

/** The meaning of a label; without one, all labels. */
export function labels(label: string): LabelMeaning;
export function labels(label?: undefined): LabelMeaning[];
export function labels(label: string | undefined): LabelMeaning | LabelMeaning[];

/**
 * Converts a message to UTF-8, and proves that everything outside the listed changes is the same.
 * @throws if an option is invalid, or if the conversion cannot be proved.
 */
export function convert(message: Octets | string, options?: ConvertOptions): Converted;
