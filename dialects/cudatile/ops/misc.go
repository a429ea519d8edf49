package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/facts"
	"github.com/tilewright/tilewright/dialects/cudatile/syntax"
	"github.com/tilewright/tilewright/dialects/cudatile/verify"
	"github.com/tilewright/tilewright/ir"
)

// What does not fit elsewhere.
var (
	// Assume has no effects: dropping it loses knowledge, not behaviour. It is not speculatable, since a predicate
	// that does not hold is undefined behaviour.
	_ = define(cudatile.Assume, ir.OpDef{Summary: "Returns its operand, and lets the compiler assume a predicate about it.",
		Doc:      "Nothing checks the predicate at run time. If it is false, the behaviour of the program is undefined.",
		Operands: fields(one("value", anyType)), Attrs: fields(attr("predicate", predicateKind)), Results: result(anyType),
		Syntax: "$predicate `,` $value attr-dict `:` type($value, $result)", Verify: verify.Assume, ResultNames: syntax.NameAssume,
		Caps: facts.NoEffects}, groupMisc, sameType("value", "result"))
	_ = define(cudatile.Print, ir.OpDef{Traits: ir.AttrSizedOperandSegments,
		Summary: "Prints values, for debugging.",
		Doc: "The format is that of printf in C, with one conversion for each operand; all elements of a tile are " +
			"printed. The output of blocks that print at the same time may be mixed. It is meant for debugging.",
		Operands: fields(variadic("args", anyTile), since(cudatile.V13_2, optional("token", tokenType))), Attrs: fields(attr("str", stringKind)),
		Results: fields(since(cudatile.V13_2, one("result_token", tokenType))),
		Syntax:  "$str (`,` $args^)? (`token` `` `=` `` $token^)? attr-dict (`:` type($args)^)? `->` type($result_token)",
		Verify:  verify.Print, Caps: facts.Affects(facts.Console)}, groupMisc)

	_ = define(cudatile.GetGlobal, ir.OpDef{Traits: ir.Pure, Summary: "The address of a global.",
		Doc:   "The pointer is to the first element; the others follow in row-major order.",
		Attrs: fields(attr("name", symRefKind)), Results: result(ptrScalar), Syntax: "$name attr-dict `:` type($result)",
		Verify: verify.GetGlobal}, groupCore)
	_ = define(cudatile.GetNumTileBlocks, ir.OpDef{Traits: ir.Pure,
		Summary:     "The sizes of the grid, in blocks.",
		Doc:         "These are the three sizes with which the host launched the grid; a missing dimension is one.",
		Results:     fields(one("gridSize_x", i32Scalar), one("gridSize_y", i32Scalar), one("gridSize_z", i32Scalar)),
		Syntax:      "attr-dict `:` type($gridSize_x, $gridSize_y, $gridSize_z)",
		ResultNames: syntax.NameEach}, groupCore)
	_ = define(cudatile.GetTileBlockID, ir.OpDef{Traits: ir.Pure,
		Summary:     "The coordinates of this block in the grid.",
		Doc:         "There are three coordinates, each from zero to the size of the grid minus one, read as signed 32-bit integers.",
		Results:     fields(one("blockId_x", i32Scalar), one("blockId_y", i32Scalar), one("blockId_z", i32Scalar)),
		Syntax:      "attr-dict `:` type($blockId_x, $blockId_y, $blockId_z)",
		ResultNames: syntax.NameEach}, groupCore)

	_ = define(cudatile.PreviewCall, ir.OpDef{Summary: "Calls a function (preview).",
		Doc: "Its form is not published; this row has what is known of it. The bytecode accepts it only with a feature " +
			"flag, and nothing lowers it.",
		Operands: fields(variadic("operands", anyType)), Results: fields(variadic("results", anyType)),
		Attrs: fields(attr("callee", symRefKind), attr("const_args", arrayKind), optAttr("arg_attrs", arrayKind),
			optAttr("res_attrs", arrayKind))}, groupPreview)
)
