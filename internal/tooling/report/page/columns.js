// columns.js: the columns side by side, and what lights up in them.

class Column {
  constructor(view, level) {
    this.view = view;
    this.report = view.report;
    this.level = level;
    this.docs = this.report.docs.filter((d) => d.level === level);
    // A level is shown as it was handed to the next one: its last dump; the first level as it came in.
    this.doc = level === this.report.docs.find((d) => d.kind === 'ir')?.level ? this.docs[0] : this.docs[this.docs.length - 1];
    if (level === 'source') this.doc = this.docs[0];
    this.lit = new Set();
    const name = this.report.level(level);
    this.list = new Listing(`${name}: lines`, this);
    this.select = choice(`${name}: which text`, this.report.choices(this.docs), this.doc.id, (id) => this.pick(id));
    this.find = el('input', { type: 'search', placeholder: 'find', 'aria-label': `find in ${name}`, onkeydown: (e) => this.search(e) });
    this.latest = this.report.latest(this.docs);
    this.tally = el('span', { class: 'count' });
    this.box = el('section', { class: `column ${level === 'ptx' || level === 'sass' ? 'narrow' : ''}`, 'aria-label': name }, el('header', {}, el('h2', { textContent: name }), this.select, this.find, this.tally), this.list.body);
  }

  pick(id) {
    this.doc = this.report.docs[id];
    this.select.value = String(id);
    this.list.cursor = 0;
    this.list.body.scrollTop = 0;
    this.light();
    this.list.show();
  }

  // What a Listing asks.
  count() { return this.doc.lines.length; }
  width() { return this.report.widest(this.doc); }
  row(i) {
    // A remark stands where what it is about begins, not on all that came of it.
    const remarks = (this.doc.labels[i] || []).filter((l) => this.report.where(this.doc).get(l)[0] === i).flatMap((l) => this.report.remarksOf.get(l) || []);
    const text = el('span', { class: 'text' });
    words(text, this.report.line(this.doc, i));
    const row = el('div', { class: 'line', onclick: (e) => this.click(i, e) }, el('span', { class: 'number', textContent: String(i + 1) }), text);
    if (remarks.length && this.doc.kind !== 'ptx' && this.doc.kind !== 'sass') {
      const all = [...new Set(remarks)].map((r) => this.report.remarks[r]);
      row.append(el('span', { class: 'remark', textContent: all.map((m) => `${m.severity}: ${m.message}`).join('  |  '), title: all.map((m) => `${m.severity}: ${m.message}`).join('\n') }));
    }
    return row;
  }
  mark(i, row) {
    row.classList.toggle('lit', this.lit.has(i));
    row.setAttribute('aria-selected', String(this.lit.has(i)));
    for (const v of row.querySelectorAll('.value')) v.classList.toggle('same', this.view.value !== null && this.view.from === this && v.dataset.name === this.view.value);
  }
  choose(i) { this.view.follow(this, i, null); }
  key(e) {
    if (e.key === 'ArrowLeft' || e.key === 'h') this.view.next(this, -1);
    else if (e.key === 'ArrowRight' || e.key === 'l') this.view.next(this, 1);
    else if (e.key === '/') this.find.focus();
    else if (e.key === 'n') this.match(1);
    else if (e.key === 'N') this.match(-1);
    else if (e.key === ']') this.step(1);
    else if (e.key === '[') this.step(-1);
    else if (e.key === 'd') this.view.diff(this.doc);
    else return false;
    return true;
  }

  click(i, e) {
    this.list.cursor = i;
    this.view.follow(this, i, e.target.dataset?.name || null);
  }

  // step shows the text of the next or the previous pass of the level.
  step(by) {
    const next = this.docs[this.docs.indexOf(this.doc) + by];
    if (next) this.pick(next.id);
  }

  // turn shows the text of another kernel, or another source, if the one that is shown has no line to light up.
  turn() {
    const has = (d) => this.report.linesOf(d, this.view.selected).length > 0;
    const other = has(this.doc) ? null : this.latest.find((d) => (d.kind === 'source' || d.fn !== this.doc.fn) && has(d));
    if (!other) return;
    this.doc = other;
    this.select.value = String(other.id);
    this.list.cursor = 0;
    this.list.show();
  }

  light() {
    const lines = this.report.linesOf(this.doc, this.view.selected);
    this.lit = new Set(lines);
    this.tally.textContent = lines.length ? `${lines.length} lit` : `${number(this.doc.lines.length)} lines`;
    return lines;
  }

  search(e) {
    if (e.key === 'Escape') this.list.body.focus();
    else if (e.key === 'Enter') this.match(e.shiftKey ? -1 : 1);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  match(by) {
    const wanted = this.find.value.toLowerCase();
    const n = this.doc.lines.length;
    if (!wanted) return;
    for (let k = 1; k <= n; k++) {
      const i = (this.list.cursor + by * k + n * k) % n;
      if (this.report.line(this.doc, i).toLowerCase().includes(wanted)) {
        this.list.go(i);
        return;
      }
    }
    this.view.say(`'${this.find.value}' is not in ${this.report.name(this.doc)}`);
  }
}

class ColumnsView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    this.selected = new Set();
    this.value = null;
    this.from = null;
    this.columns = report.columns().map((level) => new Column(this, level));
    this.toggles = this.columns.map((c, i) => el('button', { type: 'button', class: 'toggle', 'aria-pressed': 'true', textContent: report.level(c.level), onclick: () => this.fold(i, !c.box.hidden) }));
    this.box = el('div', { class: 'view columns' }, el('div', { class: 'bar', role: 'toolbar', 'aria-label': 'columns' }, this.toggles), el('div', { class: 'row' }, this.columns.map((c) => c.box)));
  }

  // begin folds all columns but a few wide ones, and lights up the line that costs most.
  begin() {
    const has = (level) => this.columns.some((c) => c.level === level);
    const open = [has('source') ? 'source' : 'cuda_tile', has('sass') ? 'sass' : 'ptx'];
    if (window.innerWidth >= WIDE) open.splice(1, 0, 'tileas');
    const shown = this.columns.filter((c) => open.includes(c.level));
    this.columns.forEach((c, i) => {
      if (shown.length && !shown.includes(c)) this.fold(i, true);
    });
    const hottest = this.report.summaries[0]?.lines?.[0];
    if (hottest) this.select(new Set(hottest.labels), null);
  }

  fold(i, folded) {
    const c = this.columns[i];
    c.box.hidden = folded;
    this.toggles[i].setAttribute('aria-pressed', String(!folded));
    if (!folded) {
      c.list.show();
      if (c.lit.size) c.list.reveal(c.list.cursor);
    }
  }

  shown() {
    for (const c of this.columns) {
      c.light();
      c.list.show();
      if (c.lit.size) c.list.reveal(c.list.cursor);
    }
    const there = this.columns.filter((c) => !c.box.hidden);
    (there.find((c) => c.doc.kind === 'ir') || there[0])?.list.body.focus({ preventScroll: true });
  }

  say(text) { this.app.say(text); }
  diff(doc) { this.app.showDiff(doc); }

  next(column, by) {
    const there = this.columns.filter((c) => !c.box.hidden);
    const c = there[there.indexOf(column) + by];
    c?.list.body.focus();
    c?.box.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  // follow lights up all that came from the same operations as a line does.
  follow(column, i, value) {
    this.value = value;
    this.from = column;
    this.select(new Set(column.doc.labels[i] || []), column);
  }

  select(labels, from) {
    this.selected = labels;
    let lit = 0;
    for (const c of this.columns) {
      if (c !== from) c.turn();
      const lines = c.light();
      lit += lines.length;
      if (lines.length && c !== from) {
        c.list.cursor = densest(lines);
        c.list.reveal(c.list.cursor);
      } else {
        c.list.draw();
      }
    }
    const all = [...labels];
    if (!all.length) this.say(from && this.value ? `${this.value}; the line has no place in the input` : 'the line has no place in the input');
    else this.say(`${all.slice(0, 3).map((l) => this.describe(l)).join('; ')}${all.length > 3 ? `; and ${all.length - 3} more` : ''} - ${lit} lines`);
  }

  describe(label) {
    const l = this.report.labels[label];
    return l.place ? `${l.op} at ${l.place}` : l.op;
  }

  clear() {
    this.value = null;
    this.select(new Set(), null);
    this.say('');
  }
}

const WIDE = 1200; // pixels from which on three columns are open at first
const NEAR = 40; // lines

// densest returns the line from which on most of some lines follow closely. Constants of an operation are often far above what it became.
function densest(lines) {
  let best = 0;
  let most = 0;
  for (let i = 0, end = 0; i < lines.length; i++) {
    while (end < lines.length && lines[end] < lines[i] + NEAR) end++;
    if (end - i > most) [best, most] = [i, end - i];
  }
  return lines[best];
}
