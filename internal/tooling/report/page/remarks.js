// remarks.js: what the compiler said, of each what it is about.

class RemarksView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    this.shownOnes = report.remarks;
    const kinds = [...new Set(report.remarks.map((m) => m.severity))];
    this.kind = el('select', { 'aria-label': 'kind', onchange: () => this.filter() }, el('option', { value: '', textContent: 'all kinds' }), kinds.map((k) => el('option', { value: k, textContent: k })));
    this.text = el('input', { type: 'search', placeholder: 'find', 'aria-label': 'find in remarks', oninput: () => this.filter() });
    this.tally = el('span', { class: 'count' });
    this.list = new Listing('remarks', this);
    this.box = el('div', { class: 'view diff' }, el('div', { class: 'bar' }, this.kind, this.text, this.tally), this.list.body);
  }

  shown() { this.filter(); }

  filter() {
    const wanted = this.text.value.toLowerCase();
    this.shownOnes = this.report.remarks.filter((m) => (!this.kind.value || m.severity === this.kind.value) && (!wanted || this.line(m).toLowerCase().includes(wanted)));
    this.tally.textContent = `${number(this.shownOnes.length)} of ${number(this.report.remarks.length)}`;
    this.list.cursor = 0;
    this.list.show();
  }

  line(m) {
    const notes = (m.notes || []).map((n) => ` (${n})`).join('');
    const pass = m.pass >= 0 ? `  [${this.report.passes[m.pass].name}]` : '';
    return `${m.place || 'no place'}: ${m.severity}: ${m.message}${notes}${pass}`.replaceAll('\n', ' ');
  }

  count() { return this.shownOnes.length; }
  width() { return this.shownOnes.reduce((w, m) => Math.max(w, this.line(m).length), 0) + 8; }
  row(i) {
    const m = this.shownOnes[i];
    return el('div', { class: `line ${m.severity}`, onclick: () => { this.list.cursor = i; this.choose(i); } }, el('span', { class: 'text', textContent: this.line(m) }));
  }
  choose(i) {
    const m = this.shownOnes[i];
    this.app.light(m.labels || []);
  }
}
