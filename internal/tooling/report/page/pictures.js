// pictures.js: drawings. Those that passes made are images, in which a browser runs nothing; others are drawn here.

// DRAWERS draw what is data, by its kind.
const DRAWERS = {};
const FIRST = ['roles', 'schedule', 'memory', 'layouts']; // kinds, in the order in which they matter

class PicturesView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    this.box = el('div', { class: 'view scroll pictures' });
    this.drawn = false;
  }

  // shown draws when the view is first looked at.
  shown() {
    if (this.drawn) return;
    this.drawn = true;
    const rank = (p) => FIRST.indexOf(p.kind);
    for (const fn of new Set(this.report.pictures.map((p) => p.fn))) {
      const own = this.report.pictures.filter((p) => p.fn === fn).sort((a, b) => rank(a) - rank(b));
      this.box.append(el('h2', { class: 'kernel text', title: fn, textContent: this.report.short(fn) }), ...own.map((p) => this.picture(p)));
    }
    if (!this.report.pictures.length) this.box.append(el('p', { textContent: 'Nothing of this kernel is drawn: it has no loop with a schedule, and no shared memory.' }));
  }

  picture(p) {
    const text = this.report.short(p.text || '');
    const section = el('section', { class: 'card wide', 'aria-label': p.title }, el('h3', { textContent: p.title }));
    if (p.svg) {
      const bytes = new TextEncoder().encode(this.report.short(p.svg));
      let code = '';
      for (const b of bytes) code += String.fromCharCode(b);
      section.append(el('div', { class: 'image' }, el('img', { alt: `${p.title}; the same as text is below`, src: `data:image/svg+xml;base64,${btoa(code)}` })));
    }
    if (DRAWERS[p.kind]) section.append(DRAWERS[p.kind](p, this.report, this.app));
    if (text) section.append(el('details', {}, el('summary', { textContent: 'as text' }), el('pre', { textContent: text })));
    return section;
  }
}
