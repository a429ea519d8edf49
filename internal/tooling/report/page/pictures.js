// pictures.js: drawings. Those that passes made are images, in which a browser runs nothing; others are drawn here.

// DRAWERS draw what is data, by its kind.
const DRAWERS = {};

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
    for (const p of this.report.pictures) {
      const section = el('section', { 'aria-label': p.title }, el('h2', { textContent: p.title }));
      if (p.svg) {
        const bytes = new TextEncoder().encode(p.svg);
        let text = '';
        for (const b of bytes) text += String.fromCharCode(b);
        section.append(el('img', { alt: `${p.title}; the same as text is below`, src: `data:image/svg+xml;base64,${btoa(text)}` }));
      }
      if (DRAWERS[p.kind]) section.append(DRAWERS[p.kind](p, this.report, this.app));
      if (p.text) section.append(el('details', {}, el('summary', { textContent: 'as text' }), el('pre', { textContent: p.text })));
      this.box.append(section);
    }
    if (!this.report.pictures.length) this.box.append(el('p', { textContent: 'Nothing of this kernel is drawn: it has no loop with a schedule, and no shared memory.' }));
  }
}
