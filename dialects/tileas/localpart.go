package tileas

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// verifyPart checks that a tensor is one of the parts that a tile is cut into.
func verifyPart(op ir.Op, b *BufferType, t *ir.TensorType, from []int64) error {
	if len(from) != len(b.Shape) || len(t.Shape) != len(b.Shape) {
		return op.Errorf("a subtile of a tile of rank %d needs as many coordinates and extents, but got %d and %d", len(b.Shape), len(from), len(t.Shape))
	}
	for d, n := range t.Shape {
		if n < 1 || b.Shape[d]%n != 0 || from[d] < 0 || from[d] >= b.Shape[d] || from[d]%n != 0 {
			return op.Errorf("along dimension %d an extent of %d is cut into no parts of %d of which one begins at %d", d, b.Shape[d], n, from[d])
		}
	}
	return nil
}

// verifyRunTime checks what a local_load says of the number that is added to a coordinate when the program runs.
func verifyRunTime(op ir.Op) error {
	along, named := op.IntAttr(AttrAlong)
	rank := len(bufferType(op.Operand(0)).Shape)
	from := op.Attr(AttrFrom) != nil
	switch {
	case op.NumOperands() < 2 && !named:
		return nil
	case op.NumOperands() < 2 || !named || !from:
		return op.Errorf("needs coordinates, a number and a dimension for a part that begins where only the run tells")
	case along < 0 || along >= int64(rank):
		return op.Errorf("dimension must be from 0 to %d, but got %d", rank-1, along)
	}
	return nil
}

// RunTimeStart returns the number that a local_load adds to a coordinate of its part, and the dimension; ok is false
// where the part is known.
func RunTimeStart(op ir.Op) (plus ir.Value, along int, ok bool) {
	if op.NumOperands() < 2 {
		return plus, 0, false
	}
	d, _ := op.IntAttr(AttrAlong)
	return op.Operand(1), int(d), true
}

// A LocalPart says which registers a local_load fills, among those that would hold the entire tile.
type LocalPart struct {
	Whole    linear.Layout
	First, N int
}

// PartOf returns what part of its buffer a local_load of the given layout loads. The layout of the entire tile has all
// parts in registers, one after the other; a part is some of these registers. If the part begins at a coordinate of
// the run time, the result is the part for an added coordinate of 0.
func PartOf(op ir.Op, l linear.Layout) (p LocalPart, err error) {
	from, ok := op.Attr(AttrFrom).(*ir.DenseArrayAttr)
	if !ok {
		return LocalPart{Whole: l, N: l.Size(linear.Register)}, nil
	}
	return PartAt(l, linear.Ints(op.Operand(0).Type().(*BufferType).Shape), from.Values)
}

// PartAt returns which registers hold the part, in the given layout, of a tile of the given shape that begins at some
// coordinates.
func PartAt(l linear.Layout, shape []int, from []int64) (p LocalPart, err error) {
	if p.Whole, err = l.Whole(shape); err != nil {
		return p, fmt.Errorf("cannot be cut: %w", err)
	}
	number := 0
	for d, n := range l.Shape() {
		number = number*(shape[d]/n) + int(from[d])/n
	}
	p.N = l.Size(linear.Register)
	p.First = number * p.N
	return p, nil
}

// Has reports whether registers of the entire tile are in the part: all of them, or none. One access must not be of
// two parts.
func (p LocalPart) Has(registers []int) (in bool, err error) {
	some, all := false, true
	for _, r := range registers {
		inside := r >= p.First && r < p.First+p.N
		some, all = some || inside, all && inside
	}
	if some != all {
		return false, fmt.Errorf("one access loads elements of several parts")
	}
	return all && len(registers) > 0, nil
}

// Plan plans the accesses that load a part: as wide as they can be without one being of two parts.
func (p LocalPart) Plan(sh linear.Shared, elemBits int) (a linear.Access, err error) {
	for bits := 8 * tile.MaxVectorBytes; bits >= elemBits; bits /= 2 {
		if a, err = linear.PlanAccess(p.Whole, sh, elemBits, bits); err != nil {
			return a, err
		}
		apart := true
		for _, op := range a.Ops {
			_, mixed := p.Has(op.Registers)
			apart = apart && mixed == nil
		}
		if apart {
			return a, nil
		}
	}
	return a, fmt.Errorf("one access loads elements of several parts")
}
