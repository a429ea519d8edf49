// layouts.js: which thread holds which element, and which bank of shared memory.

const MOST_CELLS = 256; // along each side

// owners returns for each element what comes first of the places that hold it, and how many there are. A place is a number for each axis; the element is the sum (without carries) of what the bits of the numbers contribute.
function owners(layout) {
  const axes = Object.entries(layout.axes || {});
  const bits = axes.flatMap(([name, bases]) => bases.map((base, bit) => ({ name, bit, base })));
  const size = layout.shape.reduce((n, d) => n * d, 1);
  const first = new Int32Array(size).fill(-1);
  const copies = new Uint16Array(size);
  if (bits.length > 22) return { first, copies, bits };
  // In the order of a Gray code one bit changes from place to place.
  let element = 0;
  let place = 0;
  for (let n = 0; ; ) {
    if (element < size) {
      if (first[element] < 0 || place < first[element]) first[element] = place;
      copies[element]++;
    }
    if (++n === 1 << bits.length) break;
    const bit = 31 - Math.clz32(n & -n);
    place ^= 1 << bit;
    element ^= bits[bit].base;
  }
  return { first, copies, bits };
}

// axesOf splits a place into its numbers.
function axesOf(place, bits) {
  const out = {};
  bits.forEach(({ name, bit }, i) => { out[name] = (out[name] || 0) | (((place >> i) & 1) << bit); });
  return out;
}

DRAWERS.layouts = (picture, report, app) => {
  const layouts = picture.layouts;
  const canvas = el('canvas', { tabIndex: 0, 'aria-label': 'elements of the tile; arrow keys move', class: 'cells' });
  const readout = el('output', { class: 'readout', 'aria-live': 'polite' });
  const about = el('div', { class: 'note' });
  let layout;
  let held;
  let rows;
  let columns;
  let side;
  let at = [0, 0];
  const pick = choice('layout', layouts.map((l, i) => [i, `${l.title} (${l.uses} ${l.uses === 1 ? 'value' : 'values'})`]), 0, (i) => {
    show(i);
    app.columns.select(new Set(layout.labels || []), null);
  });
  const show = (i) => {
    layout = layouts[i];
    held = owners(layout);
    columns = layout.shape[layout.shape.length - 1] || 1;
    rows = layout.shape.slice(0, -1).reduce((n, d) => n * d, 1);
    const shown = [Math.min(rows, MOST_CELLS), Math.min(columns, MOST_CELLS)];
    side = Math.max(3, Math.min(22, Math.floor(1040 / shown[1])));
    canvas.width = shown[1] * side;
    canvas.height = shown[0] * side;
    const c = canvas.getContext('2d');
    for (let r = 0; r < shown[0]; r++) {
      for (let k = 0; k < shown[1]; k++) {
        c.fillStyle = colour(r * columns + k);
        c.fillRect(k * side, r * side, side > 5 ? side - 1 : side, side > 5 ? side - 1 : side);
        if (side >= 18) {
          c.fillStyle = '#000';
          c.font = '9px sans-serif';
          c.fillText(short(r * columns + k), k * side + 2, r * side + 13);
        }
      }
    }
    const cut = rows > MOST_CELLS || columns > MOST_CELLS ? `; the first ${shown[0]} x ${shown[1]} elements are drawn` : '';
    about.textContent = `${layout.bits ? 'Colour: the bank of shared memory.' : 'Colour: the lane; lighter for each warp.'} ${layout.text}${cut}`;
    at = [0, 0];
    say();
  };
  const bank = (place) => Math.floor(((place * layout.bits) / 32) % 32);
  const colour = (element) => {
    const place = held.first[element];
    if (place < 0) return '#888';
    if (layout.bits) return `hsl(${bank(place) * 11.25} 65% 62%)`;
    const { lane = 0, warp = 0 } = axesOf(place, held.bits);
    return `hsl(${lane * 11.25} 62% ${48 + (warp % 8) * 5}%)`;
  };
  const short = (element) => {
    const place = held.first[element];
    if (place < 0) return '';
    return layout.bits ? String(bank(place)) : String(axesOf(place, held.bits).lane || 0);
  };
  const say = () => {
    const element = at[0] * columns + at[1];
    const place = held.first[element];
    const n = held.copies[element];
    const where = `element [${at.join(', ')}]`;
    if (place < 0) readout.value = `${where}: nobody`;
    else if (layout.bits) readout.value = `${where}: byte ${number((place * layout.bits) / 8)}, bank ${bank(place)}`;
    else readout.value = `${where}: ${Object.entries(axesOf(place, held.bits)).reverse().map(([a, v]) => `${a} ${v}`).join(', ')}${n > 1 ? `; ${n} places hold it` : ''}`;
  };
  const move = (r, k) => {
    at = [Math.max(0, Math.min(Math.min(rows, MOST_CELLS) - 1, r)), Math.max(0, Math.min(Math.min(columns, MOST_CELLS) - 1, k))];
    say();
  };
  canvas.addEventListener('mousemove', (e) => move(Math.floor(e.offsetY / side), Math.floor(e.offsetX / side)));
  canvas.addEventListener('keydown', (e) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[e.key];
    if (!step) return;
    e.preventDefault();
    move(at[0] + step[0], at[1] + step[1]);
  });
  show(0);
  return el('div', {}, el('div', { class: 'bar' }, pick, readout), about, el('div', { class: 'canvas' }, canvas), transfers(picture.transfers || [], app));
};

// transfers lists the accesses of shared memory by threads, those with conflicts first.
function transfers(all, app) {
  if (!all.length) return null;
  const head = ['access', 'buffer', 'way', 'instructions of a warp', 'passes through shared memory', 'bank conflicts'];
  const order = [...all].sort((a, b) => b.ways - a.ways || b.wavefronts - a.wavefronts);
  return el('table', {}, el('caption', { textContent: 'accesses of shared memory by threads' }), el('thead', {}, el('tr', {}, head.map((h) => el('th', { scope: 'col', textContent: h })))),
    el('tbody', {}, order.map((t) => el('tr', { class: t.ways > 1 ? 'bad' : '' },
      [el('button', { type: 'button', class: 'link', textContent: t.op, onclick: () => { app.show(app.columns); app.columns.select(new Set(t.labels || []), null); } }), t.what, t.how, number(t.instructions), number(t.wavefronts), t.ways > 1 ? `${t.ways} ways` : 'none']
        .map((c) => el('td', {}, c))))));
}
