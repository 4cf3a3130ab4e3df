// Compares the speed of reading messages with postal-mime, in Node and in Chromium, in one run
// each, and with the command on the same messages. Prints a table; `node tests/speed.js [FOLDER]`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const folder = process.argv[2] ?? new URL('../../../corpus/mail/', import.meta.url).pathname;
const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.eml')).map((name) => join(folder, name));
const mail = files.map((path) => new Uint8Array(readFileSync(path)));
const octets = mail.reduce((sum, one) => sum + one.length, 0);

// The same work in both: read every field and every text, in rounds over all messages; the best
// round counts.
const measure = async (mail, ours, theirs) => {
  const round = async (read) => {
    const start = performance.now();
    for (const one of mail) await read(one);
    return performance.now() - start;
  };
  const reads = { ours: (one) => ours.parse(one), 'ours, no texts': (one) => ours.parse(one, { text: false }), theirs: (one) => theirs.parse(one) };
  const best = {};
  for (let turn = 0; turn < 40; turn += 1) {
    for (const [name, read] of Object.entries(reads)) {
      const time = await round(read);
      best[name] = Math.min(best[name] ?? Infinity, time);
    }
  }
  return best;
};

const require = createRequire(import.meta.url);
const postal = join(require.resolve('postal-mime'), '../..');
const { default: PostalMime } = await import('postal-mime');
const inNode = await measure(mail, await import('../package/node.js'), PostalMime);

// postal-mime is a folder of modules, served next to the package.
const site = mkdtempSync(join(tmpdir(), 'mime-charset-'));
cpSync(new URL('../package', import.meta.url), join(site, 'package'), { recursive: true });
cpSync(postal, join(site, 'postal'), { recursive: true });
const server = createServer((request, response) => {
  const type = request.url.endsWith('.wasm') ? 'application/wasm' : request.url.endsWith('.js') ? 'text/javascript' : 'text/html';
  try {
    const body = request.url === '/' ? '<!doctype html>' : readFileSync(join(site, request.url));
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  } catch {
    response.writeHead(404);
    response.end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const inChromium = await page.evaluate(async ([mail, measure]) => {
  const octets = mail.map((one) => Uint8Array.from(atob(one), (character) => character.charCodeAt(0)));
  const { default: theirs } = await import('/postal/esm/postal-mime.js');
  return (0, eval)(`(${measure})`)(octets, await import('/package/browser.js'), theirs);
}, [mail.map((one) => Buffer.from(one).toString('base64')), measure.toString()]);
await browser.close();
server.close();
rmSync(site, { recursive: true });

console.log(`${mail.length} messages, ${(octets / 1e6).toFixed(2)} MB; microseconds a message, the best of 40 rounds`);
console.log('| | parse, texts too | without texts | postal-mime |\n|---|---:|---:|---:|');
const row = (name, best) => `| ${name} | ${['ours', 'ours, no texts', 'theirs'].map((one) => ((best[one] * 1000) / mail.length).toFixed(0)).join(' | ')} |`;
console.log(row('Node', inNode));
console.log(row('Chromium', inChromium));
// The command reads the messages once, and then forty times more: the difference excludes its
// start.
const command = process.env.MIME_CHARSET;
if (command) {
  const many = mkdtempSync(join(tmpdir(), 'mime-charset-'));
  const timed = (of) => Math.min(...Array.from({ length: 5 }, () => {
    const start = performance.now();
    execFileSync('taskset', ['--cpu-list', '0', command, 'inspect', '--json', '--text', of], { stdio: ['ignore', 'ignore', 'ignore'] });
    return performance.now() - start;
  }));
  for (let turn = 0; turn <= 40; turn += 1) for (const [place, one] of mail.entries()) writeFileSync(join(many, `${turn}-${place}.eml`), one);
  const [all, once] = [timed(many), timed(folder)];
  rmSync(many, { recursive: true });
  const native = ((all - once) * 1000) / (40 * mail.length);
  console.log(`the command on one core, with the disk: ${native.toFixed(0)} microseconds a message; in Chromium ${(((native * mail.length) / (inChromium.ours * 1000)) * 100).toFixed(0)} % of that rate, in Node ${(((native * mail.length) / (inNode.ours * 1000)) * 100).toFixed(0)} %`);
}
