package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/conversion"
)

// lowering is the conversion of one kernel. The embedded state has the registers of each value, and the builder of the code that is being written.
type lowering struct {
	conversion.State
	*kernel
	*scope
	variables
	heap
	slots  mapSlots
	loops  []loopFrame             // those around, the innermost last
	places map[ir.Value]ir.Value   // in their rings, of slots
	sums   map[ir.Value][]ir.Value // words of sums of asynchronous products, where elements are less
	// tensor is the address of the tensor memory that the kernel has reserved; a zero Value before that.
	tensor ir.Value
}

// elem returns the register type of a tensor's elements, or of a scalar.
func (l *lowering) elem(t ir.Type) ir.Type {
	s, _ := l.scalarType(ir.ElementType(t))
	return s
}

// layout returns the layout of a tensor value; the layout of a scalar is that of a tile without dimensions, one register everywhere.
func (l *lowering) layout(v ir.Value) (linear.Layout, error) {
	if lay, ok := tileas.LayoutOf(v.Type()); ok {
		return lay, nil
	}
	if _, ok := v.Type().(*ir.TensorType); ok {
		return linear.Layout{}, ir.Errorf(l.Loc, "a tensor has no layout")
	}
	return l.scalarLayout()
}

func (l *lowering) scalarLayout() (linear.Layout, error) {
	// No bit of the thread's number moves a coordinate, as there is none: all are copies, of which owner picks the first.
	bases := linear.Bases{}
	for range 5 {
		bases[linear.Lane] = append(bases[linear.Lane], []int{})
	}
	for n := 1; n < l.warps; n *= 2 {
		bases[linear.Warp] = append(bases[linear.Warp], []int{})
	}
	return linear.New(nil, bases)
}

// registerOf returns register r of a value; a scalar has the same in every register.
func (l *lowering) registerOf(v ir.Value, r int) ir.Value {
	regs := l.Values(v)
	if len(regs) == 1 {
		return regs[0]
	}
	return regs[r]
}

// count returns how many registers a value of the type has.
func (l *lowering) count(t ir.Type) int { return len(l.ConvertType(t)) }

// create makes an operation with one result.
func (l *lowering) create(def *ir.OpDef, t ir.Type, operands ...ir.Value) ir.Value {
	return l.Create(def, operands, []ir.Type{t}).Result(0)
}

type constKey struct{ a ir.Attribute }

// constAttr returns a scalar constant; equal ones are made once.
//
// In front and not where it is used: constants are immediates in most instructions, and emit-ptx makes a
// register for one only in the block that needs it.
func (l *lowering) constAttr(a ir.Attribute) ir.Value {
	return l.once(constKey{a}, func(b *ir.Builder) ir.Value {
		return arith.NewConstant(b, a.(ir.TypedAttribute).Type(), a)
	})
}

// once computes a value in front of the scope, unless it has been.
func (l *lowering) once(key any, make func(b *ir.Builder) ir.Value) ir.Value {
	l.front.Loc = l.Loc
	return l.scope.once(key, make)
}

// early computes an i32 in front of the scope.
func (l *lowering) early(def *ir.OpDef, a, b ir.Value) ir.Value {
	l.front.Loc = l.Loc
	return l.front.Create(def, []ir.Value{a, b}, []ir.Type{l.i32()}).Result(0)
}

func (l *lowering) i32() ir.Type { return l.ctx.Int(32) }
func (l *lowering) i64() ir.Type { return l.ctx.Int(64) }

func (l *lowering) const32(v int64) ir.Value { return l.constAttr(l.ctx.IntAttr(l.i32(), v)) }
func (l *lowering) const64(v int64) ir.Value { return l.constAttr(l.ctx.IntAttr(l.i64(), v)) }

// constOf returns the value of an integer constant.
func constOf(v ir.Value) (int64, bool) {
	a, ok := ir.ConstantValue(v).(*ir.IntegerAttr)
	if !ok {
		return 0, false
	}
	return a.Value, true
}
