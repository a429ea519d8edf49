package cudatile

import "github.com/tilewright/tilewright/ir"

// What does not fit elsewhere.
var (
	// Assume has no effects: dropping it loses knowledge, not behaviour. It is not speculatable, since a predicate that does not hold
	// is undefined behaviour.
	Assume = define(ir.OpDef{Name: "assume", Opcode: 0x06, Since: V13_1, Summary: "The value, of which the compiler may assume something.",
		Doc:      "The value passes through. A predicate that does not hold makes the behaviour of the program undefined, as nothing checks it.",
		Operands: fields(one("value", anyType)), Attrs: fields(attr("predicate", predicateKind)), Results: result(anyType),
		Syntax: "$predicate `,` $value attr-dict `:` type($value, $result)", Verify: verifyAssume, ResultNames: nameAssume,
		Caps: noEffects}, groupMisc, sameType("value", "result"))
	Print = define(ir.OpDef{Name: "print_tko", Opcode: 0x55, Since: V13_1, Traits: ir.AttrSizedOperandSegments,
		Summary: "Prints values, for debugging.",
		Doc: "The format is that of printf in C, with one expression for each operand; of a tile all elements are printed. Output of blocks that print at once may " +
			"be mixed. It is meant for debugging.",
		Operands: fields(variadic("args", anyTile), since(V13_2, optional("token", tokenType))), Attrs: fields(attr("str", stringKind)),
		Results: fields(since(V13_2, one("result_token", tokenType))),
		Syntax:  "$str (`,` $args^)? (`token` `` `=` `` $token^)? attr-dict (`:` type($args)^)? `->` type($result_token)",
		Verify:  verifyPrint, Caps: affects(console)}, groupMisc)

	GetGlobal = define(ir.OpDef{Name: "get_global", Opcode: 0x2c, Since: V13_1, Traits: ir.Pure, Summary: "The address of a global.",
		Doc:   "The pointer is to the first element; the others follow in row-major order.",
		Attrs: fields(attr("name", symRefKind)), Results: result(ptrScalar), Syntax: "$name attr-dict `:` type($result)",
		Verify: verifyGetGlobal}, groupCore)
	GetNumTileBlocks = define(ir.OpDef{Name: "get_num_tile_blocks", Opcode: 0x2e, Since: V13_1, Traits: ir.Pure,
		Summary:     "How many blocks the grid has.",
		Doc:         "The three sizes of the grid as the host launched it; a dimension that it did not give is one.",
		Results:     fields(one("gridSize_x", i32Scalar), one("gridSize_y", i32Scalar), one("gridSize_z", i32Scalar)),
		Syntax:      "attr-dict `:` type($gridSize_x, $gridSize_y, $gridSize_z)",
		ResultNames: nameEach}, groupCore)
	GetTileBlockID = define(ir.OpDef{Name: "get_tile_block_id", Opcode: 0x30, Since: V13_1, Traits: ir.Pure,
		Summary:     "Which block of the grid this is.",
		Doc:         "Three coordinates, each from zero to the size of the grid less one, read as signed 32-bit integers.",
		Results:     fields(one("blockId_x", i32Scalar), one("blockId_y", i32Scalar), one("blockId_z", i32Scalar)),
		Syntax:      "attr-dict `:` type($blockId_x, $blockId_y, $blockId_z)",
		ResultNames: nameEach}, groupCore)

	PreviewCall = define(ir.OpDef{Name: "preview$call", Opcode: 0x4002, Since: Preview, Summary: "Calls a function (preview).",
		Doc:      "Its form is not published and only what stands here is known of it; it is behind a feature flag in the bytecode, and nothing lowers it.",
		Operands: fields(variadic("operands", anyType)), Results: fields(variadic("results", anyType)),
		Attrs: fields(attr("callee", symRefKind), attr("const_args", arrayKind), optAttr("arg_attrs", arrayKind),
			optAttr("res_attrs", arrayKind))}, groupPreview)
)
