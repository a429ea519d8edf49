package ops

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/facts"
	"github.com/tilewright/tilewright/dialects/cudatile/syntax"
	"github.com/tilewright/tilewright/dialects/cudatile/verify"
	"github.com/tilewright/tilewright/ir"
)

const terminatorSyntax = "attr-dict ($operands^ `:` type($operands))?"

// Structure and control flow.
var (
	_ = define(cudatile.Module, ir.OpDef{Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator | ir.SingleBlock | ir.GraphRegion,
		Summary: "A program: globals and kernels (entries).",
		Doc: "A bytecode file holds one module. Names of its globals and entries are unique. producer is free text " +
			"about the tool that wrote it.",
		Attrs:   fields(attr("sym_name", symNameKind), since(cudatile.V13_3, optAttr("producer", stringKind))),
		Regions: region("body"), Parse: syntax.ParseModule, Print: syntax.PrintModule, Verify: verify.Module}, groupCore)
	_ = define(cudatile.Entry, ir.OpDef{Traits: ir.IsolatedFromAbove | ir.Symbol | ir.SingleBlock,
		Summary: "A kernel, which runs once for each block of the grid.",
		Doc: "The host launches it over a grid of up to three dimensions, with scalars and pointers as arguments. Each " +
			"block of the grid runs the body once, without a result. Hints are advice for the compiler, by " +
			"architecture.",
		Attrs: fields(attr("sym_name", symNameKind), attr("function_type", typeKind), since(cudatile.V13_5, optAttr("arg_attrs", arrayKind)),
			optAttr("res_attrs", arrayKind), optAttr("optimization_hints", hintsKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body"})), Parse: syntax.ParseEntry, Print: syntax.PrintEntry, Verify: verify.Entry,
		VerifyRegions: verify.EntryBody}, groupCore)
	_ = define(cudatile.Global, ir.OpDef{Traits: ir.Symbol, Summary: "An array in global memory with its initial elements.",
		Doc: "The memory is initialized when the host loads the module, and lives as long as the module. Kernels " +
			"access it through get_global, and may store to it unless it is constant.",
		Attrs: fields(attr("sym_name", symNameKind), doc("the initial elements", attr("value", denseKind)),
			defAttr("alignment", i64Kind, func(c *ir.Context) ir.Attribute { return c.IntAttr(c.Int(64), 0) }),
			since(cudatile.V13_3, unit("constant")),
			since(cudatile.V13_3, defAttr("symbol_visibility", visibilityKind, enumDefault(cudatile.SymbolVisibilities, uint32(cudatile.Public))))),
		Parse: syntax.ParseGlobal, Print: syntax.PrintGlobal, Verify: verify.Global}, groupCore)

	_ = define(cudatile.For, ir.OpDef{Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary: "Runs the region for each value of an induction variable.",
		Doc: "The induction variable starts at lowerBound and grows by step, which must be positive, while it is below " +
			"upperBound. Both bounds are read as signed unless the loop says unsigned. The body gets the induction " +
			"variable and the loop-carried values, and its continue gives the next ones. The results are the last " +
			"ones. A for has no break.",
		Operands: fields(one("lowerBound", intScalar), one("upperBound", intScalar), one("step", intScalar),
			variadic("initValues", anyType)),
		Attrs: fields(since(cudatile.V13_2, unit("unsignedCmp"))), Results: fields(variadic("resultValues", anyType)),
		Regions: fields(blocks(1, ir.Field{Name: "region"})), Parse: syntax.ParseFor, Print: syntax.PrintFor, VerifyRegions: verify.For,
		ResultNames: syntax.NameFirst("for"), ArgNames: syntax.NameForArgs, Caps: facts.ForCaps},
		groupControl, sameType("lowerBound", "upperBound", "step"), sameType("initValues", "resultValues"))
	_ = define(cudatile.Loop, ir.OpDef{Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary: "Repeats the region until a break.",
		Doc: "The body gets the loop-carried values. A continue starts the next iteration with new values. A break " +
			"ends the loop with its results, which may have other types.",
		Operands: fields(variadic("initValues", anyType)), Results: fields(doc("what the break says", variadic("resultValues", anyType))),
		Regions: fields(blocks(1, ir.Field{Name: "region"})), Parse: syntax.ParseLoop, Print: syntax.PrintLoop, VerifyRegions: verify.Loop,
		Caps: facts.LoopCaps}, groupControl)
	_ = define(cudatile.If, ir.OpDef{Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary: "Runs one of two regions.",
		Doc: "The first region runs if the condition is true. The second region, if there is one, runs if it is false. " +
			"Each ends with a yield of the results, or leaves the operation by a break, continue or return.",
		Operands: fields(one("condition", boolScalar)), Results: fields(variadic("results", anyType)),
		Regions: fields(blocks(1, ir.Field{Name: "thenRegion"}), ir.Field{Name: "elseRegion"}),
		Parse:   syntax.ParseIf, Print: syntax.PrintIf, Verify: verify.NoViews, VerifyRegions: verify.If, Caps: facts.IfCaps}, groupControl)

	_ = define(cudatile.Break, ir.OpDef{Traits: ir.Terminator,
		Summary:  "Leaves the loop around it.",
		Doc:      "It may be in the body of the loop or in ifs inside the loop, but not in a for.",
		Operands: fields(doc("the results of the loop", variadic("operands", anyCudaType))),
		Parents:  cudatile.Names(cudatile.If, cudatile.Loop), Syntax: terminatorSyntax, Verify: verify.Break, Caps: facts.ExitCaps(cudatile.Loop)}, groupControl)
	_ = define(cudatile.Continue, ir.OpDef{Traits: ir.Terminator,
		Summary: "Starts the next iteration of the loop around it.",
		Doc: "It may be in the body of a for or loop, or in ifs inside it. Its operands become the loop-carried values " +
			"of the next iteration. After the last iteration of a for they become its results.",
		Operands: fields(doc("the loop-carried values", variadic("operands", anyCudaType))),
		Parents:  cudatile.Names(cudatile.For, cudatile.If, cudatile.Loop), Syntax: terminatorSyntax, Verify: verify.Continue,
		Caps: facts.ExitCaps(cudatile.For, cudatile.Loop)}, groupControl)
	_ = define(cudatile.Return, ir.OpDef{Traits: ir.Terminator,
		Summary:  "Ends the kernel for this block.",
		Doc:      "It may be in an if, but not in a loop: a loop must end first. It returns nothing.",
		Operands: fields(variadic("operands", anyType)),
		Parents:  cudatile.Names(cudatile.Entry, cudatile.If), Syntax: terminatorSyntax, Verify: verify.Return, Caps: facts.ExitCaps(cudatile.Entry)}, groupControl)
	_ = define(cudatile.Yield, ir.OpDef{Traits: ir.Pure | ir.Terminator,
		Summary:  "Ends the region with its results.",
		Doc:      "In an if the operands become the results. In reduce and scan they are the combined elements.",
		Operands: fields(doc("the results of the region", variadic("operands", anyCudaType))),
		Parents:  cudatile.Names(cudatile.If, cudatile.Reduce, cudatile.Scan), Syntax: terminatorSyntax}, groupControl)

	_ = define(cudatile.Assert, ir.OpDef{Summary: "Reports a message and traps unless all elements are true.",
		Doc:      "The kernel may continue for a while after an assertion has failed; the host gets an error. It is meant for debugging.",
		Operands: fields(one("condition", boolTile)), Attrs: fields(attr("message", stringKind)),
		Syntax: "$condition `,` $message attr-dict `:` type($condition)", Caps: append(facts.Affects(facts.Console), ir.UsesLocation.Is(struct{}{}))}, groupControl)

	_ = define(cudatile.GdcLaunchDependents, ir.OpDef{Summary: "Lets the kernels that depend on this one start.",
		Doc: "It is for programmatic dependent launch. When all blocks have executed it or ended, kernels that wait " +
			"for this one may start while it is still running. Before sm_90 it does nothing.",
		Operands: fields(optional("token", tokenType)), Results: fields(one("result_token", tokenType)),
		Syntax: "(`token` `=` $token^)? attr-dict `->` type($result_token)", Caps: facts.TouchesAll}, groupControl)
	_ = define(cudatile.GdcWait, ir.OpDef{Summary: "Waits for the kernels that this one depends on.",
		Doc: "It is for programmatic dependent launch. What the earlier kernels have written is visible after it. " +
			"Before sm_90 it does nothing.",
		Operands: fields(optional("token", tokenType)), Results: fields(one("result_token", tokenType)),
		Syntax: "(`token` `=` $token^)? attr-dict `->` type($result_token)", Caps: facts.TouchesAll}, groupControl)
)
