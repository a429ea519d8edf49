package packblockargs

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// addPredicates makes a group of each predicate that a block takes, if these are more than a thread holds:
//
//	^loop(%p : i1, ... 15 more):                   ^loop(%w : i32, ...):
//	  %q = andi %p, %c                               %v = select %c, %w, 0
//	  cond_br %more, ^loop(%q, ...), ^end            cond_br %more, ^loop(%v, ...), ^end
//
// ptxas would keep them as bits of registers, and move each there and back wherever paths meet. A search for a pattern,
// whose loop carries 16, issued 1,525 cycles in an iteration on sm_80, and 390 so.
func (f *finder) addPredicates(b ir.Block) {
	args := ir.Filter(b.Args(), func(v ir.Value) bool { return ir.BitWidth(v.Type()) == 1 })
	if len(args) <= sm.Predicates {
		return
	}
	for _, v := range args {
		f.add([]ir.Value{v}, predicate)
	}
}

// test gives a predicate to those who use it: the test of its register.
func (f *finder) test(g *group) {
	b := ir.BuilderAtStart(g.parts[0].Block())
	g.tested = arith.NewCmpI(b, "ne", g.word, arith.NewI32(b, 0))
	g.parts[0].ReplaceUsesIf(g.tested, func(u ir.Use) bool {
		to, _ := f.passes(u.Owner(), u.Index())
		return to == nil || to.broken
	})
}

// number returns a predicate as 0 or 1, computed at the builder unless its block has it.
func number(b *ir.Builder, p ir.Value) ir.Value {
	t := b.Context().Int(32)
	for u := range p.Uses() {
		if op := u.Owner(); op.Is(arith.ExtUI) && op.Block() == b.Block() && op.Result(0).Type() == ir.Type(t) {
			return op.Result(0)
		}
	}
	if c := arith.Splat(ir.ConstantValue(p)); c != nil {
		return arith.NewI32(b, int64(arith.Bits(c)&1))
	}
	return b.Create(arith.ExtUI, []ir.Value{p}, []ir.Type{t}).Result(0)
}

// chooseNumbers makes the number of a predicate and a condition a choice of the register. It returns what may be unused
// then.
func (g *group) chooseNumbers() (unused []ir.Value) {
	for _, u := range slices.Collect(g.tested.Uses()) {
		and := u.Owner()
		if !and.Is(arith.AndI) {
			continue
		}
		unused = append(unused, and.Result(0))
		for _, w := range slices.Collect(and.Result(0).Uses()) {
			if op := w.Owner(); op.Is(arith.ExtUI) && op.Result(0).Type() == g.word.Type() {
				b := ir.BuilderBefore(op)
				op.ReplaceWith(arith.New(b, arith.Select, and.Operand(1-u.Index()), g.word, arith.NewI32(b, 0)))
			}
		}
	}
	return append(unused, g.tested)
}
