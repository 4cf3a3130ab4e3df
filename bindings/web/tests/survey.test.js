// The pages of `survey --html` in Chromium, opened from disk: plots have data, links have targets,
// no script runs and nothing is fetched.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const command = process.env.MIME_CHARSET;
const skip = command ? false : 'MIME_CHARSET is not set';
const corpus = new URL('../../../corpus/mail', import.meta.url).pathname;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures = process.env.SCREENSHOTS;
const folder = mkdtempSync(join(tmpdir(), 'mime-charset-'));
const path = (name) => join(folder, name);
const run = (...given) => execFileSync(command, given, { maxBuffer: 1 << 28, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

// Opens a page and checks it; returns the numbers that it must show.
async function surveyed(name, source, scheme) {
  const file = path(`${name}.html`);
  run('survey', '--quiet', '--html', file, source);
  const numbers = JSON.parse(run('survey', '--quiet', '--json', source));
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, colorScheme: scheme });
  const page = await context.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => wrong.push(message.text()));
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  const found = await page.evaluate(() => {
    // Open the folded rows of long tables.
    document.querySelectorAll('details').forEach((details) => { details.open = true; });
    const size = (element) => element.getBoundingClientRect();
    const links = [...document.querySelectorAll('a')];
    return {
      scripts: document.scripts.length,
      links: links.length,
      broken: links.map((link) => link.getAttribute('href')).filter((href) => !href.startsWith('#') || !document.getElementById(href.slice(1))),
      bars: [...document.querySelectorAll('svg.bar rect')].map((bar) => size(bar).width),
      years: [...document.querySelectorAll('svg.years rect')].filter((bar) => size(bar).width > 0 && size(bar).height > 0).length,
      both: [...document.querySelectorAll('#comparison tbody tr')].map((row) => [row.cells[0].innerText, Number(row.cells[1].innerText), Number(row.cells[2].innerText), size(row.querySelector('.before')).width, size(row.querySelector('.after')).width]),
      charsets: [...document.querySelectorAll('#charsets tbody tr')].map((row) => [row.cells[0].innerText, Number(row.cells[1].innerText)]),
      wide: document.documentElement.scrollWidth > innerWidth,
    };
  });
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `survey-${name}.png`) });
  }
  // A number links to its examples.
  await page.locator('#charsets tbody a').first().click();
  assert.match(page.url(), /#charsets-\d+$/);
  assert.ok(await page.locator(':target').isVisible());
  // axe is not part of the page, whose policy allows no scripts; scripts injected by Playwright are
  // exempt.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html + node.failureSummary)]), []);
  assert.deepEqual(wrong, []);
  assert.deepEqual(asked, [pathToFileURL(file).href]);
  await context.close();
  assert.equal(found.scripts, 0);
  assert.deepEqual(found.broken, []);
  assert.equal(found.wide, false);
  const rows = numbers.tables.charsets.rows.map(({ name, count }) => [name, count]);
  assert.deepEqual(found.charsets, rows);
  return { ...found, numbers };
}

test('a survey of an archive', { skip }, async () => {
  const found = await surveyed('archive', corpus, 'light');
  const tables = Object.values(found.numbers.tables);
  assert.equal(found.bars.length, tables.reduce((sum, { rows }) => sum + rows.length, 0));
  assert.ok(found.bars.every((width) => width > 0));
  // A bar for each charset in each plausible year; a single year has no plot.
  const years = found.numbers.tables.charsets.rows.flatMap(({ years }) => Object.keys(years).filter((year) => year > 1970 && year < 2100));
  assert.equal(found.years, new Set(years).size > 1 ? years.length : 0);
  assert.ok(years.length > 20 && found.links > 100);
  assert.deepEqual(found.both, []);
});

test('a survey of a report compares before and after', { skip }, async () => {
  run('convert', '--quiet', '--report', path('report.jsonl'), corpus, path('converted'));
  const found = await surveyed('report', path('report.jsonl'), 'dark');
  const { charsets, charsets_after: after } = found.numbers.tables;
  const count = (table, name) => table.rows.find((row) => row.name === name)?.count ?? 0;
  assert.ok(found.both.length > 20);
  const longest = Math.max(...found.both.flatMap(([, ...numbers]) => numbers.slice(2)));
  const most = Math.max(...found.both.flatMap(([, ...numbers]) => numbers.slice(0, 2)));
  for (const [name, before, now, beforeWidth, afterWidth] of found.both) {
    assert.deepEqual([before, now], [count(charsets, name), count(after, name)], name);
    assert.ok(Math.abs(beforeWidth - (longest * before) / most) < 1, name);
    assert.ok(Math.abs(afterWidth - (longest * now) / most) < 1, name);
  }
});
