package arith

import (
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// Front ends take numbers apart by shifts and masks, as in a mask of every second group of four of a range:
//
//	((x & 63) * 8 >> 5) & 1 == 0      ->      (x >> 2) & 1 == 0      ->      x & 4 == 0
//
// The less they compute, the cheaper such a mask is where it is used, in whatever layout.

// field is (x >> by) & mask, of bits that are in x, not its sign repeated.
type field struct {
	x    ir.Value
	by   int
	mask uint64
}

// fieldOf returns the field that a mask by a constant takes.
func fieldOf(v ir.Value) (f field, ok bool) {
	and := v.DefiningOp()
	mask := maskOf(and)
	if mask == nil {
		return f, false
	}
	f = field{and.Operand(0), 0, Bits(mask)}
	if by, ok := shifted(f.x, ShRUI, ShRSI); ok {
		f.x, f.by = f.x.DefiningOp().Operand(0), by
	}
	return f, bits.Len64(f.mask)+f.by <= width(f.x)
}

// shifted returns by how many bits v is shifted, if one of these operations shifts it by a constant.
func shifted(v ir.Value, by ...*ir.OpDef) (n int, ok bool) {
	def := v.DefiningOp()
	if def.IsNil() || !slices.ContainsFunc(by, def.Is) {
		return 0, false
	}
	c := Splat(ir.ConstantValue(def.Operand(1)))
	if c == nil {
		return 0, false
	}
	n = int(min(Bits(c), 64))
	if def.Is(MulI) {
		if bits.OnesCount64(Bits(c)) != 1 {
			return 0, false
		}
		n = bits.TrailingZeros64(Bits(c))
	}
	return n, n < width(v)
}

func width(v ir.Value) int { return ir.BitWidth(ir.ElementType(v.Type())) }

// maskOfShift takes the bits of a field from what they come from: masks that keep them and shifts to the left are left
// out.
func maskOfShift(op ir.Op, rw *rewrite.Rewriter) bool {
	f, ok := fieldOf(op.Result(0))
	if !ok {
		return false
	}
	def := f.x.DefiningOp()
	if def.IsNil() {
		return false
	}
	if left, ok := shifted(f.x, MulI, ShLI); ok && f.by >= left {
		f.by -= left
	} else if keep := maskOf(def); keep == nil || Bits(keep)>>f.by&f.mask != f.mask {
		return false
	}
	f.x = def.Operand(0)
	rw.SetInsertionPointBefore(op)
	x := f.x
	if f.by > 0 {
		x = rw.Create(ShRUI, []ir.Value{x, splat(rw.Builder, x.Type(), uint64(f.by))}, []ir.Type{x.Type()}).Result(0)
	}
	rw.ReplaceWithNew(op, AndI, []ir.Value{x, op.Operand(1)}, op.ResultTypes())
	return true
}

// maskOf returns the constant that op, if there is one, masks by, or nil.
func maskOf(op ir.Op) ir.Attribute {
	if op.IsNil() || !op.Is(AndI) {
		return nil
	}
	return Splat(ir.ConstantValue(op.Operand(1)))
}

// compareField compares a field where it is: (x >> 3) & 1 == 0 is x & 8 == 0.
func compareField(op ir.Op, rw *rewrite.Rewriter) bool {
	f, ok := fieldOf(op.Operand(0))
	if pred := op.StringAttr(AttrPredicate); !ok || f.by == 0 || pred != "eq" && pred != "ne" {
		return false
	}
	to := Splat(ir.ConstantValue(op.Operand(1)))
	if to == nil || Bits(to)&^f.mask != 0 || !op.Operand(0).HasOneUse() {
		return false
	}
	rw.SetInsertionPointBefore(op)
	t := f.x.Type()
	kept := rw.Create(AndI, []ir.Value{f.x, splat(rw.Builder, t, f.mask<<f.by)}, []ir.Type{t}).Result(0)
	rw.ReplaceWithNew(op, CmpI, []ir.Value{kept, splat(rw.Builder, t, Bits(to)<<f.by)}, op.ResultTypes(), op.InherentAttrs()...)
	return true
}
