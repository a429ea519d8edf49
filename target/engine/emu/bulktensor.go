package emu

// decodeTensor decodes cp.async.bulk.tensor in all modes and its reducing
// and prefetching forms.
func decodeTensor(d *decoder, reduce bool) {
	rank := map[string]int{"1d": 1, "2d": 2, "3d": 3, "4d": 4, "5d": 5}[d.oneOf("1d", "2d", "3d", "4d", "5d")]
	if rank == 0 {
		d.failInst("'cp.async.bulk.tensor' has no dimension")
	}
	name := d.oneOf("tile", "tile::gather4", "tile::scatter4", "im2col", "im2col_no_offs", "im2col::w", "im2col::w::128")
	mode := map[string]copyMode{"tile::gather4": copyRows, "tile::scatter4": copyRows, "im2col": copyIm2col,
		"im2col_no_offs": copyIm2col, "im2col::w": copyWide, "im2col::w::128": copyWide128}[name]
	coords, offsets := rank, 0
	switch mode {
	case copyRows:
		if coords = 5; rank != 2 {
			d.failInst("'.%s' needs two dimensions", name)
		}
	case copyIm2col, copyWide, copyWide128:
		if rank < 3 {
			d.failInst("'.%s' needs three dimensions or more", name)
		}
		if offsets = 2; mode == copyIm2col {
			offsets = rank - 2
		}
	}
	if name == "im2col_no_offs" {
		offsets = 0
	}
	var op string
	if reduce {
		if op = d.oneOf("and", "or", "xor", "add", "inc", "dec", "min", "max"); op == "" {
			d.failInst("'cp.reduce.async.bulk.tensor' needs an operation")
		}
	}
	if d.opt("prefetch") {
		hint := d.opt("L2::cache_hint")
		d.prefixed("L2")
		d.opt("global")
		if name == "tile::scatter4" || name == "im2col_no_offs" {
			d.failInst("'.%s' does not go with a prefetch", name)
		}
		args := d.argc(1, 3)
		d.mapOperand(args[0], coords)
		rest := d.im2colOffsets(args[1:], offsets, nil)
		if hint && len(rest) == 1 {
			d.src(rest[0], tB64)
			rest = nil
		}
		if len(rest) > 0 {
			d.failInst("'%s' has too many operands", d.s.op)
		}
		return
	}
	b := bulkForm(d, false)
	args := d.argc(2, 6)
	load := b.to == spShared
	if stores := name == "tile::scatter4" || name == "im2col_no_offs"; stores == load && (stores || name != "" && name != "tile") || load && reduce || reduce && mode == copyRows {
		d.failInst("'.%s' does not go with the direction of the copy", name)
	}
	var shared addr
	var tm mapOperand
	if load {
		shared, tm = d.addr(args[0]), d.mapOperand(args[1], coords)
	} else {
		tm, shared = d.mapOperand(args[0], coords), d.addr(args[1])
	}
	tm.mode, tm.rank = mode, rank
	rest := args[2:]
	if load && len(rest) > 0 {
		after := d.im2colOffsets(rest[1:], offsets, &tm.offsets)
		rest = append([]*operand{rest[0]}, after...)
	}
	if rest = b.operands(d, rest); len(rest) > 0 {
		d.failInst("'%s' has too many operands", d.s.op)
	}
	c := &tensorCopy{bulk: b, load: load, shared: shared, tm: tm, op: op}
	d.in.exec = c.exec
}

// offsets decodes the vector of im2col offsets.
func (d *decoder) im2colOffsets(args []*operand, n int, out *[]src) []*operand {
	if n == 0 {
		return args
	}
	if len(args) == 0 || args[0].kind != opVector || len(args[0].list) != n {
		d.failInst("the copy needs a vector of %d im2col offsets", n)
	}
	for _, o := range args[0].list {
		s := d.src(o, tU16)
		if out != nil {
			*out = append(*out, s)
		}
	}
	return args[1:]
}

// tensorCopy is a decoded copy.
type tensorCopy struct {
	*bulk
	load   bool
	shared addr
	tm     mapOperand
	op     string // of a reduction
}

func (c *tensorCopy) exec(w *warp, m uint32) {
	for m != 0 && w.err == nil {
		i := next(&m)
		t, b := c.tm.read(w, i)
		if t == nil {
			return
		}
		if err := t.fits(b, c.load); err != nil {
			w.faultf(i, "tensor copy: %v", err)
			return
		}
		base := local(spShared, c.shared.lane(w, w.lanes(c.shared.base), i))
		if base&127 != 0 {
			w.faultf(i, "shared address %#x of a tensor copy is not a multiple of 128", base)
			return
		}
		copies := *c.bulk
		if c.op != "" {
			if copies.reduce, copies.unit = tensorReduction(c.op, t.t), t.t.scalar.bytes(); copies.reduce == nil {
				w.faultf(i, "reduction '.%s' does not exist for a tensor of type .%s", c.op, t.t.name)
				return
			}
		}
		copies.start(w, i, func(rank int) []piece {
			runs := t.runs(copies.target(base, rank), b, c.load)
			if c.load {
				return runs
			}
			out := runs[:0]
			for _, p := range runs {
				if p.from != noSource {
					out = append(out, piece{to: p.from, from: p.to, n: p.n, align: p.align, change: p.change})
				}
			}
			return out
		})
	}
}

// tensorReduction is the reduction of elements of a tensor; unsigned types
// stand for bits too.
func tensorReduction(op string, t copyType) func(old, b, c uint64) uint64 {
	if t.sub != 0 {
		return nil
	}
	if f := atomicFn(op, reducible(t.scalar)); f != nil || t.scalar.float() {
		return f
	}
	switch t.scalar.bits() {
	case 32:
		return atomicFn(op, tB32)
	case 64:
		return atomicFn(op, tB64)
	}
	return nil
}

// mapOperand is `[map, {x, y}]`.
type mapOperand struct {
	at      addr
	mode    copyMode
	rank    int
	coords  []src
	offsets []src
}

func (d *decoder) mapOperand(o *operand, coords int) mapOperand {
	if o.kind != opAddr || len(o.list) != 1 || o.list[0].kind != opVector || len(o.list[0].list) != coords {
		d.badOperand(o, "expected '[map, {coordinates}]' with %d coordinates", coords)
	}
	plain := *o
	plain.list = nil
	m := mapOperand{at: d.addr(&plain)}
	if o.base != nil && o.base.kind == opVar && d.spaceOfVar(o.base.sym, spGeneric, o) == spParam {
		m.at.base, m.at.off = d.konst(uint64(o.base.sym.offset+o.off)+windowParam), 0
	}
	for _, c := range o.list[0].list {
		m.coords = append(m.coords, d.src(c, tS32))
	}
	return m
}

// read fetches the tensor map and the coordinates of a lane.
func (m mapOperand) read(w *warp, lane int) (*tensorMap, box) {
	b := box{mode: m.mode}
	addr := m.at.lane(w, w.lanes(m.at.base), lane)
	sp, in := classify(addr)
	mem := w.span(sp, in, tensorBytes, 64, lane, false)
	if mem == nil {
		return nil, b
	}
	t, err := decodeTensorMap(mem)
	if err != nil {
		w.faultf(lane, "tensor map at %#x: %v", addr, err)
		return nil, b
	}
	if t.rank != m.rank {
		w.faultf(lane, "tensor map at %#x has %d dimensions, the copy has %d", addr, t.rank, m.rank)
		return nil, b
	}
	for i, c := range m.coords {
		x := sext(w.lanes(c)[lane], 32)
		if m.mode == copyRows && i > 0 {
			b.rows[i-1] = x
		} else {
			b.at[i] = x
		}
	}
	// A halo or an offset that is out of range would read something else.
	limits := [3]int64{1 << 16, 1 << 16, 1 << 16}
	switch {
	case m.mode == copyWide:
		limits = [3]int64{512, 32}
	case m.mode == copyWide128:
		limits = [3]int64{32, 32}
	case m.rank == 4:
		limits = [3]int64{1 << 8, 1 << 8}
	case m.rank == 5:
		limits = [3]int64{1 << 5, 1 << 5, 1 << 5}
	}
	for i, s := range m.offsets {
		if b.offset[i] = int64(w.lanes(s)[lane] & 0xffff); b.offset[i] >= limits[i] {
			w.faultf(lane, "im2col offset %d is not below %d", b.offset[i], limits[i])
			return nil, b
		}
	}
	return t, b
}
