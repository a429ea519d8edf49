package cudatile

import "github.com/tilewright/tilewright/ir"

var (
	ieeeModes = []RoundingMode{NearestEven, Zero, NegativeInf, PositiveInf}

	ieeeRounding = rounding(NearestEven, ieeeModes...)
	divfRounding = anyRounding(NearestEven, append(ieeeModes[:4:4], Approx, Full)...)
	sqrtRounding = anyRounding(NearestEven, append(ieeeModes[:4:4], Approx)...)
	approxOrFull = anyRounding(Full, Approx, Full)

	ftz = clause{unit("flush_to_zero"), "(`flush_to_zero` $flush_to_zero^)?"}
)

// Floating-point arithmetic.
var (
	AbsF = elementwise(elementwiseOp{Name: "absf", Opcode: 0x00, Group: groupFloat, Type: floatTile, Args: "source",
		Traits: ir.SameOperandsAndResultShape, Summary: "The absolute value of each element.",
		Doc: "Clears the sign bit, also of zeros, infinities and NaNs."})
	AddF = elementwise(elementwiseOp{Name: "addf", Opcode: 0x02, Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{ieeeRounding, ftz}, Verify: verifyIEEE, Summary: "The sum of two elements.",
		Doc: "The exact sum is rounded once, as rounding says. With flush_to_zero, which is for f32 only, subnormal operands and results count as zeros of their " +
			"sign."})
	Ceil = elementwise(elementwiseOp{Name: "ceil", Opcode: 0x0d, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The smallest integer not below each element.",
		Doc:     "The result is a number of the same format without fraction; infinities, NaNs and the sign of zero stay as they are."})
	Cos = elementwise(elementwiseOp{Name: "cos", Opcode: 0x12, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The cosine of each element.",
		Doc:     "The angle is in radians. The cosine of an infinity is a NaN."})
	CosH = elementwise(elementwiseOp{Name: "cosh", Opcode: 0x13, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The hyperbolic cosine of each element.",
		Doc:     "Half the sum of `exp(x)` and `exp(-x)`; large magnitudes give infinity."})
	DivF = elementwise(elementwiseOp{Name: "divf", Opcode: 0x14, Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Clauses: []clause{divfRounding, ftz}, Verify: verifyDivF, Summary: "The quotient of two elements.",
		Doc: "By default the quotient is rounded correctly. rounding<full> and rounding<approx>, for f32 only, are faster and may be off in the last bits. Division " +
			"of a number other than zero by zero gives an infinity."})
	Exp = elementwise(elementwiseOp{Name: "exp", Opcode: 0x17, Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{newerClause(V13_3, approxOrFull, Full)}, Verify: verifyApproxOrFull,
		Summary: "e to the power of each element.",
		Doc:     "rounding<full> may be off in the last bits; rounding<approx>, for f32 only, is the faster and coarser instruction of the hardware."})
	Exp2 = elementwise(elementwiseOp{Name: "exp2", Opcode: 0x18, Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{ftz}, Verify: verifyFtz, Summary: "2 to the power of each element.",
		Doc: "With flush_to_zero, which is for f32 only, subnormal elements and results count as zeros."})
	Floor = elementwise(elementwiseOp{Name: "floor", Opcode: 0x27, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The largest integer not above each element.",
		Doc:     "The result is a number of the same format without fraction; infinities, NaNs and the sign of zero stay as they are."})
	Fma = elementwise(elementwiseOp{Name: "fma", Opcode: 0x28, Group: groupFloat, Type: floatTile, Args: "lhs rhs acc",
		Clauses: []clause{ieeeRounding, ftz}, Verify: verifyIEEE, Summary: "lhs * rhs + acc, rounded once.",
		Doc: "The product is not rounded before the addition, so the result differs from a mulf and an addf in the last bit at times."})
	Log = elementwise(elementwiseOp{Name: "log", Opcode: 0x3f, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The natural logarithm of each element.",
		Doc:     "Zeros give minus infinity, numbers below zero NaN."})
	Log2 = elementwise(elementwiseOp{Name: "log2", Opcode: 0x40, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The binary logarithm of each element.",
		Doc:     "Zeros give minus infinity, numbers below zero NaN."})
	MaxF = elementwise(elementwiseOp{Name: "maxf", Opcode: 0x45, Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: minMaxFlags, Verify: verifyFtz, Summary: "The larger of two elements.",
		Doc: "Positive zero counts as larger than negative zero. When one element is a NaN the result is the other one, unless propagate_nan is given: then it is a " +
			"NaN."})
	MinF = elementwise(elementwiseOp{Name: "minf", Opcode: 0x47, Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: minMaxFlags, Verify: verifyFtz, Summary: "The smaller of two elements.",
		Doc: "Negative zero counts as smaller than positive zero. When one element is a NaN the result is the other one, unless propagate_nan is given: then it is a " +
			"NaN."})
	MulF = elementwise(elementwiseOp{Name: "mulf", Opcode: 0x4c, Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{ieeeRounding, ftz}, Verify: verifyIEEE, Summary: "The product of two elements.",
		Doc: "The exact product is rounded once, as rounding says. With flush_to_zero, which is for f32 only, subnormal operands and results count as zeros of their " +
			"sign."})
	NegF = elementwise(elementwiseOp{Name: "negf", Opcode: 0x4f, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "Each element with its sign changed.",
		Doc:     "Flips the sign bit, also of zeros, infinities and NaNs; it differs from a subtraction from zero there."})
	RemF = elementwise(elementwiseOp{Name: "remf", Opcode: 0x59, Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Summary: "The remainder of the truncating division of two elements; it has the sign of the dividend.",
		Doc:     "It is `lhs - n * rhs`, computed exactly, where n is the quotient without its fraction. A divisor of zero gives a NaN."})
	Rsqrt = elementwise(elementwiseOp{Name: "rsqrt", Opcode: 0x5d, Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{ftz}, Verify: verifyFtz, Summary: "The reciprocal of the square root of each element.",
		Doc: "Zeros give infinities of their sign, numbers below zero NaN. The last bits may be off."})
	Sin = elementwise(elementwiseOp{Name: "sin", Opcode: 0x62, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The sine of each element.",
		Doc:     "The angle is in radians. The sine of an infinity is a NaN."})
	SinH = elementwise(elementwiseOp{Name: "sinh", Opcode: 0x63, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The hyperbolic sine of each element.",
		Doc:     "Half the difference of `exp(x)` and `exp(-x)`; large magnitudes give infinities."})
	Sqrt = elementwise(elementwiseOp{Name: "sqrt", Opcode: 0x64, Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{sqrtRounding, ftz}, Verify: verifySqrt, Summary: "The square root of each element.",
		Doc: "By default the root is rounded correctly; rounding<approx>, for f32 only, is faster. Numbers below zero give NaN."})
	SubF = elementwise(elementwiseOp{Name: "subf", Opcode: 0x67, Group: groupFloat, Type: floatTile, Args: "lhs rhs",
		Clauses: []clause{ieeeRounding, ftz}, Verify: verifyIEEE, Summary: "The difference of two elements.",
		Doc: "The exact difference is rounded once, as rounding says. With flush_to_zero, which is for f32 only, subnormal operands and results count as zeros of " +
			"their sign."})
	Tan = elementwise(elementwiseOp{Name: "tan", Opcode: 0x69, Group: groupFloat, Type: floatTile, Args: "source",
		Summary: "The tangent of each element.",
		Doc:     "The angle is in radians. The tangent of an infinity is a NaN."})
	TanH = elementwise(elementwiseOp{Name: "tanh", Opcode: 0x6a, Group: groupFloat, Type: floatTile, Args: "source",
		Clauses: []clause{newerClause(V13_2, approxOrFull, Full)}, Verify: verifyApproxOrFull,
		Summary: "The hyperbolic tangent of each element.",
		Doc: "The result lies between -1 and 1. rounding<full> may be off in the last bits; rounding<approx>, for f32 only, is the faster and coarser " +
			"instruction of the hardware."})
	Atan2 = elementwise(elementwiseOp{Name: "atan2", Opcode: 0x6e, Since: V13_2, Group: groupFloat, Type: floatTile, Args: "x y",
		Summary: "The angle of the point whose coordinates are the two elements.",
		Doc: "x is the coordinate that grows upwards, y that to the right. The result is in radians between -pi and pi, in the quadrant of the point, as that of the " +
			"C function of this name."})

	// Pow is called pow by the tools of 13.3 and older.
	Pow = define(ir.OpDef{Name: "fpowf", Opcode: 0x54, Since: V13_1, Traits: ir.Pure, Summary: "Each element raised to a power.",
		Doc:      "Of a source below zero only whole exponents give a number, others a NaN. An exponent of zero gives one.",
		Operands: fields(one("source", floatTile), one("exponent", floatTile)), Results: result(floatTile),
		Syntax: "$source `,` $exponent attr-dict `:` type($source, $exponent, $result)"},
		groupFloat, sameType("result", "source", "exponent"), sameRank("source", "exponent", "result"))
	// OldPow reads the old name of Pow. Only the generic syntax can make an operation of this row, which the verifier then rejects.
	OldPow = define(ir.OpDef{Name: "pow", Summary: "The old name of fpowf.",
		Doc: "The parser makes fpowf of it. Versions up to 13.3 print fpowf under this name, and the bytecode has one number for both.",
		Operands: fields(one("source", floatTile),
			one("exponent", floatTile)), Results: result(floatTile), Parse: parseOldPow, Verify: verifyOldPow}, groupFloat)

	FPowI = define(ir.OpDef{Name: "fpowi", Opcode: 0x79, Since: V13_4, Traits: ir.Pure,
		Summary:  "Each element raised to an integer power.",
		Doc:      "The exponent is read as signed and may have another width than the source; a negative one gives the power of the reciprocal.",
		Operands: fields(one("source", floatTile), one("exponent", smallInt)), Results: result(floatTile),
		Syntax: "$source `,` $exponent attr-dict `:` type($source, $result) `,` type($exponent)", Verify: verifyFPowI},
		groupFloat)

	CmpF = define(ir.OpDef{Name: "cmpf", Opcode: 0x0e, Since: V13_1, Traits: ir.Pure, Summary: "Compares two elements.",
		Doc:      "An ordered comparison with a NaN is false and an unordered one true, whatever the predicate. Zeros are equal whatever their sign.",
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
	MmaF = define(ir.OpDef{Name: "mmaf", Opcode: 0x49, Since: V13_1, Traits: ir.Pure,
		Summary: "The product of two floating-point matrices, or of two batches of them, plus an accumulator.",
		Doc: "`result = lhs * rhs + acc` for factors of `M x K` and `K x N`, or of `B x M x K` and `B x K x N`. Products are summed in the type of the accumulator, " +
			"in an order that is not specified; fast_acc allows less precise sums of 8-bit factors.",
		Operands: fields(one("lhs", mmaFactor), one("rhs", mmaFactor), one("acc", mmaAcc)), Results: result(mmaAcc),
		Attrs:  fields(since(V13_3, unit("fast_acc"))),
		Syntax: "$lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc, $result)",
		Verify: verifyMmaF},
		groupFloat, sameType("acc", "result"), sameElem("lhs", "rhs"), sameRank("lhs", "rhs", "acc"))

	MmaFScaled = define(ir.OpDef{Name: "mmaf_scaled", Opcode: 0x72, Since: V13_3, Traits: ir.Pure,
		Summary: "The product of two matrices of small floats, each block of which is scaled, plus an accumulator.",
		Doc: "Along K, the elements of each factor are multiplied by scales, each of which stands for a block of consecutive elements; the rest is as in mmaf. The " +
			"size of a block follows from the shapes, and which there may be from the element types.",
		Operands: fields(one("lhs", scaledFactor), one("rhs", scaledFactor), one("acc", scaledAcc),
			one("lhs_scale", scaledScale), one("rhs_scale", scaledScale)),
		Results: result(scaledAcc),
		Syntax: "$lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:` type($lhs) `,` type($rhs) `,` " +
			"type($acc, $result) `,` type($lhs_scale) `,` type($rhs_scale)",
		Verify: verifyMmaFScaled},
		groupFloat, sameType("acc", "result"), sameElem("lhs", "rhs"), sameElem("lhs_scale", "rhs_scale"),
		sameRank("lhs", "rhs", "acc", "lhs_scale", "rhs_scale"))
)

// rounding returns the clause rounding<MODE>, which is left out when the mode is def.
func rounding(def RoundingMode, modes ...RoundingMode) clause {
	return clause{attr("rounding_mode", roundingClause(def, modes, true)), "$rounding_mode"}
}

// anyRounding is rounding for an operation whose verifier rejects the modes that are not listed.
func anyRounding(def RoundingMode, modes ...RoundingMode) clause {
	return clause{attr("rounding_mode", roundingClause(def, modes, false)), "$rounding_mode"}
}

func roundingClause(def RoundingMode, modes []RoundingMode, strict bool) *ir.AttrKind {
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
		if _, known := RoundingModes.Lookup(p.PeekKeyword()); known && !strict {
			allowed = nil
		}
		a := parseKeywordOf(p, RoundingModes, allowed...)
		p.Expect(">")
		return orNil(a)
	}
	k.Print = func(p ir.AsmPrinter, a ir.Attribute) {
		if m := a.(*EnumAttr); m.Value != uint32(def) {
			p.Str("rounding<" + m.String() + ">")
		}
	}
	return &k
}

// newerClause marks a clause that older versions lack; they mean mode.
func newerClause(v ir.Version, c clause, mode RoundingMode) clause {
	c.field = since(v, c.field)
	c.field.Default = enumDefault(RoundingModes, uint32(mode))
	return c
}
