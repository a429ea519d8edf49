package stripmine

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// flatten merges a loop of the program with the loop over parts of K that is all its body does. The result is the
// loop of a program with smaller tiles, in which prefetching crosses iterations of the original loop. It leaves
// both if the loop does not count from 0 in steps of 1, does something else, or if the total number of iterations
// does not fit its counter.
func (m *miner) flatten(outer, inner ir.Op, parts int64) bool {
	f := &flattener{miner: m, outer: outer, inner: inner, parts: parts}
	if !f.counts() || !f.onlyParts() {
		return false
	}
	f.build()
	m.forget()
	return true
}

// A flattener knows the two loops.
type flattener struct {
	*miner
	outer, inner ir.Op
	describe     ir.Loop
	parts        int64
	before       []ir.Op // of the body of the outer loop, before the inner one
	carried      []int   // which of the outer loop's values each one of the inner loop is; -1: none, as tokens
}

// counts reports whether the counter of the outer loop can count parts.
func (f *flattener) counts() bool {
	describe, ok := ir.LoopLike.Of(f.outer)
	if !ok || !f.outer.Is(scf.For) {
		return false
	}
	f.describe = describe(f.outer)
	d := f.describe
	if d.IndVar.IsNil() || d.Unsigned || !d.Body.HasOneBlock() || !arith.IsInt(d.Lower, 0) || !arith.IsInt(d.Step, 1) {
		return false
	}
	// The merged counter counts upper * parts, and must not wrap in its type.
	r := intrange.Analyze(f.kernel).Of(d.Upper)
	most := int64(math.MaxInt32)
	if ir.BitWidth(d.IndVar.Type()) > 32 {
		most = math.MaxInt64
	}
	return r.IsInt() && r.SMax <= most/f.parts && r.SMin >= -most/f.parts
}

// onlyParts reports whether the outer loop only computes integers for the inner one, and passes on its results.
func (f *flattener) onlyParts() bool {
	block := f.describe.Body.First()
	end := block.Last()
	for op := range block.Ops() {
		switch {
		case op == f.inner || op == end:
		case op.NumRegions() > 0 || !op.HasTrait(ir.Pure) || slices.ContainsFunc(op.Results(), ir.IsTensor):
			return false
		default:
			f.before = append(f.before, op)
		}
	}
	if !end.Is(scf.Continue) || end.NumOperands() != f.describe.NumIterArgs {
		return false
	}
	const first = 3 // bounds and step come before the initial values
	for i, v := range f.inner.Operands()[first:] {
		k := slices.Index(block.Args()[1:], v)
		// Nothing else may use the two: the merged loop has no place between the last part of an iteration and
		// the first of the next.
		if k >= 0 {
			if end.Operand(k) != f.inner.Result(i) || !v.HasOneUse() || !f.inner.Result(i).HasOneUse() {
				return false
			}
		} else if f.inner.Result(i).HasUses() || !f.invariant(v) {
			return false
		}
		f.carried = append(f.carried, k)
	}
	for k := range f.describe.NumIterArgs {
		if !slices.Contains(f.carried, k) {
			return false
		}
	}
	return true
}

// invariant moves what makes a value before the outer loop; false: it depends on the loop.
func (f *flattener) invariant(v ir.Value) bool {
	if f.describe.IsInvariant(v) {
		return true
	}
	def := v.DefiningOp()
	if def.IsNil() || def.NumOperands() > 0 || !def.HasTrait(ir.Pure) {
		return false
	}
	def.MoveBefore(f.outer)
	f.before = slices.DeleteFunc(f.before, func(op ir.Op) bool { return op == def })
	return true
}

// build makes the loop.
func (f *flattener) build() {
	b := ir.BuilderBefore(f.outer)
	b.SetLocOf(f.outer)
	t := f.describe.IndVar.Type()
	number := func(n int64) ir.Value { return arith.NewInt(b, t, n) }
	upper := b.Create(arith.MulI, []ir.Value{f.describe.Upper, number(f.parts)}, []ir.Type{t}).Result(0)
	var inits []ir.Value
	for i, k := range f.carried {
		if k >= 0 {
			inits = append(inits, f.describe.Init(k))
		} else {
			inits = append(inits, f.inner.Operand(3+i))
		}
	}
	loop := scf.CreateFor(b, number(0), upper, number(1), inits)
	// Hints on the program's loop, such as its number of stages, hold for the merged loop.
	for _, a := range f.outer.DiscardableAttrs().Entries {
		loop.SetAttr(a.Name, a.Value)
	}
	body := loop.Body()

	in := ir.BuilderAtEnd(body)
	in.SetLocOf(f.outer)
	// parts is a power of two, so a shift and a mask divide, without the cost of a division in each iteration.
	shift := int64(bits.TrailingZeros64(uint64(f.parts)))
	iteration := in.Create(arith.ShRSI, []ir.Value{body.Arg(0), arith.NewInt(in, t, shift)}, []ir.Type{t}).Result(0)
	part := in.Create(arith.AndI, []ir.Value{body.Arg(0), arith.NewInt(in, t, f.parts-1)}, []ir.Type{t}).Result(0)
	if want := f.inner.Body().Arg(0).Type(); want != t {
		part = in.Create(arith.TruncI, []ir.Value{part}, []ir.Type{want}).Result(0)
	}
	f.describe.IndVar.ReplaceAllUsesWith(iteration)
	for _, op := range f.before {
		op.MoveToEnd(body)
	}
	for i, v := range f.inner.Body().Args() {
		if i == 0 {
			v.ReplaceAllUsesWith(part)
		} else {
			v.ReplaceAllUsesWith(body.Arg(i))
		}
	}
	for op := f.inner.Body().First(); !op.IsNil(); {
		next := op.Next()
		op.MoveToEnd(body)
		op = next
	}
	for i, k := range f.carried {
		if k >= 0 {
			f.outer.Result(k).ReplaceAllUsesWith(loop.Result(i))
		}
	}
	f.outer.Erase()
	f.join(body, iteration, part)
}

// join merges the offsets of an iteration and of a part in it: iteration * (parts * n) + part * n = number * n.
func (f *flattener) join(body ir.Block, iteration, part ir.Value) {
	for op := range body.Ops() {
		if !op.Is(arith.AddI) {
			continue
		}
		of := func(i int, v ir.Value) (int64, bool) { return multipleOf(op.Operand(i), v) }
		for i := range 2 {
			whole, ok1 := of(i, iteration)
			each, ok2 := of(1-i, part)
			t := op.Result(0).Type()
			if !ok1 || !ok2 || whole != each*f.parts || ir.BitWidth(t) < ir.BitWidth(iteration.Type()) {
				continue
			}
			// One multiple of the counter, as the program with smaller tiles would have it.
			b := ir.BuilderBefore(op)
			b.SetLocOf(op)
			n := body.Arg(0)
			if t != n.Type() {
				n = b.Create(arith.ExtSI, []ir.Value{n}, []ir.Type{t}).Result(0)
			}
			op.Result(0).ReplaceAllUsesWith(b.Create(arith.MulI, []ir.Value{n, arith.NewInt(b, t, each)}, []ir.Type{t}).Result(0))
			break
		}
	}
	for op := body.Last().Prev(); !op.IsNil(); {
		prev := op.Prev()
		if ir.IsTriviallyDead(op) {
			op.Erase()
		}
		op = prev
	}
}

// multipleOf returns the constant by which a number is multiplied to give a value; it may be extended in between.
func multipleOf(v, number ir.Value) (int64, bool) {
	def := v.DefiningOp()
	if def.IsNil() || !def.Is(arith.MulI) {
		return 0, false
	}
	for i := range 2 {
		a, ok := ir.ConstantValue(def.Operand(i)).(*ir.IntegerAttr)
		x := def.Operand(1 - i)
		if ext := x.DefiningOp(); x != number && !ext.IsNil() && ext.Is(arith.ExtSI) {
			x = ext.Operand(0)
		}
		if ok && x == number {
			return a.Value, true
		}
	}
	return 0, false
}
