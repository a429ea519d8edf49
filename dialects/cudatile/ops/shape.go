package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/syntax"
	"github.com/tilewright/tilewright/dialects/cudatile/verify"
	"github.com/tilewright/tilewright/ir"
)

// Operations that make tiles, or move and combine their elements.
var (
	_ = define(cudatile.Broadcast, ir.OpDef{Traits: ir.Pure | ir.SameOperandsAndResultElementType, Summary: "Repeats the elements along dimensions of size one.",
		Doc:      "Source and result have the same rank, and other dimensions do not change. Use reshape to add dimensions of size one.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Syntax: sourceResult, Verify: verify.Broadcast,
		ResultNames: syntax.NameResult("bcast")},
		groupCore, sameRank("source", "result"))
	_ = define(cudatile.Cat, ir.OpDef{Traits: ir.Pure, Summary: "Concatenates two tiles along a dimension.",
		Doc:      "Elements of lhs come first. All other dimensions are equal, and the size along dim is the sum.",
		Operands: fields(one("lhs", anyTile), one("rhs", anyTile)), Results: result(anyTile), Attrs: fields(attr("dim", i64Kind)),
		Syntax: "$lhs `,` $rhs `dim` `=` $dim attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)", Verify: verify.Cat},
		groupCore, sameRank("lhs", "rhs", "result"), sameElem("lhs", "rhs", "result"))
	_ = define(cudatile.Constant, ir.OpDef{Traits: ir.Pure | ir.ConstantLike,
		Summary: "A constant tile.",
		Doc: "A single value gives all elements; a nested list gives each element. NaNs and other numbers without " +
			"decimal digits are written as bits in hexadecimal digits.",
		Attrs: fields(doc("the elements", attr("value", denseKind))), Results: result(numberTile),
		Parse: syntax.ParseConstant, Print: syntax.PrintConstant, ResultNames: syntax.NameConstant},
		groupCore, sameType("value", "result"))
	_ = define(cudatile.Extract, ir.OpDef{Traits: ir.Pure,
		Summary:  "Extracts a smaller tile from a larger one; its shape divides the larger one evenly.",
		Doc:      "The indices count tiles of the result's shape, not elements, and are read as unsigned. A tile outside the source is undefined.",
		Operands: fields(one("source", anyTile), variadic("indices", i32Scalar)), Results: result(anyTile),
		Syntax: "$source `[` $indices `]` attr-dict `:` type($source) `->` type($result)", Verify: verify.Extract},
		groupCore, sameRank("source", "result"))
	_ = define(cudatile.Insert, ir.OpDef{Traits: ir.Pure,
		Summary: "A tile with one subtile replaced by a smaller tile.",
		Doc: "The indices count tiles of the source's shape, not elements, and are read as unsigned. A tile outside " +
			"the destination is undefined.",
		Operands: fields(doc("the replacement", one("source", anyTile)), doc("the tile to change", one("destination", anyTile)),
			variadic("indices", i32Scalar)),
		Results: result(anyTile), Verify: verify.Insert,
		Syntax: "$source `,` $destination `[` $indices `]` attr-dict `:` type($source) `,` type($destination, $result)"}, groupCore)
	_ = define(cudatile.Iota, ir.OpDef{Traits: ir.Pure, Summary: "The numbers 0, 1, 2, ...",
		Doc:     "The result has one dimension. The element type must be able to express its size; elements are read as unsigned.",
		Results: result(intTile), Syntax: "attr-dict `:` type($result)", Verify: verify.Iota}, groupCore)
	_ = define(cudatile.Permute, ir.OpDef{Traits: ir.Pure, Summary: "Reorders the dimensions.",
		Doc:      "Dimension i of the result is dimension `permutation[i]` of the source.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Attrs: fields(attr("permutation", i32sKind)),
		Syntax: "$source $permutation attr-dict `:` type($source) `->` type($result)", Verify: verify.Permute},
		groupCore, sameElem("source", "result"), sameRank("source", "result"))
	_ = define(cudatile.Reshape, ir.OpDef{Traits: ir.Pure | ir.SameOperandsAndResultElementType,
		Summary:  "The same elements in row-major order with other dimensions.",
		Doc:      "The number of elements does not change. A scalar can become a tile whose dimensions are all one, and back.",
		Operands: fields(one("source", anyTile)), Results: result(anyTile), Syntax: sourceResult, Verify: verify.Reshape,
		ResultNames: syntax.NameResult("reshape")}, groupCore)
	_ = define(cudatile.Select, ir.OpDef{Traits: ir.Pure,
		Summary:  "Takes each element from one of two tiles.",
		Doc:      "The condition has the shape of the two values.",
		Operands: fields(one("cond", boolTile), one("val_if_true", anyTile), one("val_if_false", anyTile)), Results: result(anyTile),
		Syntax: "$cond `,` $val_if_true `,` $val_if_false attr-dict `:` type($cond) `,` type($val_if_true, $val_if_false, $result)",
		Verify: verify.Select},
		groupCore, sameType("val_if_true", "val_if_false", "result"), sameShape("cond", "val_if_true", "val_if_false", "result"))
	_ = define(cudatile.Offset, ir.OpDef{Traits: ir.Pure | ir.SameOperandsAndResultShape,
		Summary:  "Advances pointers by a number of elements.",
		Doc:      "The offset is signed and is multiplied by the size of the pointee. Overflow of the product or of the sum is undefined.",
		Operands: fields(one("ptr", ptrTile), one("offset", intTile)), Results: result(ptrTile),
		Syntax: "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset) `->` type($result)"},
		groupCore, sameType("result", "ptr"))

	_ = define(cudatile.Pack, ir.OpDef{Traits: ir.Pure, Summary: "The bytes of a tile.",
		Doc: "The elements become little-endian bytes, one after the other, in one dimension. Elements of four bits " +
			"share bytes, the first one in the lower half.",
		Operands: fields(one("source", packable)), Results: result(i8Tile), Syntax: sourceResult, Verify: verify.Pack},
		groupCore, sameRank("source", "result"))
	_ = define(cudatile.Unpack, ir.OpDef{Traits: ir.Pure, Summary: "The tile that a sequence of bytes encodes.",
		Doc:      "It is the inverse of pack: the bytes are read as little-endian elements, in one dimension.",
		Operands: fields(one("source", i8Tile)), Results: result(packable), Syntax: sourceResult, Verify: verify.Pack},
		groupCore, sameRank("source", "result"))

	_ = define(cudatile.Reduce, ir.OpDef{Traits: ir.SingleBlock | ir.SameOperandsShape | ir.RecursiveEffects,
		Summary: "Combines the elements along a dimension, in any order, by the region.",
		Doc: "For each operand, the region combines an accumulator with an element. It must be associative and without " +
			"effects. Each identity is a value that leaves the other one unchanged. The order is not specified, but " +
			"is the same in each run on the same device. The results do not have the dimension.",
		Operands: fields(variadic("operands", anyTile)), Results: fields(variadic("results", anyTile)),
		Attrs:   fields(attr("dim", natural32Kind), attr("identities", arrayKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body", Doc: "combines pairs of elements"})),
		Parse:   syntax.ParseReduce, Print: syntax.PrintReduce, Verify: verify.Reduce, VerifyRegions: verify.ReduceRegion,
		InferTypes: verify.InferReduce, ResultNames: syntax.NameFirst("reduce"), ArgNames: syntax.NameReduceArgs}, groupCore)
	_ = define(cudatile.Scan, ir.OpDef{Traits: ir.SingleBlock | ir.SameOperandsShape | ir.RecursiveEffects,
		Summary: "Combines each element with all elements before it along a dimension (inclusive prefix).",
		Doc: "The combination includes the element itself, so the last one is the result of reduce. With reverse it " +
			"goes from the last element to the first. The region must be associative and without effects.",
		Operands: fields(variadic("operands", anyTile)), Results: fields(variadic("results", anyTile)),
		Attrs:   fields(attr("dim", natural32Kind), attr("reverse", boolKind), attr("identities", arrayKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body", Doc: "combines pairs of elements"})),
		Parse:   syntax.ParseScan, Print: syntax.PrintScan, Verify: verify.Scan, VerifyRegions: verify.ReduceRegion,
		InferTypes: verify.InferScan}, groupCore)
)
