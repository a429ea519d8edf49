package emu

// swizzled exchanges the 16-byte chunks of a shared address: the chunk
// number is xored with the number of the 128-byte row, modulo the pattern.
func swizzled(addr, width uint64) uint64 {
	if width == 0 {
		return addr
	}
	return addr ^ addr>>3&(width-16)
}

// runs lists what a box at the given coordinates moves between the tensor
// and shared memory at base. Elements outside of the tensor have address
// noSource.
func (m *tensorMap) runs(base uint64, at [5]int64) []piece {
	var out []piece
	es := uint64(m.t.bytes())
	row := m.box[0] * es
	per := 16 / es
	var c [5]uint64
	for {
		in := true
		global := m.address
		linear := uint64(0)
		for i := 4; i > 0; i-- {
			x := at[i] + int64(c[i])
			in = in && x >= 0 && x < int64(m.dims[i])
			global += uint64(x) * m.strides[i]
			linear = linear*m.box[i] + c[i]
		}
		for k := uint64(0); k < m.box[0]; k += per {
			shared := swizzled(base+linear*row+k*es, m.swizzle)
			x := at[0] + int64(k)
			switch first, last := x, x+int64(per)-1; {
			case in && first >= 0 && last < int64(m.dims[0]):
				out = append(out, piece{shared, global + uint64(x)*es, 16, int(es)})
			case !in || last < 0 || first >= int64(m.dims[0]):
				out = append(out, piece{shared, noSource, 16, int(es)})
			default:
				for e := range per {
					p := piece{shared + e*es, noSource, int(es), int(es)}
					if y := x + int64(e); y >= 0 && y < int64(m.dims[0]) {
						p.from = global + uint64(y)*es
					}
					out = append(out, p)
				}
			}
		}
		i := 1
		for ; i < 5; i++ {
			if c[i]++; c[i] < m.box[i] {
				break
			}
			c[i] = 0
		}
		if i == 5 {
			return out
		}
	}
}

// decodeTensor decodes cp.async.bulk.tensor in tile mode and its reducing
// and prefetching forms.
func decodeTensor(d *decoder, reduce bool) {
	rank := map[string]int{"1d": 1, "2d": 2, "3d": 3, "4d": 4, "5d": 5}[d.oneOf("1d", "2d", "3d", "4d", "5d")]
	if rank == 0 {
		d.failInst("'cp.async.bulk.tensor' has no dimension")
	}
	d.opt("tile")
	var op string
	if reduce {
		op = d.oneOf("and", "or", "xor", "add", "inc", "dec", "min", "max")
	}
	if d.opt("prefetch") {
		d.prefixed("L2")
		d.opt("global")
		d.mapOperand(d.argc(1, 2)[0], rank)
		return
	}
	b := bulkForm(d, false)
	args := d.argc(2, 5)
	load := b.to == spShared
	var shared addr
	var tm mapOperand
	if load {
		shared, tm = d.addr(args[0]), d.mapOperand(args[1], rank)
	} else {
		tm, shared = d.mapOperand(args[0], rank), d.addr(args[1])
	}
	if rest := b.operands(d, args[2:]); len(rest) > 0 {
		d.failInst("'%s' has too many operands", d.s.op)
	}
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			t, at := tm.read(w, i)
			if t == nil {
				return
			}
			base := local(spShared, shared.lane(w, w.lanes(shared.base), i))
			if base&127 != 0 {
				w.faultf(i, "shared address %#x of a tensor copy is not a multiple of 128", base)
				return
			}
			copies := *b
			if op != "" {
				if copies.reduce, copies.unit = atomicFn(op, reducible(t.t)), t.t.bytes(); copies.reduce == nil {
					w.faultf(i, "reduction '.%s' does not exist for a tensor of type .%s", op, t.t)
					return
				}
			}
			copies.start(w, i, func(rank int) []piece {
				runs := t.runs(copies.target(base, rank), at)
				if load {
					return runs
				}
				out := runs[:0]
				for _, p := range runs {
					if p.from != noSource {
						out = append(out, piece{p.from, p.to, p.n, p.align})
					}
				}
				return out
			})
		}
	}
}

// reducible is the type that a reduction of tensor elements works on.
func reducible(t scalar) scalar {
	if t == tTF32 {
		return tF32
	}
	return t
}

// mapOperand is `[map, {x, y}]`.
type mapOperand struct {
	at     addr
	coords []src
}

func (d *decoder) mapOperand(o *operand, rank int) mapOperand {
	if o.kind != opAddr || len(o.list) != 1 || o.list[0].kind != opVector || len(o.list[0].list) != rank {
		d.badOperand(o, "expected '[map, {coordinates}]' with %d coordinates", rank)
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
func (m mapOperand) read(w *warp, lane int) (*tensorMap, [5]int64) {
	var at [5]int64
	addr := m.at.lane(w, w.lanes(m.at.base), lane)
	sp, in := classify(addr)
	b := w.span(sp, in, tensorBytes, 64, lane, false)
	if b == nil {
		return nil, at
	}
	t, err := decodeTensorMap(b)
	if err != nil {
		w.faultf(lane, "tensor map at %#x: %v", addr, err)
		return nil, at
	}
	if t.rank != len(m.coords) {
		w.faultf(lane, "tensor map at %#x has %d dimensions, the copy has %d", addr, t.rank, len(m.coords))
		return nil, at
	}
	for i, c := range m.coords {
		at[i] = sext(w.lanes(c)[lane], 32)
	}
	return t, at
}
