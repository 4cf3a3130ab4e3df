// Text next to its octets. Both are plain text in few elements. Selected and malformed ranges are
// painted over them (CSS Custom Highlight API), so that a large text stays cheap.

// Approximate number of characters laid out at once; text out of sight is not laid out.
const BLOCK = 1024;
// Maximum height of the notes for one line, in lines.
const NOTED = 6;

class Reading {
  constructor(sheet, { language, status }) {
    Object.assign(this, { sheet, status, at: -1 });
    this.shownText = sheet.text === null ? null : visible(sheet.text);
    this.isFollowed = Boolean(sheet.starts) && sheet.starts.length > 1;
    this.width = matchMedia('(max-width: 40rem)').matches ? 8 : 16;
    this.octetsPane = make('div', { class: 'octets', tabindex: 0, role: 'region', 'aria-label': 'Octets' });
    this.drawOctets();
    if (this.shownText !== null) {
      this.textPane = make('div', { class: 'text', tabindex: 0, role: 'region', 'aria-label': 'Text. Arrow keys go from character to character.', lang: language });
      this.drawText();
      this.textPane.addEventListener('pointermove', (event) => this.over(event, false));
      this.textPane.addEventListener('click', (event) => this.over(event, true));
      this.textPane.addEventListener('keydown', (event) => this.key(event));
      this.octetsPane.addEventListener('pointermove', (event) => this.over(event, false));
      this.octetsPane.addEventListener('click', (event) => this.over(event, true));
      this.octetsPane.addEventListener('keydown', (event) => this.key(event));
    }
  }

  // Splits the text into blocks of lines. A line with a finding begins a block, with its notes
  // beside it. Notes are higher than a line, so a block continues after its noted line, and notes
  // of the next few lines join it: no gap opens between two lines.
  drawText() {
    const { sheet, shownText } = this;
    const notes = new Map();
    for (const finding of sheet.here.list) {
      const group = this.isFollowed ? this.groupOfOctet(finding.offset - sheet.start) : 0;
      const character = this.isFollowed ? sheet.characters[Math.max(group, 0)] : 0;
      const line = shownText.lastIndexOf('\n', Math.max(0, character - 1)) + 1;
      const start = character === 0 ? 0 : line;
      notes.set(start, [...(notes.get(start) ?? []), finding]);
    }
    this.blocks = [];
    let from = 0;
    let lines = 0;
    const close = (to) => {
      // A very long line is laid out in pieces too.
      while (to - from > 2 * BLOCK) block(from + BLOCK + (shownText.codePointAt(from + BLOCK - 1) > 0xffff ? 1 : 0));
      block(to);
    };
    const block = (to) => {
      if (to <= from && to !== 0) return;
      const text = make('div', { class: 'block', 'data-from': from });
      text.append(document.createTextNode(shownText.slice(from, to)));
      const row = make('div', { class: 'row' }, this.note(notes.get(from)), text);
      this.blocks.push({ from, to, node: text.firstChild });
      this.textPane.append(row);
      from = to;
      lines = 0;
    };
    for (let end = shownText.indexOf('\n'); end !== -1; end = shownText.indexOf('\n', end + 1)) {
      lines += 1;
      const found = notes.get(end + 1);
      if (found && notes.has(from) && lines < NOTED) notes.get(from).push(...found);
      else if (found || lines >= 40 || end - from >= BLOCK) close(end + 1);
    }
    close(shownText.length);
  }

  note(findings) {
    if (!findings) return '';
    const groups = new Map();
    for (const finding of findings) {
      const key = `${finding.kind} ${finding.detail}`;
      groups.set(key, [...(groups.get(key) ?? []), finding]);
    }
    const shown = [...groups.values()].slice(0, 3).map((same) => {
      const [first] = same;
      return make('li', {}, mark(first.effect), make('button', { type: 'button', class: 'note', onclick: () => this.pointAtOctet(first.offset - this.sheet.start, true) },
        ...sentence(first), same.length > 1 ? make('b', {}, ` × ${same.length}`) : ''));
    });
    if (groups.size > 3) shown.push(make('li', { class: 'more' }, `and ${groups.size - 3} more kinds`));
    return make('ul', { class: 'notes', 'aria-label': 'What was found in these lines' }, ...shown);
  }

  drawOctets() {
    const { octets, start } = this.sheet;
    const { width } = this;
    this.chunks = [];
    for (let from = 0; from < octets.length; from += width * 32) {
      const lines = [];
      for (let row = from; row < Math.min(from + width * 32, octets.length); row += width) {
        const bytes = octets.subarray(row, row + width);
        const hex = Array.from(bytes, (octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join(' ');
        const ascii = Array.from(bytes, (octet) => (octet > 0x20 && octet < 0x7f ? String.fromCharCode(octet) : octet === 0x20 ? ' ' : '·')).join('');
        lines.push(`${(start + row).toString(16).toUpperCase().padStart(6, '0')}  ${hex.padEnd(width * 3 - 1)}  ${ascii.padEnd(width)}`);
      }
      const chunk = make('pre', { class: 'chunk', translate: 'no' });
      chunk.append(document.createTextNode(lines.join('\n')));
      this.chunks.push({ from, node: chunk.firstChild });
      this.octetsPane.append(chunk);
    }
    if (octets.length === 0) this.octetsPane.append(make('p', { class: 'quiet' }, 'There are no octets.'));
  }

  // Columns of a row: six digits and two blanks, the octets, two blanks, the characters.
  get rowLength() { return 8 + this.width * 3 + 1 + this.width + 1; }

  octetRanges(from, to) {
    const ranges = [];
    for (let octet = from; octet < to;) {
      const end = Math.min(to, octet - (octet % this.width) + this.width);
      const chunk = this.chunks[Math.floor(octet / (this.width * 32))];
      if (!chunk) break;
      const row = Math.floor((octet - chunk.from) / this.width) * this.rowLength;
      const [first, last] = [octet % this.width, (end - 1) % this.width];
      ranges.push(range(chunk.node, row + 8 + first * 3, row + 8 + last * 3 + 2));
      ranges.push(range(chunk.node, row + 8 + this.width * 3 + 1 + first, row + 8 + this.width * 3 + 1 + last + 1));
      octet = end;
    }
    return ranges;
  }

  textRanges(from, to) {
    const ranges = [];
    const blocks = this.blocks.map((one) => one.from);
    for (let index = Math.max(0, place(blocks, from)); index < this.blocks.length && this.blocks[index].from < to; index += 1) {
      const { node, from: start } = this.blocks[index];
      if (node.length > 0) ranges.push(range(node, Math.max(0, from - start), Math.min(to - start, node.length)));
    }
    return ranges;
  }

  // The group that contains an octet of the sheet; -1 if there is none.
  groupOfOctet(octet) { return place(this.sheet.starts, octet + this.sheet.start); }

  over(event, isChosen) {
    if (!this.isFollowed) return;
    const caret = caretAt(event.clientX, event.clientY);
    if (!caret) return;
    const block = caret.node.parentElement;
    if (this.textPane.contains(block) && block.dataset.from !== undefined) {
      this.point(place(this.sheet.characters, Number(block.dataset.from) + caret.offset), isChosen, this.octetsPane);
    } else if (block?.classList.contains('chunk')) {
      const chunk = this.chunks.find((one) => one.node === caret.node);
      const row = Math.floor(caret.offset / this.rowLength);
      const column = (caret.offset % this.rowLength) - 8;
      const characters = column - this.width * 3 - 1;
      const octet = characters >= 0 ? characters : Math.floor(column / 3);
      if (!chunk || column < 0 || octet >= this.width) return;
      this.pointAtOctet(chunk.from + row * this.width + octet, isChosen);
    }
  }

  pointAtOctet(octet, isChosen) {
    if (this.isFollowed) this.point(this.groupOfOctet(octet), isChosen, this.textPane, octet);
    else paint('point', this.octetRanges(octet, octet + 1));
  }

  point(group, isChosen, other) {
    const { starts, characters, start, octets, text } = this.sheet;
    if (group < 0 || group + 1 >= starts.length || (group === this.at && !isChosen)) return;
    this.at = group;
    const [from, to] = [starts[group] - start, starts[group + 1] - start];
    const inText = this.textRanges(characters[group], characters[group + 1]);
    const inOctets = this.octetRanges(from, to);
    paint('point', [...inText, ...inOctets]);
    if (isChosen || other === this.octetsPane) bring(this.octetsPane, inOctets[0]);
    if (isChosen || other === this.textPane) bring(this.textPane, inText[0]);
    const shown = text.slice(characters[group], characters[group + 1]);
    const hex = Array.from(octets.subarray(from, Math.min(to, from + 12)), (octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join(' ');
    const finding = this.sheet.here.list.find((one) => one.offset < to + start && one.offset + one.length > from + start);
    this.status.replaceChildren(
      ...pointedAt(shown, hex + (to - from > 12 ? ' …' : '')),
      ` at octet ${(from + start).toLocaleString('en')}`, finding ? make('span', { class: `told ${finding.effect}` }, ' ', mark(finding.effect), ' ', ...sentence(finding)) : '');
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || !this.isFollowed || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const last = this.sheet.starts.length - 2;
    this.point(Math.min(Math.max(this.at + step, 0), last), true);
  }

  // Paints malformed octets, and characters shown as signs.
  paint() {
    const { sheet } = this;
    const kinds = { lost: [], repaired: [], control: [] };
    for (const finding of sheet.here.list) {
      const into = kinds[finding.effect];
      const [from, to] = [Math.max(0, finding.offset - sheet.start), Math.min(sheet.octets.length, finding.offset + finding.length - sheet.start)];
      if (!into || to - from > 4096) continue;
      into.push(...this.octetRanges(from, to));
      if (!this.isFollowed) continue;
      const [first, last] = [this.groupOfOctet(from), this.groupOfOctet(to - 1)];
      if (first >= 0 && last >= 0) into.push(...this.textRanges(sheet.characters[first], sheet.characters[last + 1]));
    }
    if (this.shownText !== null) {
      let found = 0;
      for (const match of sheet.text.matchAll(STEERS)) {
        if (match[0] === '\r') continue;
        kinds.control.push(...this.textRanges(match.index, match.index + 1));
        if ((found += 1) > 500) break;
      }
    }
    for (const [name, ranges] of Object.entries(kinds)) paint(name, ranges);
    paint('point', []);
  }
}

// The ranges painted under a name, by the part of the page that paints them. There is only one
// point.
const painted = new Map();
const ABOVE = { used: 0, control: 1, repaired: 1, lost: 2, point: 3 };

function paint(name, ranges, by = 'part') {
  if (!globalThis.CSS?.highlights) return;
  const all = painted.get(name) ?? painted.set(name, new Map()).get(name);
  all.set(name === 'point' ? 'point' : by, ranges);
  const highlight = new Highlight(...[...all.values()].flat());
  highlight.priority = ABOVE[name];
  CSS.highlights.set(name, highlight);
}

function unpaint() {
  painted.clear();
  globalThis.CSS?.highlights?.clear();
}

function range(node, from, to) {
  const made = document.createRange();
  made.setStart(node, Math.min(from, node.length));
  made.setEnd(node, Math.min(to, node.length));
  return made;
}

// The last index in an ascending list whose value is at most a number.
function place(list, number) {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle] <= number) low = middle;
    else high = middle - 1;
  }
  return list.length > 0 && list[low] <= number ? low : -1;
}

// The character under a point; both its halves count as the character.
function caretAt(x, y) {
  const caret = document.caretPositionFromPoint?.(x, y) ?? document.caretRangeFromPoint?.(x, y);
  if (!caret) return undefined;
  const node = caret.offsetNode ?? caret.startContainer;
  const offset = caret.offset ?? caret.startOffset;
  if (node.nodeType !== Node.TEXT_NODE) return undefined;
  for (const at of [offset, offset - 1]) {
    if (at < 0 || at >= node.length) continue;
    for (const box of range(node, at, at + 1).getClientRects()) {
      if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return { node, offset: at };
    }
  }
  return undefined;
}

// Scrolls a pane, and nothing around it, until a range in it is visible.
function bring(pane, at) {
  if (!at) return;
  const [box, around] = [at.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (box.top < around.top + 8) pane.scrollTop -= around.top - box.top + 40;
  else if (box.bottom > around.bottom - 8) pane.scrollTop += box.bottom - around.bottom + 40;
}

// The lines with text, trimmed and joined. Works line by line: a pattern for trailing blanks would
// start again at each blank.
function joinedLines(text) {
  const lines = text.replace(/[ \t\r]+/g, ' ').split('\n').map((line) => line.trim());
  return lines.filter(Boolean).join('\n');
}
