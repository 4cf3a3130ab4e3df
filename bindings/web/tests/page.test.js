// The page in Chromium, opened from disk as by a reader, and the package from a server.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { convert, parse } from '../package/node.js';

const web = new URL('..', import.meta.url);
const corpus = new URL('../../../corpus/', import.meta.url);
const octetsOf = (name) => readFileSync(new URL(name, corpus));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = process.env.SCREENSHOTS;
const folder = mkdtempSync(join(tmpdir(), 'mime-charset-'));
let browser;
let server;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  const types = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
  server = createServer((request, response) => {
    try {
      const octets = readFileSync(new URL(`.${request.url}`, web));
      response.writeHead(200, { 'content-type': types[request.url.split('.').at(-1)] ?? 'application/octet-stream' });
      response.end(octets);
    } catch {
      // An empty page of this server, to import modules into.
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html>');
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

// Opens a page, and collects its errors and any network requests.
async function opened({ from = 'disk', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') wrong.push(message.text()); });
  page.on('dialog', (dialog) => { wrong.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(from === 'disk' ? new URL('dist/index.html', web).href : `http://127.0.0.1:${server.address().port}/dist/index.html`);
  page.on('request', (request) => { if (!/^(blob|data):/.test(request.url())) wrong.push(`request ${request.url()}`); });
  return { page, wrong, context };
}

async function give(page, name, octets) {
  await page.setInputFiles('#file', { name, mimeType: '', buffer: Buffer.from(octets) });
  await page.waitForSelector('.part');
}

// The `count` files saved on `click`, in order: they may arrive together.
async function downloads(page, count, click) {
  const come = new Promise((resolve, reject) => {
    const all = [];
    const late = setTimeout(async () => {
      const told = await page.textContent('#telling').catch(String);
      reject(new Error(`${all.length} of ${count} files were saved; the page says “${told}”`));
    }, 15_000);
    const take = (download) => {
      all.push(download);
      if (all.length < count) return;
      page.off('download', take);
      clearTimeout(late);
      resolve(all);
    };
    page.on('download', take);
  });
  await click();
  return come;
}

const status = (page) => page.textContent('.status');
const picture = async (page, name) => {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, name) });
};

for (const from of ['disk', 'server']) {
  test(`each sample is read, from a ${from}`, async () => {
    const { page, wrong, context } = await opened({ from });
    assert.equal(await page.locator('.sample').count(), 10);
    for (let index = 0; index < 10; index += 1) {
      await page.click('#home');
      await page.locator('.sample').nth(index).click();
      await page.waitForSelector('.story + h1');
      await page.waitForSelector('.part .octets');
      await page.waitForFunction(() => document.querySelector('#progress').hidden);
    }
    assert.deepEqual(wrong, []);
    await context.close();
  });
}

test('a dropped message', async () => {
  const { page, wrong, context } = await opened();
  const octets = [...octetsOf('mail/neomutt-euc-kr-8bit.eml')];
  await page.evaluate((octets) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(octets)], 'korean.eml'));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, octets);
  await page.waitForSelector('.part');
  const message = parse(new Uint8Array(octets));
  const subject = message.fields.find((field) => field.name === 'Subject').text;
  assert.equal(await page.textContent('.view h1'), subject);
  assert.equal(await page.locator('.block').first().getAttribute('class'), 'block');
  assert.equal((await page.locator('.block').allTextContents()).join(''), message.parts[0].text);
  assert.equal(await page.getAttribute('.text', 'lang'), 'ko');
  assert.deepEqual(wrong, []);
  await context.close();
});

test('pointing works in both directions', async () => {
  const { page, wrong, context } = await opened();
  // U+AC00 is B0 A1 in EUC-KR (KS X 1001, row 16, cell 1).
  await give(page, 'x.eml', Buffer.concat([Buffer.from('Content-Type: text/plain; charset=euc-kr\n\nab'), Buffer.from([0xb0, 0xa1]), Buffer.from('c\n')]));
  const boxOf = (...place) => boxIn(page, ...place);
  const painted = () => highlighted(page, 'point');
  const character = await boxOf('.block', 2, 3);
  for (const side of [-0.3, 0.3]) {
    await page.mouse.move(0, 0);
    await page.mouse.move(character.x + side * character.width, character.y);
    assert.match(await status(page), /가 U\+AC00.*B0 A1 at octet 2/);
  }
  assert.deepEqual(await painted(), ['가', 'B0 A1', '··']);
  // The fifth octet, 63: eight columns, then three for each octet.
  const octet = await boxOf('.chunk', 8 + 4 * 3, 8 + 4 * 3 + 2);
  await page.mouse.move(octet.x, octet.y);
  assert.match(await status(page), /c U\+0063.*63 at octet 4/);
  assert.deepEqual(await painted(), ['c', '63', 'c']);
  await page.focus('.text');
  await page.keyboard.press('ArrowLeft');
  assert.match(await status(page), /U\+AC00/);
  await page.keyboard.press('Home');
  assert.match(await status(page), /a U\+0061/);
  assert.deepEqual(wrong, []);
  await context.close();
});

// The boxes of characters of a text node.
const boxIn = (page, selector, from, to) => page.evaluate(([selector, from, to]) => {
  const node = document.querySelector(selector).firstChild;
  const range = document.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  const { x, y, width, height } = range.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, width };
}, [selector, from, to]);
const highlighted = (page, name) => page.evaluate((name) => [...CSS.highlights.get(name)].map((range) => range.toString()), name);

test('pointing in a field works in both directions, and another charset shows another text', async () => {
  const { page, wrong, context } = await opened();
  await give(page, 'x.eml', 'Subject: Re: =?koi8-r?Q?=F0=D2?= =?utf-8?Q?=E2=98=83=FF?=\n\nText\n');
  // A click opens the octets at the clicked character: F0 is П in KOI8-R (RFC 1489). Before it are
  // 8 octets of name and colon, 5 of " Re: ", and 11 of the word's start.
  const letter = await boxIn(page, '.asked .said-text', 4, 5);
  await page.mouse.click(letter.x, letter.y);
  await page.waitForFunction(() => /U\+041F/.test(document.querySelector('.pointed')?.textContent));
  assert.deepEqual(await highlighted(page, 'point'), ['П', '=F0']);
  assert.match(await page.textContent('.pointed'), /П U\+041F.*F0 at octet 24 of the message/);
  const at = (await page.textContent('.written')).indexOf('=E2=98=83');
  const octet = await boxIn(page, '.written', at + 4, at + 5);
  await page.mouse.move(octet.x, octet.y);
  assert.deepEqual(await highlighted(page, 'point'), ['\u2603', '=E2=98=83']);
  assert.deepEqual(await highlighted(page, 'lost'), ['\uFFFD', '=FF']);
  await page.focus('.said-text[tabindex]');
  await page.keyboard.press('End');
  assert.match(await page.textContent('.pointed'), /FF at octet .*not a character of the charset/);
  await page.click('.inside .readas summary');
  await page.fill('.inside .choices input', 'windows-1251');
  await page.click('.inside .choice[data-charset="windows-1251"]');
  const read = new TextDecoder('windows-1251').decode(Uint8Array.from([0xf0, 0xd2, 0xe2, 0x98, 0x83, 0xff]));
  await page.waitForFunction(() => /as you chose/.test(document.querySelector('.beside').textContent));
  // 98 is not a character in this table; elsewhere it is shown as a sign.
  assert.equal((await page.textContent('.said-text')).replace(/[\u2426\uFFFD]/, ''), `Re: ${read.replace(/\u0098/, '')}`);
  await page.click('.inside >> text=As the message says');
  await page.waitForFunction(() => document.querySelector('.said-text').textContent === 'Re: Пр\u2603\uFFFD');
  assert.deepEqual(wrong, []);
  await context.close();
});

test('the fields of an embedded message, and of a part', async () => {
  const { page, wrong, context } = await opened();
  const inner = 'Subject: =?euc-kr?B?x9Gxub7u?=\nContent-Type: text/plain\n\ninner\n';
  await give(page, 'x.eml', `Subject: outer\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Description: =?koi8-r?Q?=F0?=\n\nText\n--b\nContent-Type: message/rfc822\n\n${inner}--b--\n`);
  await page.click('.why details:not(.readas) summary');
  assert.equal(await page.textContent('.why .field .said-text >> nth=0'), 'П');
  await page.click('.branch:has-text("message/rfc822")');
  await page.waitForFunction(() => document.querySelector('.why .said-text')?.textContent === '한국어');
  await page.click('.why .asks');
  await page.waitForSelector('.why .written');
  assert.match(await page.textContent('.why .written'), /=\?euc-kr\?B\?x9Gxub7u\?=/);
  assert.deepEqual(wrong, []);
  await context.close();
});

test('another charset shows another text', async () => {
  const { page, wrong, context } = await opened();
  const octets = Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]);
  await give(page, 'x.eml', Buffer.concat([Buffer.from('Content-Type: text/plain; charset=iso-8859-1\n\n'), octets]));
  for (const [charset, decoder] of [['KOI8-R', 'koi8-r'], ['windows-1251', 'windows-1251']]) {
    await page.click('.part .readas summary');
    await page.fill('.part .choices input', charset);
    await page.click(`.choice[data-charset="${charset}"]`);
    await page.waitForFunction((charset) => document.querySelector('.decision b').textContent === charset, charset);
    assert.equal(await page.textContent('.block'), new TextDecoder(decoder).decode(octets));
    assert.match(await page.textContent('.decision'), /as you chose/);
  }
  await page.click('text=As the message says');
  await page.waitForFunction(() => !document.querySelector('.decision').textContent.includes('you said so'));
  assert.deepEqual(wrong, []);
  await context.close();
});

test('saved files', async () => {
  const { page, wrong, context } = await opened();
  const octets = Buffer.concat([Buffer.from('Subject: ../..\\x:<b>\u202e\nContent-Type: text/plain; charset=koi8-r;\n name="=?utf-8?Q?..=2F..=2Fetc=2Fpasswd?="\n\n'), Buffer.from([0xf0, 0xd2, 0xc9])]);
  await give(page, 'x.eml', octets);
  const saved = async (button) => {
    const [download] = await downloads(page, 1, () => page.click(button));
    return { name: download.suggestedFilename(), octets: readFileSync(await download.path()) };
  };
  const text = await saved('text=Save this text');
  assert.equal(text.octets.toString(), 'При');
  const message = await saved('text=Save the message in UTF');
  assert.deepEqual(message.octets, Buffer.from(convert(new Uint8Array(octets)).octets));
  const report = await saved('text=Save the report');
  assert.equal(JSON.parse(report.octets).changes.length, convert(new Uint8Array(octets)).changes.length);
  for (const { name } of [text, message, report]) assert.doesNotMatch(name, /[\\/:<>\u202e]|^\./, name);
  assert.deepEqual(wrong, []);
  await context.close();
});

test('a mailbox and a zip file are listed and searched', async () => {
  const { page, wrong, context } = await opened();
  await give(page, 'mail.mbox', octetsOf('archive/mboxrd.mbox'));
  await page.waitForFunction(() => document.querySelector('#progress').hidden);
  assert.match(await page.textContent('#count'), /^7 messages/);
  const first = await page.textContent('.message .subject');
  await page.fill('#query', first.slice(0, 12));
  await page.waitForFunction(() => / of 7 messages/.test(document.querySelector('#count').textContent));
  await page.fill('#query', 'no such words');
  await page.waitForSelector('text=No message matches.');
  await page.fill('#query', '');
  await give(page, 'tree.zip', octetsOf('archive/tree.zip'));
  await page.waitForFunction(() => document.querySelector('#progress').hidden);
  assert.ok(Number.parseInt(await page.textContent('#count'), 10) > 3);
  await give(page, 'mail.mbox.gz', octetsOf('archive/mboxrd.mbox.gz'));
  await page.waitForFunction(() => document.querySelector('#progress').hidden);
  assert.match(await page.textContent('#count'), /^7 messages/);
  assert.deepEqual(wrong, []);
  await context.close();
});

test('a mailbox of any dialect is converted as by the command', { skip: process.env.MIME_CHARSET ? false : 'MIME_CHARSET is not set' }, async () => {
  const mailboxes = readdirSync(new URL('archive/', corpus)).filter((name) => name.endsWith('.mbox'));
  assert.ok(mailboxes.length > 12);
  for (const name of mailboxes) {
    // Each in its own page: Chromium saves ten files of a page per second, and drops the rest.
    const { page, wrong, context } = await opened();
    await give(page, name, octetsOf(`archive/${name}`));
    await page.waitForFunction(() => document.querySelector('#progress').hidden);
    const [download] = await downloads(page, 2, () => page.click('#whole'));
    const out = join(folder, `out-${name}`);
    execFileSync(process.env.MIME_CHARSET, ['convert', '--quiet', '--report', `${out}.jsonl`, new URL(`archive/${name}`, corpus).pathname, out], { stdio: 'ignore' });
    assert.deepEqual(readFileSync(await download.path()), readFileSync(out), name);
    assert.deepEqual(wrong, [], name);
    await context.close();
  }
});

test('a file that is not mail is refused in a sentence', async () => {
  const { page, wrong, context } = await opened();
  const told = async (name, octets) => {
    await page.setInputFiles('#file', { name, mimeType: '', buffer: Buffer.from(octets) });
    await page.waitForFunction(() => document.querySelector('#progress').hidden && /no message/.test(document.querySelector('.view').textContent));
    return page.textContent('.view');
  };
  // The magic numbers of [MS-PST], section 2.2.2.6, of the .xz file format, section 2.1.1.1, and of PNG.
  assert.match(await told('old.pst', '!BDN\0\0\0'), /old\.pst: .*readpst/);
  assert.match(await told('mail.mbox.xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /compressed by xz/);
  assert.match(await told('picture.png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]), /picture\.png: is not mail/);
  // Text without a well-known field is read too.
  await give(page, 'note.txt', 'Only text\n');
  assert.match(await page.textContent('#telling'), /does not look like mail/);
  assert.deepEqual(wrong, []);
  await context.close();
});

test('keyboard use', async () => {
  const { page, wrong, context } = await opened();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className || document.activeElement.textContent);
  const tabTo = async (what) => {
    for (let turn = 0; turn < 60; turn += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((what) => document.activeElement.matches(what), what)) return;
    }
    assert.fail(`${what} is not reached from ${await focused()}`);
  };
  // The sample with words split inside a character: its fields and its text are encoded.
  await tabTo('li:nth-child(4) > .sample');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.part .octets');
  assert.equal(await focused(), 'list');
  await tabTo('.asks');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.written');
  await tabTo('.written');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.match(await page.textContent('.pointed'), /U\+/);
  await picture(page, 'field.png');
  await tabTo('.inside .readas > summary');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.inside .choice');
  await tabTo('.choice[data-charset="Big5"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /Read as Big5/.test(document.querySelector('.beside').textContent));
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'SUMMARY');
  await tabTo('.part .readas > summary');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.part .choice');
  await tabTo('.part .choices input');
  await page.keyboard.type('big5');
  await tabTo('.part .choice[data-charset="Big5"]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.decision b').textContent === 'Big5');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'SUMMARY');
  await tabTo('.text');
  await page.keyboard.press('End');
  assert.match(await status(page), /U\+/);
  assert.deepEqual(wrong, []);
  await context.close();
});

test('a pasted header', async () => {
  const { page, wrong, context } = await opened();
  await page.click('#paste');
  await page.fill('#pasted', '=?euc-kr?B?x9Gxub7u?=');
  await page.click('text=Read it');
  await page.waitForSelector('.view h1');
  assert.equal(await page.textContent('.view h1'), '한국어');
  assert.deepEqual(wrong, []);
  await context.close();
});

test('a sentence says how each field was decoded', async () => {
  const { page, wrong, context } = await opened();
  await give(page, 'x.eml', 'Subject: =?koi8-r?Q?=F0?= =?iso-2022-jp?B?GyRCJCIbKEI=?= =?koi8-r?Q?=F0?=\nFrom: é <a@example.org>\n\nText\n');
  const said = await page.locator('.fields .beside > span:first-child').allTextContents();
  assert.deepEqual(said.map((text) => text.trim()), [
    'Read as UTF-8 because the octets prove it.',
    'Read as KOI8-R because its label says so; as ISO-2022-JP because its label says so.',
  ]);
  assert.deepEqual(wrong, []);
  await context.close();
});

test('hostile mail runs nothing, loads nothing and freezes nothing', async () => {
  const { page, wrong, context } = await opened();
  const html = '<script>window.caught=1;alert(1)</script><img src="http://127.0.0.1:9/x.png" onerror="window.caught=1"><iframe srcdoc="<script>top.caught=1</script>"></iframe><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/"><link rel=stylesheet href="http://127.0.0.1:9/x.css"><p>seen</p>';
  await give(page, '<img src=x onerror=alert(1)>.eml', Buffer.from(`Subject: <script>window.caught=1</script>\u202Eevil\u202C\nFrom: "<img src=x onerror=window.caught=1>" <a@example.org>\nContent-Type: text/html; charset=utf-8; name="<svg onload=alert(1)>"\n\n${html}`));
  await page.click('text=Without markup');
  await page.waitForSelector('.plain');
  assert.equal((await page.textContent('.plain')).trim(), 'seen');
  assert.match(await page.textContent('.view h1'), /<script>.*⇄evil⇄/);
  assert.equal(await page.evaluate(() => window.caught), undefined);
  assert.equal(await page.locator('.view script, .view img, .view iframe, .view svg').count(), 0);
  await picture(page, 'hostile.png');
  // Every second octet is malformed: 65,536 findings are kept, and many more are counted.
  const many = Buffer.concat([Buffer.from('Content-Type: text/plain; charset=utf-8\n\n'), Buffer.from('\xffa'.repeat(100_000) + '\xff\n'.repeat(100_000), 'latin1')]);
  const longest = await longestTask(page, async () => {
    await give(page, 'many.eml', many);
    await page.waitForFunction(() => document.querySelector('#progress').hidden && document.querySelector('.block')?.textContent.length > 500);
    await page.click('text=On ›');
    await page.waitForTimeout(1000);
  });
  assert.ok(longest < 100, `${longest} ms`);
  // The policy blocks and reports a handler in a document that is only parsed.
  assert.deepEqual(wrong.filter((sentence) => !/^Executing inline event handler violates .* has been blocked/.test(sentence)), []);
  await context.close();
});

// The longest task of the page's main thread, in milliseconds of processor time; on an idle machine
// this equals elapsed time.
async function longestTask(page, act) {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const threads = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  assert.ok(threads.size > 0);
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && threads.has(`${pid} ${tid}`));
  assert.ok(tasks.length > 100, String(tasks.length));
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
}

test('a mailbox of 200 MB does not freeze the page', { timeout: 300_000 }, async (context) => {
  const path = join(folder, 'large.mbox');
  // Quoted as mboxrd; messages with a lone CR may end elsewhere for a reader.
  const mail = readdirSync(new URL('mail/', corpus)).filter((name) => name.endsWith('.eml'))
    .map((name) => octetsOf(`mail/${name}`).toString('latin1'))
    .filter((text) => !/\r(?!\n)/.test(text))
    .map((text) => Buffer.from(text.replace(/^(>*From )/gm, '>$1'), 'latin1'));
  const separator = Buffer.from('From - Sat Jan  3 01:05:34 1996\n');
  const once = Buffer.concat(mail.flatMap((octets) => [separator, octets, Buffer.from('\n\n')]));
  const file = openSync(path, 'w');
  let count = 0;
  for (let size = 0; size < 200e6; size += once.length) {
    writeSync(file, once);
    count += mail.length;
  }
  closeSync(file);
  const { page, wrong, context: window } = await opened();
  let [first, seconds] = [0, 0];
  const longest = await longestTask(page, async () => {
    const start = performance.now();
    await page.setInputFiles('#file', path);
    await page.waitForSelector('.part');
    first = performance.now() - start;
    // Someone uses the page while a file is read.
    for (let turn = 0; turn < 20; turn += 1) {
      await page.focus('#list');
      await page.keyboard.press(turn % 5 === 4 ? 'PageDown' : 'ArrowDown');
      await page.waitForTimeout(50);
    }
    await page.waitForFunction(() => document.querySelector('#progress').hidden, undefined, { timeout: 240_000 });
    seconds = (performance.now() - start) / 1000;
    await page.fill('#query', 'subject that is nowhere');
    await page.waitForSelector('text=No message matches.');
    await page.fill('#query', '');
    await page.waitForFunction(() => / messages, /.test(document.querySelector('#count').textContent));
  });
  const told = await page.textContent('#count');
  context.diagnostic(`${told}: the first after ${first.toFixed(0)} ms, all after ${seconds.toFixed(1)} s; longest task ${longest.toFixed(0)} ms`);
  assert.ok(told.startsWith(`${count.toLocaleString('en')} messages`), `${told}, not ${count}`);
  assert.ok(longest < 100, `${longest} ms`);
  // After cancelling, the messages read so far stay.
  await page.setInputFiles('#file', path);
  await page.waitForSelector('.message');
  await page.click('#cancel');
  await page.waitForFunction(() => document.querySelector('#progress').hidden);
  assert.ok(await page.locator('.message').count() > 0);
  assert.deepEqual(wrong, []);
  await window.close();
});

for (const [name, options] of [['light', {}], ['dark', { colorScheme: 'dark' }], ['narrow', { viewport: { width: 390, height: 844 } }]]) {
  test(`axe finds nothing serious: ${name}`, async () => {
    const { page, wrong, context } = await opened(options);
    const check = async (where) => {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run());
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(serious.map(({ id, nodes }) => [where, id, nodes.slice(0, 3).map((node) => node.html + node.failureSummary)]), []);
    };
    await check('welcome');
    await picture(page, `welcome-${name}.png`);
    await page.locator('.sample').first().click();
    await page.waitForSelector('.part');
    await page.locator('.text').scrollIntoViewIfNeeded();
    const block = await page.locator('.block').first().boundingBox();
    await page.mouse.move(block.x + 8, block.y + 12);
    await check('message');
    await picture(page, `old-hangul-${name}.png`);
    await page.locator('.asks').first().click();
    await page.click('.inside .readas summary');
    await page.waitForSelector('.inside .choice');
    await check('field');
    await give(page, 'x.eml', octetsOf('mail/mime-construct-koi8-u-alternative.eml'));
    await page.click('.readas summary');
    await page.waitForSelector('.choice');
    await page.waitForFunction(() => document.querySelector('#progress').hidden);
    await check('parts and charsets');
    await picture(page, `read-as-${name}.png`);
    await give(page, 'x.eml', octetsOf('mail/emacs-iso-8859-8.eml'));
    await page.waitForFunction(() => document.querySelector('#progress').hidden);
    await picture(page, `right-to-left-${name}.png`);
    await page.setInputFiles('#file', readdirSync(new URL('mail/', corpus)).filter((name) => name.endsWith('.eml')).map((name) => new URL(`mail/${name}`, corpus).pathname));
    await page.waitForFunction(() => document.querySelector('#progress').hidden && /^\d{3} messages/.test(document.querySelector('#count').textContent));
    await page.focus('#list');
    await page.keyboard.press('PageDown');
    await page.waitForTimeout(300);
    await check('list');
    await picture(page, `list-${name}.png`);
    assert.deepEqual(wrong, []);
    await context.close();
  });
}

test('the package in Chromium reads the corpus as in Node', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/package/index.html`);
  const names = readdirSync(new URL('mail/', corpus)).filter((name) => name.endsWith('.eml'));
  const mail = names.map((name) => octetsOf(`mail/${name}`).toString('base64'));
  const found = await page.evaluate(async (mail) => {
    const { parse } = await import('/package/browser.js');
    return mail.map((octets) => JSON.stringify(parse(Uint8Array.from(atob(octets), (one) => one.charCodeAt(0)))));
  }, mail);
  for (const [index, name] of names.entries()) {
    assert.equal(found[index], JSON.stringify(parse(new Uint8Array(octetsOf(`mail/${name}`)))), name);
  }
  await context.close();
});

test('the list has short dates and names, and notes do not separate lines', async () => {
  const { page, wrong, context } = await opened({ viewport: { width: 420, height: 900 } });
  await give(page, 'notes.eml', Buffer.from('From: Kim Minjun <kim@example.org>\r\nDate: Thu, 4 Mar 1999 10:00:00 +0900\r\n'
    + 'Subject: Notes\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nOne =FF\r\nTwo\r\nThree\r\n'));
  assert.equal(await page.textContent('.message .from'), 'Kim Minjun');
  assert.equal(await page.textContent('.message .date'), '4 Mar 1999');
  const list = await page.locator('#list').boundingBox();
  const row = await page.locator('.message').boundingBox();
  assert.ok(list.height < row.height + 4, `a box of ${list.height} around a row of ${row.height}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  const tops = await page.evaluate(() => ['One', 'Two', 'Three'].map((word) => {
    const nodes = [...document.querySelectorAll('.block')].map((block) => block.firstChild);
    const node = nodes.find((one) => one.data.includes(word));
    const range = document.createRange();
    range.setStart(node, node.data.indexOf(word));
    range.setEnd(node, node.data.indexOf(word) + word.length);
    return range.getBoundingClientRect().top;
  }));
  assert.equal(await page.locator('.notes').count(), 1);
  assert.ok(Math.abs((tops[1] - tops[0]) - (tops[2] - tops[1])) < 2, String(tops));
  assert.deepEqual(wrong, []);
  await context.close();
});
