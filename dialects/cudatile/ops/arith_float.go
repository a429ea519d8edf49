package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/syntax"
	"github.com/tilewright/tilewright/dialects/cudatile/verify"
	"github.com/tilewright/tilewright/ir"
)

var (
	ieeeRounding = rounding(cudatile.NearestEven, cudatile.IEEEModes...)
	divfRounding = anyRounding(cudatile.NearestEven, append(cudatile.IEEEModes[:4:4], cudatile.Approx, cudatile.Full)...)
	sqrtRounding = anyRounding(cudatile.NearestEven, append(cudatile.IEEEModes[:4:4], cudatile.Approx)...)
	approxOrFull = anyRounding(cudatile.Full, cudatile.Approx, cudatile.Full)

	ftz = clause{unit("flush_to_zero"), "(`flush_to_zero` $flush_to_zero^)?"}
)

// Floating-point arithmetic.
var (
	_ = elementwise(cudatile.AbsF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Traits: ir.SameOperandsAndResultShape, Summary: "The absolute value of each element.",
		Doc: "Clears the sign bit, also of zeros, infinities and NaNs."})
	_ = elementwise(cudatile.AddF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{ieeeRounding, ftz}, Verify: verify.IEEE, Summary: "The sum of two elements.",
		Doc: "The exact sum is rounded once, by the rounding clause. With flush_to_zero, which is for f32 only, " +
			"subnormal operands and results count as zeros of their sign."})
	_ = elementwise(cudatile.Ceil, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The smallest integer not below each element.",
		Doc:     "The result is an integral number of the same format. Infinities, NaNs and the sign of zero are unchanged."})
	_ = elementwise(cudatile.Cos, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The cosine of each element.",
		Doc:     "The angle is in radians. The cosine of an infinity is a NaN."})
	_ = elementwise(cudatile.CosH, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The hyperbolic cosine of each element.",
		Doc:     "Half the sum of `exp(x)` and `exp(-x)`; large magnitudes give infinity."})
	_ = elementwise(cudatile.DivF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Clauses: []clause{divfRounding, ftz}, Verify: verify.DivF, Summary: "The quotient of two elements.",
		Doc: "By default the quotient is rounded correctly. rounding<full> and rounding<approx>, for f32 only, are " +
			"faster and may be off in the last bits. Division of a nonzero number by zero gives an infinity."})
	_ = elementwise(cudatile.Exp, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{newerClause(cudatile.V13_3, approxOrFull, cudatile.Full)}, Verify: verify.ApproxOrFull,
		Summary: "e to the power of each element.",
		Doc: "rounding<full> may be off in the last bits. rounding<approx>, for f32 only, is the faster and less " +
			"precise instruction of the hardware."})
	_ = elementwise(cudatile.Exp2, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{ftz}, Verify: verify.Ftz, Summary: "2 to the power of each element.",
		Doc: "With flush_to_zero, which is for f32 only, subnormal elements and results count as zeros."})
	_ = elementwise(cudatile.Floor, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The largest integer not above each element.",
		Doc:     "The result is an integral number of the same format. Infinities, NaNs and the sign of zero are unchanged."})
	_ = elementwise(cudatile.Fma, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "lhs rhs acc",
		Clauses: []clause{ieeeRounding, ftz}, Verify: verify.IEEE, Summary: "lhs * rhs + acc, rounded once.",
		Doc: "The product is not rounded before the addition, so the result can differ from a mulf and an addf in the last bit."})
	_ = elementwise(cudatile.Log, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The natural logarithm of each element.",
		Doc:     "Zeros give minus infinity; numbers below zero give NaN."})
	_ = elementwise(cudatile.Log2, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The binary logarithm of each element.",
		Doc:     "Zeros give minus infinity; numbers below zero give NaN."})
	_ = elementwise(cudatile.MaxF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: minMaxFlags, Verify: verify.Ftz, Summary: "The larger of two elements.",
		Doc: "Positive zero counts as larger than negative zero. If one element is a NaN, the result is the other one; " +
			"with propagate_nan it is a NaN."})
	_ = elementwise(cudatile.MinF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: minMaxFlags, Verify: verify.Ftz, Summary: "The smaller of two elements.",
		Doc: "Negative zero counts as smaller than positive zero. If one element is a NaN, the result is the other " +
			"one; with propagate_nan it is a NaN."})
	_ = elementwise(cudatile.MulF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{ieeeRounding, ftz}, Verify: verify.IEEE, Summary: "The product of two elements.",
		Doc: "The exact product is rounded once, by the rounding clause. With flush_to_zero, which is for f32 only, " +
			"subnormal operands and results count as zeros of their sign."})
	_ = elementwise(cudatile.NegF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "Each element with its sign changed.",
		Doc:     "Flips the sign bit, also of zeros, infinities and NaNs. For these a subtraction from zero can give another result."})
	_ = elementwise(cudatile.RemF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Summary: "The remainder of the truncating division of two elements; it has the sign of the dividend.",
		Doc:     "It is `lhs - n * rhs`, computed exactly, where n is the quotient truncated to an integer. A divisor of zero gives a NaN."})
	_ = elementwise(cudatile.Rsqrt, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{ftz}, Verify: verify.Ftz, Summary: "The reciprocal of the square root of each element.",
		Doc: "Zeros give infinities of their sign; numbers below zero give NaN. The last bits may be off."})
	_ = elementwise(cudatile.Sin, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The sine of each element.",
		Doc:     "The angle is in radians. The sine of an infinity is a NaN."})
	_ = elementwise(cudatile.SinH, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The hyperbolic sine of each element.",
		Doc:     "Half the difference of `exp(x)` and `exp(-x)`; large magnitudes give infinities."})
	_ = elementwise(cudatile.Sqrt, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{sqrtRounding, ftz}, Verify: verify.Sqrt, Summary: "The square root of each element.",
		Doc: "By default the root is rounded correctly; rounding<approx>, for f32 only, is faster. Numbers below zero give NaN."})
	_ = elementwise(cudatile.SubF, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Clauses: []clause{ieeeRounding, ftz}, Verify: verify.IEEE, Summary: "The difference of two elements.",
		Doc: "The exact difference is rounded once, by the rounding clause. With flush_to_zero, which is for f32 only, " +
			"subnormal operands and results count as zeros of their sign."})
	_ = elementwise(cudatile.Tan, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The tangent of each element.",
		Doc:     "The angle is in radians. The tangent of an infinity is a NaN."})
	_ = elementwise(cudatile.TanH, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{newerClause(cudatile.V13_2, approxOrFull, cudatile.Full)}, Verify: verify.ApproxOrFull,
		Summary: "The hyperbolic tangent of each element.",
		Doc: "The result lies between -1 and 1. rounding<full> may be off in the last bits. rounding<approx>, for f32 " +
			"only, is the faster and less precise instruction of the hardware."})
	_ = elementwise(cudatile.Atan2, elementwiseOp{Group: groupFloat, Type: floatTile, Args: "x y",
		Summary: "The angle of the point whose coordinates are the two elements.",
		Doc: "x is the vertical coordinate and y the horizontal one. The result is in radians between -pi and pi, in the " +
			"quadrant of the point, as in the C function of this name."})

	_ = define(cudatile.Pow, ir.OpDef{Traits: ir.Pure, Summary: "Each element raised to a power.",
		Doc:      "If the source is below zero, only an integral exponent gives a number; others give a NaN. An exponent of zero gives one.",
		Operands: fields(one("source", floatTile), one("exponent", floatTile)), Results: result(floatTile),
		Syntax: "$source `,` $exponent attr-dict `:` type($source, $exponent, $result)"},
		groupFloat, sameType("result", "source", "exponent"), sameRank("source", "exponent", "result"))
	_ = define(cudatile.OldPow, ir.OpDef{Summary: "The old name of fpowf.",
		Doc: "The parser turns it into fpowf. Versions up to 13.3 print fpowf under this name, and the bytecode has one number for both.",
		Operands: fields(one("source", floatTile),
			one("exponent", floatTile)), Results: result(floatTile), Parse: syntax.ParseOldPow, Verify: verify.OldPow}, groupFloat)

	_ = define(cudatile.FPowI, ir.OpDef{Traits: ir.Pure,
		Summary: "Each element raised to an integer power.",
		Doc: "The exponent is read as signed and may have another width than the source. A negative exponent gives the " +
			"power of the reciprocal.",
		Operands: fields(one("source", floatTile), one("exponent", smallInt)), Results: result(floatTile),
		Syntax: "$source `,` $exponent attr-dict `:` type($source, $result) `,` type($exponent)", Verify: verify.FPowI},
		groupFloat)

	_ = define(cudatile.CmpF, ir.OpDef{Traits: ir.Pure, Summary: "Compares two elements.",
		Doc:      "With a NaN, an ordered comparison is false and an unordered one is true, for every predicate. Zeros of either sign are equal.",
		Operands: fields(one("lhs", floatTile), one("rhs", floatTile)), Results: result(boolTile),
		Attrs:  fields(attr("comparison_predicate", predicateEnumKind), attr("comparison_ordering", orderingKind)),
		Syntax: "$comparison_predicate $comparison_ordering $lhs `,` $rhs attr-dict `:` type($lhs, $rhs) `->` type($result)"},
		groupFloat, sameType("lhs", "rhs"), Relation{Kind: BoolShapedLike, Names: []string{"lhs", "rhs"}})
)

// minMaxFlags are stored in one order and printed in the other.
var minMaxFlags = []clause{{unit("propagate_nan"), ""},
	{unit("flush_to_zero"), "(`flush_to_zero` $flush_to_zero^)? (`propagate_nan` $propagate_nan^)?"}}

// Matrix multiplication.
var (
	_ = define(cudatile.MmaF, ir.OpDef{Traits: ir.Pure,
		Summary: "MMA of floating-point matrices, or of batches of matrices.",
		Doc: "`result = lhs * rhs + acc` for operands of `M x K` and `K x N`, or of `B x M x K` and `B x K x N`. The " +
			"type of the accumulator is the type of the sums; their order is not specified. fast_acc allows less " +
			"precise accumulation for 8-bit operands.",
		Operands: fields(one("lhs", mmaFactor), one("rhs", mmaFactor), one("acc", mmaAcc)), Results: result(mmaAcc),
		Attrs:  fields(since(cudatile.V13_3, unit("fast_acc"))),
		Syntax: "$lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc, $result)",
		Verify: verify.MmaF},
		groupFloat, sameType("acc", "result"), sameElem("lhs", "rhs"), sameRank("lhs", "rhs", "acc"))

	_ = define(cudatile.MmaFScaled, ir.OpDef{Traits: ir.Pure,
		Summary: "Block-scaled MMA of matrices of small floats.",
		Doc: "Each block of consecutive elements along K is multiplied by a scale of its own. The rest is as in mmaf. " +
			"The shapes determine the size of a block, and the element types determine which sizes are legal. For " +
			"example, lhs of `M x 128` with scales of `M x 4` has blocks of 32.",
		Operands: fields(one("lhs", scaledFactor), one("rhs", scaledFactor), one("acc", scaledAcc),
			one("lhs_scale", scaledScale), one("rhs_scale", scaledScale)),
		Results: result(scaledAcc),
		Syntax: "$lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:` type($lhs) `,` type($rhs) `,` " +
			"type($acc, $result) `,` type($lhs_scale) `,` type($rhs_scale)",
		Verify: verify.MmaFScaled},
		groupFloat, sameType("acc", "result"), sameElem("lhs", "rhs"), sameElem("lhs_scale", "rhs_scale"),
		sameRank("lhs", "rhs", "acc", "lhs_scale", "rhs_scale"))
)

// rounding returns the clause rounding<MODE>, which is left out when the mode is def.
func rounding(def cudatile.RoundingMode, modes ...cudatile.RoundingMode) clause {
	return clause{attr("rounding_mode", roundingClause(def, modes, true)), "$rounding_mode"}
}

// anyRounding is rounding for an operation whose verifier rejects the modes that are not listed.
func anyRounding(def cudatile.RoundingMode, modes ...cudatile.RoundingMode) clause {
	return clause{attr("rounding_mode", roundingClause(def, modes, false)), "$rounding_mode"}
}

func roundingClause(def cudatile.RoundingMode, modes []cudatile.RoundingMode, strict bool) *ir.AttrKind {
	k := *roundingKind
	values := make([]uint32, len(modes))
	for i, m := range modes {
		values[i] = uint32(m)
	}
	k.Parse = func(p ir.AsmParser) ir.Attribute {
		if !p.OptKeyword("rounding") {
			return def.Attr(p.Context())
		}
		p.Expect("<")
		allowed := values
		if _, known := cudatile.RoundingModes.Lookup(p.PeekKeyword()); known && !strict {
			allowed = nil
		}
		a := cudatile.ParseKeywordOf(p, cudatile.RoundingModes, allowed...)
		p.Expect(">")
		if a == nil {
			return nil
		}
		return a
	}
	k.Print = func(p ir.AsmPrinter, a ir.Attribute) {
		if m := a.(*cudatile.EnumAttr); m.Value != uint32(def) {
			p.Str("rounding<" + m.String() + ">")
		}
	}
	return &k
}

// newerClause marks a clause that older versions lack; they mean mode.
func newerClause(v ir.Version, c clause, mode cudatile.RoundingMode) clause {
	c.field = since(v, c.field)
	c.field.Default = enumDefault(cudatile.RoundingModes, uint32(mode))
	return c
}
