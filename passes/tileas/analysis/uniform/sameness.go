package uniform

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A Sameness says which values differ between the CTAs of a tile block. All of them run one program with the same
// parameters. So a value differs only if it depends on the CTA's rank, on memory that may differ, or on control flow
// that diverged.
type Sameness struct {
	differs map[ir.Value]bool
	private bool  // there is memory that only one CTA sees
	exits   ir.Op // an exit from a loop or the kernel that only some CTAs take; a zero Op: none
}

// Of computes it for a kernel, by iteration: values only ever change from equal to different.
func Of(fn ir.Op) *Sameness {
	// With an alloca in the kernel, a load may read memory that differs between CTAs.
	s := &Sameness{differs: make(map[ir.Value]bool), private: fn.Contains(tileas.Level.Alloca.Is)}
	for before := -1; before < len(s.differs); {
		before = len(s.differs)
		for op := range fn.All() {
			if op != fn {
				s.visit(op)
			}
		}
	}
	s.exits = cmp.Or(fn.Collect(func(op ir.Op) bool {
		return (op.Is(tileas.Level.Return) || op.Is(scf.Break) || op.Is(scf.Continue)) && s.underDivergent(op)
	})...)
	return s
}

// underDivergent reports whether an if around an exit, inside what it leaves, may diverge.
func (s *Sameness) underDivergent(op ir.Op) bool {
	target := ir.ExitTarget(op)
	for p := op.ParentOp(); !p.IsNil() && p != target; p = p.ParentOp() {
		if p.Is(scf.If) && s.differs[p.Operand(0)] {
			return true
		}
	}
	return false
}

// Differs reports whether a value may differ between the CTAs.
func (s *Sameness) Differs(v ir.Value) bool { return s.differs[v] }

func (s *Sameness) any(vs []ir.Value) bool {
	return slices.ContainsFunc(vs, func(v ir.Value) bool { return s.differs[v] })
}

func (s *Sameness) mark(yes bool, vs ...ir.Value) {
	for _, v := range vs {
		if yes {
			s.differs[v] = true
		}
	}
}

// markAll marks the results of an operation and the arguments of its blocks.
func (s *Sameness) markAll(yes bool, op ir.Op) {
	s.mark(yes, op.Results()...)
	for b := range op.Blocks() {
		s.mark(yes, b.Args()...)
	}
}

func (s *Sameness) visit(op ir.Op) {
	switch {
	case op.Is(tileas.Level.CTARank):
		s.mark(true, op.Result(0))
	case op.Is(tileas.Level.AllGather): // gathered from all CTAs, so it is equal in all
	// If the number of iterations or the branch may differ, so does everything that the operation hands on.
	case op.Is(scf.For), op.Is(scf.If):
		deciding := op.Operands()[:1]
		if op.Is(scf.For) {
			deciding = op.Operands()[:scf.NumBounds]
		}
		s.markAll(s.any(deciding), op)
		s.passOn(op)
	case op.Is(scf.Yield), op.Is(scf.Continue):
		s.passOn(op)
	// Roles have no results. What other terminators pass on is marked with the operation that they end.
	case op.Is(tileas.WarpSpecialize), op.HasTrait(ir.Terminator):
	case op.NumRegions() > 0:
		s.markAll(!ir.IsPure(op) || s.any(ir.Inputs(op)), op)
	default:
		s.mark(s.any(op.Operands()) || !ir.HasNoEffects(op) && !s.readsUniform(op), op.Results()...)
	}
}

// passOn passes operands to the results and arguments that control flow makes of them.
func (s *Sameness) passOn(op ir.Op) {
	for i, v := range op.Operands() {
		to, _ := op.OperandUse(i).HandedOn()
		s.mark(s.differs[v], to...)
	}
}

// readsUniform reports whether an operation with effects has equal results if its operands are equal. That holds for a
// weak load of global memory, which another CTA could write only with a race. TMA loads return tokens, and mbarriers,
// maps and buffers are places, equal in all CTAs.
func (s *Sameness) readsUniform(op ir.Op) bool {
	if op.Is(tileas.Level.TiledLoad) || op.Is(tileas.Level.Load) {
		return !s.private && !tile.IsOrdered(op)
	}
	return op.Is(tileas.AllocShared) || op.Is(tileas.MakeTensorMap) || op.Is(tileas.BuildTensorMap) || op.Is(tileas.TMALoad)
}

// Uneven says why CTAs may execute an operation in different numbers; "" if they do not.
func (s *Sameness) Uneven(op ir.Op) string {
	if !s.exits.IsNil() {
		return "'" + s.exits.Name() + "' is executed by some CTAs only"
	}
	for p := op.ParentOp(); !p.IsNil() && !p.Is(tileas.Level.Func); p = p.ParentOp() {
		if p.Is(scf.If) && s.differs[p.Operand(0)] || p.Is(scf.For) && s.any(p.Operands()[:scf.NumBounds]) {
			return "CTAs come to it through '" + p.Name() + "' in different numbers"
		}
		if p.Is(tileas.WarpSpecialize) && !p.ParentOp().Is(tileas.Level.Func) {
			return "roles are not at the top of the kernel"
		}
	}
	return ""
}
