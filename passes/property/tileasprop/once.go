package tileasprop

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
)

// along returns the layout of the operands of a reduce or scan, and the dimension that it works along.
func along(op ir.Op) (l linear.Layout, dim int, ok bool) {
	if !op.Is(tileas.Level.Reduce) && !op.Is(tileas.Level.Scan) || op.NumOperands() == 0 {
		return l, 0, false
	}
	n, _ := op.IntAttr(tile.AttrDim)
	l, ok = tileas.LayoutOf(op.Operand(0).Type())
	return l, int(n), ok && n >= 0 && n < int64(l.Dims())
}

func warpReduces(ir.Op, *passes.Target) func(ir.Op) *ir.Diagnostic {
	// The bits of the reduced dimension must not depend on the warp number.
	return func(op ir.Op) *ir.Diagnostic {
		if l, dim, ok := along(op); ok && l.DimBits(linear.Warp, dim) != 0 {
			return op.Errorf("combines elements of several warps: along dimension %d its operands have the layout %s", dim, l)
		}
		return nil
	}
}

// localConversions remembers conversions by their pair of types. A kernel has few pairs, and the class of a
// conversion costs a matrix inversion.
func localConversions(ir.Op, *passes.Target) func(ir.Op) *ir.Diagnostic {
	type pair struct{ from, to ir.Type }
	known := make(map[pair]string)
	return func(op ir.Op) *ir.Diagnostic {
		if !op.Is(tileas.ConvertLayout) {
			return nil
		}
		p := pair{op.Operand(0).Type(), op.Result(0).Type()}
		why, seen := known[p]
		if !seen {
			why = crosses(p.from, p.to)
			known[p] = why
		}
		if why != "" {
			return op.Errorf("%s", why)
		}
		return nil
	}
}

// crosses returns how far a conversion moves elements, if that is further than between lanes.
func crosses(from, to ir.Type) string {
	src, ok1 := tileas.LayoutOf(from)
	dst, ok2 := tileas.LayoutOf(to)
	if !ok1 || !ok2 {
		return "converts from or to a tensor without a layout"
	}
	c, err := linear.Convert(src, dst)
	switch {
	case err != nil:
		return "cannot be done: " + err.Error()
	case c.Class > linear.LaneMove:
		return "moves elements between warps, which takes shared memory"
	}
	return ""
}

// atomicsOnce checks that the threads that execute an atomic operation are those that use its result. The owner
// of an element executes the operation, so no thread may hold two copies of one. Other threads may hold copies
// only if the result goes to shared memory, stored by the owner.
func atomicsOnce(ir.Op, *passes.Target) func(ir.Op) *ir.Diagnostic {
	return func(op ir.Op) *ir.Diagnostic {
		if !op.Is(tileas.Level.AtomicRMW) && !op.Is(tileas.Level.AtomicCAS) {
			return nil
		}
		result := op.Result(0)
		l, ok := tileas.LayoutOf(result.Type())
		if !ok {
			if result.HasUses() {
				return op.Errorf("is carried out by one thread, but all use its result")
			}
			return nil
		}
		if l.FreeMask(linear.Register) != 0 {
			return op.Errorf("is carried out twice for an element, because a thread holds copies: %s", l)
		}
		if l.FreeMask(linear.Lane) == 0 && l.FreeMask(linear.Warp) == 0 {
			return nil
		}
		for u := range result.Uses() {
			if user := u.Owner(); !user.Is(tileas.LocalStore) || !user.HasUnitAttr(tileas.AttrOwner) {
				return op.Errorf("is carried out by one of several threads that use its result ('%s' does)", user.Name())
			}
		}
		return nil
	}
}
