package tileas

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// verifyPart checks that a tensor is one of the parts that a tile is cut into.
func verifyPart(op ir.Op, b *BufferType, t *ir.TensorType, from []int64) error {
	if len(from) != len(b.Shape) || len(t.Shape) != len(b.Shape) {
		return op.Errorf("a part of a tile of rank %d needs as many coordinates and extents, but got %d and %d", len(b.Shape), len(from), len(t.Shape))
	}
	for d, n := range t.Shape {
		if n < 1 || b.Shape[d]%n != 0 || from[d] < 0 || from[d] >= b.Shape[d] || from[d]%n != 0 {
			return op.Errorf("along dimension %d an extent of %d is cut into no parts of %d of which one begins at %d", d, b.Shape[d], n, from[d])
		}
	}
	return nil
}

// A LocalPart is which registers a local_load fills, of those that would hold the whole tile.
type LocalPart struct {
	Whole    linear.Layout
	First, N int
}

// PartOf returns what part of its buffer a local_load of the given layout loads. A part is loaded as the whole tile would be by threads that hold all parts, one behind the other; what belongs to
// other parts is left out.
func PartOf(op ir.Op, l linear.Layout) (p LocalPart, err error) {
	p = LocalPart{Whole: l, N: l.Size(linear.Register)}
	from, ok := op.Attr(AttrFrom).(*ir.DenseArrayAttr)
	if !ok {
		return p, nil
	}
	shape := ints(op.Operand(0).Type().(*BufferType).Shape)
	if p.Whole, err = l.Whole(shape); err != nil {
		return p, fmt.Errorf("cannot be cut: %w", err)
	}
	number := 0
	for d, n := range l.Shape() {
		number = number*(shape[d]/n) + int(from.Values[d])/n
	}
	p.First = number * p.N
	return p, nil
}

// Has reports whether registers of the whole are in the part: all of them, or none. An access of several must not be of two parts.
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
