// The mapping of characters to octets, over the corpus and compared with other decoders.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { octets as partOctets, parse } from '../package/node.js';
import * as module from '../package/built/module.js';

const corpus = new URL('../../../corpus/mail/', import.meta.url);
const files = readdirSync(corpus).filter((name) => name.endsWith('.eml')).sort();
const octetsOf = (name) => new Uint8Array(readFileSync(new URL(name, corpus)));

const sheetOf = (octets, section, label, number = 0) => {
  const sheet = module.pageSheet(octets, section, label, number);
  return { ...sheet, ...JSON.parse(sheet.json) };
};
const groups = (sheet) => Array.from(sheet.starts).slice(0, -1).map((start, index) => ({
  octets: Array.from(sheet.octets.slice(start - sheet.start, sheet.starts[index + 1] - sheet.start)),
  text: sheet.text.slice(sheet.characters[index], sheet.characters[index + 1]),
}));
const message = (charset, ...octets) => new Uint8Array([...new TextEncoder().encode(`Content-Type: text/plain; charset=${charset}\n\n`), ...octets]);

test('the groups of every text of the corpus cover its octets and its text', () => {
  let texts = 0;
  for (const name of files) {
    const octets = octetsOf(name);
    for (const part of parse(octets).parts) {
      if (part.charset === null) continue;
      const sheet = sheetOf(octets, part.part);
      if (part.octets > 16 << 10) continue;
      assert.ok(sheet.starts, `${name} ${part.part}`);
      assert.equal(sheet.text.replace(/^\uFEFF/, ''), part.text.replace(/^\uFEFF/, ''), `${name} ${part.part}`);
      if (part.octets === 0) continue;
      assert.deepEqual(Buffer.from(sheet.octets), Buffer.from(partOctets(octets, part.part)), `${name} ${part.part}`);
      assert.ok(sheet.starts.length > 1, `${name} ${part.part}: ${part.charset}`);
      texts += 1;
    }
  }
  assert.ok(texts > 150, String(texts));
});

// The decoders of the Encoding Standard in Node decode each group separately.
test('another decoder decodes the octets of a group to its text', () => {
  const others = { 'UTF-8': 'utf-8', 'EUC-KR': 'euc-kr', Big5: 'big5', 'EUC-JP': 'euc-jp', 'Shift_JIS': 'shift_jis', GBK: 'gbk', GB18030: 'gb18030', 'KOI8-R': 'koi8-r', 'windows-1251': 'windows-1251', 'windows-1252': 'windows-1252', 'ISO-8859-2': 'iso-8859-2' };
  let compared = 0;
  for (const name of files) {
    const octets = octetsOf(name);
    for (const part of parse(octets).parts) {
      const other = others[part.charset];
      if (!other || part.octets === 0 || part.octets > 16 << 10 || /\uFFFD/.test(part.text)) continue;
      const decoder = new TextDecoder(other, { ignoreBOM: true });
      // Some of these decoders support less than mail uses under the name.
      if (decoder.decode(partOctets(octets, part.part)) !== part.text) continue;
      for (const group of groups(sheetOf(octets, part.part))) {
        assert.equal(decoder.decode(Uint8Array.from(group.octets)), group.text, `${name} ${part.part}`);
        assert.equal(Array.from(group.text).length, 1);
        compared += 1;
      }
    }
  }
  assert.ok(compared > 5000, String(compared));
});

// Table 3-8 of the Unicode Standard (Chapter 3, "U+FFFD Substitution of Maximal Subparts"), and a
// truncated text: 61 F1 80 80 E1 80 C2 62 80 63 has four replacements, each for the octets named
// there.
test('malformed octets have their own replacement', () => {
  const sheet = sheetOf(message('utf-8', 0x61, 0xf1, 0x80, 0x80, 0xe1, 0x80, 0xc2, 0x62, 0x80, 0x63), '1', 'utf-8');
  assert.deepEqual(groups(sheet).map((group) => [group.text, group.octets.length]), [
    ['a', 1], ['\uFFFD', 3], ['\uFFFD', 2], ['\uFFFD', 1], ['b', 1], ['\uFFFD', 1], ['c', 1],
  ]);
});

// RFC 1468: escapes have no text of their own; here they precede the characters they apply to.
test('an escape belongs to the character after it', () => {
  const sheet = sheetOf(message('iso-2022-jp', 0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42, 0x21), '1');
  assert.deepEqual(groups(sheet).map((group) => [group.text, group.octets.length]), [['日', 5], ['本', 2], ['!', 4]]);
});

test('old Hangul points at its original octets', () => {
  const sheet = sheetOf(octetsOf('hand-unicode-1-1-utf-8-korean.eml'), '1');
  const [first] = groups(sheet);
  // U+3CA2 of Unicode 1.1 is the syllable that is U+D55C today (RFC 2279, section 5).
  assert.deepEqual([first.text, first.octets], ['한', [0xe3, 0xb2, 0xa2]]);
});

test('sheets are contiguous and do not split characters', () => {
  const text = '한글 text\n'.repeat(4000);
  const octets = message('utf-8', ...new TextEncoder().encode(text));
  let whole = '';
  let end = 0;
  const { sheets } = sheetOf(octets, '1');
  for (let number = 0; number < sheets; number += 1) {
    const sheet = sheetOf(octets, '1', undefined, number);
    assert.equal(sheet.start, end);
    end = sheet.start + sheet.octets.length;
    whole += sheet.text;
  }
  assert.equal(whole, text);
});

const fieldOf = (octets, number = 0, label) => JSON.parse(module.pageField(octets, '', number, label));
const header = (...pieces) => new Uint8Array(Buffer.concat([...pieces, '\n\n'].map((piece) => Buffer.from(piece))));
const pointed = (field) => field.groups.map(({ places, from, to }) => [field.text.slice(from, to), ...places.map(([start, end]) => Buffer.from(field.source.slice(start, end)).toString('latin1'))]);

test('every character of every field of the corpus has octets, in order', () => {
  const blanks = /^[ "\\]*$/;
  let fields = 0;
  for (const name of files) {
    const octets = octetsOf(name);
    for (const [number, { text, is_cut: isCut }] of JSON.parse(module.pageFields(octets, '')).entries()) {
      const field = fieldOf(octets, number);
      assert.ok(field.is_followed, `${name} ${number}`);
      assert.equal(field.text, text);
      let end = 0;
      for (const { from, to, places } of field.groups) {
        // The characters between groups are those that separate the text of words from syntax.
        assert.match(text.slice(end, from), blanks, `${name} ${number}`);
        assert.ok(to > from && places.every(([start, end]) => start < end && end <= field.source.length));
        end = to;
      }
      if (!isCut) assert.match(text.slice(end), blanks, `${name} ${number}`);
      fields += 1;
    }
  }
  assert.ok(fields > 1400, String(fields));
});

// KS X 1001: C7 D1 is 한, B1 B9 국, BE EE 어. In base64 (RFC 4648, section 4) an octet takes two of the
// characters of its group: the first two, the second and third, or the last two.
test('a character of a field points at its base64', () => {
  assert.deepEqual(pointed(fieldOf(header('Subject: =?euc-kr?B?x9Gxub7u?='))), [['한', 'x9G'], ['국', 'Gxub'], ['어', 'b7u']]);
});

// RFC 2047, section 4.2.
test('a character of a field points at its escapes, malformed octets at their replacement', () => {
  const field = fieldOf(header('Subject: a =?utf-8?Q?=C3=A9_=FFb?='));
  assert.deepEqual(pointed(field), [['a', 'a'], [' ', ' '], ['é', '=C3=A9'], [' ', '_'], ['\uFFFD', '=FF'], ['b', 'b']]);
  assert.deepEqual(field.groups.filter((group) => group.is_malformed).map((group) => group.octets), [[0xff]]);
  assert.equal(String.fromCharCode(...field.source.slice(...field.groups[4].places[0])), '=FF');
});

test('a character split between words points into both', () => {
  // U+2603 is E2 98 83; the white space between the words is not shown (RFC 2047, section 6.2).
  const field = fieldOf(header('Subject: =?utf-8?Q?=E2=98?=\r\n =?utf-8?Q?=83?='));
  assert.deepEqual(pointed(field), [['\u2603', '=E2=98', '=83']]);
  // Base64 split inside a group of four: "é" is C3 A9, in base64 w6k=.
  assert.deepEqual(pointed(fieldOf(header('Subject: =?utf-8?B?w6?= =?utf-8?B?k=?='))), [['é', 'w6', 'k']]);
});

test('quotes added around a name have no octets', () => {
  const field = fieldOf(header('From: =?utf-8?Q?Kim=2C?= <k@a>'));
  assert.equal(field.text, '"Kim," <k@a>');
  assert.equal(pointed(field).map(([text]) => text).join(''), 'Kim, <k@a>');
  assert.deepEqual(pointed(field)[3], [',', '=2C']);
});

test('raw octets of a field, and neighbouring words in several charsets', () => {
  assert.deepEqual(pointed(fieldOf(header('Subject: ', Buffer.from([0xc7, 0xd1, 0xb1, 0xb9, 0xbe, 0xee, 0x20, 0xc7, 0xd1, 0xb1, 0xdb])))).map(([text, place]) => [text, place]), [
    ['한', '\xC7\xD1'], ['국', '\xB1\xB9'], ['어', '\xBE\xEE'], [' ', ' '], ['한', '\xC7\xD1'], ['글', '\xB1\xDB'],
  ]);
  assert.deepEqual(pointed(fieldOf(header('Subject: =?koi8-r?Q?=F0?= =?iso-2022-jp?B?GyRCJCIbKEI=?='))), [['П', '=F0'], ['あ', 'GyRCJCIbKEI']]);
});

test('a field in a chosen charset has the text of another decoder', () => {
  const octets = Uint8Array.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]);
  const field = header('Subject: Re: =?iso-8859-1?B?8NLJ18XU?=');
  for (const label of ['koi8-r', 'windows-1251', 'ibm866']) {
    assert.equal(fieldOf(field, 0, label).text, `Re: ${new TextDecoder(label).decode(octets)}`);
  }
  const likely = JSON.parse(module.pageFieldLikely(field, '', 0));
  assert.ok(likely.length > 50);
  assert.equal(likely.find((one) => one.charset === 'KOI8-R').text, 'Привет');
});
