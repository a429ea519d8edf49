// remarks.js: what the compiler said, of each what it is about. What was not done comes first.

const SEVERITIES = ['error', 'failure', 'warning', 'missed', 'remark', 'analysis', 'passed'];
const MANY = 300; // rows that are made at once

class RemarksView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    const rank = (m) => (SEVERITIES.indexOf(m.severity) + SEVERITIES.length + 1) % (SEVERITIES.length + 1);
    this.all = [...report.remarks].sort((a, b) => rank(a) - rank(b));
    const kinds = [...new Set(this.all.map((m) => m.severity))];
    this.kind = el('select', { 'aria-label': 'kind', onchange: () => this.filter() }, el('option', { value: '', textContent: 'all kinds' }), kinds.map((k) => el('option', { value: k, textContent: k })));
    this.text = el('input', { type: 'search', placeholder: 'find', 'aria-label': 'find in remarks', oninput: () => this.filter() });
    this.tally = el('span', { class: 'count' });
    this.rows = el('ul', { class: 'remarks' });
    this.more = el('button', { type: 'button', textContent: 'Show more', onclick: () => this.add() });
    this.box = el('div', { class: 'view' }, el('div', { class: 'bar' }, this.kind, this.text, this.tally), el('div', { class: 'view scroll' }, this.rows, this.more));
    this.drawn = false;
  }

  // shown draws when the view is first looked at.
  shown() {
    if (!this.drawn) this.filter();
    this.drawn = true;
  }

  filter() {
    const wanted = this.text.value.toLowerCase();
    this.found = this.all.filter((m) => (!this.kind.value || m.severity === this.kind.value) && (!wanted || this.line(m).toLowerCase().includes(wanted)));
    this.tally.textContent = `${number(this.found.length)} of ${number(this.all.length)}`;
    this.rows.replaceChildren();
    this.add();
  }

  add() {
    const from = this.rows.children.length;
    this.rows.append(...this.found.slice(from, from + MANY).map((m) => this.row(m)));
    this.more.hidden = this.rows.children.length === this.found.length;
  }

  line(m) { return [m.place, m.severity, m.message, ...(m.notes || []), this.pass(m)].join(' '); }
  pass(m) { return m.pass >= 0 ? this.report.passes[m.pass].name : ''; }

  row(m) {
    const place = m.place ? shortPlace(m.place) : 'no place';
    const at = m.labels?.length ? el('button', { type: 'button', class: 'link text', title: `${m.place}: show what became of it`, textContent: place, onclick: () => this.app.light(m.labels) }) : el('span', { class: 'soft text', textContent: place });
    return el('li', {}, el('span', { class: `kind ${m.severity}`, textContent: m.severity }), at,
      el('div', { class: 'text' }, this.report.short(m.message), (m.notes || []).map((n) => el('div', { class: 'soft', textContent: this.report.short(n) }))),
      el('span', { class: 'soft', textContent: this.pass(m) }));
  }
}
