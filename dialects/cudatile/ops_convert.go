package cudatile

import "github.com/tilewright/tilewright/ir"

const fromTo = " attr-dict `:` type($from) `->` type($to)"
const sourceResult = "$source attr-dict `:` type($source) `->` type($result)"

var intRounding = rounding(NearestIntToZero, NearestIntToZero)

// Conversions of elements.
var (
	Bitcast = define(ir.OpDef{Name: "bitcast", Opcode: 0x09, Since: V13_1, Traits: ir.Pure,
		Summary:  "Reads the bits of each element as another type of the same width.",
		Operands: fields(one("source", numberTile)), Results: result(numberTile), Syntax: sourceResult, Verify: verifyBitcast},
		groupConvert, sameShape("source", "result"))
	ExtI = define(ir.OpDef{Name: "exti", Opcode: 0x25, Since: V13_1, Traits: ir.Pure, Summary: "Widens integers.",
		Operands: fields(one("from", extInt)), Results: fields(one("to", extInt)), Attrs: fields(signedAttr.field),
		Syntax: "$from $signedness" + fromTo, Verify: verifyExtI},
		groupConvert, sameShape("from", "to"))
	TruncI = define(ir.OpDef{Name: "trunci", Opcode: 0x6b, Since: V13_1, Traits: ir.Pure, Summary: "Drops the upper bits of integers.",
		Operands: fields(one("from", extInt)), Results: fields(one("to", extInt)), Attrs: fields(overflowAttr.field),
		Syntax: "$from " + overflowAttr.syntax + fromTo, Verify: verifyTruncI},
		groupConvert, sameShape("from", "to"))
	FToF = define(ir.OpDef{Name: "ftof", Opcode: 0x2a, Since: V13_1, Traits: ir.Pure,
		Summary:  "Converts between floating-point formats.",
		Operands: fields(one("from", anyFloat)), Results: fields(one("to", anyFloat)),
		Attrs:  fields(defAttr("rounding_mode", ftofRounding.field.Kind, enumDefault(RoundingModes, uint32(NearestEven)))),
		Syntax: "$from $rounding_mode" + fromTo, Verify: verifyFToF},
		groupConvert, sameShape("from", "to"))
	FToI = define(ir.OpDef{Name: "ftoi", Opcode: 0x2b, Since: V13_1, Traits: ir.Pure, Summary: "Converts floats to integers.",
		Operands: fields(one("from", anyFloat)), Results: fields(one("to", intTile)),
		Attrs:  fields(signedAttr.field, intRounding.field, since(V13_4, unit("saturating"))),
		Syntax: "$from $signedness $rounding_mode (`saturating` $saturating^)?" + fromTo, Verify: verifyFToI},
		groupConvert, sameShape("from", "to"))
	IToF = define(ir.OpDef{Name: "itof", Opcode: 0x3b, Since: V13_1, Traits: ir.Pure, Summary: "Converts integers to floats.",
		Operands: fields(one("from", intTile)), Results: fields(one("to", anyFloat)),
		Attrs:  fields(signedAttr.field, ieeeRounding.field),
		Syntax: "$from $signedness $rounding_mode" + fromTo, Verify: verifyIToF},
		groupConvert, sameShape("from", "to"))
	IntToPtr = define(ir.OpDef{Name: "int_to_ptr", Opcode: 0x33, Since: V13_1, Traits: ir.Pure,
		Summary:  "Reads integers as addresses.",
		Operands: fields(one("source", i64Tile)), Results: result(ptrTile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
	PtrToInt = define(ir.OpDef{Name: "ptr_to_int", Opcode: 0x56, Since: V13_1, Traits: ir.Pure,
		Summary:  "Reads addresses as integers.",
		Operands: fields(one("source", ptrTile)), Results: result(i64Tile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
	PtrToPtr = define(ir.OpDef{Name: "ptr_to_ptr", Opcode: 0x57, Since: V13_1, Traits: ir.Pure,
		Summary:  "Changes the type that pointers point to.",
		Operands: fields(one("source", ptrTile)), Results: result(ptrTile), Syntax: sourceResult},
		groupConvert, sameShape("source", "result"))
)

// ftofRounding admits the mode that version 13.4 added for tf32.
var ftofRounding = rounding(NearestEven, append(ieeeModes[:4:4], NearestAway)...)
