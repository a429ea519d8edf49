// profile.js: where the cycles of a launch go, by the model of time, and the values of a tile block.

const WAIT_HUES = [210, 30, 0, 280, 150, 60, 330, 180, 100, 250, 20, 80];

class ProfileView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    this.profile = report.profiles[0];
    this.body = el('div', { class: 'view scroll profile' });
    const kernels = report.profiles.map((p, i) => [i, report.short(p.kernel) || 'the kernel', '', p.kernel]);
    this.box = el('div', { class: 'view' }, kernels.length > 1 ? el('div', { class: 'bar' }, choice('kernel', kernels, 0, (i) => { this.profile = report.profiles[i]; this.draw(); })) : '', this.body);
  }

  // shown draws when the view is first looked at.
  shown() {
    if (!this.body.children.length) this.draw();
  }

  draw() {
    const p = this.profile;
    this.body.replaceChildren(
      this.verdict(p),
      this.section('Units: busy (estimate)', bars(p.units || [], false, 1)),
      this.section('Warps: issuing or waiting (estimate)', bars(p.warps || [], true, 1)),
      this.section('Roofline (estimate)', this.roof(p.roofline)),
      this.section('Source lines', this.lines(p.sources || [])),
      this.section('Timeline of the tile block (estimate)', this.timeline(p)),
      this.section(p.title, el('table', {}, el('tbody', {}, (p.facts || []).map((f) => el('tr', {}, el('th', { scope: 'row', textContent: f.name }), el('td', { class: 'text', textContent: f.text }))))),
        (p.notes || []).map((n) => el('div', { class: 'remark text', textContent: `note: ${n}` }))),
      this.section('Instructions of the PTX', this.lines(p.lines || [])));
  }

  section(title, ...children) { return el('section', { 'aria-label': title, class: /^(Units|Warps|Roofline)/.test(title) ? '' : 'whole' }, el('h2', { textContent: title }), ...children); }

  // verdict says in three sentences what the rest shows in numbers.
  verdict(p) {
    return el('section', { class: 'whole', 'aria-label': 'verdict' }, el('h2', { textContent: `Bound by ${p.bound} (estimate)` }),
      el('p', { class: 'headline' }, el('strong', { textContent: p.time })), el('p', { textContent: p.verdict }), el('p', { class: 'soft', textContent: p.basis }));
  }

  percent(x) { return `${number(100 * x, 1)}%`; }

  // roof draws what is attained over the operations for each byte. Both axes are logarithms: steps of 10.
  roof(r) {
    const W = 440, H = 250, left = 52, right = W - 12, top = 24, bottom = H - 46;
    const bounded = (v) => Math.max(1e-3, Math.min(1e6, Number(v) || 0));
    const at = bounded(r.intensity), ridge = bounded(r.ridge), attained = Math.max(1e-4, Math.min(1, r.attained * Math.min(1, at / ridge)));
    const lowX = Math.floor(Math.log10(Math.min(at, ridge / 100))), highX = Math.ceil(Math.log10(Math.max(at, ridge * 10)));
    const lowY = Math.min(-2, Math.floor(Math.log10(attained)));
    const x = (v) => left + ((Math.log10(v) - lowX) / Math.max(1, highX - lowX)) * (right - left);
    const y = (v) => top + (Math.log10(v) / lowY) * (bottom - top);
    const floor = 10 ** lowY;
    const svg = drawing('svg', { width: W, height: H, viewBox: `0 0 ${W} ${H}`, role: 'img', class: 'chart', 'aria-label': `${this.percent(r.attained)} of what ${r.bound} allows, at ${significant(r.intensity)} operations for each byte; memory and units are in balance at ${significant(r.ridge)}` });
    const label = (text, lx, ly, anchor, kind) => {
      const t = drawing('text', { x: lx, y: ly, 'text-anchor': anchor, class: kind || 'tick' });
      t.textContent = text;
      svg.append(t);
    };
    for (let k = lowX; k <= highX; k++) {
      svg.append(drawing('line', { x1: x(10 ** k), x2: x(10 ** k), y1: top, y2: bottom, class: 'rule' }));
      label(significant(10 ** k), x(10 ** k) + (k === highX ? 8 : 0), bottom + 15, k === highX ? 'end' : 'middle');
    }
    for (let k = lowY; k <= 0; k++) {
      svg.append(drawing('line', { x1: left, x2: right, y1: y(10 ** k), y2: y(10 ** k), class: 'rule' }));
      label(`${significant(100 * 10 ** k)}%`, left - 6, y(10 ** k) + 4, 'end');
    }
    const begin = Math.max(10 ** lowX, ridge * floor);
    svg.append(drawing('polyline', { points: `${x(begin)},${y(begin / ridge)} ${x(ridge)},${y(1)} ${right},${y(1)}`, class: 'roof' }),
      drawing('line', { x1: x(at), x2: x(at), y1: y(Math.max(floor, Math.min(1, at / ridge))), y2: y(attained), class: 'drop' }),
      drawing('circle', { cx: x(at), cy: y(attained), r: 5, class: 'point' }));
    label('operations for each byte of memory', (left + right) / 2, H - 10, 'middle', 'axis');
    label('operations a second, of the most that units can do', left, 13, 'start', 'axis');
    return el('div', {}, svg, el('p', { class: 'soft', textContent: `${this.percent(r.attained)} of what ${r.bound} allows is attained. Memory and units are in balance at ${significant(r.ridge)} operations for each byte.` }));
  }

  timeline(p) {
    const W = 1200, left = 110, row = 16, lanes = p.lanes || [], kinds = p.kinds || [];
    const scale = (W - left) / Math.max(1, ...lanes.map((l) => Math.max(...(l.spans || []).map((s) => s.start + s.cycles))));
    const colour = (k) => (kinds[k] === 'at work' ? 'var(--cursor)' : `hsl(${WAIT_HUES[k % WAIT_HUES.length]} 60% 55%)`);
    const svg = drawing('svg', { width: W, height: lanes.length * row + 20, viewBox: `0 0 ${W} ${lanes.length * row + 20}`, role: 'img', 'aria-label': 'timeline; the lines below say the same in sum' });
    lanes.forEach((lane, i) => {
      const name = drawing('text', { x: 0, y: i * row + 12, fill: 'var(--ink)', 'font-size': 11 });
      name.textContent = lane.name;
      svg.append(name);
      for (const s of lane.spans || []) {
        const box = drawing('rect', { x: left + s.start * scale, y: i * row + 2, width: Math.max(0.5, s.cycles * scale), height: row - 3, fill: colour(s.kind) });
        const title = drawing('title', {});
        title.textContent = `${plain(kinds[s.kind])}, cycles ${s.start} to ${s.start + s.cycles}, line ${s.line} of the PTX`;
        box.append(title);
        svg.append(box);
      }
    });
    const most = Math.max(0, ...lanes.map((l) => Math.max(0, ...(l.spans || []).map((s) => s.start + s.cycles))));
    for (let k = 0; k <= 4; k++) {
      const tick = drawing('text', { x: left + (k / 4) * (W - left) - (k === 4 ? 70 : 0), y: lanes.length * row + 16, fill: 'var(--soft)', 'font-size': 11 });
      tick.textContent = `${number(Math.round((k / 4) * most))}${k === 4 ? ' cycles' : ''}`;
      svg.append(tick);
    }
    return el('div', {}, el('div', { class: 'legend' }, kinds.map((k, i) => el('span', { class: 'text', style: `border-left:10px solid ${colour(i)};padding:0 10px 0 4px`, textContent: plain(k) }))), svg);
  }

  lines(list) {
    return el('table', {}, el('thead', {}, el('tr', {}, ['place', 'share', 'cycles of warps', 'instructions issued', 'waits most for', 'text'].map((h) => el('th', { scope: 'col', textContent: h })))),
      el('tbody', {}, list.map((l) => {
        const labels = this.report.labelsAt(l.place);
        const place = labels.length ? el('button', { type: 'button', class: 'link text', title: `${l.place}: show what became of it`, textContent: shortPlace(l.place), onclick: () => this.app.light(labels) }) : shortPlace(l.place);
        const figures = [this.percent(l.share), number(l.cycles), number(l.issued)].map((t) => el('td', { class: 'digits', textContent: t }));
        return el('tr', {}, el('td', {}, place), figures, el('td', { textContent: plain(l.why) }), el('td', { class: 'text mono', textContent: l.text || this.report.sourceLine(l.place) }));
      })));
  }
}

// What cuTile writes around a kernel: most values of a tile block, and none that its author asks about.
const AROUND_KERNEL = /: %\w*?(?:assume|cst|tview|pview)\w* = /;

class ValuesView {
  constructor(report) {
    this.all = report.values.lines || [];
    this.list = new Listing('values', this);
    this.text = el('input', { type: 'search', placeholder: 'find', 'aria-label': 'find in values', oninput: () => this.filter() });
    this.every = el('input', { type: 'checkbox', onchange: () => this.filter() });
    this.tally = el('span', { class: 'count' });
    this.box = el('div', { class: 'view' }, el('div', { class: 'bar' }, el('span', { class: 'text', textContent: report.values.title }), this.text, el('label', {}, this.every, ' also assumptions and constants'), this.tally), this.list.body);
    this.filter();
  }

  shown() { this.list.show(); }

  filter() {
    const wanted = this.text.value.toLowerCase();
    this.values = [...this.all.keys()].filter((i) => (this.every.checked || !AROUND_KERNEL.test(this.all[i])) && (!wanted || this.all[i].toLowerCase().includes(wanted)));
    this.tally.textContent = `${number(this.values.length)} of ${number(this.all.length)}`;
    this.list.cursor = 0;
    this.list.show();
  }

  count() { return this.values.length; }
  width() { return this.values.reduce((w, i) => Math.max(w, this.all[i].length), 0) + 8; }
  row(n) {
    const text = el('span', { class: 'text' });
    words(text, this.all[this.values[n]]);
    return el('div', { class: 'line', onclick: () => this.list.go(n) }, el('span', { class: 'number', textContent: String(this.values[n] + 1) }), text);
  }
  choose() {}
}

// plain spells out the name of a unit or of a wait.
function plain(name) { return (name || '').replaceAll('_', ' '); }

// significant shortens a number to two digits that count.
function significant(x) { return Number(x.toPrecision(2)).toLocaleString('en'); }
