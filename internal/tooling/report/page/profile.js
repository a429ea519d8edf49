// profile.js: where the cycles of a launch go, by the model of time, and the values of a tile block.

const WAIT_HUES = [210, 30, 0, 280, 150, 60, 330, 180, 100, 250, 20, 80];

class ProfileView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    this.profile = report.profile;
    this.box = el('div', { class: 'view scroll profile' });
  }

  // shown draws when the view is first looked at.
  shown() {
    if (this.drawn) return;
    this.drawn = true;
    const p = this.profile;
    this.box.append(
      this.verdict(p),
      this.section(p.title, el('table', {}, el('tbody', {}, (p.facts || []).map((f) => el('tr', {}, el('th', { scope: 'row', textContent: f.name }), el('td', { class: 'text', textContent: f.text }))))),
        (p.notes || []).map((n) => el('div', { class: 'remark text', textContent: `note: ${n}` }))),
      this.section('Units: busy (estimate)', this.bars(p.units || [])),
      this.section('Warps: their cycles (estimate)', this.bars(p.warps || [])),
      this.section('Roofline (estimate)', this.roof(p.roofline)),
      this.section('Timeline of the tile block (estimate)', this.timeline(p)),
      this.section('Source lines', this.lines(p.sources || [])),
      this.section('Instructions of the PTX', this.lines(p.lines || [])));
  }

  section(title, ...children) { return el('section', { 'aria-label': title, class: /^(Units|Warps|Roofline)/.test(title) ? '' : 'whole' }, el('h2', { textContent: title }), ...children); }

  // verdict says in two sentences what the rest shows in numbers.
  verdict(p) {
    const wait = (p.warps || []).filter((w) => w.name !== 'issuing').sort((x, y) => y.share - x.share)[0];
    const unit = (p.units || []).slice().sort((x, y) => y.share - x.share)[0];
    const r = p.roofline;
    return el('section', { class: 'card whole', 'aria-label': 'verdict' }, el('h2', { textContent: `Bound by ${r.bound}: ${this.percent(r.attained)} of what it allows (estimate)` }),
      el('p', {}, wait ? `Warps wait most for ${plain(wait.name)} (${this.percent(wait.share)} of their cycles). ` : '', unit ? `The busiest unit is ${plain(unit.name)}: ${this.percent(unit.share)} of the cycles.` : ''));
  }

  percent(x) { return `${number(100 * x, 1)}%`; }

  bars(list) {
    return el('table', {}, el('tbody', {}, list.map((s) => el('tr', {}, el('th', { scope: 'row', textContent: plain(s.name) }), el('td', { class: 'digits', textContent: this.percent(s.share) }),
      el('td', {}, el('span', { class: 'meter wide', style: `--share:${Math.max(0, Math.min(1, Number(s.share) || 0))}` }))))));
  }

  // roof draws both axes as logarithms of base 2, around the balance of memory and units.
  roof(r) {
    const W = 420, H = 180, span = 10;
    const ridge = Math.log2(Math.max(r.ridge, 1e-9)), at = Math.log2(Math.max(r.intensity, 1e-9));
    const x = (v) => 30 + (Math.max(-span, Math.min(span, v - ridge)) + span) / (2 * span) * (W - 40);
    const y = (v) => 15 + Math.min(2 * span, Math.max(0, -v)) / (2 * span) * (H - 40);
    const roofAt = Math.min(0, at - ridge);
    const svg = drawing('svg', { width: W, height: H, viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `${r.bound}: ${number(r.intensity, 2)} operations a byte, balance at ${number(r.ridge, 1)}` },
      drawing('polyline', { points: `${x(ridge - span)},${y(-span)} ${x(ridge)},${y(0)} ${x(ridge + span)},${y(0)}`, fill: 'none', stroke: 'var(--ink)' }),
      drawing('line', { x1: x(at), x2: x(at), y1: y(roofAt), y2: y(roofAt + Math.log2(Math.max(r.attained, 1e-6))), stroke: 'var(--soft)', 'stroke-dasharray': '3 3' }),
      drawing('circle', { cx: x(at), cy: y(roofAt + Math.log2(Math.max(r.attained, 1e-6))), r: 5, fill: 'var(--cursor)' }));
    const label = (text, lx, ly) => {
      const t = drawing('text', { x: lx, y: ly, fill: 'var(--ink)', 'font-size': 11 });
      t.textContent = text;
      svg.append(t);
    };
    label(`${this.percent(r.attained)} of what ${r.bound} allows`, 30, H - 8);
    for (const v of [-span, 0, span]) label(`${significant(2 ** (ridge + v))}`, x(ridge + v) - (v > 0 ? 44 : 0), H - 26);
    label('operations for each byte of memory', W - 200, H - 8);
    label('100%', 2, y(0) - 3);
    return svg;
  }

  timeline(p) {
    const W = 1000, left = 110, row = 14, lanes = p.lanes || [], kinds = p.kinds || [];
    const scale = (W - left) / Math.max(1, ...lanes.map((l) => Math.max(...(l.spans || []).map((s) => s.start + s.cycles))));
    const colour = (k) => (kinds[k] === 'at work' ? 'var(--cursor)' : `hsl(${WAIT_HUES[k % WAIT_HUES.length]} 60% 55%)`);
    const svg = drawing('svg', { width: W, height: lanes.length * row + 20, viewBox: `0 0 ${W} ${lanes.length * row + 20}`, role: 'img', 'aria-label': 'timeline; the lines below say the same in sum' });
    lanes.forEach((lane, i) => {
      const name = drawing('text', { x: 0, y: i * row + 11, fill: 'var(--ink)', 'font-size': 11 });
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

class ValuesView {
  constructor(report) {
    this.values = report.values.lines || [];
    this.list = new Listing('values', this);
    this.box = el('div', { class: 'view' }, el('div', { class: 'bar' }, el('span', { class: 'text', textContent: report.values.title })), this.list.body);
  }

  shown() { this.list.show(); }
  count() { return this.values.length; }
  width() { return this.values.reduce((w, s) => Math.max(w, s.length), 0) + 8; }
  row(i) { return el('div', { class: 'line', onclick: () => this.list.go(i) }, el('span', { class: 'number', textContent: String(i + 1) }), el('span', { class: 'text', textContent: this.values[i] })); }
  choose() {}
}

// plain spells out the name of a unit or of a wait.
function plain(name) { return (name || '').replaceAll('_', ' '); }

// significant shortens a number to two digits that count.
function significant(x) { return Number(x.toPrecision(2)).toLocaleString('en'); }
