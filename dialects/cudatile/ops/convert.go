package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/verify"
	"github.com/tilewright/tilewright/ir"
)

const fromTo = " attr-dict `:` type($from) `->` type($to)"
const sourceResult = "$source attr-dict `:` type($source) `->` type($result)"

var intRounding = rounding(cudatile.NearestIntToZero, cudatile.NearestIntToZero)

// Conversions of elements.
var (
	_ = define(cudatile.Bitcast, ir.OpDef{Traits: ir.Pure,
		Summary:  "Reads the bits of each element as another type of the same width.",
		Doc:      "No bit changes. Pointers are converted by ptr_to_int and int_to_ptr instead.",
		Operands: fields(one("source", numberTile)), Results: result(numberTile), Syntax: sourceResult, Verify: verify.Bitcast},
		groupConvert, sameShape("source", "result"))
	_ = define(cudatile.ExtI, ir.OpDef{Traits: ir.Pure, Summary: "Widens integers.",
		Doc:      "The new bits are copies of the sign bit if signed, and zeros if unsigned.",
		Operands: fields(one("from", extInt)), Results: fields(one("to", extInt)), Attrs: fields(signedAttr.field),
		Syntax: "$from $signedness" + fromTo, Verify: verify.ExtI},
		groupConvert, sameShape("from", "to"))
	_ = define(cudatile.TruncI, ir.OpDef{Traits: ir.Pure, Summary: "Drops the upper bits of integers.",
		Doc:      "An overflow clause is a promise that the number does not change, read as signed, as unsigned, or as both.",
		Operands: fields(one("from", extInt)), Results: fields(one("to", extInt)), Attrs: fields(overflowAttr.field),
		Syntax: "$from " + overflowAttr.syntax + fromTo, Verify: verify.TruncI},
		groupConvert, sameShape("from", "to"))
	_ = define(cudatile.FToF, ir.OpDef{Traits: ir.Pure,
		Summary: "Converts between floating-point formats.",
		Doc: "Widening is exact. Narrowing rounds to the nearest number unless a clause says otherwise. The formats " +
			"determine which other modes are legal.",
		Operands: fields(one("from", anyFloat)), Results: fields(one("to", anyFloat)),
		Attrs:  fields(defAttr("rounding_mode", ftofRounding.field.Kind, enumDefault(cudatile.RoundingModes, uint32(cudatile.NearestEven)))),
		Syntax: "$from $rounding_mode" + fromTo, Verify: verify.FToF},
		groupConvert, sameShape("from", "to"))
	_ = define(cudatile.FToI, ir.OpDef{Traits: ir.Pure, Summary: "Converts floats to integers.",
		Doc: "The fraction is dropped. NaNs, infinities and numbers out of range are undefined. With saturating, a " +
			"number out of range becomes the nearest integer, and a NaN becomes zero.",
		Operands: fields(one("from", anyFloat)), Results: fields(one("to", intTile)),
		Attrs:  fields(signedAttr.field, intRounding.field, since(cudatile.V13_4, unit("saturating"))),
		Syntax: "$from $signedness $rounding_mode (`saturating` $saturating^)?" + fromTo, Verify: verify.FToI},
		groupConvert, sameShape("from", "to"))
	_ = define(cudatile.IToF, ir.OpDef{Traits: ir.Pure, Summary: "Converts integers to floats.",
		Doc:      "Rounds to the nearest number. A number that is too large becomes an infinity, or a NaN in formats without infinities.",
		Operands: fields(one("from", intTile)), Results: fields(one("to", anyFloat)),
		Attrs:  fields(signedAttr.field, ieeeRounding.field),
		Syntax: "$from $signedness $rounding_mode" + fromTo, Verify: verify.IToF},
		groupConvert, sameShape("from", "to"))
	_ = define(cudatile.IntToPtr, ir.OpDef{Traits: ir.Pure,
		Summary:  "Reads integers as addresses.",
		Doc:      "The integer is read as an unsigned address in bytes. The inverse is ptr_to_int.",
		Operands: fields(one("source", i64Tile)), Results: result(ptrTile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
	_ = define(cudatile.PtrToInt, ir.OpDef{Traits: ir.Pure,
		Summary:  "Reads addresses as integers.",
		Doc:      "The integer is the unsigned address in bytes. The inverse is int_to_ptr.",
		Operands: fields(one("source", ptrTile)), Results: result(i64Tile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
	_ = define(cudatile.PtrToPtr, ir.OpDef{Traits: ir.Pure,
		Summary:  "Changes the type that pointers point to.",
		Doc:      "The addresses do not change. The step size of offset and the type of loads and stores do.",
		Operands: fields(one("source", ptrTile)), Results: result(ptrTile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
)

// ftofRounding admits the mode that version 13.4 added for tf32.
var ftofRounding = rounding(cudatile.NearestEven, append(cudatile.IEEEModes[:4:4], cudatile.NearestAway)...)
