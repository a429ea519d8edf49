package cudatile

import "github.com/tilewright/tilewright/ir"

const fromTo = " attr-dict `:` type($from) `->` type($to)"
const sourceResult = "$source attr-dict `:` type($source) `->` type($result)"

var intRounding = rounding(NearestIntToZero, NearestIntToZero)

// Conversions of elements.
var (
	Bitcast = define(ir.OpDef{Name: "bitcast", Opcode: 0x09, Since: V13_1, Traits: ir.Pure,
		Summary:  "Reads the bits of each element as another type of the same width.",
		Doc:      "No bit changes. Pointers are converted by ptr_to_int and int_to_ptr instead.",
		Operands: fields(one("source", numberTile)), Results: result(numberTile), Syntax: sourceResult, Verify: verifyBitcast},
		groupConvert, sameShape("source", "result"))
	ExtI = define(ir.OpDef{Name: "exti", Opcode: 0x25, Since: V13_1, Traits: ir.Pure, Summary: "Widens integers.",
		Doc:      "The new bits are copies of the sign bit if signed, and zeros if unsigned.",
		Operands: fields(one("from", extInt)), Results: fields(one("to", extInt)), Attrs: fields(signedAttr.field),
		Syntax: "$from $signedness" + fromTo, Verify: verifyExtI},
		groupConvert, sameShape("from", "to"))
	TruncI = define(ir.OpDef{Name: "trunci", Opcode: 0x6b, Since: V13_1, Traits: ir.Pure, Summary: "Drops the upper bits of integers.",
		Doc:      "An overflow clause is a promise that the number does not change, read as signed, as unsigned, or as either.",
		Operands: fields(one("from", extInt)), Results: fields(one("to", extInt)), Attrs: fields(overflowAttr.field),
		Syntax: "$from " + overflowAttr.syntax + fromTo, Verify: verifyTruncI},
		groupConvert, sameShape("from", "to"))
	FToF = define(ir.OpDef{Name: "ftof", Opcode: 0x2a, Since: V13_1, Traits: ir.Pure,
		Summary:  "Converts between floating-point formats.",
		Doc:      "Widening is exact; narrowing rounds to the nearest number unless a clause says otherwise. Which other modes there are depends on the formats.",
		Operands: fields(one("from", anyFloat)), Results: fields(one("to", anyFloat)),
		Attrs:  fields(defAttr("rounding_mode", ftofRounding.field.Kind, enumDefault(RoundingModes, uint32(NearestEven)))),
		Syntax: "$from $rounding_mode" + fromTo, Verify: verifyFToF},
		groupConvert, sameShape("from", "to"))
	FToI = define(ir.OpDef{Name: "ftoi", Opcode: 0x2b, Since: V13_1, Traits: ir.Pure, Summary: "Converts floats to integers.",
		Doc: "The fraction is dropped. NaNs, infinities and numbers out of range are undefined, unless saturating is given: they become the nearest integer then, " +
			"and NaN zero.",
		Operands: fields(one("from", anyFloat)), Results: fields(one("to", intTile)),
		Attrs:  fields(signedAttr.field, intRounding.field, since(V13_4, unit("saturating"))),
		Syntax: "$from $signedness $rounding_mode (`saturating` $saturating^)?" + fromTo, Verify: verifyFToI},
		groupConvert, sameShape("from", "to"))
	IToF = define(ir.OpDef{Name: "itof", Opcode: 0x3b, Since: V13_1, Traits: ir.Pure, Summary: "Converts integers to floats.",
		Doc:      "Rounds to the nearest number. What is too large becomes an infinity, or a NaN in formats without one.",
		Operands: fields(one("from", intTile)), Results: fields(one("to", anyFloat)),
		Attrs:  fields(signedAttr.field, ieeeRounding.field),
		Syntax: "$from $signedness $rounding_mode" + fromTo, Verify: verifyIToF},
		groupConvert, sameShape("from", "to"))
	IntToPtr = define(ir.OpDef{Name: "int_to_ptr", Opcode: 0x33, Since: V13_1, Traits: ir.Pure,
		Summary:  "Reads integers as addresses.",
		Doc:      "The integer is read as an unsigned address in bytes. The inverse is ptr_to_int.",
		Operands: fields(one("source", i64Tile)), Results: result(ptrTile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
	PtrToInt = define(ir.OpDef{Name: "ptr_to_int", Opcode: 0x56, Since: V13_1, Traits: ir.Pure,
		Summary:  "Reads addresses as integers.",
		Doc:      "The integer is the address in bytes, to be read as unsigned. The inverse is int_to_ptr.",
		Operands: fields(one("source", ptrTile)), Results: result(i64Tile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
	PtrToPtr = define(ir.OpDef{Name: "ptr_to_ptr", Opcode: 0x57, Since: V13_1, Traits: ir.Pure,
		Summary:  "Changes the type that pointers point to.",
		Doc:      "The addresses stay as they are; only the size of the steps of offset and the type of what is loaded and stored change.",
		Operands: fields(one("source", ptrTile)), Results: result(ptrTile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
)

// ftofRounding admits the mode that version 13.4 added for tf32.
var ftofRounding = rounding(NearestEven, append(ieeeModes[:4:4], NearestAway)...)
