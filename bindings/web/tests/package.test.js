// The npm package in Node: the corpus gives the command's JSON, and each function is called once.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { contentType, convert, decode, detect, labels, octets, parse } from '../package/node.js';

const corpus = new URL('../../../corpus/mail/', import.meta.url);
const files = readdirSync(corpus).filter((name) => name.endsWith('.eml')).sort();
const octetsOf = (name) => new Uint8Array(readFileSync(new URL(name, corpus)));

// The command itself; other tests compare it with the corpus's truth.
const command = process.env.MIME_CHARSET;

test('the corpus gives the same JSON as the command', { skip: command ? false : 'MIME_CHARSET is not set' }, () => {
  const lines = execFileSync(command, ['inspect', '--json', '--text', corpus.pathname], { maxBuffer: 1 << 28, encoding: 'utf8' });
  const told = lines.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(told.length, files.length);
  for (const { path, index, ...message } of told) {
    assert.equal(index, 0);
    const name = path.split('/').at(-1);
    assert.deepEqual(parse(octetsOf(name)), message, name);
  }
});

test('the labels equal those of the command', { skip: command ? false : 'MIME_CHARSET is not set' }, () => {
  const lines = execFileSync(command, ['labels', '--json'], { maxBuffer: 1 << 26, encoding: 'utf8' });
  assert.deepEqual(labels(), lines.trim().split('\n').map((line) => JSON.parse(line)));
});

test('conversions equal those of the command', { skip: command ? false : 'MIME_CHARSET is not set' }, () => {
  const { dir, results } = convertedByCommand();
  for (const name of files) {
    const converted = convert(octetsOf(name));
    assert.deepEqual(Buffer.from(converted.octets), results(name), name);
  }
  execFileSync('rm', ['-r', dir]);
});

function convertedByCommand() {
  const dir = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
  execFileSync(command, ['convert', '--quiet', '--report', `${dir}/report.jsonl`, corpus.pathname, `${dir}/out`], { stdio: 'ignore' });
  return { dir, results: (name) => readFileSync(`${dir}/out/${name}`) };
}

test('index.js alone says what to import', () => {
  const index = new URL('../package/index.js', import.meta.url).href;
  const call = `import { convert, parse } from '${index}';
    for (const f of [convert, parse]) try { f('') } catch (error) { console.log(error.message) }`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', call], { encoding: 'utf8' });
  const sentence = "the module is not loaded: import 'mime-charset', or node.js or browser.js of its folder\n";
  assert.equal(said, sentence.repeat(2));
});

test('a message without its texts', () => {
  const message = parse('Subject: =?euc-kr?B?x9Gxub7u?=\n\nText\n', { text: false });
  assert.equal(message.fields[0].text, '한국어');
  assert.equal('text' in message.parts[0], false);
});

test('the octets of a part in base64 (RFC 2045, section 6.8)', () => {
  const message = 'Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw==\n';
  assert.deepEqual(octets(message, '1'), new Uint8Array([0x89, 0x50, 0x4e, 0x47]));
  assert.equal(octets(message, '2'), undefined);
});

test('octets with and without a label', () => {
  const french = new Uint8Array([0x63, 0x61, 0x66, 0xc3, 0xa9]);
  const decoded = decode(french, { label: 'iso-8859-1' });
  assert.deepEqual([decoded.text, decoded.charset, decoded.source], ['café', 'UTF-8', 'evidence']);
  assert.deepEqual(decoded.evidence.map((one) => one.side), ['against', 'for']);
  assert.equal(detect(french).charset, 'UTF-8');
});

test('a Content-Type and a label', () => {
  const field = contentType('text/plain; charset="ks_c_5601-1987"; format=flowed');
  assert.deepEqual([field.media_type, field.label, field.charset], ['text/plain', 'ks_c_5601-1987', 'KS_C_5601-1987']);
  assert.deepEqual(field.parameters.map((one) => one.name), ['charset', 'format']);
  // RFC 1557 registers EUC-KR, MIBenum 38.
  assert.deepEqual([labels('euc-kr').charset, labels('euc-kr').mibenum], ['EUC-KR', 38]);
  assert.equal(labels('no such thing').matched, 'unknown');
});

test('invalid conversion options are an error', () => {
  assert.throws(() => convert('Subject: x\n\n', { headers: 'latin1' }), /expected a conversion option/);
  assert.throws(() => convert('Subject: x\n\n', { guessed: 101 }), /percent from 0 to 100/);
  const converted = convert('Subject: =?koi8-r?B?8NLJ18XU?=\n\n', { headers: 'utf8' });
  assert.equal(new TextDecoder().decode(converted.octets), 'Subject: Привет\n\n');
  assert.equal(converted.changed_fields, 1);
});

test('octets are read from any kind of buffer', () => {
  // "é" in UTF-8, in the middle of a larger buffer.
  const { buffer } = new Uint8Array([0xff, 0xff, 0xc3, 0xa9, 0xff, 0xff]);
  const shared = new SharedArrayBuffer(2);
  new Uint8Array(shared).set([0xc3, 0xa9]);
  const foreign = runInNewContext('new Uint8Array([0xc3, 0xa9]).buffer');
  for (const held of [
    new Uint8Array(buffer, 2, 2), new DataView(buffer, 2, 2), new Uint16Array(buffer, 2, 1), new Int8Array(buffer, 2, 2),
    buffer.slice(2, 4), Buffer.from([0xc3, 0xa9]), shared, foreign,
  ]) {
    assert.equal(decode(held, { label: 'utf-8' }).text, 'é');
    assert.equal(detect(held).charset, 'UTF-8');
    assert.equal(contentType(held).media_type, contentType('é').media_type);
  }
  const message = new TextEncoder().encode('Subject: é\n\n');
  for (const held of [message.buffer, new DataView(message.buffer)]) {
    assert.equal(parse(held).fields[0].text, 'é');
    assert.deepEqual(octets(held, '1'), new Uint8Array());
    assert.equal(convert(held).changed_fields, 1);
  }
});

test('an argument of the wrong type is a TypeError that names it', () => {
  const wrong = [null, undefined, 5, true, {}, [65, 66], Symbol('x'), () => 0];
  for (const value of wrong) {
    for (const call of [parse, contentType, convert, (it) => octets(it, '1')]) {
      assert.throws(() => call(value), { name: 'TypeError', message: /^expected an ArrayBuffer, a view of one or a string as (message|body), found / });
    }
    for (const call of [decode, detect]) assert.throws(() => call(value), { name: 'TypeError', message: /^expected an ArrayBuffer or a view of one as octets, found / });
    assert.throws(() => octets('', value), { name: 'TypeError', message: /^expected a string as part, found / });
    if (value === undefined) continue;
    assert.throws(() => labels(value), { name: 'TypeError', message: /^expected a string as label, found / });
    if (typeof value !== 'object' || value === null) assert.throws(() => convert('', value), { name: 'TypeError', message: /^expected an object as options, found / });
    if (value === null) continue;
    assert.throws(() => decode(new Uint8Array(), { label: value }), { name: 'TypeError', message: /^expected a string as label, found / });
    assert.throws(() => decode(new Uint8Array(), { mediaType: value }), { name: 'TypeError', message: /^expected a string as mediaType, found / });
  }
  assert.throws(() => decode('abc'), { name: 'TypeError', message: 'expected an ArrayBuffer or a view of one as octets, found string' });
  assert.equal(decode(new Uint8Array([97]), { label: null, mediaType: null }).text, 'a');
  assert.ok(labels(undefined).length > 1000 && labels().length > 1000);
});

test('findings about octets count octets of the message', () => {
  // RFC 2045, section 6.8: an exclamation mark is not base64.
  const message = 'Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nQUJD!REVG\n';
  const [finding] = parse(message).parts[0].findings;
  assert.deepEqual([finding.kind, finding.in, finding.offset], ['base64-skipped', 'source', message.indexOf('!')]);
});

test('the page joins the lines of a document in linear time', () => {
  const page = readFileSync(new URL('../page/text.js', import.meta.url), 'utf8');
  const joined = runInNewContext(`${page}; joinedLines`);
  assert.equal(joined('\n a \t\r b\u00a0\n\u00a0\n \u3000c\u2028d \n'), 'a b\nc\u2028d');
  assert.equal(joined(''), '');
  const begun = performance.now();
  assert.equal(joined(`${'\u00a0'.repeat(1 << 20)}a`), 'a');
  assert.ok(performance.now() - begun < 1000);
});

test('nothing has to be freed: memory does not grow with the messages', () => {
  const message = octetsOf('python-mixed-alternative-three-charsets.eml');
  for (let turn = 0; turn < 1000; turn += 1) parse(message);
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  for (let turn = 0; turn < 5000; turn += 1) parse(message);
  const after = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  assert.ok(after - before < 16 << 20, `${after - before} octets more`);
});
