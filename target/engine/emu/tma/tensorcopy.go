package tma

import (
	"github.com/tilewright/tilewright/target/engine/emu/arith"
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// A tensorForm is what the modifiers of cp.async.bulk.tensor say of the tensor.
type tensorForm struct {
	name            string // of the mode
	mode            copyMode
	rank            int
	coords, offsets int // numbers of coordinates and of im2col offsets among the operands
}

// parseTensorForm consumes the dimension and the mode.
//
//	.2d.tile::gather4    2 dimensions, 5 coordinates: a column and four rows
//	.4d.im2col           4 dimensions, 4 coordinates, 2 offsets
func parseTensorForm(d *decode.Decoder) tensorForm {
	rank := map[string]int{"1d": 1, "2d": 2, "3d": 3, "4d": 4, "5d": 5}[d.OneOf("1d", "2d", "3d", "4d", "5d")]
	if rank == 0 {
		d.Fail("'cp.async.bulk.tensor' has no dimension")
	}
	name := d.OneOf("tile", "tile::gather4", "tile::scatter4", "im2col", "im2col_no_offs", "im2col::w", "im2col::w::128")
	f := tensorForm{name: name, rank: rank, coords: rank}
	f.mode = map[string]copyMode{"tile::gather4": copyRows, "tile::scatter4": copyRows, "im2col": copyIm2col,
		"im2col_no_offs": copyIm2col, "im2col::w": copyWide, "im2col::w::128": copyWide128}[name]
	switch f.mode {
	case copyRows:
		if f.coords = 5; rank != 2 {
			d.Fail("'.%s' needs two dimensions", name)
		}
	case copyIm2col, copyWide, copyWide128:
		if rank < 3 {
			d.Fail("'.%s' needs three dimensions or more", name)
		}
		if f.offsets = 2; f.mode == copyIm2col {
			f.offsets = rank - 2
		}
	}
	if name == "im2col_no_offs" {
		f.offsets = 0
	}
	return f
}

// stores reports whether the mode is one of stores only. A mode of both directions, as tile, is none.
func (f *tensorForm) stores() bool { return f.name == "tile::scatter4" || f.name == "im2col_no_offs" }

// goesWith reports whether the mode exists for the direction of a copy, and for a reduction.
func (f *tensorForm) goesWith(load, reduce bool) bool {
	switch {
	case load:
		return !f.stores() && !reduce
	case f.mode == copyRows && reduce:
		return false
	}
	return f.stores() || f.name == "" || f.name == "tile"
}

// DecodeTensor decodes cp.async.bulk.tensor in all modes, and its reducing and prefetching forms.
func DecodeTensor(d *decode.Decoder, reduce bool) {
	form := parseTensorForm(d)
	var op string
	if reduce {
		if op = d.OneOf("and", "or", "xor", "add", "inc", "dec", "min", "max"); op == "" {
			d.Fail("'cp.reduce.async.bulk.tensor' needs an operation")
		}
	}
	if d.Opt("prefetch") {
		decodeTensorPrefetch(d, form)
		return
	}
	b := bulkForm(d, false)
	args := d.Argc(2, 6)
	load := b.to == syntax.Shared
	if !form.goesWith(load, reduce) {
		d.Fail("'.%s' does not go with the direction of the copy", form.name)
	}
	var shared decode.Addr
	var tm mapOperand
	if load {
		shared, tm = d.Addr(args[0]), parseMap(d, args[1], form.coords)
	} else {
		tm, shared = parseMap(d, args[0], form.coords), d.Addr(args[1])
	}
	tm.mode, tm.rank = form.mode, form.rank
	rest := args[2:]
	if load && len(rest) > 0 { // the mbarrier, then the offsets
		after := im2colOffsets(d, rest[1:], form.offsets, &tm.offsets)
		rest = append([]*syntax.Operand{rest[0]}, after...)
	}
	if rest = b.operands(d, rest); len(rest) > 0 {
		d.Fail("'%s' has too many operands", d.Stmt.Op)
	}
	c := &tensorCopy{bulk: b, load: load, shared: shared, tm: tm, op: op}
	d.Inst.Exec = c.exec
}

// decodeTensorPrefetch decodes a prefetch in full, so that a wrong operand is an error. The prefetch does nothing.
func decodeTensorPrefetch(d *decode.Decoder, form tensorForm) {
	hint := d.Opt("L2::cache_hint")
	d.Prefixed("L2")
	d.Opt("global")
	if form.stores() {
		d.Fail("'.%s' does not go with a prefetch", form.name)
	}
	args := d.Argc(1, 3)
	parseMap(d, args[0], form.coords)
	rest := im2colOffsets(d, args[1:], form.offsets, nil)
	if hint && len(rest) == 1 {
		d.Src(rest[0], syntax.B64)
		rest = nil
	}
	if len(rest) > 0 {
		d.Fail("'%s' has too many operands", d.Stmt.Op)
	}
}

// im2colOffsets decodes the vector of im2col offsets.
func im2colOffsets(d *decode.Decoder, args []*syntax.Operand, n int, out *[]machine.Src) []*syntax.Operand {
	if n == 0 {
		return args
	}
	if len(args) == 0 || args[0].Kind != syntax.OpVector || len(args[0].List) != n {
		d.Fail("the copy needs a vector of %d im2col offsets", n)
	}
	for _, o := range args[0].List {
		s := d.Src(o, syntax.U16)
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
	shared decode.Addr
	tm     mapOperand
	op     string // of a reduction
}

// The map is read when the copy is issued, not when it takes effect. The ISA gives no order between a change of the map
// and a copy in flight. The fence that a program needs is before the issue.
func (c *tensorCopy) exec(w *machine.Warp, m uint32) {
	for m != 0 && w.Err == nil {
		i := machine.Next(&m)
		t, b := c.tm.read(w, i)
		if t == nil {
			return
		}
		if err := t.fits(b, c.load); err != nil {
			w.Faultf(i, "TMA copy: %v", err)
			return
		}
		base := machine.AddressIn(syntax.Shared, c.shared.Lane(w, w.Lanes(c.shared.Base), i))
		if base&127 != 0 {
			w.Faultf(i, "shared address %#x of a TMA copy is not a multiple of 128", base)
			return
		}
		copies := *c.bulk
		if c.op != "" {
			if copies.reduce, copies.unit = tensorReduction(c.op, t.t), t.t.scalar.Bytes(); copies.reduce == nil {
				w.Faultf(i, "reduction '.%s' does not exist for a tensor of type .%s", c.op, t.t.name)
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
					out = append(out, piece{to: p.from, from: p.to, n: p.n, align: p.align, change: p.change, exchange: p.exchange})
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
	if f := arith.UpdateFunc(op, reducible(t.scalar)); f != nil || t.scalar.Float() {
		return f
	}
	switch t.scalar.Bits() {
	case 32:
		return arith.UpdateFunc(op, syntax.B32)
	case 64:
		return arith.UpdateFunc(op, syntax.B64)
	}
	return nil
}

// parseMap is `[map, {x, y}]`.
type mapOperand struct {
	at      decode.Addr
	mode    copyMode
	rank    int
	coords  []machine.Src
	offsets []machine.Src
}

// A map that is a parameter of the kernel is named by its variable; its generic address is that in the window of
// parameters.
func parseMap(d *decode.Decoder, o *syntax.Operand, coords int) mapOperand {
	if o.Kind != syntax.OpAddr || len(o.List) != 1 || o.List[0].Kind != syntax.OpVector || len(o.List[0].List) != coords {
		d.FailAt(o, "expected '[map, {coordinates}]' with %d coordinates", coords)
	}
	plain := *o
	plain.List = nil
	m := mapOperand{at: d.Addr(&plain)}
	if o.Base != nil && o.Base.Kind == syntax.OpVar && d.SpaceOf(o.Base.Sym, syntax.Generic, o) == syntax.Param {
		m.at.Base, m.at.Off = d.Const(uint64(o.Base.Sym.Offset+o.Offset)+machine.WindowParam), 0
	}
	for _, c := range o.List[0].List {
		m.coords = append(m.coords, d.Src(c, syntax.S32))
	}
	return m
}

// read fetches the tensor map and the coordinates of a lane.
func (m mapOperand) read(w *machine.Warp, lane int) (*tensorMap, box) {
	b := box{mode: m.mode}
	addr := m.at.Lane(w, w.Lanes(m.at.Base), lane)
	sp, in := machine.Classify(addr)
	w.ReadsMap(true)
	mem := w.Span(sp, in, tensorBytes, 64, lane, false)
	w.ReadsMap(false)
	if mem == nil {
		return nil, b
	}
	t, err := decodeTensorMap(mem)
	if err != nil {
		w.Faultf(lane, "tensor map at %#x: %v", addr, err)
		return nil, b
	}
	if t.rank != m.rank {
		w.Faultf(lane, "tensor map at %#x has %d dimensions, the copy has %d", addr, t.rank, m.rank)
		return nil, b
	}
	for i, c := range m.coords {
		x := num.SignExtend(w.Lanes(c)[lane], 32)
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
		if b.offset[i] = int64(w.Lanes(s)[lane] & 0xffff); b.offset[i] >= limits[i] {
			w.Faultf(lane, "im2col offset %d is not below %d", b.offset[i], limits[i])
			return nil, b
		}
	}
	return t, b
}
