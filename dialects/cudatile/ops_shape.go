package cudatile

import "github.com/tilewright/tilewright/ir"

// Operations that make tiles, or move and combine their elements.
var (
	Broadcast = define(ir.OpDef{Name: "broadcast", Opcode: 0x0b, Since: V13_1,
		Traits: ir.Pure | ir.SameOperandsAndResultElementType, Summary: "Repeats the elements along dimensions of size one.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Syntax: sourceResult, Verify: verifyBroadcast,
		ResultNames: nameResult("bcast")},
		groupCore, sameRank("source", "result"))
	Cat = define(ir.OpDef{Name: "cat", Opcode: 0x0c, Since: V13_1, Traits: ir.Pure, Summary: "Joins two tiles along a dimension.",
		Operands: fields(one("lhs", anyTile), one("rhs", anyTile)), Results: result(anyTile), Attrs: fields(attr("dim", i64Kind)),
		Syntax: "$lhs `,` $rhs `dim` `=` $dim attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)", Verify: verifyCat},
		groupCore, sameRank("lhs", "rhs", "result"), sameElem("lhs", "rhs", "result"))
	Constant = define(ir.OpDef{Name: "constant", Opcode: 0x10, Since: V13_1, Traits: ir.Pure | ir.ConstantLike,
		Summary: "A constant tile.", Attrs: fields(doc("the elements", attr("value", denseKind))), Results: result(numberTile),
		Parse: parseConstant, Print: printConstant, ResultNames: nameConstant},
		groupCore, sameType("value", "result"))
	Extract = define(ir.OpDef{Name: "extract", Opcode: 0x26, Since: V13_1, Traits: ir.Pure,
		Summary:  "A smaller tile out of a larger one, which it divides evenly.",
		Operands: fields(one("source", anyTile), variadic("indices", i32Scalar)), Results: result(anyTile),
		Syntax: "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)", Verify: verifyExtract},
		groupCore, sameRank("source", "result"))
	Insert = define(ir.OpDef{Name: "insert", Opcode: 0x76, Since: V13_4, Traits: ir.Pure,
		Summary: "A tile with a part of it replaced by a smaller tile.",
		Operands: fields(doc("the replacement", one("source", anyTile)), doc("the tile to change", one("destination", anyTile)),
			variadic("indices", i32Scalar)),
		Results: result(anyTile), Verify: verifyInsert,
		Syntax: "$source `,` $destination `[` $indices `]` attr-dict `:` type($source) `,` type($destination, $result)"}, groupCore)
	Iota = define(ir.OpDef{Name: "iota", Opcode: 0x3a, Since: V13_1, Traits: ir.Pure, Summary: "The numbers 0, 1, 2, ...",
		Results: result(intTile), Syntax: "attr-dict `:` type($result)", Verify: verifyIota}, groupCore)
	Permute = define(ir.OpDef{Name: "permute", Opcode: 0x53, Since: V13_1, Traits: ir.Pure, Summary: "Reorders the dimensions.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Attrs: fields(attr("permutation", i32sKind)),
		Syntax: "$source $permutation attr-dict `:` type($source) `->` type($result)", Verify: verifyPermute},
		groupCore, sameElem("source", "result"), sameRank("source", "result"))
	Reshape = define(ir.OpDef{Name: "reshape", Opcode: 0x5b, Since: V13_1, Traits: ir.Pure | ir.SameOperandsAndResultElementType,
		Summary:  "The same elements in row-major order with other dimensions.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Syntax: sourceResult, Verify: verifyReshape,
		ResultNames: nameResult("reshape")}, groupCore)
	Select = define(ir.OpDef{Name: "select", Opcode: 0x5f, Since: V13_1, Traits: ir.Pure,
		Summary:  "Takes each element from one of two tiles.",
		Operands: fields(one("cond", boolTile), one("val_if_true", anyTile), one("val_if_false", anyTile)), Results: result(anyTile),
		Syntax: "$cond `,` $val_if_true `,` $val_if_false attr-dict `:` type($cond) `,` type($val_if_true, $val_if_false, $result)",
		Verify: verifySelect},
		groupCore, sameType("val_if_true", "val_if_false", "result"), sameShape("cond", "val_if_true", "val_if_false", "result"))
	Offset = define(ir.OpDef{Name: "offset", Opcode: 0x51, Since: V13_1, Traits: ir.Pure | ir.SameOperandsAndResultShape,
		Summary:  "Advances pointers by a number of elements.",
		Operands: fields(one("ptr", ptrTile), one("offset", intTile)), Results: result(ptrTile),
		Syntax: "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset) `->` type($result)"},
		groupCore, sameType("result", "ptr"))

	Pack = define(ir.OpDef{Name: "pack", Opcode: 0x6f, Since: V13_3, Traits: ir.Pure, Summary: "The bytes of a tile.",
		Operands: fields(one("source", packable)), Results: result(i8Tile), Syntax: sourceResult, Verify: verifyPack},
		groupCore, sameRank("source", "result"))
	Unpack = define(ir.OpDef{Name: "unpack", Opcode: 0x70, Since: V13_3, Traits: ir.Pure, Summary: "The tile that bytes make up.",
		Operands: fields(one("source", i8Tile)), Results: result(packable), Syntax: sourceResult, Verify: verifyPack},
		groupCore, sameRank("source", "result"))

	Reduce = define(ir.OpDef{Name: "reduce", Opcode: 0x58, Since: V13_1,
		Traits:   ir.SingleBlock | ir.SameOperandsShape | ir.RecursiveEffects,
		Summary:  "Combines the elements along a dimension, in any order, with the operation in the region.",
		Operands: fields(variadic("operands", anyTile)), Results: fields(variadic("results", anyTile)),
		Attrs:   fields(attr("dim", natural32Kind), attr("identities", arrayKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body", Doc: "combines pairs of elements"})),
		Parse:   parseReduce, Print: printReduce, Verify: verifyReduce, VerifyRegions: verifyReduceRegion,
		InferTypes: inferReduce, ResultNames: nameFirst("reduce"), ArgNames: nameReduceArgs}, groupCore)
	Scan = define(ir.OpDef{Name: "scan", Opcode: 0x5e, Since: V13_1,
		Traits:   ir.SingleBlock | ir.SameOperandsShape | ir.RecursiveEffects,
		Summary:  "For each element the combination of all up to it along a dimension.",
		Operands: fields(variadic("operands", anyTile)), Results: fields(variadic("results", anyTile)),
		Attrs:   fields(attr("dim", natural32Kind), attr("reverse", boolKind), attr("identities", arrayKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body", Doc: "combines pairs of elements"})),
		Parse:   parseScan, Print: printScan, Verify: verifyScan, VerifyRegions: verifyReduceRegion,
		InferTypes: inferScan}, groupCore)
)
