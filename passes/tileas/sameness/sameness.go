package sameness

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// A Sameness says which values differ between the CTAs that share a tile block. All run one program with the same parameters, so that a value differs only if it follows from the number of the CTA, from what may differ in memory, or
// from which way control has taken where that differs.
type Sameness struct {
	differs map[ir.Value]bool
	private bool  // there is memory of the CTA's own
	parted  ir.Op // leaves a loop, or the kernel, in some CTAs only
}

// Of solves it for a kernel by iteration: values only ever become different.
func Of(fn ir.Op) *Sameness {
	s := &Sameness{differs: make(map[ir.Value]bool)}
	fn.Walk(func(op ir.Op) ir.WalkResult {
		s.private = s.private || op.Is(tileas.Level.Alloca)
		return ir.Advance
	})
	for changed := true; changed; {
		before := len(s.differs)
		fn.Walk(func(op ir.Op) ir.WalkResult {
			if op != fn {
				s.visit(op)
			}
			return ir.Advance
		})
		changed = len(s.differs) > before
	}
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if (op.Is(tileas.Level.Return) || op.Is(scf.Break) || op.Is(scf.Continue)) && s.parted.IsNil() && s.underDifferent(op) {
			s.parted = op
		}
		return ir.Advance
	})
	return s
}

// underDifferent reports whether an if around an operation, inside what it leaves, goes different ways.
func (s *Sameness) underDifferent(op ir.Op) bool {
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
	for _, v := range vs {
		if s.differs[v] {
			return true
		}
	}
	return false
}

func (s *Sameness) mark(yes bool, vs ...ir.Value) {
	for _, v := range vs {
		if yes {
			s.differs[v] = true
		}
	}
}

func (s *Sameness) visit(op ir.Op) {
	switch {
	case op.Is(tileas.Level.CTARank):
		s.mark(true, op.Result(0))
	case op.Is(tileas.Level.AllGather): // what makes it different is in all of them
	case op.Is(scf.For):
		body := op.Body()
		all := s.any(op.Operands()[:scf.NumBounds])
		s.mark(all, body.Args()...)
		s.mark(all, op.Results()...)
		for i, v := range op.Operands()[scf.NumBounds:] {
			s.mark(s.differs[v], body.Arg(1+i), op.Result(i))
		}
	case op.Is(scf.If):
		s.mark(s.differs[op.Operand(0)], op.Results()...)
	case op.Is(scf.Yield):
		s.handOn(op, op.ParentOp(), nil)
	case op.Is(scf.Continue):
		if loop := ir.ExitTarget(op); !loop.IsNil() && loop.Is(scf.For) {
			s.handOn(op, loop, loop.Body().Args()[1:])
		}
	case op.Is(tileas.WarpSpecialize), op.HasTrait(ir.Terminator):
	case op.NumRegions() > 0:
		yes := !ir.IsPure(op) || s.any(nest.Inputs(op))
		s.mark(yes, op.Results()...)
		for i := range op.NumRegions() {
			for b := range op.Region(i).Blocks() {
				s.mark(yes, b.Args()...)
			}
		}
	default:
		s.mark(s.any(op.Operands()) || !ir.HasNoEffects(op) && !s.readsTheSame(op), op.Results()...)
	}
}

// handOn has a terminator give its operands to results, and to the arguments of a loop.
func (s *Sameness) handOn(op, to ir.Op, args []ir.Value) {
	for i, v := range op.Operands() {
		if i < to.NumResults() {
			s.mark(s.differs[v], to.Result(i))
		}
		if i < len(args) {
			s.mark(s.differs[v], args[i])
		}
	}
}

// readsTheSame reports whether an operation with effects finds what it does in all CTAs if its operands are the same: a weak load of global memory, which no CTA that shares the tile block writes without a race. Copies have tokens and
// groups as results, and mbarriers, maps and buffers are places, the same in all.
func (s *Sameness) readsTheSame(op ir.Op) bool {
	switch {
	case op.Is(tileas.Level.TiledLoad), op.Is(tileas.Level.Load):
		order := op.StringAttr(tile.AttrOrdering)
		return !s.private && (order == "" || order == "weak")
	case op.Is(tileas.AllocShared), op.Is(tileas.MakeTensorMap), op.Is(tileas.BuildTensorMap), op.Is(tileas.TMALoad):
		return true
	}
	return false
}

// Comes says why CTAs may come to an operation in different numbers; "" if they do not.
func (s *Sameness) Comes(op ir.Op) string {
	if !s.parted.IsNil() {
		return "'" + s.parted.Name() + "' is executed by some CTAs only"
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
