package narrowintegers

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
)

// wideBits and narrowBits are the widths.
const wideBits, narrowBits = 64, 32

// A condition is what the ranges of two operands and of the result must be, apart from that operands fit.
type condition func(lhs, rhs, result intrange.Range) bool

// narrowable says under which condition an operation is the same number in either width.
var narrowable = map[*ir.OpDef]condition{
	arith.CmpI: always, arith.AndI: always, arith.OrI: always, arith.XOrI: always, arith.MaxSI: always, arith.MinSI: always,
	arith.MaxUI: always, arith.MinUI: always, // sign extension keeps both orders
	arith.AddI: resultFits, arith.SubI: resultFits, arith.MulI: resultFits,
	arith.DivSI: resultFits, arith.RemSI: remainder, arith.FloorDiv: resultFits, arith.CeilDivSI: resultFits,
	arith.DivUI: natural, arith.RemUI: natural, arith.CeilDivUI: natural,
	arith.ShRSI: shift, arith.ShRUI: naturalShift, arith.ShLI: func(a, b, r intrange.Range) bool { return shift(a, b, r) && fits(r) },
}

func always(_, _, _ intrange.Range) bool { return true }

func resultFits(_, _, r intrange.Range) bool { return fits(r) }

func natural(a, b, _ intrange.Range) bool { return a.NonNegative() && b.NonNegative() }

// remainder excludes what is undefined in 32 bits only: the remainder of the smallest number by -1.
func remainder(a, b, _ intrange.Range) bool {
	return a.SMin > math.MinInt32 || b.SMin > -1 || b.SMax < -1
}

// shift is for shift amounts: those of the width and above are undefined, and the narrow width has more of them.
func shift(_, b, _ intrange.Range) bool { return b.UMax < narrowBits }

func naturalShift(a, b, r intrange.Range) bool { return a.NonNegative() && shift(a, b, r) }

func fits(r intrange.Range) bool {
	return r.IsInt() && r.SMin >= math.MinInt32 && r.SMax <= math.MaxInt32
}

// isWide reports whether a value is a tensor of integers of 64 bits.
func isWide(v ir.Value) bool {
	t, ok := v.Type().(*ir.TensorType)
	if !ok {
		return false
	}
	elem, ok := t.Elem.(*ir.IntegerType)
	return ok && ir.BitWidth(elem) == wideBits
}

type narrower struct {
	ranges *intrange.Ranges
	narrow map[ir.Value]ir.Value // the same numbers in 32 bits; a zero Value where there is none for nothing
	dead   []ir.Op               // that may have no uses any more
	may    func(what string, op ir.Op) bool
}

// rewrite does an operation in 32 bits if it is the same there, and reports whether it did.
func (n *narrower) rewrite(op ir.Op) bool {
	a, b := op.Operand(0), op.Operand(1)
	// Ranges at the operation include what the branches around it imply. Values that this pass made have no
	// ranges.
	ra, rb := n.ranges.At(op, a), n.ranges.At(op, b)
	rr := n.ranges.Of(op.Result(0))
	if !narrowable[op.Def()](ra, rb, rr) {
		return false
	}
	// One operand must be narrow by what it is: cutting both, and extending the result, is as much work as there was.
	na, nb := n.of(a), n.of(b)
	if na.IsNil() && nb.IsNil() || !n.may("narrow", op) {
		return false
	}
	builder := ir.BuilderBefore(op)
	builder.Loc = op.Loc()
	if na.IsNil() {
		na = cut(builder, a, ra)
	}
	if nb.IsNil() {
		nb = cut(builder, b, rb)
	}
	if na.IsNil() || nb.IsNil() {
		return false
	}
	t := op.Result(0).Type()
	st := builder.NewState(op.Def(), op.Loc())
	st.Operands = []ir.Value{na, nb}
	if op.Is(arith.CmpI) {
		st.Types = []ir.Type{t}
		st.Attrs = append(st.Attrs, op.InherentAttrs()...)
	} else {
		st.Types = []ir.Type{na.Type()}
		// nsw tells later passes that the narrow address does not wrap, which the wide type told them before.
		if promises(op.Def()) {
			st.Attrs = arith.Promise(op.Context(), numeric.Wraps{Signed: true})
		}
	}
	v := builder.Insert(st).Result(0)
	if !op.Is(arith.CmpI) {
		small := v
		v = builder.Create(arith.ExtSI, []ir.Value{v}, []ir.Type{t}).Result(0)
		n.narrow[v] = small
		n.dead = append(n.dead, v.DefiningOp())
	}
	if name := op.Result(0).Name(); name != "" {
		v.SetName(name)
	}
	delete(n.narrow, op.Result(0)) // the next operation may be the same value
	n.dead = append(n.dead, a.DefiningOp(), b.DefiningOp())
	op.ReplaceWith(v)
	return true
}

// promises reports whether an operation can say that it does not wrap.
func promises(def *ir.OpDef) bool {
	return slices.ContainsFunc(def.Attrs, func(f ir.Field) bool { return f.Name == arith.AttrOverflow })
}

// cut takes the low 32 bits of an integer that provably fits.
func cut(b *ir.Builder, v ir.Value, r intrange.Range) ir.Value {
	if !fits(r) {
		return ir.Value{}
	}
	t := arith.WithElement(v.Type(), b.Context().Int(narrowBits))
	return b.Create(arith.TruncI, []ir.Value{v}, []ir.Type{t}).Result(0)
}

// of returns the same numbers as v in 32 bits, if they exist or cost nothing: v is an extension, a constant, or
// one of these rearranged.
func (n *narrower) of(v ir.Value) ir.Value {
	if known, ok := n.narrow[v]; ok {
		return known
	}
	small := n.make(v)
	n.narrow[v] = small
	if !small.IsNil() {
		n.dead = append(n.dead, small.DefiningOp()) // unless what asked for it is narrowed
	}
	return small
}

func (n *narrower) make(v ir.Value) ir.Value {
	def := v.DefiningOp()
	if def.IsNil() {
		return ir.Value{}
	}
	c := def.Context()
	t := arith.WithElement(v.Type(), c.Int(narrowBits))
	b := ir.BuilderAfter(def)
	b.Loc = def.Loc()
	switch {
	case def.Is(arith.Constant):
		return constant(b, def, t)
	case def.Is(arith.ExtSI), def.Is(arith.ExtUI):
		from := def.Operand(0)
		switch bits := ir.BitWidth(ir.ElementType(from.Type())); {
		case bits < narrowBits:
			return b.Create(def.Def(), []ir.Value{from}, []ir.Type{t}).Result(0)
		// The result stands for a sign-extended number. A zero extension is one only of a number that is not
		// negative.
		case bits == narrowBits && (def.Is(arith.ExtSI) || n.ranges.Of(from).NonNegative()):
			return from
		}
	case moves(def):
		if from := n.of(def.Operand(0)); !from.IsNil() {
			st := b.NewState(def.Def(), def.Loc())
			st.Operands, st.Types = []ir.Value{from}, []ir.Type{t}
			st.Attrs = append(st.Attrs, def.InherentAttrs()...)
			n.dead = append(n.dead, def)
			return b.Insert(st).Result(0)
		}
	}
	return ir.Value{}
}

// moves reports whether an operation has the elements of its one operand at other places.
func moves(op ir.Op) bool {
	for _, def := range []*ir.OpDef{tileaa.Level.Splat, tileaa.Level.Unsplat, tileaa.Level.Reshape, tileaa.Level.Broadcast, tileaa.Level.Permute, tileaa.Level.Extract} {
		if op.Is(def) {
			return op.NumOperands() == 1
		}
	}
	return false
}

// constant makes a constant in 32 bits: of a scalar, or of elements that are all the same.
func constant(b *ir.Builder, op ir.Op, t ir.Type) ir.Value {
	r := intrange.OfConstant(op.Result(0).Type(), ir.ConstantOf(op))
	if _, one := r.IsConst(); !one || !fits(r) {
		return ir.Value{}
	}
	if tt, ok := t.(*ir.TensorType); ok {
		w := uint32(r.SMin)
		return arith.NewConstant(b, t, b.Context().Dense(tt, []byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)}))
	}
	return arith.NewInt(b, t, r.SMin)
}

// sweep erases what nothing uses any more, with what it was made of.
func (n *narrower) sweep() {
	for len(n.dead) > 0 {
		op := n.dead[len(n.dead)-1]
		n.dead = n.dead[:len(n.dead)-1]
		if op.IsNil() || op.Erased() || !ir.IsTriviallyDead(op) {
			continue
		}
		for _, v := range op.Operands() {
			n.dead = append(n.dead, v.DefiningOp())
		}
		op.Erase()
	}
}
