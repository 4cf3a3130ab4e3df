/** Octets, in whatever holds them. */
export type Octets = ArrayBufferLike | ArrayBufferView;

/** What finding does to the text. */
export type Effect = 'noted' | 'assumed' | 'repaired' | 'lost';

/** On whose word a charset was chosen. */
export type Source = 'declared' | 'bom' | 'document' | 'evidence' | 'detected' | 'default';

/** One thing that was assumed, repaired or lost. Offsets and lengths count octets. */
export interface Finding {
  kind: string;
  effect: Effect;
  /** `source`: offsets count octets of the message; `octets`: those of the part without its transfer encoding. */
  in: 'source' | 'octets';
  offset: number;
  length: number;
  detail: string;
}

/** A range of a field and the charset it was read in. */
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
  /** The section number as IMAP counts, such as `1.2`. */
  part: string;
  media_type: string;
  /** The charset as declared, verbatim. */
  label: string | null;
  /** What the part was read in, by its preferred MIME name; `null` for parts that are not text. */
  charset: string | null;
  source: Source | null;
  transfer_encoding: '7bit' | '8bit' | 'binary' | 'quoted-printable' | 'base64' | 'unknown';
  disposition: string | null;
  filename: string | null;
  /** Octets after transfer decoding. */
  octets: number;
  /** The text, for text parts. */
  text?: string;
  /** For a part that is a message, the fields of its header. */
  fields?: Field[];
  findings: Finding[];
}

export interface Message {
  /** The identifier of the message without its angle brackets. */
  message_id: string | null;
  in_reply_to: string[];
  references: string[];
  fields: Field[];
  parts: Part[];
  findings: Finding[];
}

/** One thing that spoke for or against a charset. */
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
  /** How likely the text is right, in percent. */
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
  /** Text above US-ASCII in header fields: as encoded words, or as raw UTF-8 (RFC 6532). */
  headers?: 'words' | 'utf8';
  /** Text that cannot be decoded without loss. */
  'on-malformed'?: 'keep' | 'replace' | 'fail';
  /** Text attachments too. */
  attachments?: boolean;
  'fix-declarations'?: boolean;
  /** Guessed text too, where the guess is at least so many percent sure. */
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
  /** What was left as it is, and why. */
  findings: Finding[];
}

/**
 * A message: its fields and parts, as `mime-charset inspect --json --text` has them, without path and index.
 * Any octets are a message. A string is taken as UTF-8.
 *
 * This and all functions throw a TypeError for an argument of another type than is declared.
 */
export function parse(message: Octets | string, options?: { text?: boolean }): Message;

/** The octets of a part with its transfer encoding undone; `undefined` where there is no such part. */
export function octets(message: Octets | string, part: string): Uint8Array | undefined;

/** The text of octets that a label and a media type are known of, or nothing; `null` is none, as in `Part`. */
export function decode(octets: Octets, options?: { label?: string | null; mediaType?: string | null }): Decoded;

/** What octets without a label are likely to be in. */
export function detect(octets: Octets): Guess;

/** The body of a Content-Type field. */
export function contentType(body: Octets | string): ContentType;

/** What a label means; without one, every label there is. */
export function labels(label: string): LabelMeaning;
export function labels(label?: undefined): LabelMeaning[];
export function labels(label: string | undefined): LabelMeaning | LabelMeaning[];

/**
 * The same message in UTF-8, proved: all that is not listed as changed is as it was.
 * @throws where an option is none, or the conversion cannot be proved.
 */
export function convert(message: Octets | string, options?: ConvertOptions): Converted;
