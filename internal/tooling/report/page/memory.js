// memory.js: what lies where in shared or tensor memory, and from when to when.

const HUES = ['#e69f00', '#56b4e9', '#2fbf90', '#f0e442', '#cc79a7', '#d5835a', '#8f9fdf', '#a6c36f'];

DRAWERS.memory = (picture, report, app) => {
  const { boxes, bytes, limit, steps } = picture.memory;
  const width = 1000;
  const height = 320;
  const left = 70;
  const x = (step) => left + (width * step) / Math.max(1, steps);
  const y = (byte) => 10 + (height * byte) / Math.max(1, bytes);
  const readout = el('output', { class: 'readout', 'aria-live': 'polite', textContent: 'Time runs to the right, in the order of the text; choose a buffer to light up what it is for.' });
  const svg = drawing('svg', { viewBox: `0 0 ${width + left + 10} ${height + 40}`, role: 'group', 'aria-label': picture.title, class: 'map' });
  for (let i = 0; i <= 4; i++) {
    const at = Math.round((bytes * i) / 4);
    svg.append(drawing('line', { x1: left, x2: left + width, y1: y(at), y2: y(at), class: 'rule' }), text(left - 6, y(at) + 4, number(at), 'end'));
  }
  boxes.forEach((b, i) => {
    const w = Math.max(2, x(b.end + 1) - x(b.start));
    const h = Math.max(2, y(b.from + b.bytes) - y(b.from));
    const about = `${b.title}: ${number(b.bytes)} bytes at ${number(b.from)}, operations ${number(b.start)} to ${number(b.end)} of ${number(steps)}`;
    const g = drawing('g', { tabindex: 0, role: 'button', 'aria-label': about, class: 'box' }, drawing('rect', { x: x(b.start), y: y(b.from), width: w, height: h, fill: HUES[i % HUES.length] }));
    for (let s = 1; s < Math.min(b.slots, 64); s++) { // where the slots of a ring meet
      const at = y(b.from) + (h * s) / b.slots;
      g.append(drawing('line', { x1: x(b.start), x2: x(b.start) + w, y1: at, y2: at, class: 'slot' }));
    }
    if (w > 60 && h > 14) g.append(text(x(b.start) + 6, y(b.from) + 14, b.title, 'start', 'label'));
    const choose = () => {
      readout.value = about;
      app.columns.select(new Set(b.labels || []), null);
    };
    g.addEventListener('click', choose);
    g.addEventListener('keydown', (e) => {
      if (e.key !== 'Enter' && e.key !== ' ') return;
      e.preventDefault();
      choose();
    });
    svg.append(g);
  });
  svg.append(text(left, height + 32, `${number(bytes)} of ${number(limit)} bytes (${number((100 * bytes) / Math.max(1, limit))}%)`, 'start'));
  return el('div', {}, el('div', { class: 'image' }, svg), readout);

  function text(at, line, words, anchor, kind) {
    const t = drawing('text', { x: at, y: line, 'text-anchor': anchor, class: kind || 'note' });
    t.textContent = words;
    return t;
  }
};
