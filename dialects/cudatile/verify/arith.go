package verify

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// verifyRounding checks that the rounding mode is one of modes.
//
// The legal modes depend on the operation and its type, so the check is in each verifier and not in the attribute. The
// message lists them in the order of the reference.
func verifyRounding(op ir.Op, modes ...cudatile.RoundingMode) error {
	if slices.Contains(modes, cudatile.RoundingOf(op)) {
		return nil
	}
	names := make([]string, len(modes))
	for i, m := range modes {
		names[i] = m.String()
	}
	return op.Errorf("invalid rounding mode specified, expect one of [%s]", strings.Join(names, ", "))
}

// verifyF32Only checks that a modifier is used with elements of type f32 only.
func verifyF32Only(op ir.Op, modifier string, used bool) error {
	if elem := cudatile.ElemOf(op.Result(0).Type()); used && !cudatile.IsFloat(elem, numeric.F32) {
		return op.Errorf("%s modifier only supported for f32 data type, but got: %s", modifier, cudatile.Quoted(elem))
	}
	return nil
}

// Ftz verifies exp2, maxf, minf, rsqrt.
func Ftz(op ir.Op) error {
	return verifyF32Only(op, "flush_to_zero", op.HasUnitAttr("flush_to_zero"))
}

// IEEE verifies addf, fma, mulf, subf.
func IEEE(op ir.Op) error {
	if err := verifyRounding(op, cudatile.IEEEModes...); err != nil {
		return err
	}
	return Ftz(op)
}

// verifyModifiers checks the modifiers of operations that can be less exact than IEEE 754 requires.
func verifyModifiers(op ir.Op, modes ...cudatile.RoundingMode) error {
	// The capacity is cut, or append would write into the array that all verifiers share.
	if err := verifyRounding(op, append(cudatile.IEEEModes[:4:4], modes...)...); err != nil {
		return err
	}
	if err := Ftz(op); err != nil {
		return err
	}
	if err := verifyF32Only(op, "approx", cudatile.RoundingOf(op) == cudatile.Approx); err != nil {
		return err
	}
	return verifyF32Only(op, "full", cudatile.RoundingOf(op) == cudatile.Full)
}

// DivF verifies divf.
func DivF(op ir.Op) error { return verifyModifiers(op, cudatile.Approx, cudatile.Full) }

// Sqrt verifies sqrt.
func Sqrt(op ir.Op) error { return verifyModifiers(op, cudatile.Approx) }

// ApproxOrFull verifies exp, tanh.
func ApproxOrFull(op ir.Op) error {
	if err := verifyRounding(op, cudatile.Approx, cudatile.Full); err != nil {
		return err
	}
	return verifyF32Only(op, "approx", cudatile.RoundingOf(op) == cudatile.Approx)
}

// The exponent has its own element type, so that the rows' declarative "same type" cannot say it.
func FPowI(op ir.Op) error {
	source, exponent, result := op.Operand(0).Type(), op.Operand(1).Type(), op.Result(0).Type()
	if source != result {
		return op.Errorf("failed to verify that all of {source, result} have same type")
	}
	if !slices.Equal(cudatile.ShapeOf(source), cudatile.ShapeOf(exponent)) {
		return op.Errorf("failed to verify that all of {source, exponent} have same shape")
	}
	return nil
}

// DivI verifies divi.
func DivI(op ir.Op) error {
	if err := verifyRounding(op, cudatile.Zero, cudatile.NegativeInf, cudatile.PositiveInf); err != nil {
		return err
	}
	if cudatile.RoundingOf(op) == cudatile.NegativeInf && cudatile.SignednessOf(op) == cudatile.Unsigned {
		return op.Errorf("rounding mode 'negative_inf' is not allowed with 'unsigned' flag")
	}
	return nil
}

// Every number but zero wraps when it is negated as an unsigned one, so that the promise would say that the operand
// is zero.
func NegI(op ir.Op) error {
	if cudatile.OverflowOf(op) == cudatile.NoUnsignedWrap {
		return op.Errorf("'no_unsigned_wrap' overflow flag is not supported")
	}
	return nil
}

// Bitcast verifies bitcast.
func Bitcast(op ir.Op) error {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	if a, b := width(cudatile.ElemOf(from)), width(cudatile.ElemOf(to)); a != b {
		return op.Errorf("types must be equal width, cannot convert %s of width %d to type %s of width %d", cudatile.Quoted(from), a, cudatile.Quoted(to), b)
	}
	return nil
}

// ExtI verifies exti.
func ExtI(op ir.Op) error {
	if fromWidth, toWidth := elemWidths(op); toWidth <= fromWidth {
		return op.Errorf("extending to smaller or identical integer")
	}
	return nil
}

// TruncI verifies trunci.
func TruncI(op ir.Op) error {
	if fromWidth, toWidth := elemWidths(op); toWidth >= fromWidth {
		return op.Errorf("truncating to larger or identical integer")
	}
	return nil
}

func elemWidths(op ir.Op) (from, to int) {
	return width(cudatile.ElemOf(op.Operand(0).Type())), width(cudatile.ElemOf(op.Result(0).Type()))
}

// FToF applies the rules of version 13.4, which admits more modes for narrowing conversions than 13.3. For exact
// conversions the tools of 13.5 admit every mode, and a test of the public 13.3 expects an error. Here only those of
// the format which 13.4 added are admitted (docs/conformance.md).
func FToF(op ir.Op) error {
	from, to := cudatile.ElemOf(op.Operand(0).Type()), cudatile.ElemOf(op.Result(0).Type())
	mode := cudatile.RoundingOf(op)
	switch {
	case from == to:
		return op.Errorf("converting tiles must not be a no-op")
	case cudatile.IsFloat(to, numeric.F8E8M0FNU):
		if mode != cudatile.Zero && mode != cudatile.PositiveInf {
			return op.Errorf("invalid rounding mode specified for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported")
		}
	case mode == cudatile.NearestEven, mode == cudatile.Zero && narrows(from, to):
	case mode == cudatile.NearestAway && cudatile.IsFloat(from, numeric.F32) && cudatile.IsFloat(to, numeric.TF32):
	case (mode == cudatile.PositiveInf || mode == cudatile.NegativeInf) && cudatile.IsFloat(from, numeric.F64) && cudatile.IsFloat(to, numeric.F32):
	case slices.Contains(exactModes, mode) && cudatile.IsFloat(from, numeric.F8E5M3FNU) && cudatile.IsFloat(to, numeric.BF16, numeric.TF32, numeric.F32, numeric.F64): // exact
	case cudatile.IsFloat(from, numeric.F64) && cudatile.IsFloat(to, numeric.F32):
		return op.Errorf("invalid rounding mode specified for conversion from f64 to f32. Only 'nearest_even', 'zero', 'negative_inf', and 'positive_inf' are supported")
	case cudatile.IsFloat(from, numeric.F32) && cudatile.IsFloat(to, numeric.TF32):
		return op.Errorf("invalid rounding mode specified for conversion from f32 to tf32. Only 'nearest_even', 'zero', and 'nearest_away' are supported")
	case narrows(from, to):
		return op.Errorf("invalid rounding mode specified. Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types")
	default:
		return op.Errorf("invalid rounding mode specified. Only 'nearest_even' is supported")
	}
	return nil
}

// narrows reports whether not every value of one format is one of the other.
//
// f8E5M2 to f8E4M3FN narrows (fewer exponents), and so does the other way (fewer digits).
func narrows(from, to ir.Type) bool {
	a, ok := from.(*ir.FloatType)
	b, ok2 := to.(*ir.FloatType)
	if !ok || !ok2 {
		return false
	}
	f, t := a.Format.Spec(), b.Format.Spec()
	// The largest number shows what the sizes of the fields do not: a format without infinities has one more power of
	// two.
	return f.Man > t.Man || f.Exp > t.Exp || a.Format.Decode(a.Format.MaxFinite(false)) > b.Format.Decode(b.Format.MaxFinite(false))
}

// FToI verifies ftoi.
func FToI(op ir.Op) error {
	if cudatile.RoundingOf(op) != cudatile.NearestIntToZero {
		return op.Errorf("invalid rounding mode specified. Only 'nearest_int_to_zero' is supported")
	}
	return nil
}

// IToF verifies itof.
func IToF(op ir.Op) error {
	// It has neither a sign nor a zero, which the integers 0 and -1 would need.
	if cudatile.IsFloat(cudatile.ElemOf(op.Result(0).Type()), numeric.F8E8M0FNU) {
		return op.Errorf("integer to f8E8M0FNU conversion is not supported, please first convert to another float type")
	}
	if cudatile.RoundingOf(op) != cudatile.NearestEven {
		return op.Errorf("invalid rounding mode specified. Only 'nearest_even' is supported")
	}
	return nil
}

// Pack checks pack and unpack.
//
// Sizes in bits, because i1 and i4 count as what they are here: 16 of i1 are two bytes, though each takes a
// byte in memory.
func Pack(op ir.Op) error {
	from, to := op.Operand(0).Type().(*cudatile.TileType), op.Result(0).Type().(*cudatile.TileType)
	if from.Rank() != 1 {
		return op.Errorf("expects source and result to be rank-1 tiles")
	}
	if fromWidth, toWidth := elemWidths(op); fromWidth == toWidth {
		return op.Errorf("expects source and result to have different element type widths")
	}
	fromBits, toBits := tileBits(from), tileBits(to)
	if fromBits%8 != 0 {
		return op.Errorf("expects source tile to be byte-aligned")
	}
	if toBits%8 != 0 {
		return op.Errorf("expects result tile to be byte-aligned")
	}
	if fromBits != toBits {
		return op.Errorf("expects source and result to have the same size in bytes, but got source tile size %d bytes and result tile size %d bytes",
			fromBits/8, toBits/8)
	}
	return nil
}

// tileBits returns the size of a tile as pack sees it: an i1 is one bit, a tf32 its container.
func tileBits(t *cudatile.TileType) int64 { return int64(ir.BitWidth(t.Elem)) * t.NumElements() }

// width returns the width of a type as the rules count it, which for tf32 is not that of its container. No other type
// has 19 bits, so a bitcast of tf32 is one to tf32: its bits have no place of their own, since the container's other
// 13 are ignored.
func width(t ir.Type) int {
	if cudatile.IsFloat(t, numeric.TF32) {
		return 19
	}
	return ir.BitWidth(t)
}

// exactModes may be given, besides the default, where a conversion is exact.
var exactModes = []cudatile.RoundingMode{cudatile.Zero, cudatile.NegativeInf, cudatile.PositiveInf, cudatile.NearestAway}

// OldPow verifies pow.
func OldPow(op ir.Op) error {
	return op.Errorf("is now called 'cuda_tile.fpowf'")
}
