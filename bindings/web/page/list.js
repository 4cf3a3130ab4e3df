// The list of messages: only those in sight are in the page, however many there are.

class MessageList {
  constructor(element, choose) {
    Object.assign(this, { element, choose, items: [], shown: [], at: -1, query: '', least: '' });
    this.canvas = make('div', { role: 'presentation', class: 'canvas' });
    element.append(this.canvas);
    element.addEventListener('scroll', () => this.draw());
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('click', (event) => {
      const row = event.target.closest('[role=option]');
      if (row) this.go(Number(row.dataset.index));
    });
    new ResizeObserver(() => this.draw()).observe(element);
  }

  clear() {
    Object.assign(this, { items: [], shown: [], at: -1 });
    this.draw();
  }

  add(items) {
    for (const item of items) {
      item.words = `${item.from}\n${item.subject}\n${item.date}\n${item.name}`.toLowerCase();
      this.items.push(item);
      if (this.matches(item)) this.shown.push(item);
    }
    this.draw();
  }

  matches(item) {
    const order = ['', 'assumed', 'repaired', 'lost'];
    if (order.indexOf(item.mark ?? '') < order.indexOf(this.least)) return false;
    return this.query === '' || item.words.includes(this.query);
  }

  // Looks through the list in pieces, so that the page goes on.
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
    this.element.scrollTop = 0;
    this.draw();
  }

  get height() {
    return parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) || 64;
  }

  draw() {
    const height = this.height;
    this.canvas.style.height = `${this.shown.length * height}px`;
    const first = Math.max(0, Math.floor(this.element.scrollTop / height) - 4);
    const last = Math.min(this.shown.length, first + Math.ceil(this.element.clientHeight / height) + 8);
    const rows = this.shown.slice(first, last).map((item, place) => this.row(item, first + place, height));
    this.canvas.replaceChildren(...rows);
    if (rows.length === 0) this.canvas.append(make('div', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false', class: 'nothing' }, this.items.length ? 'No message matches.' : 'No messages yet.'));
    const active = this.at >= first && this.at < last ? `message-${this.at}` : undefined;
    if (active) this.element.setAttribute('aria-activedescendant', active);
    else this.element.removeAttribute('aria-activedescendant');
    this.onchange?.();
  }

  row(item, index, height) {
    const row = make('div', {
      role: 'option', id: `message-${index}`, 'data-index': index, class: 'message',
      'aria-selected': index === this.at ? 'true' : 'false', 'aria-posinset': index + 1, 'aria-setsize': this.shown.length,
    },
    make('span', { class: 'subject', dir: 'auto', lang: languageOf(undefined, item.subject) }, visible(item.subject) || '(no subject)'),
    make('span', { class: 'from', dir: 'auto' }, visible(item.from) || '(no sender)'),
    make('span', { class: 'date', dir: 'auto' }, visible(item.date)),
    item.mark ? mark(item.mark) : '');
    row.style.transform = `translateY(${index * height}px)`;
    return row;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const to = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: this.at - page, Home: 0, End: this.shown.length - 1 }[event.key];
    if (to === undefined || this.shown.length === 0) return;
    event.preventDefault();
    this.go(to);
  }

  go(index) {
    this.at = Math.min(Math.max(index, 0), this.shown.length - 1);
    const { height } = this;
    const top = this.at * height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top + height > this.element.scrollTop + this.element.clientHeight) this.element.scrollTop = top + height - this.element.clientHeight;
    this.draw();
    if (this.shown[this.at]) this.choose(this.shown[this.at]);
  }
}
