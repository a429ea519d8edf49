package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// maxSpan bounds the distance of elements. So they differ even if an addition that leads to them wraps in 32
// bits, which shifts it by a multiple of 2^32.
const maxSpan = 1 << 31

// distinct reports whether no two elements of a tensor of pointers are the same. They must be sums of multiples
// of the element's coordinates, like the digits of a number in a mixed base.
func (m *miner) distinct(ptrs ir.Value) bool {
	steps, ok := m.steps(ptrs, maxSteps)
	if !ok {
		return false
	}
	shape := tile.Shape(ptrs.Type())
	var order []int
	for d, n := range shape {
		if n > 1 {
			order = append(order, d)
		}
	}
	// Sort by step. Elements are distinct if each step is larger than all that smaller dimensions span, as digits
	// of a number in a mixed base.
	slices.SortFunc(order, func(a, b int) int { return int(max(-1, min(1, abs(steps[a])-abs(steps[b])))) })
	span := int64(0) // of the dimensions so far
	for _, d := range order {
		if abs(steps[d]) <= span {
			return false
		}
		if span += abs(steps[d]) * (shape[d] - 1); span >= maxSpan {
			return false
		}
	}
	return true
}

// wraps reports whether elements are integers that wrap below maxSpan.
func wraps(v ir.Value) bool {
	t, ok := ir.ElementType(v.Type()).(*ir.IntegerType)
	return ok && 1<<(t.Width-1) < maxSpan
}

func abs(n int64) int64 { return max(n, -n) }

// maxSteps is how many operations are followed.
const maxSteps = 32

// steps returns by how much a tensor grows from element to element along each dimension, where that is known; none
// for a scalar.
func (m *miner) steps(v ir.Value, depth int) ([]int64, bool) {
	shape := tile.Shape(v.Type())
	def := v.DefiningOp()
	switch {
	case len(shape) == 0:
		return nil, true
	case def.IsNil() || depth == 0 || wraps(v):
		return nil, false
	case ir.ConstantOf(def) != nil:
		return make([]int64, len(shape)), len(m.axesOf(def)) > 0 // elements that differ have no axes
	}
	of := func(i int) ([]int64, bool) { return m.steps(def.Operand(i), depth-1) }
	sum := func(sign int64) ([]int64, bool) {
		a, okA := of(0)
		b, okB := of(1)
		if !okA || !okB || len(a) != len(b) {
			return nil, false
		}
		for d := range a {
			a[d] += sign * b[d]
		}
		return a, within(a)
	}
	switch kind, ok := tile.Linear.Of(def); {
	case ok && kind == tile.Counting:
		return []int64{1}, true
	case ok && kind == tile.MovedBy, def.Is(arith.AddI):
		return sum(1)
	case def.Is(arith.SubI):
		return sum(-1)
	case def.Is(arith.MulI):
		for i := range 2 {
			if k, ok := ir.ConstantValue(def.Operand(i)).(*ir.DenseElementsAttr); ok {
				a, ok := of(1 - i)
				return scaled(a, k, ok)
			}
		}
		return nil, false
	case def.Is(arith.ExtSI), def.Is(arith.ExtUI):
		return of(0)
	// An extension keeps steps: operands that wrap below 32 bits were rejected above (wraps).
	case ok && kind == tile.SameElements && def.NumOperands() == 1:
		return m.rearranged(def, depth)
	}
	return nil, false
}

// rearranged returns the steps of the result of an operation that repeats elements or shows them in another shape.
func (m *miner) rearranged(def ir.Op, depth int) ([]int64, bool) {
	from, ok := m.steps(def.Operand(0), depth-1)
	if !ok {
		return nil, false
	}
	shape := tile.Shape(def.Result(0).Type())
	out := make([]int64, len(shape))
	known := make([]bool, len(shape))
	for _, a := range m.axesOf(def) {
		to := a.Dim(true, 0)
		if to < 0 {
			return nil, false
		}
		known[to] = true
		if d := a.Dim(false, 0); d >= 0 && len(from) > 0 {
			if tile.Shape(def.Operand(0).Type())[d] != shape[to] {
				return nil, false
			}
			out[to] = from[d]
		}
	}
	for d, n := range shape {
		if n > 1 && !known[d] {
			return nil, false
		}
	}
	return out, true
}

// scaled multiplies steps by a constant all of whose elements are one number.
func scaled(steps []int64, k *ir.DenseElementsAttr, ok bool) ([]int64, bool) {
	t, isInt := ir.ElementType(k.Type()).(*ir.IntegerType)
	if !ok || !isInt || len(k.Data) != tile.ElementBytes(t) {
		return nil, false
	}
	n := uint64(0)
	for i := range len(k.Data) {
		n |= uint64(k.Data[i]) << (8 * i)
	}
	shift := 64 - t.Width
	by := int64(n<<shift) >> shift
	for d := range steps {
		if abs(by) >= maxSpan || abs(steps[d]) >= maxSpan {
			return nil, false
		}
		steps[d] *= by
	}
	return steps, within(steps)
}

func within(steps []int64) bool {
	return !slices.ContainsFunc(steps, func(n int64) bool { return abs(n) >= maxSpan })
}
