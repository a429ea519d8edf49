// summary.js: what a reader wants to know first: how long, bound by what, which lines, and what would help.

class SummaryView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    this.box = el('div', { class: 'view scroll summary' });
    if (report.error) this.box.append(el('section', { class: 'card' }, el('h2', { textContent: 'It does not compile' }), el('pre', { class: 'bad text', textContent: report.error })));
    for (const k of report.summaries) this.box.append(this.kernel(k));
  }

  shown() {}

  kernel(k) {
    const times = k.time ? k.time.match(/^([^;:(]*)(.*)$/s) : null;
    return el('article', { class: 'card', 'aria-label': `kernel ${k.name}` },
      el('h2', { title: k.symbol, textContent: k.name }),
      times ? el('p', { class: 'headline' }, el('strong', { textContent: times[1] }), el('span', { class: 'soft', textContent: times[2].replace(/^[;:]\s*/, ' ') })) : '',
      k.bound ? el('p', {}, 'Bound by ', el('strong', { textContent: k.bound }), '.') : '',
      el('div', { class: 'halves' }, this.lines(k), el('div', {}, this.units(k), this.facts(k))),
      k.cures && k.cures.length ? el('section', {}, el('h3', { textContent: 'What else would help' }), k.cures.map((c) => this.cure(c, true))) : '');
  }

  lines(k) {
    if (!k.lines || !k.lines.length) return el('section', {}, el('h3', { textContent: 'Lines that cost most' }), el('p', { class: 'soft', textContent: 'No line of a source is known: the input has no debug information.' }));
    return el('section', {}, el('h3', { textContent: 'Lines that cost most (estimate)' }),
      el('ol', { class: 'hot' }, k.lines.map((l) => el('li', {},
        el('button', { type: 'button', class: 'code', title: `${l.place}: show what became of it`, onclick: () => this.app.light(l.labels) },
          el('span', { class: 'meter', style: `--share:${Math.max(0, Math.min(1, Number(l.share) || 0))}` }, `${number(100 * l.share)}%`),
          el('span', { class: 'text', textContent: this.report.sourceLine(l.place) || l.op || l.place })),
        el('div', { class: 'soft text', textContent: `${shortPlace(l.place)}${l.op ? `, ${l.op}` : ''}` }),
        (l.cures || []).map((c) => this.cure(c, false))))));
  }

  cure(c, placed) {
    return el('div', { class: 'cure' }, el('div', { class: 'text', textContent: (placed && c.place ? `${shortPlace(c.place)}: ` : '') + c.problem }),
      el('div', {}, el('strong', { textContent: 'Cure: ' }), el('span', { class: 'text', textContent: c.cure })),
      c.worth ? el('div', {}, el('strong', { textContent: 'Worth: ' }), el('span', { class: 'text', textContent: c.worth })) : '');
  }

  units(k) {
    if (!k.units || !k.units.length) return '';
    return el('section', {}, el('h3', { textContent: 'How busy units are, beside the busiest (estimate)' }),
      el('table', { class: 'units' }, el('tbody', {}, k.units.map((u) => el('tr', {}, el('th', { scope: 'row', textContent: u.name }),
        el('td', {}, el('span', { class: 'meter', style: `--share:${Math.max(0, Math.min(1, Number(u.share) || 0))}` }, `${number(100 * u.share)}%`)))))));
  }

  facts(k) {
    const facts = k.facts || [];
    if (!facts.length) return '';
    return el('section', {}, el('h3', { textContent: 'Resources' }),
      el('table', {}, el('tbody', {}, facts.map((f) => el('tr', {}, el('th', { scope: 'row', textContent: f.name }), el('td', { class: f.bad ? 'text bad' : 'text', textContent: f.text }))))));
  }
}

// shortPlace leaves out the folders of a place.
function shortPlace(place) { return place.replace(/^.*\//, ''); }
