package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/facts"
	"github.com/tilewright/tilewright/dialects/cudatile/verify"
	"github.com/tilewright/tilewright/ir"
)

var (
	overflowAttr = clause{defAttr("overflow", overflowKind, enumDefault(cudatile.IntegerOverflows, uint32(cudatile.OverflowNone))),
		"(`overflow` `` $overflow^)?"}
	signedAttr = clause{attr("signedness", signednessKind), "$signedness"}
)

// Integer arithmetic.
var (
	_ = elementwise(cudatile.AbsI, elementwiseOp{Group: groupInt, Type: intTile, Args: "source",
		Traits: ir.SameOperandsAndResultShape, Summary: "The absolute value of each element, read as signed.",
		Doc: "The absolute value of the smallest number cannot be represented; the result is the number itself."})
	_ = elementwise(cudatile.AddI, elementwiseOp{Group: groupInt, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{overflowAttr}, Summary: "The sum of two elements.",
		Doc: "The sum wraps around. An overflow clause is a promise that it does not, read as signed, as unsigned, or " +
			"as both. If the sum wraps nevertheless, the result is undefined."})
	_ = elementwise(cudatile.DivI, elementwiseOp{Group: groupInt, Type: intTile, Args: "lhs rhs",
		Clauses: []clause{signedAttr, {defAttr("rounding", roundingKind, enumDefault(cudatile.RoundingModes, uint32(cudatile.Zero))),
			"(`rounding` `` $rounding^)?"}},
		Caps: facts.NoEffects, Verify: verify.DivI, Summary: "The quotient of two elements. Division by zero is undefined.",
		Doc: "Quotients are rounded towards zero unless a rounding clause says towards negative or positive infinity. " +
			"The smallest signed number divided by -1 is undefined too."})
	_ = elementwise(cudatile.MaxI, elementwiseOp{Group: groupInt, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{signedAttr}, Summary: "The larger of two elements.",
		Doc: "Signedness says how elements are read."})
	_ = elementwise(cudatile.MinI, elementwiseOp{Group: groupInt, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{signedAttr}, Summary: "The smaller of two elements.",
		Doc: "Signedness says how elements are read."})
	_ = elementwise(cudatile.MulhiI, elementwiseOp{Group: groupInt, Type: intTile, Args: "x y",
		Traits: ir.Commutative, Summary: "The upper half of the product of two elements, read as unsigned integers.",
		Doc: "Together with muli it gives the product in twice the width."})
	_ = elementwise(cudatile.MulI, elementwiseOp{Group: groupInt, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Clauses: []clause{overflowAttr}, Summary: "The lower half of the product of two elements.",
		Doc: "The product wraps around. An overflow clause is a promise that it does not. If it wraps nevertheless, the result is undefined."})
	_ = elementwise(cudatile.NegI, elementwiseOp{Group: groupInt, Type: intTile, Args: "source",
		Clauses: []clause{{since(cudatile.V13_2, overflowAttr.field), overflowAttr.syntax}}, Verify: verify.NegI,
		Summary: "Zero minus each element.",
		Doc:     "The smallest signed number is its own negation; no_signed_wrap is a promise that it does not occur."})
	_ = define(cudatile.RemI, ir.OpDef{Summary: "The remainder of the truncating division of two elements; it has the sign of the dividend.",
		Doc:      "It is `lhs - n * rhs`, where n is the quotient rounded towards zero. A divisor of zero is undefined.",
		Operands: fields(one("lhs", intTile), one("rhs", intTile)), Results: result(intTile),
		Attrs: fields(signedAttr.field), Traits: ir.Pure,
		Syntax: "$lhs `,` $rhs $signedness attr-dict `:` type($lhs, $rhs, $result)"},
		groupInt, sameType("result", "lhs", "rhs"), sameShape("result", "lhs", "rhs"))
	_ = elementwise(cudatile.ShLI, elementwiseOp{Group: groupInt, Type: intTile, Args: "lhs rhs",
		Clauses: []clause{overflowAttr}, Summary: "Shifts each element left by the number of bits in the other element.",
		Doc: "Zeros come in at the right. A distance of the width or more, read as unsigned, is undefined. Overflow " +
			"clauses promise that no significant bits are lost."})
	_ = elementwise(cudatile.ShRI, elementwiseOp{Group: groupInt, Type: intTile, Args: "lhs rhs",
		Clauses: []clause{signedAttr}, Summary: "Shifts each element right by the number of bits in the other element; if signed, arithmetically.",
		Doc: "Copies of the sign bit come in at the left if signed, and zeros if unsigned. A distance of the width or " +
			"more, read as unsigned, is undefined."})
	_ = elementwise(cudatile.SubI, elementwiseOp{Group: groupInt, Type: intTile, Args: "lhs rhs",
		Clauses: []clause{overflowAttr}, Summary: "The difference of two elements.",
		Doc: "The difference wraps around. An overflow clause is a promise that it does not. If it wraps nevertheless, the result is undefined."})

	_ = elementwise(cudatile.AndI, elementwiseOp{Group: groupBits, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Summary: "The bitwise and of two elements.",
		Doc: "Each bit of the result is set if it is set in both elements. For i1 it is the logical and."})
	_ = elementwise(cudatile.OrI, elementwiseOp{Group: groupBits, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Summary: "The bitwise or of two elements.",
		Doc: "Each bit of the result is set if it is set in one of the elements. For i1 it is the logical or."})
	_ = elementwise(cudatile.XorI, elementwiseOp{Group: groupBits, Type: intTile, Args: "lhs rhs",
		Traits: ir.Commutative, Summary: "The bitwise exclusive or of two elements.",
		Doc: "Each bit of the result is set if it is set in exactly one of the elements. With all ones it is the complement."})

	_ = define(cudatile.CmpI, ir.OpDef{Traits: ir.Pure, Summary: "Compares two elements.",
		Doc: "The result is one where the predicate is true, and zero elsewhere. Signedness says how elements are " +
			"read; for equality it makes no difference.",
		Operands: fields(one("lhs", intTile), one("rhs", intTile)), Results: result(boolTile),
		Attrs:  fields(attr("comparison_predicate", predicateEnumKind), signedAttr.field),
		Syntax: "$comparison_predicate $lhs `,` $rhs `,` $signedness attr-dict `:` type($lhs, $rhs) `->` type($result)"},
		groupInt, sameType("lhs", "rhs"), Relation{Kind: BoolShapedLike, Names: []string{"lhs", "rhs"}})

	_ = define(cudatile.MmaI, ir.OpDef{Traits: ir.Pure,
		Summary: "MMA of integer matrices, or of batches of matrices.",
		Doc: "`result = lhs * rhs + acc` for operands of `M x K` and `K x N`, or of `B x M x K` and `B x K x N`. The " +
			"operands are 8-bit integers, each with a signedness of its own. The accumulator is signed, has 32 bits, " +
			"and wraps around.",
		Operands: fields(one("lhs", mmaIntFactor), one("rhs", mmaIntFactor), one("acc", mmaIntAcc)), Results: result(mmaIntResult),
		Attrs: fields(attr("signedness_lhs", signednessKind), attr("signedness_rhs", signednessKind)),
		Syntax: "$lhs `,` $rhs `,` $acc $signedness_lhs $signedness_rhs attr-dict `:` type($lhs) `,` type($rhs) `,` " +
			"type($acc, $result)",
		Verify: verify.MmaShapes},
		groupInt, sameType("acc", "result"), sameElem("lhs", "rhs"), sameRank("lhs", "rhs", "acc"))
)
