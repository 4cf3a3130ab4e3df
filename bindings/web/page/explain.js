'use strict';

// What the page says of charsets and findings, in sentences.

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

// A sign that differs in shape as in colour, with its word for those who do not see it.
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
};

const KINDS = {
  malformed: 'These octets are no character of the charset. U+FFFD stands for them.',
  undecoded: 'There is no table for this charset.',
  superset: 'A character that only the larger relative of the charset has.',
  'bom-removed': 'A byte order mark stood here.',
  'hangul-remapped': 'Hangul of Unicode 1.1, moved to where Hangul stands today.',
  'suspected-old-hangul': 'This may be Hangul of Unicode 1.1.',
  'double-encoded': 'This looks as if it had been converted twice.',
  nul: 'An octet 00 in the text.',
  control: 'A control character, shown as a sign.',
  'bidi-control': 'A character that changes the direction of the text, shown as ⇄.',
  'no-label': 'The part does not say which charset it is in.',
  'unknown-label': 'The label names no charset.',
  'repaired-label': 'The label is damaged; what it means is plain.',
  'loose-label': 'The label is a spelling that nobody registered.',
  'label-overridden': 'The octets prove the label wrong.',
  'default-charset': 'Nothing tells the charset.',
  'detected-charset': 'The charset was found by likelihood.',
  'raw-octets': 'Raw octets in a field, where only ASCII is allowed.',
  'raw-utf8': 'Raw UTF-8 in a field, as RFC 6532 has it.',
  'encoded-word-joined': 'Encoded words were cut inside a character, and are joined.',
  'document-conflict': 'The document names another charset.',
  'eight-bit-data': 'Octets above 7F where the header says 7bit.',
  'base64-skipped': 'Octets in the base64 that do not belong there.',
  'base64-padding': 'The padding of the base64 is wrong.',
  'base64-truncated': 'The base64 ends in the middle.',
  'section-gap': 'A piece of the value is missing.',
};

function sentence(finding) {
  const told = KINDS[finding.kind] ?? `${finding.kind[0].toUpperCase()}${finding.kind.slice(1).replaceAll('-', ' ')}.`;
  return finding.detail ? [told, ' ', make('span', { class: 'detail' }, visible(finding.detail))] : [told];
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
      one.length > 0 ? make('span', { class: 'place' }, ` at octet ${one.offset.toLocaleString('en')}`) : ''))));
}

// One sentence: what a part was read in, on whose word, how sure.
function decisionSentence(sheet, chosen) {
  if (chosen) {
    return make('p', { class: 'decision' }, 'Read as ', make('b', {}, sheet.charset), ', because you said so.');
  }
  const label = sheet.label && sheet.label.toLowerCase() !== sheet.charset.toLowerCase()
    ? [' The label says ', make('q', {}, visible(sheet.label)), '.'] : sheet.label === null ? [' There is no label.'] : [];
  return make('p', { class: 'decision' }, 'Read as ', make('b', {}, sheet.charset), ` ${BECAUSE[sheet.source]}; ${sheet.confidence} % sure.`, ...label);
}

// Controls and what changes the direction of text, each as one sign of the same length.
const STEERS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
const sign = (unit, place, text) => {
  const code = unit.charCodeAt(0);
  // Of a CRLF only the line end is shown.
  if (code === 0x0d && text[place + 1] === '\n') return '\u200B';
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code < 0xa0) return '\u2426';
  if (code === 0x61c || (code >= 0x200e && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return '\u21C4';
  return '\u2423';
};
const visible = (text) => text.replace(STEERS, sign);

// What language a charset tells.
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

// A name that is safe to save under: no folders, no controls, nothing that begins with a point.
function safeName(name, otherwise) {
  const safe = (name ?? '').normalize('NFC').replace(STEERS, '').replace(/[\u0000-\u001F\u007F\\/:*?"<>|]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '').slice(0, 120);
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(safe) || safe === '' ? otherwise : safe;
}
