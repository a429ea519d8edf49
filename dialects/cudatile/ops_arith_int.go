package cudatile

import "github.com/tilewright/tilewright/ir"

var (
	overflowAttr = clause{defAttr("overflow", overflowKind, enumDefault(IntegerOverflows, uint32(OverflowNone))),
		"(`overflow` `` $overflow^)?"}
	signedAttr = clause{attr("signedness", signednessKind), "$signedness"}

	// noEffects declares that a row does nothing to memory; unlike Pure it does not say that it may be executed where the program
	// would not have.
	noEffects = []ir.CapImpl{ir.MemoryEffects.Is(func(ir.Op, func(ir.Effect)) {})}
)

// Integer arithmetic.
var (
	AbsI = elementwise(elementwiseOp{Name: "absi", Opcode: 0x01, Group: groupInt, Type: intTile, Args: "source",
		Traits: ir.SameOperandsAndResultShape, Summary: "The absolute value of each element, read as signed.",
		Doc: "The magnitude of the smallest number cannot be represented; its absolute value is itself."})
	AddI = elementwise(elementwiseOp{Name: "addi", Opcode: 0x03, Group: groupInt, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{overflowAttr}, Summary: "The sum of two elements.",
		Doc: "The sum wraps around. An overflow clause is a promise that it does not, read as signed, as unsigned, or as either; if it does so all the same, the " +
			"result is undefined."})
	DivI = elementwise(elementwiseOp{Name: "divi", Opcode: 0x15, Group: groupInt, Type: intTile, Args: "lhs rhs",
		Clauses: []clause{signedAttr, {defAttr("rounding", roundingKind, enumDefault(RoundingModes, uint32(Zero))),
			"(`rounding` `` $rounding^)?"}},
		Caps: noEffects, Verify: verifyDivI, Summary: "The quotient of two elements. Division by zero is undefined.",
		Doc: "Quotients are rounded towards zero unless a rounding clause says towards negative or positive infinity. The smallest signed number divided by -1 is " +
			"undefined as well."})
	MaxI = elementwise(elementwiseOp{Name: "maxi", Opcode: 0x46, Group: groupInt, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{signedAttr}, Summary: "The larger of two elements.",
		Doc: "Signedness says how elements are read."})
	MinI = elementwise(elementwiseOp{Name: "mini", Opcode: 0x48, Group: groupInt, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{signedAttr}, Summary: "The smaller of two elements.",
		Doc: "Signedness says how elements are read."})
	MulhiI = elementwise(elementwiseOp{Name: "mulhii", Opcode: 0x4d, Group: groupInt, Type: intTile, Args: "x y",
		Traits: ir.Commutative, Summary: "The upper half of the product of two elements, read as unsigned integers.",
		Doc: "Together with muli it gives the product in twice the width."})
	MulI = elementwise(elementwiseOp{Name: "muli", Opcode: 0x4e, Group: groupInt, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{overflowAttr}, Summary: "The lower half of the product of two elements.",
		Doc: "The product wraps around. An overflow clause is a promise that it does not; if it does so all the same, the result is undefined."})
	NegI = elementwise(elementwiseOp{Name: "negi", Opcode: 0x50, Group: groupInt, Type: intTile, Args: "source",
		Clauses: []clause{{since(V13_2, overflowAttr.field), overflowAttr.syntax}}, Verify: verifyNegI,
		Summary: "Zero minus each element.",
		Doc:     "The smallest signed number is its own negation; no_signed_wrap is a promise that it does not occur."})
	RemI = define(ir.OpDef{Name: "remi", Opcode: 0x5a, Since: V13_1,
		Summary:  "The remainder of the truncating division of two elements; it has the sign of the dividend.",
		Doc:      "It is `lhs - n * rhs`, where n is the quotient rounded towards zero. A divisor of zero is undefined.",
		Operands: fields(one("lhs", intTile), one("rhs", intTile)), Results: result(intTile),
		Attrs: fields(signedAttr.field), Traits: ir.Pure,
		Syntax: "$lhs `,` $rhs $signedness attr-dict `:` type($lhs, $rhs, $result)"},
		groupInt, sameType("result", "lhs", "rhs"), sameShape("result", "lhs", "rhs"))
	ShLI = elementwise(elementwiseOp{Name: "shli", Opcode: 0x60, Group: groupInt, Type: intTile, Args: "lhs rhs",
		Clauses: []clause{overflowAttr}, Summary: "Each element shifted left by as many bits as the other says.",
		Doc: "Zeros come in at the right. A distance of the width or more, read as unsigned, is undefined. Overflow clauses promise that no bits that matter are " +
			"lost."})
	ShRI = elementwise(elementwiseOp{Name: "shri", Opcode: 0x61, Group: groupInt, Type: intTile, Args: "lhs rhs",
		Clauses: []clause{signedAttr}, Summary: "Each element shifted right, arithmetically if signed, by as many bits as the other says.",
		Doc: "Copies of the sign bit come in at the left if signed, zeros if unsigned. A distance of the width or more, read as unsigned, is undefined."})
	SubI = elementwise(elementwiseOp{Name: "subi", Opcode: 0x68, Group: groupInt, Type: intTile, Args: "lhs rhs",
		Clauses: []clause{overflowAttr}, Summary: "The difference of two elements.",
		Doc: "The difference wraps around. An overflow clause is a promise that it does not; if it does so all the same, the result is undefined."})

	AndI = elementwise(elementwiseOp{Name: "andi", Opcode: 0x04, Group: groupBits, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Summary: "The bitwise conjunction of two elements.",
		Doc: "Each bit of the result is set if it is set in both elements; of i1 it is the logical and."})
	OrI = elementwise(elementwiseOp{Name: "ori", Opcode: 0x52, Group: groupBits, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Summary: "The bitwise disjunction of two elements.",
		Doc: "Each bit of the result is set if it is set in one of the elements; of i1 it is the logical or."})
	XorI = elementwise(elementwiseOp{Name: "xori", Opcode: 0x6c, Group: groupBits, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Summary: "The bitwise exclusive disjunction of two elements.",
		Doc: "Each bit of the result is set if it is set in exactly one of the elements; with all ones it is the complement."})

	CmpI = define(ir.OpDef{Name: "cmpi", Opcode: 0x0f, Since: V13_1, Traits: ir.Pure, Summary: "Compares two elements.",
		Doc:      "The result is one where the predicate holds, and zero elsewhere. Signedness says how elements are read; for equality it makes no difference.",
		Operands: fields(one("lhs", intTile), one("rhs", intTile)), Results: result(boolTile),
		Attrs:  fields(attr("comparison_predicate", predicateEnumKind), signedAttr.field),
		Syntax: "$comparison_predicate $lhs `,` $rhs `,` $signedness attr-dict `:` type($lhs, $rhs) `->` type($result)"},
		groupInt, sameType("lhs", "rhs"), Relation{Kind: BoolShapedLike, Names: []string{"lhs", "rhs"}})

	MmaI = define(ir.OpDef{Name: "mmai", Opcode: 0x4a, Since: V13_1, Traits: ir.Pure,
		Summary: "The product of two integer matrices, or of two batches of them, plus an accumulator.",
		Doc: "`result = lhs * rhs + acc` for factors of `M x K` and `K x N`, or of `B x M x K` and `B x K x N`. Factors are 8-bit integers, each with a signedness " +
			"of its own; the sums are signed, of 32 bits, and wrap around.",
		Operands: fields(one("lhs", mmaIntFactor), one("rhs", mmaIntFactor), one("acc", mmaIntAcc)), Results: result(mmaIntResult),
		Attrs: fields(attr("signedness_lhs", signednessKind), attr("signedness_rhs", signednessKind)),
		Syntax: "$lhs `,` $rhs `,` $acc $signedness_lhs $signedness_rhs attr-dict `:` type($lhs) `,` type($rhs) `,` " +
			"type($acc, $result)",
		Verify: verifyMmaShapes},
		groupInt, sameType("acc", "result"), sameElem("lhs", "rhs"), sameRank("lhs", "rhs", "acc"))
)
