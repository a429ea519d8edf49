// diff.js: what changed between two texts.

// changes returns the edits between two lists of keys, as [kind, i, j] in order: '=' both, '-' only a[i], '+' only b[j].
//
// Lines that occur once in both lists and in the same order anchor the rest (patience diff): a pass that moves or renumbers much would else be matched at braces. Between anchors the shortest edit
// script is taken (Myers), and where that is too long, all of one replaces all of the other.
function changes(a, b) {
  const out = [];
  const piece = (a0, a1, b0, b1) => {
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) out.push(['=', a0++, b0++]);
    const tail = [];
    while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) tail.push(['=', --a1, --b1]);
    const anchors = a0 < a1 && b0 < b1 ? unique(a, a0, a1, b, b0, b1) : [];
    if (anchors.length) {
      for (const [i, j] of anchors) {
        piece(a0, i, b0, j);
        out.push(['=', i, j]);
        a0 = i + 1;
        b0 = j + 1;
      }
      piece(a0, a1, b0, b1);
    } else {
      shortest(a, a0, a1, b, b0, b1, out);
    }
    for (const e of tail.reverse()) out.push(e);
  };
  piece(0, a.length, 0, b.length);
  return out;
}

// unique returns the longest increasing run of lines that occur once on each side.
function unique(a, a0, a1, b, b0, b1) {
  const seen = new Map();
  for (let i = a0; i < a1; i++) seen.set(a[i], seen.has(a[i]) ? null : { i, j: -1 });
  for (let j = b0; j < b1; j++) {
    const s = seen.get(b[j]);
    if (s) s.j = s.j === -1 ? j : -2;
  }
  const pairs = [...seen.values()].filter((s) => s && s.j >= 0).sort((x, y) => x.j - y.j);
  const piles = [];
  for (const p of pairs) {
    let lo = 0;
    let hi = piles.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (piles[mid].i < p.i) lo = mid + 1;
      else hi = mid;
    }
    p.under = lo ? piles[lo - 1] : null;
    piles[lo] = p;
  }
  const run = [];
  for (let p = piles[piles.length - 1]; p; p = p.under) run.push([p.i, p.j]);
  return run.reverse();
}

const MOST = 1000; // edits that are looked for

function shortest(a, a0, a1, b, b0, b1, out) {
  const n = a1 - a0;
  const m = b1 - b0;
  const replace = () => {
    for (let i = a0; i < a1; i++) out.push(['-', i, -1]);
    for (let j = b0; j < b1; j++) out.push(['+', -1, j]);
  };
  if (!n || !m) return replace();
  const most = Math.min(n + m, MOST);
  const v = new Int32Array(2 * most + 3);
  const trace = [];
  for (let d = 0; d <= most; d++) {
    trace.push(v.slice(most - d, most + d + 3));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && v[most + k] < v[most + k + 2]) ? v[most + k + 2] : v[most + k] + 1;
      let y = x - k;
      while (x < n && y < m && a[a0 + x] === b[b0 + y]) {
        x++;
        y++;
      }
      v[most + 1 + k] = x;
      if (x >= n && y >= m) return back(d, k);
    }
  }
  return replace();

  // back walks from the end along what was kept of each number of edits.
  function back(d, k) {
    const steps = [];
    let x = n;
    let y = m;
    for (; d > 0; d--) {
      const old = trace[d]; // old[k + d + 1] is how far diagonal k had come
      const down = k === -d || (k !== d && old[k - 1 + d + 1] < old[k + 1 + d + 1]);
      const from = down ? k + 1 : k - 1;
      const px = old[from + d + 1];
      const py = px - from;
      const sx = down ? px : px + 1;
      while (x > sx) steps.push(['=', a0 + --x, b0 + --y]);
      steps.push(down ? ['+', -1, b0 + --y] : ['-', a0 + --x, -1]);
      k = from;
    }
    while (x > 0 && y > 0) steps.push(['=', a0 + --x, b0 + --y]);
    for (const s of steps.reverse()) out.push(s);
  }
}

const VALUE = /%[\w$.-]+/g;
const DEFINES = /^\s*(?:=[^=]|:|,\s*%[^=]*=[^=])/; // what follows the name of a value where it is defined
const SCOPE = /\b(?:func|entry|module)\b/; // names begin anew

// renamed returns edits in which lines that differ by more than names of values are no longer equal. Lines were matched without names. So the names of the second text are
// those of the first one by what was matched, and a line that uses another value than before is a change.
function renamed(edits, a, b) {
  const to = new Map();
  const out = [];
  for (const e of edits) {
    const [kind, i, j] = e;
    if (kind !== '=') {
      out.push(e);
      continue;
    }
    if (SCOPE.test(b(j))) to.clear();
    const olds = [...a(i).matchAll(VALUE)];
    let same = true;
    [...b(j).matchAll(VALUE)].forEach((m, n) => {
      const name = m[0];
      const old = olds[n]?.[0];
      if (!to.has(name) || DEFINES.test(b(j).slice(m.index + name.length))) to.set(name, old);
      else if (to.get(name) !== old) same = false;
    });
    if (same) out.push(e);
    else out.push(['-', i, -1], ['+', -1, j]);
  }
  return out;
}

const AROUND = 4; // unchanged lines around a change

class DiffView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    const ir = report.docs.filter((d) => d.kind !== 'source');
    this.a = ir[0] || report.docs[0];
    this.b = ir[Math.min(1, ir.length - 1)] || this.a;
    this.lines = [];
    this.list = new Listing('differences', this);
    const all = report.choices(report.docs);
    this.first = choice('from', all, this.a?.id, (id) => { this.a = report.docs[id]; this.shown(); });
    this.second = choice('to', all, this.b?.id, (id) => { this.b = report.docs[id]; this.shown(); });
    this.names = el('input', { type: 'checkbox', checked: true, onchange: () => this.shown() });
    this.whole = el('input', { type: 'checkbox', onchange: () => this.shown() });
    this.sum = el('span', { class: 'count' });
    this.box = el('div', { class: 'view diff' }, el('div', { class: 'bar' }, this.first, el('span', { textContent: 'to' }), this.second, el('label', {}, this.names, ' names of values do not count'), el('label', {}, this.whole, ' all lines'), this.sum), this.list.body);
    const own = ir.find((d) => d.fn && d.fn === report.summaries[0]?.symbol);
    if (own) this.set(own);
  }

  // set shows a text and what was before it; of the first one, what comes after it.
  set(doc) {
    const same = this.report.docs.filter((d) => d.kind === 'ir' && (d.fn === doc.fn || !d.fn || !doc.fn));
    const before = same.filter((d) => d.id < doc.id).pop();
    this.a = before || doc;
    this.b = before ? doc : same.find((d) => d.id > doc.id) || doc;
    this.first.value = String(this.a.id);
    this.second.value = String(this.b.id);
  }

  shown() {
    if (!this.a) return;
    // A kernel alone is indented less than in its module, and its dialect is named: neither is a difference. Of a module only the kernel is compared.
    const key = (s) => (this.names.checked ? s.replace(VALUE, '%').replace(/([#!][a-z_]+)\d+/g, '$1') : s).trimStart().replace(/^\w+\.(?=\w+ @)/, '');
    const [from, to] = [this.report.part(this.a, this.b.fn), this.report.part(this.b, this.a.fn)];
    const keys = (d, [begin, end]) => d.lines.slice(begin, end).map((_, i) => key(this.report.line(d, begin + i)));
    let edits = changes(keys(this.a, from), keys(this.b, to)).map(([kind, i, j]) => [kind, i < 0 ? i : i + from[0], j < 0 ? j : j + to[0]]);
    if (this.names.checked) edits = renamed(edits, (i) => this.report.line(this.a, i), (j) => this.report.line(this.b, j));
    const near = new Uint8Array(edits.length);
    edits.forEach((e, i) => {
      if (e[0] !== '=') near.fill(1, Math.max(0, i - AROUND), i + AROUND + 1);
    });
    this.lines = [];
    for (let i = 0; i < edits.length; i++) {
      if (near[i] || this.whole.checked) {
        this.lines.push(edits[i]);
        continue;
      }
      let end = i;
      while (end < edits.length && !near[end]) end++;
      this.lines.push(['~', end - i, 0]);
      i = end - 1;
    }
    const minus = edits.filter((e) => e[0] === '-').length;
    const plus = edits.filter((e) => e[0] === '+').length;
    this.sum.textContent = minus + plus ? `${number(minus)} lines gone, ${number(plus)} new` : 'no difference';
    this.list.cursor = 0;
    this.list.show();
  }

  count() { return this.lines.length; }
  width() { return Math.max(this.report.widest(this.a), this.report.widest(this.b)) + 6; }
  row(n) {
    const [kind, i, j] = this.lines[n];
    if (kind === '~') return el('div', { class: 'line gap', textContent: i === 1 ? '1 line is the same' : `${number(i)} lines are the same` });
    const text = el('span', { class: 'text' });
    words(text, kind === '-' ? this.report.line(this.a, i) : this.report.line(this.b, j));
    const at = (k) => el('span', { class: 'number', textContent: k < 0 ? '' : String(k + 1) });
    return el('div', { class: `line ${{ '-': 'gone', '+': 'new', '=': '' }[kind]}`, onclick: () => { this.list.cursor = n; this.choose(n); } }, at(i), at(j), el('span', { class: 'sign', textContent: kind === '=' ? ' ' : kind }), text);
  }
  choose(n) {
    const [kind, i, j] = this.lines[n];
    if (kind === '~') return;
    this.list.mark();
    this.app.columns.select(new Set((kind === '-' ? this.a.labels[i] : this.b.labels[j]) || []), null);
  }
  key(e) {
    if (e.key !== 'n' && e.key !== 'N' && e.key !== 'p') return false;
    const by = e.key === 'n' ? 1 : -1;
    const changed = (k) => '-+'.includes(this.lines[k]?.[0] || ' ');
    let k = this.list.cursor;
    while (changed(k)) k += by; // out of the change that the cursor is in
    while (k >= 0 && k < this.lines.length && !changed(k)) k += by;
    if (k >= 0 && k < this.lines.length) this.list.go(k);
    return true;
  }
}
