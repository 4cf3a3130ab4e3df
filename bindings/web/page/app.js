// The page: passes files to a worker and shows the results.

const at = (id) => document.getElementById(id);

// A worker that runs the module. `ask` returns a promise; `onprogress` gets earlier messages.
class Helper {
  constructor() {
    this.asked = new Map();
    this.number = 0;
    this.ready = Helper.source().then(({ url, bytes }) => {
      this.worker = new Worker(url);
      this.worker.onmessage = ({ data }) => this.heard(data);
      this.worker.onerror = (event) => { for (const { fail } of this.asked.values()) fail(new Error(event.message)); };
      return this.post({ task: 'start', bytes });
    });
  }

  static source() {
    Helper.kept ??= (async () => {
      const packed = Uint8Array.from(atob(at('module').textContent), (one) => one.charCodeAt(0));
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
      const bytes = await new Response(stream).arrayBuffer();
      const url = URL.createObjectURL(new Blob([at('worker').textContent], { type: 'text/javascript' }));
      return { url, bytes };
    })();
    return Helper.kept;
  }

  heard({ id, progress, result, error }) {
    const asked = this.asked.get(id);
    if (!asked) return;
    if (progress) {
      asked.onprogress?.(progress);
      return;
    }
    this.asked.delete(id);
    if (error !== undefined) asked.fail(new Error(error));
    else asked.done(result);
  }

  post(question, onprogress) {
    const id = (this.number += 1);
    return new Promise((done, fail) => {
      this.asked.set(id, { done, fail, onprogress });
      this.worker.postMessage({ ...question, id });
    });
  }

  async ask(question, onprogress) {
    await this.ready;
    return this.post(question, onprogress);
  }

  end() {
    this.worker?.terminate();
    for (const { fail } of this.asked.values()) fail(new Error('cancelled'));
    this.asked.clear();
  }
}

let viewer = new Helper();
let reader;
let mailbox;
const list = new MessageList(at('list'), (item) => show(item));
list.onchange = () => {
  const { length } = list.items;
  at('count').textContent = length === 0 ? '' : list.shown.length === length
    ? `${messages(length)}, ${list.marked.toLocaleString('en')} marked`
    : `${list.shown.length.toLocaleString('en')} of ${messages(length)}`;
};

function messages(count) {
  return `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'}`;
}

function tell(text) {
  at('telling').textContent = text;
  at('telling').hidden = false;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => { at('telling').hidden = true; }, 6000);
}

// Keyboard users continue in the list.
function openDesk() {
  const isHere = at('welcome').contains(document.activeElement);
  at('welcome').hidden = true;
  at('desk').hidden = false;
  if (isHere) at('list').focus();
}

// Reads files one after another into the list.
async function readFiles(files, story) {
  stopReading();
  const mine = (reader = new Helper());
  openDesk();
  list.clear();
  shown += 1;
  at('view').replaceChildren(make('p', { class: 'quiet' }, 'Reading…'));
  mailbox = undefined;
  at('whole').hidden = true;
  working(0);
  let first = true;
  const sentences = [];
  try {
    for (const [index, file] of files.entries()) {
      let blob;
      await mine.ask({ task: 'list', file, name: file.name }, (found) => {
        if (reader !== mine) return;
        blob = found.blob ?? blob;
        working((index + (found.done || 0)) / files.length);
        if (found.sentence) {
          tell(found.sentence);
          if (sentences.length < 100) sentences.push(found.sentence);
        }
        list.add(found.items.map((item) => ({ ...item, blob, name: found.name, story })));
        if (found.mailbox && files.length === 1) mailbox = { blob, name: found.name };
        if (first && list.items.length > 0) {
          first = false;
          list.go(0);
        }
      });
    }
    if (list.items.length === 0) at('view').replaceChildren(make('p', {}, 'There is no message in this.'), ...sentences.map((one) => make('p', { class: 'quiet' }, one)));
    at('whole').hidden = !mailbox;
  } catch (error) {
    if (error.message !== 'cancelled') tell(`Cannot read it: ${error.message}`);
    if (list.items.length === 0) at('view').replaceChildren(make('p', { class: 'quiet' }, 'Nothing was read.'));
  } finally {
    if (reader === mine) stopReading();
  }
}

function working(done) {
  at('progress').hidden = false;
  at('done').value = done;
}

function stopReading() {
  reader?.end();
  reader = undefined;
  at('progress').hidden = true;
}

// The number of the shown message. Answers about earlier messages are ignored.
let shown = 0;

async function show(item) {
  const mine = (shown += 1);
  let slow = setTimeout(() => {
    if (mine === shown) at('view').replaceChildren(make('p', { class: 'quiet' }, 'Reading the message…'), make('button', { type: 'button', class: 'button', onclick: () => { viewer.end(); viewer = new Helper(); at('view').replaceChildren(); } }, 'Cancel'));
  }, 400);
  try {
    const outline = await viewer.ask({ task: 'open', blob: item.blob, offset: item.offset, length: item.length, dialect: item.dialect });
    if (mine === shown) drawMessage(item, outline, mine);
  } catch (error) {
    if (error.message !== 'cancelled') tell(`Cannot read the message: ${error.message}`);
  } finally {
    clearTimeout(slow);
  }
}

function drawMessage(item, outline, mine) {
  const view = at('view');
  unpaint();
  outline.fields = numbered(outline.fields, '');
  item.parts = outline.parts.count;
  const first = (name) => outline.fields.find((field) => field.name.toLowerCase() === name);
  const subject = first('subject');
  const text = visible(subject?.text ?? '') || '(no subject)';
  const main = ['from', 'to', 'cc', 'date', 'subject'].map(first).filter((field) => field && (field !== subject || field.charsets.length > 0 || field.findings.count > 0));
  const rest = outline.fields.filter((field) => !main.includes(field) && field !== subject);
  const partBox = make('section', { class: 'part-box', 'aria-label': 'Part' });
  const branches = outline.parts.list.map((part) => branch(part, (label) => drawPart(partBox, part, label, item, mine)));
  view.replaceChildren(...[
    item.story && make('aside', { class: 'story', 'aria-label': 'The story of this sample' }, ...item.story.map((line) => make('p', {}, line))),
    make('h1', { dir: 'auto', lang: languageOf(subject?.charsets[0]?.charset, text) }, text),
    make('dl', { class: 'fields' }, ...main.map(fieldRow)),
    rest.length > 0 && make('details', {}, make('summary', {}, rest.length === 1 ? '1 other field' : `${rest.length.toLocaleString('en')} other fields`), make('dl', { class: 'fields' }, ...rest.slice(0, 300).map(fieldRow))),
    outline.findings.count > 0 && make('div', {}, make('h2', {}, 'The structure'), findingsList(outline.findings)),
    make('div', { class: 'tools save' },
      make('button', { type: 'button', class: 'button small', onclick: () => saveMessage(item) }, 'Save the message in UTF\u20118'),
      make('button', { type: 'button', class: 'button small', onclick: () => saveReport(item) }, 'Save the report')),
    make('h2', {}, outline.parts.count === 1 ? 'The text' : 'The parts'),
    make('nav', { 'aria-label': 'Parts', class: 'tree' }, ...branches.map((one) => one.element)),
    outline.parts.count > outline.parts.list.length && make('p', { class: 'quiet' }, `and ${(outline.parts.count - outline.parts.list.length).toLocaleString('en')} more parts`),
    partBox,
  ].filter(Boolean));
  view.querySelector('.tools.save').style.marginTop = '1rem';
  if (branches.length === 1) branches[0].element.hidden = true;
  const start = branches.find((one) => one.part.is === 'text') ?? branches.find((one) => one.part.is !== 'multipart') ?? branches[0];
  start?.go();
  view.scrollTop = 0;
}

function branch(part, go) {
  const about = part.is === 'multipart' ? '' : [part.filename && `“${visible(part.filename)}”`, part.charset, part.transfer_encoding, `${part.octets.toLocaleString('en')} octets`].filter(Boolean).join(', ');
  const element = make('button', { type: 'button', class: 'branch', 'data-section': part.section },
    make('span', { class: 'section' }, /^[\d.]+$/.test(part.section) ? part.section : ''), make('span', { class: 'type' }, part.media_type), make('span', { class: 'about' }, about), part.worst && part.worst !== 'noted' ? mark(part.worst) : '');
  element.style.setProperty('--depth', Math.min(part.depth, 12));
  const choose = () => {
    for (const other of element.parentElement?.children ?? []) other.removeAttribute('aria-current');
    element.setAttribute('aria-current', 'true');
    go();
  };
  element.addEventListener('click', choose);
  return { element, part, go: choose };
}

// The fields of the message or of an embedded one, each with its index.
const numbered = (fields, section) => fields.map((field, number) => ({ ...field, section, number }));
const fieldRow = (field) => new FieldReading(field, (question) => viewer.ask(question)).row;

// The fields of a part, or of the message in it, shown below the part's properties.
async function fieldsOf(part) {
  const fields = numbered(await viewer.ask({ task: 'fields', section: part.section }), part.section);
  const rows = make('dl', { class: 'fields' }, ...fields.slice(0, 300).map(fieldRow));
  if (part.is === 'message') return rows;
  return fields.length > 0 ? make('details', {}, make('summary', {}, fields.length === 1 ? 'The field of this part' : `The ${fields.length.toLocaleString('en')} fields of this part`), rows) : undefined;
}

async function drawPart(box, part, label, item, mine, number = 0) {
  const here = (box.turn = {});
  if (part.is === 'multipart') {
    box.replaceChildren(make('p', { class: 'quiet' }, 'A multipart: its parts are listed below.'));
    return;
  }
  let sheet;
  let fields;
  try {
    sheet = await viewer.ask({ task: 'sheet', section: part.section, label, number });
    // The fields of the only part are those of the message.
    fields = item.parts === 1 ? undefined : await fieldsOf(part);
  } catch (error) {
    if (error.message !== 'cancelled') tell(error.message);
    return;
  }
  if (mine !== shown || box.turn !== here) return;
  const wasHere = box.contains(document.activeElement);
  const status = make('p', { class: 'status', role: 'status', 'aria-live': 'polite' }, make('span', { class: 'quiet' },
    sheet.text === null ? 'Octets without a text.' : sheet.length === 0 ? 'The part is empty.' : sheet.starts?.length > 1 ? 'Point at a character to see its octets, or at octets to see their character.' : 'The characters of this text cannot be followed to their octets.'));
  const language = languageOf(sheet.charset, sheet.text ?? '');
  const reading = new Reading(sheet, { language, status });
  const again = (other) => drawPart(box, part, other, item, mine, 0);
  const isText = sheet.text !== null;
  const why = make('div', { class: 'why' });
  if (isText) {
    why.append(decisionSentence(sheet, label), ...[label ? undefined : evidenceList(sheet.evidence)].filter(Boolean));
    if (sheet.direction) why.append(make('p', { class: 'quiet' }, `This charset is defined for text in ${sheet.direction} order.`));
  } else {
    why.append(make('p', { class: 'decision' }, part.is === 'message' ? 'A message inside the message.' : 'Not text: only its octets are shown.'));
  }
  const findings = findingsList(sheet.findings);
  if (findings) why.append(findings);
  if (fields) why.append(fields);
  const tools = make('div', { class: 'tools' });
  if (isText) {
    if (label) tools.append(make('button', { type: 'button', class: 'button small', onclick: () => again(undefined) }, 'As the message says'));
    tools.append(make('button', { type: 'button', class: 'button small', onclick: () => saveText(part, label) }, 'Save this text'));
    if (/html|xml/.test(sheet.media_type)) tools.append(plainToggle(part, label, box));
    tools.append(readAs(() => viewer.ask({ task: 'likely', section: part.section }), sheet.charset, again));
  } else {
    tools.append(make('button', { type: 'button', class: 'button small', onclick: () => saveOctets(part) }, 'Save the octets'));
  }
  why.append(tools);
  const sheets = sheet.sheets > 1 ? pager(sheet, number, (to) => drawPart(box, part, label, item, mine, to)) : undefined;
  box.replaceChildren(make('div', { class: 'part' }, why, make('div', {},
    make('div', { class: isText ? 'reading' : 'reading alone' }, isText ? reading.textPane : '', reading.octetsPane), sheets ?? '', status)));
  reading.paint();
  // The button is gone: move the focus next to it.
  if (wasHere) (box.querySelector('.readas > summary') ?? reading.octetsPane).focus();
}

function pager(sheet, number, go) {
  const button = (word, to) => make('button', { type: 'button', class: 'button small', disabled: to < 0 || to >= sheet.sheets, onclick: () => go(to) }, word);
  return make('div', { class: 'sheets' }, button('‹ Back', number - 1), button('On ›', number + 1),
    make('span', {}, `Octets ${sheet.start.toLocaleString('en')} to ${(sheet.start + sheet.octets.length).toLocaleString('en')} of ${sheet.length.toLocaleString('en')}`));
}

// The text of an HTML document as a reader sees it, extracted from a document that loads nothing
// and runs no scripts. HTML from mail is never shown.
function plainToggle(part, label, box) {
  return make('button', { type: 'button', class: 'button small', 'aria-pressed': 'false', onclick: async (event) => {
    const isPressed = event.target.getAttribute('aria-pressed') === 'true';
    event.target.setAttribute('aria-pressed', String(!isPressed));
    const pane = box.querySelector('.reading');
    box.querySelector('.plain')?.remove();
    pane.hidden = !isPressed;
    box.querySelector('.status').hidden = !isPressed;
    if (isPressed) return;
    const text = await viewer.ask({ task: 'text', section: part.section, label });
    const inert = new DOMParser().parseFromString((text ?? '').slice(0, 1 << 20), 'text/html');
    for (const unseen of inert.querySelectorAll('script, style, title, template, noscript')) unseen.remove();
    for (const block of inert.querySelectorAll('p, div, br, tr, li, h1, h2, h3, h4, h5, h6, table, blockquote, pre')) block.after('\n');
    const seen = joinedLines(inert.body?.textContent ?? '');
    pane.after(make('div', { class: 'plain', tabindex: 0, role: 'region', 'aria-label': 'Text of the document' }, visible(seen) || '(no text)'));
  } }, 'Without markup');
}

// Every charset, most likely first, with the start of the text in it.
function readAs(likely, read, choose) {
  const details = make('details', { class: 'readas' }, make('summary', {}, 'Read it as…'));
  details.addEventListener('toggle', async () => {
    if (!details.open || details.filled) return;
    details.filled = true;
    const all = await likely();
    const choices = make('ul', {});
    const draw = (query) => choices.replaceChildren(...all.filter((one) => one.charset.toLowerCase().includes(query)).slice(0, query ? 60 : 36).map((one) => make('li', {},
      make('button', { type: 'button', class: 'choice', 'data-charset': one.charset, 'aria-pressed': String(one.charset === read), onclick: () => choose(one.charset) },
        make('span', { class: 'sure' }, one.confidence === null ? '' : `${one.confidence} %`), make('span', {}, one.charset),
        make('span', { class: 'looks', dir: 'auto' }, one.replacements > 0 ? `${one.replacements.toLocaleString('en')} not characters` : visible(one.text).replace(/\s+/g, ' '))))));
    draw('');
    details.append(make('div', { class: 'choices' }, make('input', { type: 'text', placeholder: 'Name of a charset', 'aria-label': 'Name of a charset', oninput: (event) => draw(event.target.value.trim().toLowerCase()) }), choices));
  });
  return details;
}

function save(blob, name) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// A file name from the subject of a message.
function messageName(item, extension) {
  const name = [...(item.subject || '')].slice(0, 60).join('');
  return viewer.ask({ task: 'filename', name, otherwise: 'message', extension });
}

async function saveText(part, label) {
  const text = await viewer.ask({ task: 'text', section: part.section, label });
  const name = await viewer.ask({ task: 'filename', name: part.filename_to_save, otherwise: 'text', extension: 'txt' });
  save(new Blob([text], { type: 'text/plain;charset=utf-8' }), name);
}

async function saveOctets(part) {
  const octets = await viewer.ask({ task: 'part', section: part.section });
  save(new Blob([octets], { type: 'application/octet-stream' }), part.filename_to_save);
}

async function saveMessage(item) {
  try {
    const { octets } = await viewer.ask({ task: 'inUtf8' });
    save(new Blob([octets], { type: 'application/octet-stream' }), await messageName(item, 'eml'));
  } catch (error) {
    tell(error.message);
  }
}

async function saveReport(item) {
  try {
    const { report } = await viewer.ask({ task: 'inUtf8' });
    save(new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: 'application/json' }), await messageName(item, 'report.json'));
  } catch (error) {
    tell(error.message);
  }
}

async function saveMailbox() {
  const { blob, name } = mailbox;
  stopReading();
  const mine = (reader = new Helper());
  working(0);
  try {
    const made = await mine.ask({ task: 'convert', file: blob }, ({ done }) => working(done));
    const base = name.replace(/\.mbox$/i, '');
    const named = (extension) => mine.ask({ task: 'filename', name: base, otherwise: 'mailbox', extension });
    save(made.mailbox, await named('utf-8.mbox'));
    save(made.report, await named('report.jsonl'));
    tell(`${messages(made.changed)} changed, each proved${made.unproved ? `; ${made.unproved} could not be proved and are unchanged` : ''}.`);
  } catch (error) {
    if (error.message !== 'cancelled') tell(`Cannot convert it: ${error.message}`);
  } finally {
    if (reader === mine) stopReading();
  }
}

function readPasted(text) {
  if (text.trim() === '') return;
  const isBare = !/^[\x21-\x39\x3B-\x7E]+:/.test(text.trimStart()) && !text.startsWith('From ');
  readFiles([new File([isBare ? `Subject: ${text.trim()}\n\n` : text], text.startsWith('From ') ? 'pasted' : 'pasted.eml')]);
}

for (const sample of JSON.parse(at('mail').textContent)) {
  const octets = Uint8Array.from(atob(sample.octets), (one) => one.charCodeAt(0));
  at('samples').append(make('li', {}, make('button', { type: 'button', class: 'sample', onclick: () => readFiles([new File([octets], sample.file)], sample.story) },
    make('b', {}, sample.title), ...sample.story.map((line) => make('span', {}, line)))));
}

at('file').addEventListener('change', (event) => {
  if (event.target.files.length > 0) readFiles([...event.target.files]);
  event.target.value = '';
});
at('cancel').addEventListener('click', stopReading);
at('whole').addEventListener('click', saveMailbox);
at('home').addEventListener('click', (event) => {
  event.preventDefault();
  stopReading();
  at('desk').hidden = true;
  at('welcome').hidden = false;
  at('welcome').focus();
});
at('paste').addEventListener('click', () => at('pasting').showModal());
at('pasting').addEventListener('close', () => {
  if (at('pasting').returnValue === 'read') readPasted(at('pasted').value);
});
const look = () => list.filter(at('query').value, at('least').value);
at('query').addEventListener('input', look);
at('least').addEventListener('change', look);

let over = 0;
addEventListener('dragenter', (event) => { event.preventDefault(); over += 1; at('drop').hidden = false; });
addEventListener('dragleave', () => { over -= 1; if (over <= 0) at('drop').hidden = true; });
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  over = 0;
  at('drop').hidden = true;
  if (event.dataTransfer.files.length > 0) readFiles([...event.dataTransfer.files]);
  else readPasted(event.dataTransfer.getData('text/plain'));
});
