// The list of messages. Only visible rows are in the page, however many there are.

// The height of a row, as in the style sheet.
const ROW = 66;

// The day of an RFC 3339 date, in its own zone: 4 Mar 1999.
const dayOf = (date) => new Date(`${date.slice(0, 10)}T00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

class MessageList {
  constructor(element, choose) {
    Object.assign(this, { element, choose, items: [], shown: [], at: -1, marked: 0, query: '', least: '' });
    this.canvas = make('div', { role: 'presentation', class: 'canvas' });
    element.append(this.canvas);
    Object.assign(this, { top: 0, seen: 0 });
    element.addEventListener('scroll', () => { this.top = element.scrollTop; this.draw(); });
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('click', (event) => {
      const row = event.target.closest('[role=option]');
      if (row) this.go(Number(row.dataset.index));
    });
    new ResizeObserver(([{ contentRect }]) => { this.seen = contentRect.height; this.draw(); }).observe(element);
  }

  clear() {
    Object.assign(this, { items: [], shown: [], at: -1, marked: 0 });
    this.draw();
  }

  add(items) {
    for (const item of items) {
      item.words = `${item.from}\n${item.subject}\n${item.date}\n${item.name}`.toLowerCase();
      this.items.push(item);
      if (item.mark) this.marked += 1;
      if (this.matches(item)) this.shown.push(item);
    }
    this.draw();
  }

  matches(item) {
    const order = ['', 'assumed', 'repaired', 'lost'];
    if (order.indexOf(item.mark ?? '') < order.indexOf(this.least)) return false;
    return this.query === '' || item.words.includes(this.query);
  }

  // Searches the list in steps, so that the page stays responsive.
  async filter(query, least) {
    const here = this.items[0] && this.shown[this.at];
    Object.assign(this, { query: query.trim().toLowerCase(), least });
    const turn = (this.turn = {});
    const found = [];
    let end = 0;
    for (let from = 0; from < this.items.length; from = end) {
      end = Math.min(from + 20_000, this.items.length);
      for (let index = from; index < end; index += 1) if (this.matches(this.items[index])) found.push(this.items[index]);
      if (end < this.items.length) await new Promise((done) => setTimeout(done));
      if (this.turn !== turn) return;
    }
    this.shown = found;
    this.at = found.indexOf(here);
    this.top = 0;
    this.element.scrollTop = 0;
    this.draw();
  }

  // Draws once before the next paint, for any number of changes. Nothing here forces a layout.
  draw() {
    this.drawn ??= requestAnimationFrame(() => {
      this.drawn = undefined;
      this.drawNow();
    });
  }

  drawNow() {
    this.canvas.style.height = `${this.shown.length * ROW}px`;
    this.element.style.setProperty('--rows', Math.max(1, this.shown.length));
    const first = Math.max(0, Math.floor(this.top / ROW) - 4);
    const last = Math.min(this.shown.length, first + Math.ceil(this.seen / ROW) + 8);
    const rows = this.shown.slice(first, last).map((item, place) => this.row(item, first + place));
    this.canvas.replaceChildren(...rows);
    if (rows.length === 0) this.canvas.append(make('div', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false', class: 'nothing' }, this.items.length ? 'No message matches.' : 'No messages yet.'));
    const active = this.at >= first && this.at < last ? `message-${this.at}` : undefined;
    if (active) this.element.setAttribute('aria-activedescendant', active);
    else this.element.removeAttribute('aria-activedescendant');
    this.onchange?.();
  }

  row(item, index) {
    const row = make('div', {
      role: 'option', id: `message-${index}`, 'data-index': index, class: 'message',
      'aria-selected': index === this.at ? 'true' : 'false', 'aria-posinset': index + 1, 'aria-setsize': this.shown.length,
    },
    make('span', { class: 'subject', dir: 'auto', lang: languageOf(undefined, item.subject) }, visible(item.subject) || '(no subject)'),
    make('span', { class: 'from', dir: 'auto', title: visible(item.from) }, visible(item.sender || item.from) || '(no sender)'),
    make('span', { class: 'date', dir: 'auto', title: visible(item.date) }, item.day ? dayOf(item.day) : visible(item.date)),
    item.mark ? mark(item.mark) : '');
    row.style.transform = `translateY(${index * ROW}px)`;
    return row;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.seen / ROW) - 1);
    const to = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: this.at - page, Home: 0, End: this.shown.length - 1 }[event.key];
    if (to === undefined || this.shown.length === 0) return;
    event.preventDefault();
    this.go(to);
  }

  go(index) {
    this.at = Math.min(Math.max(index, 0), this.shown.length - 1);
    const top = this.at * ROW;
    if (top < this.top) this.top = top;
    else if (top + ROW > this.top + this.seen) this.top = top + ROW - this.seen;
    // The list must have this height before it can be scrolled there.
    this.canvas.style.height = `${this.shown.length * ROW}px`;
    this.element.scrollTop = this.top;
    this.draw();
    if (this.shown[this.at]) this.choose(this.shown[this.at]);
  }
}
