// Assembles the page: one file, dist/index.html, which opens from a disk or from a server. It loads
// nothing, so the content security policy names its one script and one style by hash.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { samples } from './samples.js';

const here = (path) => new URL(path, import.meta.url);
const read = (path) => readFileSync(here(path), 'utf8');

const module = gzipSync(readFileSync(here('../dist/module/module_bg.wasm')), { level: 9 });
const worker = ['../dist/module/module.js', 'zip.js', 'worker.js'].map(read).join('\n');
const mail = samples.map((sample) => ({
  ...sample,
  octets: readFileSync(here(`../../../corpus/mail/${sample.file}`)).toString('base64'),
}));
const parts = {
  STYLE: read('style.css'),
  SCRIPT: ['explain.js', 'list.js', 'text.js', 'field.js', 'app.js'].map(read).join('\n'),
  MODULE: module.toString('base64'),
  WORKER: worker,
  SAMPLES: JSON.stringify(mail),
};
for (const [name, part] of Object.entries(parts)) {
  if (/<\/(script|style)|<!--/i.test(part)) throw new Error(`${name} would end its element`);
}
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
parts.POLICY = [
  "default-src 'none'",
  `script-src ${hash(parts.SCRIPT)} 'wasm-unsafe-eval'`,
  `style-src ${hash(parts.STYLE)}`,
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const page = read('index.html').replace(/@@([A-Z]+)@@/g, (_, name) => parts[name]);
writeFileSync(here('../dist/index.html'), page);
