// A field: its text, its charsets, and on demand its octets, with each character mapped to its own.

class FieldReading {
  constructor(field, ask) {
    Object.assign(this, { field, ask, at: -1 });
    const charset = field.charsets[0]?.charset;
    const because = new Set(field.charsets.map((one) => `${one.charset} ${BECAUSE[one.source]}`));
    this.how = because.size > 0 ? `Read as ${[...because].join('; as ')}.` : '';
    this.name = visible(field.name);
    this.said = make('div', { class: 'said-text', dir: 'auto', lang: languageOf(charset, field.text) }, visible(field.text));
    this.sentence = make('span', {}, this.how, this.how ? ' ' : '');
    this.inside = make('div', { class: 'inside', hidden: true });
    this.toggle = make('button', { type: 'button', class: 'asks', 'aria-expanded': 'false', 'aria-label': `Octets of ${this.name}`, onclick: () => this.turn(this.inside.hidden) }, 'octets');
    const hasMore = charset || field.findings.count > 0;
    this.row = make('div', { class: 'field' },
      make('dt', { dir: 'auto' }, this.name),
      make('dd', { class: hasMore ? 'said asked' : 'said' }, this.said, field.is_cut ? make('span', { class: 'quiet' }, ' …') : ''),
      hasMore ? make('dd', { class: 'beside' }, this.sentence, this.toggle, findingsList(field.findings, 4)) : '',
      hasMore ? make('dd', { class: 'inside-of' }, this.inside) : '');
    if (!hasMore) return;
    this.said.addEventListener('click', (event) => this.over(event, true));
    for (const pane of [this.said, this.inside]) {
      pane.addEventListener('pointermove', (event) => this.over(event, false));
      pane.addEventListener('keydown', (event) => this.key(event));
    }
  }

  async turn(isOpen) {
    this.inside.hidden = !isOpen;
    this.toggle.setAttribute('aria-expanded', String(isOpen));
    if (isOpen && !this.read) await this.show();
    this.paint(isOpen);
    if (isOpen) this.said.setAttribute('tabindex', '0');
    else this.said.removeAttribute('tabindex');
  }

  // Shows the field as decoded, or as it would be in a charset chosen by the reader.
  async show(label) {
    const { section, number, charsets } = this.field;
    const read = await this.ask({ task: 'field', section, number, label });
    if (!read) return;
    const wasHere = this.inside.contains(document.activeElement);
    Object.assign(this, { read, label, at: -1 });
    this.said.textContent = visible(read.text);
    this.said.setAttribute('role', 'group');
    this.said.setAttribute('aria-label', `Text of ${this.name}. Arrow keys go from character to character.`);
    this.said.lang = languageOf(label ?? charsets[0]?.charset, read.text) ?? '';
    this.sentence.textContent = label ? `Read as ${label}, as you chose. ` : `${this.how} `;
    this.status = make('p', { class: 'pointed', role: 'status', 'aria-live': 'polite' }, make('span', { class: 'quiet' },
      read.groups.length === 0 ? 'The characters of this text cannot be followed to their octets.' : 'Point at a character to see its octets, or at octets to see their character.'));
    this.written = make('pre', { class: 'written', tabindex: 0, dir: 'ltr', translate: 'no', role: 'group', 'aria-label': `Octets of ${this.name}` }, this.source());
    this.inside.replaceChildren(this.written, this.status, make('div', { class: 'tools' },
      label ? make('button', { type: 'button', class: 'button small', onclick: () => this.show() }, 'As the message says') : '',
      readAs(() => this.ask({ task: 'fieldLikely', section, number }), label ?? charsets[0]?.charset, (other) => this.show(other))));
    this.paint(true);
    if (wasHere) this.inside.querySelector('.readas > summary').focus();
  }

  // The octets as in the message, with numbers for those outside ASCII, and the start of each.
  source() {
    let text = '';
    this.starts = [];
    for (const octet of this.read.source) {
      this.starts.push(text.length);
      if (octet === 0x0a) text += '\n';
      else if (octet === 0x09 || (octet >= 0x20 && octet < 0x7f)) text += String.fromCharCode(octet);
      // Of a CRLF, show only the line ending.
      else if (octet !== 0x0d) text += `\\x${octet.toString(16).toUpperCase().padStart(2, '0')}`;
    }
    this.starts.push(text.length);
    return text;
  }

  sourceRange(from, to) { return range(this.written.firstChild, this.starts[from], this.starts[Math.min(to, this.starts.length - 1)]); }

  textRange({ from, to }) { return range(this.said.firstChild, from, to); }

  over(event, isChosen) {
    if (this.inside.hidden) {
      if (isChosen) this.turn(true).then(() => this.over(event, true));
      return;
    }
    const caret = this.read && caretAt(event.clientX, event.clientY);
    if (!caret) return;
    if (caret.node === this.said.firstChild) {
      this.point(this.read.groups.findIndex(({ from, to }) => from <= caret.offset && caret.offset < to));
    } else if (caret.node === this.written.firstChild) {
      const octet = place(this.starts, caret.offset);
      this.point(this.read.groups.findIndex(({ places }) => places.some(([from, to]) => from <= octet && octet < to)));
    }
  }

  point(at) {
    const group = this.read.groups[at];
    if (!group || at === this.at) return;
    this.at = at;
    paint('point', [this.textRange(group), ...group.places.map(([from, to]) => this.sourceRange(from, to))]);
    const shown = this.read.text.slice(group.from, group.to);
    const hex = group.octets.slice(0, 12).map((octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join(' ');
    const place = this.field.offset === null ? '' : ` at octet ${(this.field.offset + group.places[0][0]).toLocaleString('en')} of the message`;
    this.status.replaceChildren(...pointedAt(shown, hex + (group.octets.length > 12 ? ' …' : '')), place,
      group.is_malformed ? make('span', { class: 'told lost' }, ' ', mark('lost'), ' ', KINDS.malformed) : '');
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || !this.read?.groups.length || /INPUT|SUMMARY/.test(event.target.tagName) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.point(Math.min(Math.max(this.at + step, 0), this.read.groups.length - 1));
  }

  // Paints decoded ranges, malformed octets, and characters shown as signs.
  paint(isOpen) {
    if (!this.read) return;
    const { field, read } = this;
    const bad = isOpen ? read.groups.filter((group) => group.is_malformed) : [];
    paint('lost', bad.flatMap((group) => [this.textRange(group), ...group.places.map(([from, to]) => this.sourceRange(from, to))]), this);
    const used = isOpen ? field.charsets.map(({ offset, length }) => [offset - (field.offset ?? 0), length]).filter(([from]) => from >= 0 && from < read.source.length) : [];
    paint('used', used.map(([from, length]) => this.sourceRange(from, from + length)), this);
    const signs = isOpen ? [...read.text.matchAll(STEERS)].slice(0, 500) : [];
    paint('control', signs.map(({ index }) => this.textRange({ from: index, to: index + 1 })), this);
    paint('point', []);
  }
}

// Describes a character and its octets for the status line.
function pointedAt(shown, hex) {
  const points = Array.from(shown).slice(0, 4).map((one) => `U+${one.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ');
  return [make('b', { class: 'glyph', dir: 'auto' }, visible(shown).replace('\n', '␊') || ' '), ' ', points, '  ←  ', make('code', {}, hex)];
}
