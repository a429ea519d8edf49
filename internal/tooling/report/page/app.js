// app.js: the page around the views.

const KEYS = [
  ['1 ... 8', 'summary, columns, diff, passes, remarks, pictures; of a launch profile and values'], ['up, down, page up, page down, home, end', 'the line'], ['enter or space', 'light up what came from the same place'],
  ['left, right', 'the next column'], ['[ and ]', 'the text before a pass and after it'], ['d', 'what the pass of this text changed'], ['/', 'find; enter for the next one'],
  ['n, N', 'the next and the previous match, or change'], ['escape', 'nothing lit'], ['?', 'this list'],
];

class App {
  constructor(report) {
    this.report = report;
    this.columns = new ColumnsView(report, this);
    this.diffs = new DiffView(report, this);
    this.summary = new SummaryView(report, this);
    this.views = [['Summary', this.summary], ['Columns', this.columns], ['Diff', this.diffs], ['Passes', new PassesView(report, this)], [`Remarks (${report.remarks.length})`, new RemarksView(report, this)], ['Pictures', new PicturesView(report, this)]];
    if (report.profiles.length) this.views.push(['Profile', new ProfileView(report, this)]);
    if (report.values) this.views.push(['Values', new ValuesView(report)]);
    this.status = el('output', { class: 'status', 'aria-live': 'polite' });
    this.tabs = this.views.map(([name, view]) => el('button', { type: 'button', role: 'tab', textContent: name, onclick: () => this.show(view) }));
    this.help = el('dialog', { 'aria-label': 'keys' }, el('h2', { textContent: 'Keys' }), el('dl', {}, KEYS.flatMap(([k, t]) => [el('dt', { textContent: k }), el('dd', { textContent: t })])),
      el('form', { method: 'dialog' }, el('button', { textContent: 'Close', onclick: (e) => { e.preventDefault(); this.help.close(); } })));
    const notes = [...(report.error ? [`It does not compile: ${report.error}`] : []), ...report.missing.map((m) => `Not shown: ${m}`)];
    document.body.append(
      el('header', { class: 'top' }, el('h1', { title: report.title, textContent: report.summaries.length ? report.summaries.map((k) => k.name).join(', ') : report.title }), el('span', { class: 'target', textContent: report.target }), el('nav', { role: 'tablist', 'aria-label': 'views' }, this.tabs),
        el('button', { type: 'button', textContent: 'Keys (?)', onclick: () => this.help.showModal() }), el('span', { class: 'tool', title: report.command, textContent: report.tool })),
      notes.length ? el('details', { class: report.error ? 'notes bad' : 'notes', open: Boolean(report.error) }, el('summary', { textContent: notes[0] }), notes.slice(1).map((n) => el('div', { textContent: n }))) : '',
      el('main', {}, this.views.map(([, v]) => v.box)), this.status, this.help);
    document.addEventListener('keydown', (e) => this.key(e));
    this.columns.begin();
    this.show(this.summary);
  }

  // light shows in the columns what came of some operations.
  light(labels) {
    this.show(this.columns);
    this.columns.value = null;
    this.columns.select(new Set(labels), null);
  }

  show(view) {
    this.views.forEach(([, v], i) => {
      v.box.hidden = v !== view;
      this.tabs[i].setAttribute('aria-selected', String(v === view));
    });
    this.status.hidden = view !== this.columns && view !== this.diffs;
    view.shown();
  }

  showDiff(doc) {
    this.diffs.set(doc);
    this.show(this.diffs);
    this.diffs.list.body.focus();
  }

  say(text) { this.status.value = text; }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || this.help.open) return;
    if (e.key >= '1' && e.key <= String(this.views.length)) this.show(this.views[Number(e.key) - 1][1]);
    else if (e.key === 'Escape') this.columns.clear();
    else if (e.key === '?') this.help.showModal();
    else return;
    e.preventDefault();
  }
}

unpack(document.getElementById('data').content.textContent).then((data) => {
  globalThis.report = new App(new Report(data)); // for whoever asks by the console
  document.documentElement.dataset.ready = 'true';
}, (e) => {
  document.body.append(el('p', { textContent: `The report cannot be read: ${e}` }));
  document.documentElement.dataset.ready = 'false';
});
