// data.js: what the report is about, unpacked, and the questions that columns ask about it.

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

// The order of columns, from what the user wrote to what the machine runs.
const LEVELS = ['source', 'cuda_tile', 'tileaa', 'tileas', 'nvvm', 'ptx', 'sass'];

class Report {
  constructor(data) {
    Object.assign(this, data);
    for (const list of ['text', 'docs', 'labels', 'passes', 'remarks', 'pictures', 'missing', 'summaries', 'profiles']) this[list] ||= [];
    this.docs.forEach((d, i) => { d.id = i; });
    this.remarksOf = new Map(); // by label
    this.remarks.forEach((m, i) => {
      for (const label of m.labels || []) {
        if (!this.remarksOf.has(label)) this.remarksOf.set(label, []);
        this.remarksOf.get(label).push(i);
      }
    });
  }

  line(doc, i) { return this.text[doc.lines[i]]; }

  // short writes kernels by their names in the program, wherever a text has their symbols.
  short(text) {
    if (this.symbols === undefined) {
      this.names = new Map(this.summaries.filter((k) => k.symbol !== k.name).map((k) => [k.symbol, k.name]));
      const longestFirst = [...this.names.keys()].sort((a, b) => b.length - a.length).map((s) => s.replace(/[^\w]/g, '\\$&'));
      this.symbols = longestFirst.length ? new RegExp(longestFirst.join('|'), 'g') : null;
    }
    return this.symbols ? text.replace(this.symbols, (s) => this.names.get(s)) : text;
  }

  // part returns where the lines of a kernel begin and end in a document, which may be of its module.
  part(doc, fn) {
    if (doc.fn || !fn) return [0, doc.lines.length];
    const begin = doc.lines.findIndex((_, i) => !/^\s*#/.test(this.line(doc, i)) && this.line(doc, i).includes(`@${fn}(`));
    if (begin < 0) return [0, doc.lines.length];
    const end = `${/^\s*/.exec(this.line(doc, begin))[0]}}`;
    const last = doc.lines.findIndex((_, i) => i > begin && this.line(doc, i).startsWith(end));
    return [begin, last < 0 ? doc.lines.length : last + 1];
  }

  // latest returns the last of some documents for each kernel that they are of, the latest first.
  latest(docs) { return [...new Map(docs.map((d) => [d.kind === 'source' ? d.title : d.fn || '', d])).values()].sort((a, b) => b.id - a.id); }

  // where returns the lines of a document by label; made when a document is first asked about.
  where(doc) {
    if (!doc.byLabel) {
      doc.byLabel = new Map();
      doc.labels.forEach((of, i) => {
        for (const label of of || []) {
          if (!doc.byLabel.has(label)) doc.byLabel.set(label, []);
          doc.byLabel.get(label).push(i);
        }
      });
    }
    return doc.byLabel;
  }

  // linesOf returns the lines of a document that have one of some labels, in order.
  linesOf(doc, labels) {
    const by = this.where(doc);
    const lines = new Set();
    for (const label of labels) for (const i of by.get(label) || []) lines.add(i);
    return [...lines].sort((a, b) => a - b);
  }

  // sourceLine returns the text of FILE:LINE, without what is around it; '' where the page does not have the file.
  sourceLine(place) {
    const at = /^(.*):(\d+)(?::\d+)?$/.exec(place);
    const doc = at && this.docs.find((d) => d.kind === 'source' && d.title === at[1]);
    const i = at ? Number(at[2]) - 1 : -1;
    return doc && i < doc.lines.length ? this.line(doc, i).trim() : '';
  }

  // labelsAt returns the labels of FILE:LINE.
  labelsAt(place) {
    if (!this.byPlace) {
      this.byPlace = new Map();
      this.labels.forEach((l, i) => {
        const key = l.place.replace(/, called from .*$/s, '').replace(/^(.*:\d+):\d+$/, '$1');
        if (!this.byPlace.has(key)) this.byPlace.set(key, []);
        this.byPlace.get(key).push(i);
      });
    }
    return this.byPlace.get(place.replace(/^(.*:\d+):\d+$/, '$1')) || [];
  }

  // widest returns how many characters the longest line of a document has.
  widest(doc) {
    doc.width ||= doc.lines.reduce((w, i) => Math.max(w, this.text[i].length), 0);
    return doc.width;
  }

  name(doc) {
    const behind = doc.pass >= 0 ? `${doc.pass + 1}. ${doc.title}` : doc.title;
    return doc.fn ? `${behind} @${this.short(doc.fn)}` : behind;
  }

  level(name) { return { source: 'Source', ptx: 'PTX', sass: 'SASS' }[name] || name || 'no level'; }

  // columns returns the levels that there are documents of, in order.
  columns() {
    const found = [...new Set(this.docs.map((d) => d.level))];
    const rank = (l) => (LEVELS.indexOf(l) < 0 ? LEVELS.length : LEVELS.indexOf(l));
    return found.sort((a, b) => rank(a) - rank(b));
  }

  // choices returns documents as what to choose from, in groups by level and kernel.
  choices(docs) {
    const several = new Set(docs.map((d) => d.fn)).size > 1;
    const group = (d) => [docs === this.docs ? this.level(d.level) : '', several && d.fn ? this.short(d.fn) : ''].filter(Boolean).join(': ');
    return docs.map((d) => [d.id, this.name(d), group(d), d.fn]);
  }
}
