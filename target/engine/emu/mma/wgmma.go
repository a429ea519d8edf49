package mma

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var wgmmaOps = map[string]decode.Func{"wgmma": decodeWgmma}

// wgmmaK is the k of wgmma by the type of A; a sparse A has twice as much.
var wgmmaK = map[syntax.Type]int{syntax.F16: 16, syntax.BF16: 16, syntax.TF32: 8, syntax.E4M3: 32, syntax.E5M2: 32, syntax.S8: 32, syntax.U8: 32, syntax.B1: 256}

// wgmma.fence orders the first wgmma after ordinary accesses to its registers. It has no effect here. Registers in
// flight are guarded one by one, operands in registers are read when the MMA takes effect, and the machine keeps the
// order without it. So a missing wgmma.fence shows only with Launch.Sync.
func decodeWgmma(d *decode.Decoder) {
	op := d.OneOf("mma_async", "fence", "commit_group", "wait_group")
	d.Opt("sync")
	d.Opt("aligned")
	switch op {
	case "mma_async":
		decodeMmaAsync(d)
	case "fence":
		d.Args(0)
		d.WholeWarp(func(w *machine.Warp, m uint32) { w.FenceRegisters() })
	case "commit_group":
		d.Args(0)
		d.WholeWarp(func(w *machine.Warp, m uint32) {
			w.MMAs.Groups++
			w.CommitOf(machine.Wgmma, m)
		})
	case "wait_group":
		n := d.Groups()
		d.WholeWarp(func(w *machine.Warp, m uint32) {
			w.WaitOf(machine.Wgmma, m, n, false, false)
			if g := w.MMAs.Groups; g > n {
				w.MMAs.Finish(w, g-n)
			}
		})
	default:
		d.Fail("unknown operation of 'wgmma'")
	}
}

// decodeMmaAsync decodes wgmma.mma_async. The four warps of a warpgroup
// each compute 16 of the 64 rows, so each warp is on its own here.
//
// The ISA wants all four warps to execute the same instruction; that they do is not checked, but a warp that does not
// leaves its rows unwritten.
func decodeMmaAsync(d *decode.Decoder) {
	sparse := d.Opt("sp")
	at, s := parseShape(d.Mods)
	if at < 0 {
		d.Fail("'wgmma.mma_async' has no shape")
	}
	d.Mods[at] = ""
	satfinite := d.Opt("satfinite")
	td, ta, tb := d.Type(), d.Type(), d.Type()
	wgmmaShape(d, s, sparse, td, ta, tb)
	args := d.Argc(4, 10)
	part := Shape{16, s.N, s.K} // what one warp computes
	stored, bitsA := part, ta.Bits()
	var meta *metadata
	if sparse {
		if len(args) < 6 {
			d.Fail("sparse 'wgmma.mma_async' needs metadata and a selector")
		}
		meta = newMetadata(d, &mmaForm{s: part, ta: ta}, args[3], args[4])
		args = append(append([]*syntax.Operand(nil), args[:3]...), args[5:]...)
		stored.K /= 2
	}
	if ta == syntax.B1 { // words of 32 columns
		part.K, stored.K, bitsA = 8, 8, 32
	}
	out := FragmentC(part)
	// The accumulator of a warp is that of mma with more columns.
	out.At = wgmmaC
	reg := map[syntax.Type]syntax.Type{syntax.F16: syntax.B32, syntax.F32: syntax.F32, syntax.S32: syntax.S32}[td]
	acc := matrixOperand{t: td, bits: td.Bits(), table: out.table(), load: loader(td, td.Bits())}
	var dsts []int32
	for _, o := range d.Elements(args[0], Registers(out.Elems, td.Bits())) {
		i := d.Dst(o, reg)
		dsts, acc.regs = append(dsts, i), append(acc.regs, machine.Src(i))
	}
	// The machine must not mark them as written when the instruction returns.
	d.Inst.Defs = nil // written by the wait, see wait_group
	var a matrixOperand
	descA := machine.Src(0)
	if args[1].Kind == syntax.OpVector {
		a = newOperandIn(d, args[1], FragmentA(stored, bitsA), ta, bitsA, stored.K)
	} else {
		descA = d.Src(args[1], syntax.B64)
	}
	d.ReadsShared()
	d.Program.Wgmma = true
	descB, scaleD := d.Src(args[2], syntax.B64), d.PredSrc(args[3])
	imm := parseFlags(d, args, ta)
	w := &wgmmaOp{Shape: part, ta: ta, tb: tb, td: td, a: a, acc: acc, dsts: dsts, imm: imm, satfinite: satfinite, table: acc.table, stored: stored.K, meta: meta}
	for _, r := range a.regs {
		if r >= 0 {
			w.fromA = append(w.fromA, int32(r))
		}
	}
	d.WholeWarp(func(wp *machine.Warp, m uint32) { w.issue(wp, descA, descB, wp.Pred(scaleD)) })
}

// wgmmaShape rejects shapes and types that are not in the ISA ("wgmma:
// Matrix Shape").
func wgmmaShape(d *decode.Decoder, s Shape, sparse bool, td, ta, tb syntax.Type) {
	k := wgmmaK[ta]
	ok := s.M == 64 && s.N >= 8 && s.N <= 256 && s.N%8 == 0
	if ta.Integer() || ta == syntax.B1 {
		ok = ok && (s.N%16 == 0 || s.N <= 24)
	}
	if sparse {
		k *= 2
		ok = ok && ta != syntax.B1
	}
	if ta == syntax.B1 && (!d.Opt("and") || !d.Opt("popc")) {
		d.Fail("'wgmma.mma_async' of single bits needs .and.popc")
	}
	if !ok || s.K != k || !(&mmaForm{s: s, ta: ta, tb: tb, tc: td, td: td}).accumulates() {
		d.Fail("'wgmma.mma_async' with this shape and types is not supported")
	}
}

// wgmmaC is where element i of a lane's accumulator lies in its warp's 16
// rows.
func wgmmaC(lane, i int) (row, col int) {
	return lane/4 + i/2%2*8, i/4*8 + lane%4*2 + i%2
}

// parseFlags are the immediate operands: the signs of A and B, and whether
// they are stored with M and N as the contiguous dimension.
type wgmmaFlags struct {
	signA, signB   float64
	transA, transB bool
}

func parseFlags(d *decode.Decoder, args []*syntax.Operand, ta syntax.Type) wgmmaFlags {
	f := wgmmaFlags{signA: 1, signB: 1}
	rest := args[4:]
	number := func(o *syntax.Operand, allowed ...int64) int64 {
		for _, a := range allowed {
			if o.Kind == syntax.OpInt && int64(o.Bits) == a {
				return a
			}
		}
		d.FailAt(o, "immediate operand must be one of %v", allowed)
		return 0
	}
	want := 2
	switch {
	case ta.Integer() || ta == syntax.B1:
		want = 0
	case (ta == syntax.F16 || ta == syntax.BF16) && args[1].Kind == syntax.OpVector:
		want = 3
	case ta == syntax.F16 || ta == syntax.BF16:
		want = 4
	}
	if len(rest) != want {
		d.Fail("'wgmma.mma_async' of .%s takes %d immediate operands, got %d", ta, want, len(rest))
	}
	if want >= 2 {
		f.signA, f.signB = float64(number(rest[0], 1, -1)), float64(number(rest[1], 1, -1))
	}
	if want == 4 {
		f.transA = number(rest[2], 0, 1) == 1
	}
	if want >= 3 {
		f.transB = number(rest[want-1], 0, 1) == 1
	}
	return f
}

// wgmmaOp is a decoded wgmma.mma_async as one warp executes it.
type wgmmaOp struct {
	Shape
	ta, tb, td syntax.Type
	a, acc     matrixOperand
	dsts       []int32
	fromA      []int32 // registers of A
	imm        wgmmaFlags
	satfinite  bool
	table      [][machine.WarpSize]int32
	stored     int // columns of A as it is stored
	meta       *metadata
}

// issue queues the operation. The accumulators must have been written, or be owed by an earlier one, unless they are
// ignored.
//
// An MMA may follow another on the same accumulator without a wait, which is how every main loop is written
// ("wgmma.mma_async": same shape and registers). Any other use of a register in flight faults.
func (o *wgmmaOp) issue(w *machine.Warp, descA, descB machine.Src, scale uint32) {
	a, b := w.Lanes(descA)[0], w.Lanes(descB)[0]
	keep := scale&1 != 0
	if scale != 0 && scale != machine.Full {
		w.Faultf(0, "the lanes of a warp have different scale-d operands")
		return
	}
	owed := slices.ContainsFunc(w.MMAs.Pending, func(p machine.DeferredWrite) bool { return slices.Equal(p.Defs, o.dsts) })
	for _, r := range o.dsts {
		if keep && !owed && w.Init[r] != machine.Full && !w.MMAs.Writes(r) {
			w.Faultf(machine.FirstLane(^w.Init[r]), "an accumulator register is read before it is written")
			return
		}
	}
	for _, r := range o.dsts {
		w.Init[r] = 0
	}
	o.report(w, a, b)
	stmt := w.Stmt()
	w.MMAs.Pending = append(w.MMAs.Pending, machine.DeferredWrite{Group: w.MMAs.Groups, Defs: o.dsts, Perform: func() {
		if o.compute(w, a, b, keep); w.Err != nil {
			w.Err.Line, w.Err.Instruction = int(stmt.Pos.Line), stmt.Text
		}
	}})
	if w.CTA.Cluster.Chance(2) && len(w.MMAs.Pending) == 1 {
		// The adversary completes it now, so that operands written too late
		// show; its registers stay unreadable until the wait.
		p := &w.MMAs.Pending[0]
		w.Unseen(p.Perform)
		p.Perform = func() {}
	}
}

// report says what the operation accesses, for the check of synchronisation.
func (o *wgmmaOp) report(w *machine.Warp, descA, descB uint64) {
	if !w.Watched() {
		return
	}
	bytes := o.ta.Bytes()
	if o.ta == syntax.B1 {
		bytes = 4
	}
	w.Begin(machine.Wgmma, machine.Full, true)
	w.Async = true
	if len(o.a.regs) == 0 {
		if m, wrong := decodeDescriptor(descA, o.imm.transA, bytes); wrong == "" {
			m.touch(w, w.ID%4*16, 16, o.stored)
		}
	}
	if m, wrong := decodeDescriptor(descB, o.imm.transB, bytes); wrong == "" {
		m.touch(w, 0, o.N, o.K)
	}
	w.Async = false
	w.End()
	w.Multiply(o.dsts, o.fromA)
}

// compute performs the product. Integers are small enough for binary64 to
// hold their sums exactly.
//
// Operands in shared memory are read when the product takes effect, not when it is issued: a buffer that is
// overwritten before the wait must show.
func (o *wgmmaOp) compute(w *machine.Warp, descA, descB uint64, keep bool) {
	if w.CTA.Run.Launch.NoProducts {
		clearRegisters(w, o.dsts)
		return
	}
	w.Async = true
	defer func() { w.Async = false }()
	t := scratchOf(w).wideTile()
	bytes := o.ta.Bytes()
	valueA, valueB := ElementValue(o.ta), ElementValue(o.tb)
	if o.ta == syntax.B1 {
		bytes = 4
	}
	if len(o.a.regs) > 0 {
		a := o.a
		a.load = valueA
		a.gather(w, t.a[:])
	} else {
		m, wrong := decodeDescriptor(descA, o.imm.transA, bytes)
		if wrong != "" {
			w.Faultf(0, "%s", wrong)
			return
		}
		m.gather(w, w.ID%4*16, 16, o.stored, t.a[:], valueA, o.stored, 1)
	}
	m, wrong := decodeDescriptor(descB, o.imm.transB, bytes)
	if wrong != "" {
		w.Faultf(0, "%s", wrong)
		return
	}
	m.gather(w, 0, o.N, o.K, t.b[:], valueB, 1, o.N)
	if w.Err != nil || o.meta != nil && !expand(o.meta, w, t.a[:]) {
		return
	}
	// Both operands can be negated; the product of the signs is applied to the smaller one.
	sign := o.imm.signA * o.imm.signB
	clear(t.c[:16*o.N])
	// The accumulator is read now and not at the issue: an earlier product in flight may owe it.
	if keep {
		acc := o.acc
		acc.load = ElementValue(o.td)
		acc.gather(w, t.c[:])
	}
	if sign < 0 {
		for i := range t.a[:16*o.K] {
			t.a[i] = -t.a[i]
		}
	}
	if o.ta == syntax.B1 {
		o.matchBits(t)
	} else {
		Multiply(Shape{16, o.N, o.K}, t.a[:], t.b[:], t.c[:])
	}
	for i, at := range o.table {
		if o.td == syntax.F32 {
			r := w.Reg(o.dsts[i])
			for lane, k := range at {
				r[lane] = fp.Canonical(float32(t.c[k]))
			}
			continue
		}
		for lane, k := range at {
			o.store(w, i, lane, t.c[k])
		}
	}
}

// matchBits counts the columns in which both a row of A and a column of B
// have a one.
func (o *wgmmaOp) matchBits(t *wideTile) {
	for row := range 16 {
		for col := range o.N {
			n := 0
			for k := range o.K {
				n += bits.OnesCount32(uint32(t.a[row*o.K+k]) & uint32(t.b[k*o.N+col]))
			}
			t.c[row*o.N+col] += float64(n)
		}
	}
}

// wideTile is the working space of wgmma.
type wideTile struct {
	a [16 * 64]float64
	b [64 * 256]float64
	c [16 * 256]float64
}

// store rounds an element of an accumulator that is not of .f32.
func (o *wgmmaOp) store(w *machine.Warp, i, lane int, x float64) {
	switch o.td {
	case syntax.S32:
		v := uint64(int64(x)) & num.Mask(32)
		if o.satfinite {
			v = num.ClampSigned(int64(x), 32)
		}
		w.Reg(o.dsts[i])[lane] = v
	default:
		r := w.Reg(o.dsts[i/2])
		sh := i % 2 * 16
		r[lane] = r[lane]&^(0xffff<<sh) | fp.F16.Round(x, fp.Nearest)<<sh
	}
}
