package cudatile

import "github.com/tilewright/tilewright/ir"

// Operations that make tiles, or move and combine their elements.
var (
	Broadcast = define(ir.OpDef{Name: "broadcast", Opcode: 0x0b, Since: V13_1,
		Traits: ir.Pure | ir.SameOperandsAndResultElementType, Summary: "Repeats the elements along dimensions of size one.",
		Doc:      "Source and result have the same rank, and other dimensions stay as they are; reshape adds dimensions of size one.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Syntax: sourceResult, Verify: verifyBroadcast,
		ResultNames: nameResult("bcast")},
		groupCore, sameRank("source", "result"))
	Cat = define(ir.OpDef{Name: "cat", Opcode: 0x0c, Since: V13_1, Traits: ir.Pure, Summary: "Joins two tiles along a dimension.",
		Doc:      "Elements of lhs come first. All other dimensions are the same, and the size along dim is the sum.",
		Operands: fields(one("lhs", anyTile), one("rhs", anyTile)), Results: result(anyTile), Attrs: fields(attr("dim", i64Kind)),
		Syntax: "$lhs `,` $rhs `dim` `=` $dim attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)", Verify: verifyCat},
		groupCore, sameRank("lhs", "rhs", "result"), sameElem("lhs", "rhs", "result"))
	Constant = define(ir.OpDef{Name: "constant", Opcode: 0x10, Since: V13_1, Traits: ir.Pure | ir.ConstantLike,
		Summary: "A constant tile.",
		Doc: "A single value stands for all elements, a nested list gives each. Numbers that decimal digits do not give, as NaNs, are written as bits in hexadecimal " +
			"digits.",
		Attrs: fields(doc("the elements", attr("value", denseKind))), Results: result(numberTile),
		Parse: parseConstant, Print: printConstant, ResultNames: nameConstant},
		groupCore, sameType("value", "result"))
	Extract = define(ir.OpDef{Name: "extract", Opcode: 0x26, Since: V13_1, Traits: ir.Pure,
		Summary:  "A smaller tile out of a larger one, which it divides evenly.",
		Doc:      "The indices count tiles of the result's shape, not elements, and are read as unsigned; a tile outside of the source is undefined.",
		Operands: fields(one("source", anyTile), variadic("indices", i32Scalar)), Results: result(anyTile),
		Syntax: "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)", Verify: verifyExtract},
		groupCore, sameRank("source", "result"))
	Insert = define(ir.OpDef{Name: "insert", Opcode: 0x76, Since: V13_4, Traits: ir.Pure,
		Summary: "A tile with a part of it replaced by a smaller tile.",
		Doc:     "The indices count tiles of the source's shape, not elements, and are read as unsigned; a tile outside of the destination is undefined.",
		Operands: fields(doc("the replacement", one("source", anyTile)), doc("the tile to change", one("destination", anyTile)),
			variadic("indices", i32Scalar)),
		Results: result(anyTile), Verify: verifyInsert,
		Syntax: "$source `,` $destination `[` $indices `]` attr-dict `:` type($source) `,` type($destination, $result)"}, groupCore)
	Iota = define(ir.OpDef{Name: "iota", Opcode: 0x3a, Since: V13_1, Traits: ir.Pure, Summary: "The numbers 0, 1, 2, ...",
		Doc:     "The result has one dimension, whose size the element type must be able to express; elements are to be read as unsigned.",
		Results: result(intTile), Syntax: "attr-dict `:` type($result)", Verify: verifyIota}, groupCore)
	Permute = define(ir.OpDef{Name: "permute", Opcode: 0x53, Since: V13_1, Traits: ir.Pure, Summary: "Reorders the dimensions.",
		Doc:      "Dimension i of the result is dimension `permutation[i]` of the source.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Attrs: fields(attr("permutation", i32sKind)),
		Syntax: "$source $permutation attr-dict `:` type($source) `->` type($result)", Verify: verifyPermute},
		groupCore, sameElem("source", "result"), sameRank("source", "result"))
	Reshape = define(ir.OpDef{Name: "reshape", Opcode: 0x5b, Since: V13_1, Traits: ir.Pure | ir.SameOperandsAndResultElementType,
		Summary:  "The same elements in row-major order with other dimensions.",
		Doc:      "The number of elements does not change. A scalar can become a tile whose dimensions are all one, and back.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Syntax: sourceResult, Verify: verifyReshape,
		ResultNames: nameResult("reshape")}, groupCore)
	Select = define(ir.OpDef{Name: "select", Opcode: 0x5f, Since: V13_1, Traits: ir.Pure,
		Summary:  "Takes each element from one of two tiles.",
		Doc:      "The condition has the shape of the two values.",
		Operands: fields(one("cond", boolTile), one("val_if_true", anyTile), one("val_if_false", anyTile)), Results: result(anyTile),
		Syntax: "$cond `,` $val_if_true `,` $val_if_false attr-dict `:` type($cond) `,` type($val_if_true, $val_if_false, $result)",
		Verify: verifySelect},
		groupCore, sameType("val_if_true", "val_if_false", "result"), sameShape("cond", "val_if_true", "val_if_false", "result"))
	Offset = define(ir.OpDef{Name: "offset", Opcode: 0x51, Since: V13_1, Traits: ir.Pure | ir.SameOperandsAndResultShape,
		Summary:  "Advances pointers by a number of elements.",
		Doc:      "The offset is signed and is multiplied by the size of what the pointers point to. Overflow of the product or of the sum is undefined.",
		Operands: fields(one("ptr", ptrTile), one("offset", intTile)), Results: result(ptrTile),
		Syntax: "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset) `->` type($result)"},
		groupCore, sameType("result", "ptr"))

	Pack = define(ir.OpDef{Name: "pack", Opcode: 0x6f, Since: V13_3, Traits: ir.Pure, Summary: "The bytes of a tile.",
		Doc:      "The elements one after the other as little-endian bytes, in one dimension; elements of four bits share bytes, the first one in the lower half.",
		Operands: fields(one("source", packable)), Results: result(i8Tile), Syntax: sourceResult, Verify: verifyPack},
		groupCore, sameRank("source", "result"))
	Unpack = define(ir.OpDef{Name: "unpack", Opcode: 0x70, Since: V13_3, Traits: ir.Pure, Summary: "The tile that bytes make up.",
		Doc:      "The inverse of pack: bytes one after the other are read as little-endian elements, in one dimension.",
		Operands: fields(one("source", i8Tile)), Results: result(packable), Syntax: sourceResult, Verify: verifyPack},
		groupCore, sameRank("source", "result"))

	Reduce = define(ir.OpDef{Name: "reduce", Opcode: 0x58, Since: V13_1,
		Traits:  ir.SingleBlock | ir.SameOperandsShape | ir.RecursiveEffects,
		Summary: "Combines the elements along a dimension, in any order, with the operation in the region.",
		Doc: "The region combines an accumulator with an element, for each operand, and must be associative and without effects; each identity is what leaves the " +
			"other value unchanged. The order is not specified, but is the same in each run on the same device. The dimension is dropped from the results.",
		Operands: fields(variadic("operands", anyTile)), Results: fields(variadic("results", anyTile)),
		Attrs:   fields(attr("dim", natural32Kind), attr("identities", arrayKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body", Doc: "combines pairs of elements"})),
		Parse:   parseReduce, Print: printReduce, Verify: verifyReduce, VerifyRegions: verifyReduceRegion,
		InferTypes: inferReduce, ResultNames: nameFirst("reduce"), ArgNames: nameReduceArgs}, groupCore)
	Scan = define(ir.OpDef{Name: "scan", Opcode: 0x5e, Since: V13_1,
		Traits:  ir.SingleBlock | ir.SameOperandsShape | ir.RecursiveEffects,
		Summary: "For each element the combination of all up to it along a dimension.",
		Doc: "The combination includes the element itself, so the last one is what reduce gives; with reverse it goes from the last element to the first. The region " +
			"must be associative and without effects.",
		Operands: fields(variadic("operands", anyTile)), Results: fields(variadic("results", anyTile)),
		Attrs:   fields(attr("dim", natural32Kind), attr("reverse", boolKind), attr("identities", arrayKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body", Doc: "combines pairs of elements"})),
		Parse:   parseScan, Print: printScan, Verify: verifyScan, VerifyRegions: verifyReduceRegion,
		InferTypes: inferScan}, groupCore)
)
