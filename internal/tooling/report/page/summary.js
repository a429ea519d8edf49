// summary.js: what a reader wants to know first: how long, bound by what, which lines, and what would help.

class SummaryView {
  constructor(report, app) {
    this.report = report;
    this.app = app;
    this.box = el('div', { class: 'view scroll summary' });
    if (report.error) this.box.append(el('section', { class: 'card' }, el('h2', { textContent: 'It does not compile' }), el('pre', { class: 'bad text', textContent: report.error })));
    const cards = report.summaries.map((k) => this.kernel(k));
    if (cards.length > 1) this.box.append(this.overview(cards));
    this.box.append(...cards);
  }

  shown() {}

  // overview has a row for each of several kernels, which leads to its card.
  overview(cards) {
    const worth = (k) => [...(k.lines || []).flatMap((l) => l.cures || []), ...(k.cures || [])].length;
    const row = (k, i) => el('tr', {}, el('td', {}, el('button', { type: 'button', class: 'link text', title: k.symbol, textContent: k.name, onclick: () => cards[i].scrollIntoView({ block: 'start' }) })),
      el('td', { class: 'digits', textContent: k.time || 'no time' }), el('td', { class: 'text', textContent: k.bound || '' }), el('td', { class: 'digits', textContent: number(worth(k)) }));
    return el('section', { class: 'card', 'aria-label': 'all kernels' }, el('h2', { textContent: `${number(cards.length)} kernels` }),
      el('table', { class: 'spread' }, el('thead', {}, el('tr', {}, [['kernel', ''], ['time (estimate)', 'digits'], ['bound by', ''], ['cures', 'digits']].map(([t, c]) => el('th', { scope: 'col', class: c, textContent: t })))),
        el('tbody', {}, this.report.summaries.map(row))));
  }

  kernel(k) {
    return el('article', { class: 'card', 'aria-label': `kernel ${k.name}` },
      el('h2', { class: 'text', title: k.symbol, textContent: k.name }),
      k.time ? el('p', { class: 'headline' }, el('strong', { textContent: k.time }), el('span', { class: 'tag', textContent: 'estimate' }), k.bound ? el('span', {}, 'bound by ', el('b', { textContent: k.bound })) : '') : '',
      k.verdict ? el('p', { textContent: k.verdict }) : '',
      k.basis ? el('p', { class: 'soft', textContent: k.basis }) : '',
      el('div', { class: 'halves' }, this.lines(k), el('div', {}, this.units(k), this.facts(k))),
      k.cures && k.cures.length ? el('section', {}, el('h3', { textContent: 'What else would help' }), k.cures.map((c) => this.cure(c, true))) : '');
  }

  lines(k) {
    if (!k.lines || !k.lines.length) return el('section', {}, el('h3', { textContent: 'Lines that cost most' }), el('p', { class: 'soft', textContent: 'No line of a source is known: the input has no debug information.' }));
    return el('section', {}, el('h3', { textContent: 'Lines that cost most' }),
      el('ol', { class: 'hot' }, k.lines.map((l) => el('li', {},
        el('button', { type: 'button', class: 'code', title: `${l.place}: show what became of it`, onclick: () => this.app.light(l.labels) },
          el('span', { class: 'meter', style: `--share:${share(l)}` }, `${number(100 * l.share)}%`),
          el('span', { class: 'text', textContent: this.report.sourceLine(l.place) || l.op || l.place })),
        el('div', { class: 'soft text', textContent: this.report.sourceLine(l.place) ? shortPlace(l.place) : `${shortPlace(l.place)}${l.op ? `, ${l.op}` : ''}` }),
        (l.cures || []).map((c) => this.cure(c, false))))));
  }

  cure(c, placed) {
    return el('div', { class: 'cure' }, el('div', { class: 'text', textContent: (placed && c.place ? `${shortPlace(c.place)}: ` : '') + c.problem }),
      el('dl', {}, el('dt', { textContent: 'Cure' }), el('dd', { class: 'text', textContent: c.cure }),
        c.worth ? [el('dt', { textContent: 'Worth' }), el('dd', { class: 'text', textContent: c.worth })] : []));
  }

  units(k) {
    if (!k.units || !k.units.length) return '';
    return el('section', {}, el('h3', { textContent: k.launched ? 'How busy units are' : 'How busy units are, beside the busiest' }), bars(k.units));
  }

  facts(k) {
    const facts = k.facts || [];
    if (!facts.length) return '';
    return el('section', {}, el('h3', { textContent: 'Resources' }),
      el('table', {}, el('tbody', {}, facts.map((f) => el('tr', {}, el('th', { scope: 'row', textContent: f.name }), el('td', { class: f.bad ? 'text bad' : 'text', textContent: f.text }))))));
  }
}

// share returns a share that a style may hold.
function share(s) { return Math.max(0, Math.min(1, Number(s.share) || 0)); }

// bars draws shares. Each has its meaning, or with names the name and what it does not say.
function bars(list, names = false, digits = 0) {
  return el('table', { class: 'bars' }, el('tbody', {}, list.map((s) => {
    const name = plain(s.name);
    const says = s.means && !name.split(' ').every((word) => s.means.includes(word));
    return el('tr', {}, el('th', { scope: 'row' }, names ? name : s.means || name, names && says ? el('span', { class: 'soft', textContent: `: ${s.means}` }) : ''),
      el('td', {}, el('span', { class: 'bar-of', style: `--share:${share(s)}` })), el('td', { class: 'digits', textContent: `${number(100 * share(s), digits)}%` }));
  })));
}

// shortPlace leaves out the folders of a place.
function shortPlace(place) { return place.replace(/^.*\//, ''); }
