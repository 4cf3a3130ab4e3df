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
  detected: 'because the octets look most like it',
  default: 'because nothing told otherwise',
  forced: 'because you said so',
};

const KINDS = {
  malformed: 'These octets are no character of the charset. U+FFFD stands for them.',
  undecoded: 'There is no table for this charset. U+FFFD stands for its octets.',
  superset: 'A character that only the larger relative of the charset has.',
  'shifted-end': 'The text does not end in ASCII, as if its end were missing.',
  'missing-escape': 'An escape of ISO-2022-JP lost its first octet, and is read all the same.',
  'utf7-syntax': 'This UTF-7 departs from its rules, and is plain all the same.',
  'utf7-markup': 'UTF-7 hides characters of markup that it could write as they are.',
  'bom-removed': 'A byte order mark stood here.',
  'hangul-remapped': 'Hangul of Unicode 1.1, moved to where Hangul stands today.',
  mislabelled: 'The label says Unicode 1.1, which could not write this text.',
  'label-without-hangul': 'The label is for Hangul of Unicode 1.1, and there is none.',
  'suspected-old-hangul': 'This may be Hangul of Unicode 1.1.',
  'double-encoded': 'This looks as if it had been converted twice.',
  noncharacter: 'A code point that is no character, and never will be one.',
  nul: 'An octet 00 in the text.',
  control: 'A control character, shown as a sign.',
  'bidi-control': 'A character that changes the direction of the text, shown as ⇄.',
  'loose-label': 'The label is a spelling that nobody registered.',
  'repaired-label': 'The label is damaged; what it means is plain.',
  'unknown-label': 'The label names no charset.',
  'no-label': 'The part does not say which charset it is in.',
  'charset-forced': 'The charset was chosen, whatever the message says.',
  'label-overridden': 'The octets prove the label wrong.',
  'bom-conflict': 'The byte order mark and the label disagree.',
  'document-conflict': 'The document names another charset.',
  'eight-bit-ascii': 'Octets above 7F, where the label or the default is ASCII.',
  'byte-order-assumed': 'Nothing says in which order the octets of a character stand.',
  'default-charset': 'Nothing tells the charset.',
  'detected-charset': 'The charset was found by likelihood.',
  'invalid-media-type': 'The media type cannot be read. A usual one is taken.',
  'duplicate-field': 'This field may stand only once. The first is used.',
  'duplicate-parameter': 'A parameter stands twice. The first is used.',
  'missing-semicolon': 'Two parameters have no semicolon between them.',
  'empty-parameter': 'A semicolon has no parameter behind it.',
  'missing-value': 'A value is missing, and is read as absent.',
  'wrong-separator': 'One equals sign should stand between a name and its value.',
  'unquoted-special': 'Characters stand here that should have been quoted.',
  unterminated: 'Nothing closes a quote, a comment or a bracket.',
  'skipped-text': 'This text fits no rule of the field, and is passed over.',
  'deep-comment': 'Comments lie in each other more than a hundred deep.',
  'raw-utf8': 'Raw UTF-8 in a field, as RFC 6532 has it.',
  'raw-octets': 'Raw octets in a field, where only ASCII is allowed.',
  'section-number': 'The number of a piece of the value is not allowed.',
  'section-gap': 'A piece of the value is missing.',
  'duplicate-section': 'A piece of the value stands twice. The first is used.',
  'extended-syntax': 'The value departs from the rules for values with a charset.',
  'bad-percent': 'A percent sign without two digits stays as it is.',
  'encoded-word-place': 'An encoded word stands where none may stand, and is read all the same.',
  'encoded-word-syntax': 'An encoded word departs from its rules, and is read all the same.',
  'encoded-word-joined': 'Encoded words were cut inside a character, and are joined.',
  'encoded-word-kept': 'An encoded word stays as it is written.',
  'encoded-word-length': 'An encoded word is longer than 75 characters.',
  'date-syntax': 'A date that departs from the rules, and is plain all the same.',
  'date-assumed': 'A date leaves something open, and the likeliest was taken.',
  'unknown-transfer-encoding': 'The transfer encoding is not known. The octets stay as they are.',
  'transfer-encoding-forbidden': 'This kind of part may not have this transfer encoding.',
  'transfer-encoding-repaired': 'The name of the transfer encoding is damaged; what it means is plain.',
  'eight-bit-data': 'Octets above 7F, where the header promises none.',
  'base64-skipped': 'Octets in the base64 that do not belong there.',
  'base64-after-padding': 'The base64 goes on after its end, and is read on.',
  'base64-padding': 'The padding of the base64 is wrong.',
  'base64-truncated': 'The base64 ends in the middle.',
  'quoted-printable-kept': 'An equals sign without two digits stays as it is.',
  'quoted-printable-syntax': 'The quoted-printable departs from its rules, and is plain all the same.',
  'quoted-printable-blanks': 'Blanks at the end of a line were added on the way, and are left out.',
  'uuencode-syntax': 'The uuencode departs from its rules, and is plain all the same.',
  'uuencode-damage': 'Part of the uuencode is damaged, or is text that does not belong there.',
  'name-from-comment': 'The name was taken from what stands behind the address.',
  'line-length': 'An encoded line is longer than 76 characters.',
  'bare-line-end': 'A line does not end in CR and LF.',
  'header-line': 'A line of the header is no field.',
  'missing-boundary': 'The multipart does not say what parts it.',
  'unclosed-multipart': 'The multipart has no end. It may have been cut.',
  'empty-multipart': 'The multipart has no part in it.',
  'outside-parts': 'Text before the first part or behind the last is in no part. Mail programs do not show it.',
  'closed-content': 'There may be text inside, in a container that is not opened here.',
  'signed-content': 'A signature covers this, which a change would break.',
  unconverted: 'This stays in its charset: a change would lose or guess something.',
  partial: 'This is only the beginning of the text.',
  'limit-reached': 'A limit was reached. What lies behind it is not taken apart.',
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
    return make('p', { class: 'decision' }, 'Read as ', make('b', {}, sheet.charset), ', because you said so.');
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
