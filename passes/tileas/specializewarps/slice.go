package specializewarps

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A slice is what a role needs of the program: operations, and of loops and ifs that are made anew what they carry.
//
// Loops and ifs with copies in them are made anew for each role, with what the role needs of what they carry and the states of rings beside it; everything else is taken as a whole.
type slice struct {
	anew map[ir.Op]bool
	live map[ir.Op]bool
	seen map[ir.Value]bool
	err  error // of the first operation that accept does not take
	// accept says why the role cannot do an operation; nil: it takes all.
	accept func(ir.Op) error
	// ends are operations whose results the role makes in its own way, of nothing that they take.
	ends map[ir.Op]bool
}

func newSlice(anew map[ir.Op]bool, accept func(ir.Op) error) *slice {
	return &slice{anew: anew, live: make(map[ir.Op]bool), seen: make(map[ir.Value]bool), accept: accept}
}

// op adds an operation, and all that it rests on.
func (s *slice) op(op ir.Op) {
	if s.live[op] {
		return
	}
	if s.accept != nil && !s.anew[op] && s.err == nil {
		s.err = s.accept(op)
	}
	s.live[op] = true
	switch {
	case !s.anew[op]:
		s.values(inputs(op))
	case op.Is(scf.For):
		s.values(op.Operands()[:scf.NumBounds])
	default:
		s.values(op.Operands())
	}
	s.around(op)
}

// around adds what decides whether and how often an operation runs.
func (s *slice) around(op ir.Op) {
	if p := op.ParentOp(); s.anew[p] {
		s.op(p)
	}
}

func (s *slice) values(vs []ir.Value) {
	for _, v := range vs {
		s.value(v)
	}
}

func (s *slice) value(v ir.Value) {
	if s.seen[v] {
		return
	}
	s.seen[v] = true
	def := v.DefiningOp()
	switch {
	case def.IsNil():
		s.argument(v)
	case def.Is(tileas.TMALoad): // a token, which whoever has waited for the copy has from in front of it
		if token := def.OperandNamed("token"); !token.IsNil() {
			s.value(token)
		}
	case def.Is(tileas.MakeTensorMap) && s.anew != nil: // which stays in front of the roles, with what it is made of
	case s.ends[def]:
		s.around(def)
	case !s.anew[def]:
		s.op(def)
	case def.Is(scf.For):
		s.op(def)
		s.value(def.Body().Arg(1 + v.Index()))
	default:
		s.op(def)
		for i := range def.NumRegions() {
			s.value(def.Region(i).First().Last().Operand(v.Index()))
		}
	}
}

// argument adds what a loop that is made anew carries.
func (s *slice) argument(v ir.Value) {
	loop := v.Block().ParentOp()
	if !s.anew[loop] {
		return
	}
	s.op(loop)
	if i := v.Index() - 1; i >= 0 {
		s.value(loop.Operand(scf.NumBounds + i))
		s.value(loop.Body().Last().Operand(i))
	}
}

// carried reports whether a role needs a value that a loop or an if has as its i-th result.
func (s *slice) carried(op ir.Op, i int) bool {
	if op.Is(scf.For) {
		return s.seen[op.Body().Arg(1+i)] || s.seen[op.Result(i)]
	}
	return s.seen[op.Result(i)]
}

// remade returns the loops and ifs around copies. The error is one that cannot be made anew.
func remade(copies []*tensorCopy) (map[ir.Op]bool, error) {
	anew := make(map[ir.Op]bool)
	for _, c := range copies {
		for p := c.load.ParentOp(); !p.Is(tileas.Level.Func); p = p.ParentOp() {
			if anew[p] {
				continue
			}
			if !p.Is(scf.For) && !p.Is(scf.If) {
				return nil, fmt.Errorf("'%s' stands in '%s'", c.load.Name(), p.Name())
			}
			anew[p] = true
		}
	}
	for op := range anew {
		if err := endsOnce(op); err != nil {
			return nil, err
		}
	}
	return anew, nil
}

// endsOnce reports a loop or an if that control leaves in the middle.
func endsOnce(op ir.Op) (err error) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if inner == op || !inner.HasTrait(ir.Terminator) {
			return ir.Advance
		}
		to := ir.ExitTarget(inner)
		if to.IsNil() || to == op && inner.ParentOp() != op || !op.IsAncestorOf(to) {
			err = fmt.Errorf("'%s' leaves '%s' before its end", inner.Name(), op.Name())
			return ir.Interrupt
		}
		return ir.Advance
	})
	return err
}

// loads says why the load role cannot do an operation: its warps have no part in what tensors hold, nor in what the program reads and writes.
func loads(op ir.Op) error {
	if !ir.IsPure(op) {
		return fmt.Errorf("a copy rests on '%s'", op.Name())
	}
	var err error
	op.Walk(func(inner ir.Op) ir.WalkResult { // a loop that makes a number of tensors too
		for _, v := range inner.Results() {
			if _, tensor := v.Type().(*ir.TensorType); tensor {
				err = fmt.Errorf("a copy rests on a tensor ('%s')", inner.Name())
				return ir.Interrupt
			}
		}
		return ir.Advance
	})
	return err
}
