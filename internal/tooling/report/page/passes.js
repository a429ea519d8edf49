// passes.js: the passes that ran, with time and counters, and the graph that their order comes from.

const NUMBERS = new Set([0, 3, 5, 6]); // columns of the table

class PassesView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    const most = Math.max(0.001, ...report.passes.map((p) => p.ms));
    const total = report.passes.reduce((s, p) => s + p.ms, 0);
    const verify = report.passes.reduce((s, p) => s + p.verify, 0);
    const head = ['', 'pass', 'level after it', 'time, ms', '', 'verified, ms', 'operations', 'changed', 'counters'];
    const table = el('table', { class: 'passes' }, el('caption', { textContent: `${report.passes.length} passes, ${number(total, 1)} ms, and ${number(verify, 1)} ms of verification; dumps are not counted` }),
      el('thead', {}, el('tr', {}, head.map((h) => el('th', { scope: 'col', textContent: h })))),
      el('tbody', {}, report.passes.map((p, i) => this.row(p, i, most))));
    this.graph = report.graph ? new GraphBox(report.graph, this) : null;
    this.all = el('input', { type: 'checkbox', onchange: () => table.classList.toggle('brief', !this.all.checked) });
    table.classList.add('brief');
    this.box = el('div', { class: 'view scroll' }, el('label', {}, this.all, ' also passes that changed nothing'), table, this.graph ? this.graph.box : null);
  }

  row(p, i, most) {
    const doc = this.report.docs.find((d) => d.pass === i);
    const open = doc ? el('button', { type: 'button', class: 'link', textContent: 'diff', 'aria-label': `what ${p.name} changed`, onclick: () => this.app.showDiff(doc) }) : 'no';
    const bar = drawing('svg', { class: 'time', width: 80, height: 10, 'aria-hidden': 'true' }, drawing('rect', { width: Math.max(1, (80 * p.ms) / most), height: 10 }));
    const ops = p.before === p.ops ? number(p.ops) : `${number(p.before)} to ${number(p.ops)}`;
    const stats = (p.stats || []).filter((s) => s.value).map((s) => el('span', { class: 'stat', title: s.doc, textContent: `${s.name} ${number(s.value)}` }));
    return el('tr', { id: `pass-${i}`, class: p.error ? 'bad' : p.changed ? '' : 'same' },
      [String(i + 1), el('span', { title: p.doc, textContent: p.step || p.name }), p.level, number(p.ms, 2), bar, number(p.verify, 2), ops, open, p.error ? [p.error] : stats].map((c, n) => el('td', NUMBERS.has(n) ? { class: 'digits' } : {}, c)));
  }

  shown() {}

  // of returns the place of a step among the passes that ran.
  of(step) { return this.report.passes.findIndex((p) => (p.step || p.name) === step); }
}

// A GraphBox shows the graph in lanes. The reasons for the order of a step are shown when it is chosen, and the steps that they name are marked.
class GraphBox {
  constructor(graph, view) {
    this.graph = graph;
    this.view = view;
    this.buttons = new Map();
    this.why = el('div', { class: 'why', 'aria-live': 'polite', textContent: 'Choose a step: what makes it run where it does.' });
    const lanes = graph.lanes.map((lane) => el('div', { class: 'lane' }, el('h3', { textContent: lane.title }), lane.steps.map((s) => this.step(s))));
    this.box = el('section', { class: 'graph', 'aria-label': 'pass graph' }, el('h2', { textContent: graph.title }), this.why, el('div', { class: 'lanes' }, lanes));
  }

  step(s) {
    const ran = this.view.of(s.id);
    const p = this.view.report.passes[ran];
    const b = el('button', { type: 'button', class: `step${p && p.changed ? '' : ' same'}`, title: s.doc, onclick: () => this.choose(s) }, s.id, el('small', { textContent: p ? ` ${number(p.ms, 2)} ms` : ' did not run' }));
    this.buttons.set(s.id, b);
    return b;
  }

  choose(s) {
    const edges = this.graph.edges.filter((e) => e.from === s.id || e.to === s.id);
    for (const [id, b] of this.buttons) {
      b.classList.toggle('chosen', id === s.id);
      b.classList.toggle('before', edges.some((e) => e.from === id && id !== s.id));
      b.classList.toggle('after', edges.some((e) => e.to === id && id !== s.id));
    }
    this.why.replaceChildren(el('strong', { textContent: s.id }), `: ${s.doc}`, s.why ? el('div', { textContent: s.why }) : null || '',
      el('ul', {}, edges.map((e) => el('li', { textContent: e.to === s.id ? `after ${e.from}: ${e.why}` : `before ${e.to}: ${e.why}` }))));
  }
}
