'use strict';

// Sentences about charsets and findings.

const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null && child !== ''));
  return element;
};

const MARKS = {
  assumed: { sign: '◇', word: 'assumed' },
  repaired: { sign: '◆', word: 'repaired' },
  lost: { sign: '✕', word: 'lost' },
  noted: { sign: '·', word: 'noted' },
};

// A sign that differs in shape and colour, with its word for screen readers.
function mark(effect) {
  const { sign, word } = MARKS[effect];
  return make('span', { class: `mark ${effect}`, role: 'img', 'aria-label': word, title: word }, sign);
}

const BECAUSE = {
  declared: 'because its label says so',
  bom: 'because a byte order mark says so',
  document: 'because the document itself says so',
  evidence: 'because the octets prove it',
  detected: 'because it is the most likely',
  default: 'because nothing indicates another',
  forced: 'as you chose',
};

const KINDS = {
  malformed: 'These octets are not a character of the charset. U+FFFD replaces them.',
  undecoded: 'There is no decoder for this charset. U+FFFD replaces its octets.',
  superset: 'A character that only a superset of the charset has.',
  'shifted-end': 'The text does not end in ASCII; it may be truncated.',
  'missing-escape': 'An ISO-2022-JP escape lost its first octet, and is decoded anyway.',
  'escape-kept': 'This looks like ISO-2022-JP whose escapes lost their first octets. In a header it is not decoded.',
  'utf7-syntax': 'This UTF-7 is invalid but unambiguous.',
  'utf7-markup': 'UTF-7 encodes markup characters without need, which hides them from filters.',
  'bom-removed': 'A byte order mark was removed here.',
  'hangul-remapped': 'Hangul of Unicode 1.1, moved to its current code points.',
  mislabelled: 'The label says Unicode 1.1, which cannot represent this text.',
  'label-without-hangul': 'The label is for Hangul of Unicode 1.1, but the text has no Hangul.',
  'suspected-old-hangul': 'This may be Hangul of Unicode 1.1.',
  'double-encoded': 'This text may have been converted to UTF-8 twice.',
  noncharacter: 'A noncharacter: a code point that is never assigned.',
  nul: 'An octet 00 in the text.',
  control: 'A control character, shown as a sign.',
  'bidi-control': 'A character that changes the direction of the text, shown as ⇄.',
  'loose-label': 'The label is an unregistered spelling.',
  'repaired-label': 'The label is damaged, but its meaning is clear.',
  'unknown-label': 'The label names no charset.',
  'no-label': 'The part does not declare a charset.',
  'charset-forced': 'The charset was chosen by the user, regardless of the message.',
  'label-overridden': 'The octets prove the label wrong.',
  'bom-conflict': 'The byte order mark and the label disagree.',
  'document-conflict': 'The document names another charset.',
  'eight-bit-ascii': 'Octets above 7F, where the label or the default is ASCII.',
  'byte-order-assumed': 'The byte order is not declared.',
  'default-charset': 'Nothing indicates the charset.',
  'detected-charset': 'The charset was guessed.',
  'invalid-media-type': 'The media type is invalid. A default one is used.',
  'duplicate-field': 'This field is allowed only once. The first is used.',
  'duplicate-parameter': 'A parameter occurs twice. The first is used.',
  'missing-semicolon': 'Two parameters have no semicolon between them.',
  'empty-parameter': 'No parameter follows a semicolon.',
  'missing-value': 'A value is missing, and is treated as absent.',
  'wrong-separator': 'A name and its value are not separated by one equals sign.',
  'unquoted-special': 'Special characters are not quoted.',
  unterminated: 'A quote, comment or bracket is not closed.',
  'skipped-text': 'This text matches no rule of the field and is skipped.',
  'deep-comment': 'Comments are nested more than a hundred deep.',
  'raw-utf8': 'Raw UTF-8 in a field, as RFC 6532 allows.',
  'raw-octets': 'Raw octets in a field, where only ASCII is allowed.',
  'section-number': 'The number of a section of the value is not allowed.',
  'section-gap': 'A section of the value is missing.',
  'duplicate-section': 'A section of the value occurs twice. The first is used.',
  'extended-syntax': 'The value breaks the rules for values with a charset.',
  'bad-percent': 'A percent sign without two digits is kept.',
  'encoded-word-place': 'An encoded word is not allowed here, and is decoded anyway.',
  'encoded-word-syntax': 'An encoded word is malformed, and is decoded anyway.',
  'encoded-word-joined': 'Encoded words were split inside a character, and are joined.',
  'encoded-word-kept': 'An encoded word is left as written.',
  'encoded-word-length': 'An encoded word is longer than 75 characters.',
  'date-syntax': 'A date is malformed but unambiguous.',
  'date-assumed': 'A date is ambiguous; the most likely reading is used.',
  'unknown-transfer-encoding': 'The transfer encoding is unknown. The octets are left unchanged.',
  'transfer-encoding-forbidden': 'This transfer encoding is not allowed for this kind of part.',
  'transfer-encoding-repaired': 'The name of the transfer encoding is damaged, but its meaning is clear.',
  'eight-bit-data': 'Octets above 7F, although the header declares none.',
  'base64-skipped': 'Octets that are not base64 are skipped.',
  'base64-after-padding': 'The base64 continues after its padding, and is decoded to the end.',
  'base64-padding': 'The padding of the base64 is wrong.',
  'base64-truncated': 'The base64 ends inside an octet.',
  'quoted-printable-kept': 'An equals sign without two digits is kept.',
  'quoted-printable-syntax': 'The quoted-printable is malformed but unambiguous.',
  'quoted-printable-blanks': 'Blanks added at the end of a line in transit are removed.',
  'uuencode-syntax': 'The uuencode is malformed but unambiguous.',
  'uuencode-damage': 'Part of the uuencode is damaged, or has other text in it.',
  'name-from-comment': 'The name was taken from a comment after the address.',
  'line-length': 'An encoded line is longer than 76 characters.',
  'bare-line-end': 'A line does not end in CR and LF.',
  'header-line': 'A line of the header is not a field.',
  'missing-boundary': 'The multipart declares no boundary.',
  'unclosed-multipart': 'The multipart has no end. It may be truncated.',
  'empty-multipart': 'The multipart has no parts.',
  'outside-parts': 'Text before the first part or after the last is in no part. Mail programs do not show it.',
  'closed-content': 'A container that is not opened here, and may have text in it.',
  'signed-content': 'A signature covers this, and a change would break it.',
  unconverted: 'Left in its charset: converting it would lose or guess text.',
  partial: 'This is only the beginning of the text.',
  'limit-reached': 'A limit was reached. The rest is not parsed.',
};

function sentence(finding) {
  const told = KINDS[finding.kind] ?? `${finding.kind[0].toUpperCase()}${finding.kind.slice(1).replaceAll('-', ' ')}.`;
  // Omit the detail if the sentence repeats it.
  const isSame = told.toLowerCase().startsWith(finding.detail.toLowerCase());
  return finding.detail && !isSame ? [told, ' ', make('span', { class: 'detail' }, visible(finding.detail))] : [told];
}

// Findings as a list, the first few of them.
function findingsList({ list, count }, most = 12) {
  if (count === 0) return undefined;
  const items = list.slice(0, most).map((finding) => make('li', {}, mark(finding.effect), make('span', {}, ...sentence(finding))));
  if (count > items.length) items.push(make('li', { class: 'more' }, make('span', {}, `and ${(count - items.length).toLocaleString('en')} more`)));
  return make('ul', { class: 'findings' }, ...items);
}

const ON = {
  label: 'the label', bom: 'a byte order mark', 'html-meta': 'the meta element', 'xml-declaration': 'the XML declaration',
  'css-charset': 'the @charset rule', 'utf-8': 'whether it is UTF-8', escapes: 'the escapes', 'nul-pattern': 'the octets 00',
  siblings: 'the other parts', header: 'the header', 'content-language': 'Content-Language', 'sender-domain': 'the domain of the sender',
  program: 'the program that wrote it', hint: 'a hint', date: 'the date', 'old-hangul': 'old Hangul', detector: 'likelihood', default: 'the default',
};

function evidenceList(evidence) {
  if (evidence.length === 0) return undefined;
  const sides = { for: '＋', against: '－', neither: '·' };
  const words = { for: 'for', against: 'against', neither: 'neither for nor against' };
  return make('ul', { class: 'evidence' }, ...evidence.map((one) => make('li', { class: one.side },
    make('span', { class: 'side', role: 'img', 'aria-label': words[one.side] }, sides[one.side]),
    make('span', {}, make('b', {}, ON[one.kind] ?? one.kind), `: ${visible(one.detail)}`,
      one.length > 0 && !one.detail.endsWith(` at ${one.offset}`) ? make('span', { class: 'place' }, ` at octet ${one.offset.toLocaleString('en')}`) : ''))));
}

// One sentence: the charset of a part, the source of that decision, and its confidence.
function decisionSentence(sheet, chosen) {
  if (chosen) {
    return make('p', { class: 'decision' }, 'Read as ', make('b', {}, sheet.charset), ', as you chose.');
  }
  const label = sheet.label && sheet.label.toLowerCase() !== sheet.charset.toLowerCase()
    ? [' The label says ', make('q', {}, visible(sheet.label)), '.'] : sheet.label === null ? [' There is no label.'] : [];
  return make('p', { class: 'decision' }, 'Read as ', make('b', {}, sheet.charset), ` ${BECAUSE[sheet.source]}; ${sheet.confidence} % sure.`, ...label);
}

// Control characters and bidirectional controls, each shown as one sign of the same length.
const STEERS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
const sign = (unit, place, text) => {
  const code = unit.charCodeAt(0);
  // Of a CRLF, show only the line ending.
  if (code === 0x0d && text[place + 1] === '\n') return '\u200B';
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code < 0xa0) return '\u2426';
  if (code === 0x61c || (code >= 0x200e && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return '\u21C4';
  return '\u2423';
};
const visible = (text) => text.replace(STEERS, sign);

// The language that a charset suggests.
const LANGUAGES = [
  [/^(EUC-KR|KS_C|ISO-2022-KR|JOHAB|UNICODE-1-1|x-uhc|windows-949|CP949)/i, 'ko'],
  [/^(ISO-2022-JP|EUC-JP|Shift_JIS|Windows-31J|EUC-JIS)/i, 'ja'],
  [/^(GB|HZ|ISO-2022-CN|EUC-CN)/i, 'zh-Hans'], [/^(Big5|EUC-TW)/i, 'zh-Hant'],
  [/^KOI8-U/i, 'uk'], [/^(KOI8|IBM866|windows-1251|ISO-8859-5$|x-mac-cyrillic)/i, 'ru'],
  [/^(ISO-8859-7|windows-1253)/i, 'el'], [/^(ISO-8859-8|windows-1255)/i, 'he'], [/^(ISO-8859-6|windows-1256)/i, 'ar'],
  [/^(TIS-620|ISO-8859-11|windows-874)/i, 'th'], [/^(VISCII|windows-1258)/i, 'vi'], [/^(ISO-8859-9|windows-1254)/i, 'tr'],
];
const languageOf = (charset, text = '') => {
  const own = LANGUAGES.find(([names]) => names.test(charset ?? ''))?.[1];
  if (own) return own;
  if (/[\uAC00-\uD7A3]/.test(text)) return 'ko';
  if (/[\u3040-\u30FF]/.test(text)) return 'ja';
  return undefined;
};
