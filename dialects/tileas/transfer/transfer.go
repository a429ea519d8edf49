package transfer

import (
	"errors"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// A Signature has a layout for each operand and result; the zero Layout for what is no tensor.
type Signature struct{ Operands, Results []linear.Layout }

// At returns the layout at a place.
func (s Signature) At(p Place) linear.Layout {
	if p.Result {
		return s.Results[p.Index]
	}
	return s.Operands[p.Index]
}

// A Place is an operand or a result of an operation.
type Place struct {
	Result bool
	Index  int
}

// Value returns what stands at the place.
func (p Place) Value(op ir.Op) ir.Value {
	if p.Result {
		return op.Result(p.Index)
	}
	return op.Operand(p.Index)
}

// A Transfer says which signatures an operation has.
type Transfer struct {
	// Tied returns values that have the same layout in every signature; nil: none.
	Tied func(op ir.Op) []ir.Value
	// From returns the signature that has the layout at the place, or else the nearest one to it. An error means that
	// the place decides nothing.
	From func(op ir.Op, at Place, l linear.Layout) (Signature, error)
	// Work returns what the operation costs under a signature, beyond one step for each register of its results, in
	// the same unit; nil: nothing.
	Work func(op ir.Op, s Signature) int
}

// Transfers is the capability. About an operation without it nothing is known: its tensors keep the layouts that they
// have.
var Transfers = ir.NewCap[Transfer]("layout-transfer")

// CheapOp marks rows whose result is rematerialized in another layout rather than converted, if its tensor operands
// are cheap too.
type CheapOp struct{}

// Cheap is the capability of such rows; without it a value is converted.
var Cheap = ir.NewCap[CheapOp]("cheap")

// Source returns what a value repeats or reshapes: v itself where it is computed.
func Source(v ir.Value) ir.Value {
	for def := v.DefiningOp(); !def.IsNil() && def.NumOperands() == 1 && Cheap.Has(def); def = v.DefiningOp() {
		v = def.Operand(0)
	}
	return v
}

// An Access is what an operation moves from or to global memory.
type Access struct {
	Value ir.Value
	// Contiguous is the dimension along which elements are neighbours in memory, and Vector how many of them an
	// instruction may move at once; -1 and 1 when unknown.
	Contiguous, Vector int
	Store              bool
}

// Accesses is the capability of accesses to global memory.
var Accesses = ir.NewCap[func(op ir.Op) Access]("layout-access")

// AccessOf returns the access that an operation is; ok is false if it is none, or not one of a tensor.
func AccessOf(op ir.Op) (a Access, ok bool) {
	access, ok := Accesses.Of(op)
	if ok {
		a = access(op)
	}
	return a, ok && ir.IsTensor(a.Value)
}

// ErrUndecided says that a layout at a place does not tell the others.
var ErrUndecided = errors.New("nothing follows from the layout here")

// Shape returns the shape of a tensor.
func Shape(v ir.Value) []int {
	return linear.Ints(v.Type().(*ir.TensorType).Shape)
}

// Fill returns the signature with layout in for all tensor operands and out for all tensor results.
func Fill(op ir.Op, in, out linear.Layout) Signature {
	s := Signature{make([]linear.Layout, op.NumOperands()), make([]linear.Layout, op.NumResults())}
	for i, v := range op.Operands() {
		if ir.IsTensor(v) {
			s.Operands[i] = in
		}
	}
	for i, v := range op.Results() {
		if ir.IsTensor(v) {
			s.Results[i] = out
		}
	}
	return s
}

// Same is the transfer of operations that have all tensors in one layout.
func Same() Transfer {
	return Transfer{
		Tied: func(op ir.Op) []ir.Value { return append(op.Operands(), op.Results()...) },
		From: func(op ir.Op, _ Place, l linear.Layout) (Signature, error) { return Fill(op, l, l), nil },
	}
}

// A Step computes the layout on one side of an operation from that on the other.
type Step func(op ir.Op, l linear.Layout) (linear.Layout, error)

// Shaped is the transfer of operations that have all operands in one layout, and all results in one that follows from
// it. Either direction may be nil. What a step backwards gives is taken forwards again, and the other way round,
// where there are both, because some lose part of the layout.
//
// A reduce loses the dimension: from the result nothing tells how it was distributed, so there is no step
// backwards. A permute loses nothing, and its two steps undo each other.
func Shaped(forward, backward Step) Transfer {
	return Transfer{From: func(op ir.Op, at Place, l linear.Layout) (Signature, error) {
		first, second := forward, backward
		if at.Result {
			first, second = backward, forward
		}
		if first == nil {
			return Signature{}, ErrUndecided
		}
		other, err := first(op, l)
		if err != nil {
			return Signature{}, err
		}
		if second != nil {
			back, err := second(op, other)
			if err != nil {
				return Signature{}, err
			}
			if !back.Equal(l) { // what was lost on the way there and back must go on both sides
				if other, err = first(op, back); err != nil {
					return Signature{}, err
				}
			}
			l = back
		}
		if at.Result {
			return Fill(op, other, l), nil
		}
		return Fill(op, l, other), nil
	}}
}
