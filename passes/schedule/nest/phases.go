package nest

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// The phases of an mbarrier continue from one run of a loop to the next. The parity of a TMA load is carried through
// its loop and all loops and branches around it, from 0 before the outermost one. If nothing else uses those values,
// an expansion may carry the phases of its own mbarriers there.

// Outermost follows a loop-carried value outwards, and returns the outermost loop, before which it is 0. It fails if
// anything else uses the value, or if it starts inside a loop.
func Outermost(loop ir.Op, carried int) (top ir.Op, ok bool) {
	op, in, out := loop, loop.Operand(scf.NumBounds+carried), loop.Result(carried)
	takers := 1 // known uses of in
	for {
		p := op.ParentOp()
		if p.IsNil() {
			return op, false
		}
		if arith.IsInt(in, 0) {
			return op, !out.HasUses() && !ir.InLoop(op)
		}
		if !out.HasOneUse() || out.FirstUse().Owner() != op.Block().Last() {
			return op, false
		}
		i := out.FirstUse().Index()
		switch {
		case p.Is(scf.If):
			for r := range p.NumRegions() {
				if b := p.Region(r).First(); b != op.Block() {
					// The other branch must pass the parity on unchanged.
					if b.Last().Operand(i) != in {
						return op, false
					}
					takers++
				}
			}
		case p.Is(scf.For):
			if !in.IsBlockArg() || in.Block() != p.Body() || in.Index() != 1+i || in.NumUses() != takers {
				return op, false
			}
			in, takers = p.Operand(scf.NumBounds+i), 1
		default:
			return op, false
		}
		op, out = p, p.Result(i)
	}
}

// counted reports whether the phases of all TMA loads of a loop continue, each mbarrier with a value of its own.
func counted(g *ddg.Graph) bool {
	of := make(map[int]ir.Value)
	for _, load := range g.Loop.Body().Collect(tileas.TMALoad.Is) {
		mbarrier := load.OperandNamed("mbarrier")
		k := g.Phases(mbarrier)
		if !of[k].IsNil() && of[k] != mbarrier {
			return false
		}
		of[k] = mbarrier
		if _, ok := Outermost(g.Loop, k); !ok {
			return false
		}
	}
	return true
}
