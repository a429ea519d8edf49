// column.js: a document as a list of lines, of which only those in view are elements.

const LINE = 18; // pixels of a line; the style sheet has the same
const BEYOND = 12; // lines that are there above and below what is in view

// A Listing shows lines. Its subject answers: count, width in characters, and row(i), the element of a line.
class Listing {
  constructor(label, subject) {
    this.subject = subject;
    this.cursor = 0;
    this.body = el('div', { class: 'listing', role: 'listbox', tabIndex: 0, 'aria-label': label, onscroll: () => this.later(), onkeydown: (e) => this.key(e) });
    this.space = el('div', { class: 'space' });
    this.body.append(this.space);
    this.rows = new Map();
    new ResizeObserver(() => this.later()).observe(this.body);
  }

  // show draws anew, after the subject has changed.
  show() {
    this.space.style.height = `${this.subject.count() * LINE + 4}px`;
    this.space.style.minWidth = `${this.subject.width() + 12}ch`;
    this.rows.clear();
    this.space.replaceChildren();
    this.draw();
  }

  later() {
    if (this.waits) return;
    this.waits = requestAnimationFrame(() => { this.waits = 0; this.draw(); });
  }

  draw() {
    const count = this.subject.count();
    const first = Math.max(0, Math.floor(this.body.scrollTop / LINE) - BEYOND);
    const last = Math.min(count, Math.ceil((this.body.scrollTop + (this.body.clientHeight || 400)) / LINE) + BEYOND);
    for (const [i, row] of this.rows) {
      if (i < first || i >= last) {
        row.remove();
        this.rows.delete(i);
      }
    }
    for (let i = first; i < last; i++) {
      if (this.rows.has(i)) continue;
      const row = this.subject.row(i);
      row.style.top = `${i * LINE}px`;
      row.id = `${this.id()}-${i}`;
      row.setAttribute('role', 'option');
      this.rows.set(i, row);
      this.space.append(row);
    }
    this.mark();
  }

  id() {
    Listing.made = (Listing.made || 0) + (this.number ? 0 : 1);
    this.number ||= Listing.made;
    return `list${this.number}`;
  }

  mark() {
    for (const [i, row] of this.rows) {
      row.classList.toggle('cursor', i === this.cursor);
      this.subject.mark?.(i, row);
    }
    this.body.setAttribute('aria-activedescendant', `${this.id()}-${this.cursor}`);
  }

  // reveal brings a line into view, to the middle if it was not.
  reveal(i) {
    const top = i * LINE;
    if (top < this.body.scrollTop || top + LINE > this.body.scrollTop + this.body.clientHeight) {
      this.body.scrollTop = Math.max(0, top - this.body.clientHeight / 2);
    }
    this.draw();
  }

  go(i) {
    this.cursor = Math.max(0, Math.min(this.subject.count() - 1, i));
    this.reveal(this.cursor);
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const page = Math.max(1, Math.floor(this.body.clientHeight / LINE) - 2);
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[e.key];
    if (by !== undefined) this.go(this.cursor + by);
    else if (e.key === 'Enter' || e.key === ' ') this.subject.choose?.(this.cursor);
    else if (!this.subject.key?.(e)) return;
    e.preventDefault();
    e.stopPropagation();
  }
}

// Words of the texts that are told apart: values and registers, strings, comments, symbols and attributes, types and numbers.
const WORDS = /(%[\w$.#-]+)|("(?:[^"\\]|\\.)*")|(\/\/.*$|#\s.*$)|([@#!][\w$.]+)|\b((?:[a-z_]\w*\.)+[a-z_]\w*)|\b(tensor|tile|memref|[iuf]\d+|bf16|tf32|\d+(?:\.\d+)?)\b/g;
const CLASSES = ['value', 'string', 'comment', 'symbol', 'op', 'type'];
const LONGEST = 2000; // characters of a line that are told apart

// words appends a line with its words marked up; value words get their name, by which they are found again.
function words(parent, text) {
  let at = 0;
  if (text.length <= LONGEST) {
    for (const m of text.matchAll(WORDS)) {
      const kind = CLASSES[m.slice(1).findIndex((g) => g !== undefined)];
      if (m.index > at) parent.append(text.slice(at, m.index));
      const span = el('span', { class: kind, textContent: m[0] });
      if (kind === 'value') span.dataset.name = m[0].replace(/#\d+$/, '');
      parent.append(span);
      at = m.index + m[0].length;
    }
  }
  parent.append(text.slice(at));
}
