// view.js: the bar of a served page, with which the kernel is compiled again. The rest of the page is the report.

const SHOWN = 'tilewright.shown'; // what is kept when a newer page takes the place of this one

class ViewBar {
  constructor(app, at) {
    this.app = app;
    this.generation = at.generation;
    const list = (label, options, value) => el('select', { 'aria-label': label, onchange: () => this.send() }, options.map(([v, text]) => el('option', { value: String(v), textContent: text, selected: v === value })));
    const span = (n) => Array.from({ length: n + 1 }, (_, i) => i);
    this.gpu = list('target', [['', 'the module\'s target'], ...at.targets.map((t) => [t, t])], at.flags.gpu);
    this.opt = list('optimisation', span(3).map((n) => [n, `-O${n}`]), at.flags.opt);
    this.stages = list('stages', [[0, 'stages: auto'], ...span(at.maxStages).slice(2).map((n) => [n, `${n} stages`])], at.flags.stages);
    this.off = new Set(at.flags.disabled || []);
    this.count = el('summary');
    // Passes that ran can be left out; those that were left out can come back.
    const names = [...new Set([...this.off, ...app.report.passes.map((p) => p.name)])].filter((n) => at.passes.includes(n)).sort();
    this.passes = el('details', { class: 'disabled' }, this.count, el('div', { class: 'choices' }, names.map((n) => el('label', {},
      el('input', { type: 'checkbox', checked: !this.off.has(n), 'aria-label': n, onchange: (e) => { if (e.target.checked) this.off.delete(n); else this.off.add(n); this.send(); } }), ` ${n}`))));
    this.says = el('output', { class: 'count', 'aria-live': 'polite' });
    this.box = el('form', { class: 'bar served', role: 'toolbar', 'aria-label': 'compile again', onsubmit: (e) => e.preventDefault() }, this.gpu, this.opt, this.stages, this.passes, this.says);
    document.querySelector('.top').after(this.box);
    this.show(at);
    this.restore();
    this.listen(at);
  }

  show(at) {
    this.count.textContent = this.off.size ? `${this.off.size} ${this.off.size === 1 ? 'pass' : 'passes'} off` : 'all passes';
    this.says.value = at.busy ? 'compiling ...' : at.error ? `not compiled: ${at.error}` : `compiled ${at.generation} ${at.generation === 1 ? 'time' : 'times'}`;
    this.says.classList.toggle('bad', Boolean(at.error) && !at.busy);
  }

  async send() {
    const flags = { gpu: this.gpu.value, opt: Number(this.opt.value), stages: Number(this.stages.value), disabled: [...this.off] };
    this.says.value = 'compiling ...';
    const answer = await fetch('flags', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(flags) });
    if (!answer.ok) this.says.value = await answer.text();
  }

  // listen waits for news until there is a newer page, which takes the place of this one.
  async listen(at) {
    for (;;) {
      try {
        at = await news(at);
      } catch {
        this.says.value = 'tile-view has ended';
        await new Promise((r) => setTimeout(r, 2000));
        continue;
      }
      if (at.generation !== this.generation) {
        this.keep();
        location.reload();
        return;
      }
      this.show(at);
    }
  }

  keep() {
    const columns = this.app.columns.columns.map((c) => ({ level: c.level, doc: c.report.name(c.doc), top: c.list.body.scrollTop, cursor: c.list.cursor, hidden: c.box.hidden }));
    sessionStorage.setItem(SHOWN, JSON.stringify({ tab: this.app.views.findIndex(([, v]) => !v.box.hidden), columns, open: this.passes.open }));
  }

  // restore shows what the page showed whose place this one took, as far as it is still there.
  restore() {
    let kept;
    try { kept = JSON.parse(sessionStorage.getItem(SHOWN)); } catch { return; }
    sessionStorage.removeItem(SHOWN);
    if (!kept) return;
    this.passes.open = kept.open;
    for (const k of kept.columns) {
      const c = this.app.columns.columns.find((x) => x.level === k.level);
      if (!c) continue;
      const doc = c.docs.find((d) => c.report.name(d) === k.doc);
      if (doc) c.pick(doc.id);
      c.list.cursor = Math.min(k.cursor, Math.max(0, c.doc.lines.length - 1));
      c.list.body.scrollTop = k.top;
    }
    if (this.app.views[kept.tab]) this.app.show(this.app.views[kept.tab][1]);
  }
}

// news asks for a state that is not the one that is known.
async function news(at) {
  const known = at ? `${at.generation} ${at.busy} ${at.error || ''}` : '';
  const answer = await fetch(`state?known=${encodeURIComponent(known)}`);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

// The page is ready when app.js says so.
const begin = () => {
  if (document.documentElement.dataset.ready !== 'true') return false;
  news(null).then((at) => { globalThis.bar = new ViewBar(globalThis.report, at); });
  return true;
};
if (!begin()) {
  const waiting = new MutationObserver(() => { if (begin()) waiting.disconnect(); });
  waiting.observe(document.documentElement, { attributes: true });
}
