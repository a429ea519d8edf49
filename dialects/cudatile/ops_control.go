package cudatile

import "github.com/tilewright/tilewright/ir"

const terminatorSyntax = "attr-dict ($operands^ `:` type($operands))?"

// Structure and control flow.
var (
	Module = define(ir.OpDef{Name: "module", Opcode: 0x4b,
		Traits:  ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator | ir.SingleBlock | ir.GraphRegion,
		Summary: "A program: globals and entries.",
		Doc:     "It is what one file of bytecode holds. Names of its globals and entries are unique in it; producer is free text about the tool that wrote it.",
		Attrs:   fields(attr("sym_name", symNameKind), since(V13_3, optAttr("producer", stringKind))),
		Regions: region("body"), Parse: parseModule, Print: printModule, Verify: verifyModule}, groupCore)
	Entry = define(ir.OpDef{Name: "entry", Opcode: 0x16, Traits: ir.IsolatedFromAbove | ir.Symbol | ir.SingleBlock,
		Summary: "A kernel: what runs for each block of the grid.",
		Doc: "The host launches it over a grid of up to three dimensions, with scalars and pointers as arguments; each block of the grid runs the body once, without " +
			"a result. Hints are advice for the compiler, by architecture.",
		Attrs: fields(attr("sym_name", symNameKind), attr("function_type", typeKind), since(V13_5, optAttr("arg_attrs", arrayKind)),
			optAttr("res_attrs", arrayKind), optAttr("optimization_hints", hintsKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body"})), Parse: parseEntry, Print: printEntry, Verify: verifyEntry,
		VerifyRegions: verifyEntryBody}, groupCore)
	Global = define(ir.OpDef{Name: "global", Opcode: 0x31, Traits: ir.Symbol, Summary: "An array in global memory with its initial elements.",
		Doc: "The memory gets its elements when the host loads the module, and lives as long as that. Kernels reach it through get_global, and may store to " +
			"it unless it is constant.",
		Attrs: fields(attr("sym_name", symNameKind), doc("the initial elements", attr("value", denseKind)),
			defAttr("alignment", i64Kind, func(c *ir.Context) ir.Attribute { return c.IntAttr(c.Int(64), 0) }),
			since(V13_3, unit("constant")),
			since(V13_3, defAttr("symbol_visibility", visibilityKind, enumDefault(SymbolVisibilities, uint32(Public))))),
		Parse: parseGlobal, Print: printGlobal, Verify: verifyGlobal}, groupCore)

	For = define(ir.OpDef{Name: "for", Opcode: 0x29, Since: V13_1, Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary: "Runs the region for each value of an induction variable.",
		Doc: "The induction variable starts at lowerBound and grows by step, which must be positive, while it is below upperBound; both are read as signed unless " +
			"the loop says unsigned. The body gets it and the loop-carried values, and its continue says what these become; the results are the last ones. A for " +
			"has no break.",
		Operands: fields(one("lowerBound", intScalar), one("upperBound", intScalar), one("step", intScalar),
			variadic("initValues", anyType)),
		Attrs: fields(since(V13_2, unit("unsignedCmp"))), Results: fields(variadic("resultValues", anyType)),
		Regions: fields(blocks(1, ir.Field{Name: "region"})), Parse: parseFor, Print: printFor, VerifyRegions: verifyFor,
		ResultNames: nameFirst("for"), ArgNames: nameForArgs, Caps: forCaps},
		groupControl, sameType("lowerBound", "upperBound", "step"), sameType("initValues", "resultValues"))
	Loop = define(ir.OpDef{Name: "loop", Opcode: 0x41, Since: V13_1, Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary: "Runs the region again and again until a break.",
		Doc: "The body gets the loop-carried values. A continue starts the next iteration with new ones; a break ends the loop with its results, which may have " +
			"other types.",
		Operands: fields(variadic("initValues", anyType)), Results: fields(doc("what the break says", variadic("resultValues", anyType))),
		Regions: fields(blocks(1, ir.Field{Name: "region"})), Parse: parseLoop, Print: printLoop, VerifyRegions: verifyLoop,
		Caps: loopCaps}, groupControl)
	If = define(ir.OpDef{Name: "if", Opcode: 0x32, Since: V13_1, Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary: "Runs one of two regions.",
		Doc: "The first region runs when the condition is true, the second, if there is one, when it is false. Each ends with a yield of the results, or leaves the " +
			"operation by a break, continue or return.",
		Operands: fields(one("condition", boolScalar)), Results: fields(variadic("results", anyType)),
		Regions: fields(blocks(1, ir.Field{Name: "thenRegion"}), ir.Field{Name: "elseRegion"}),
		Parse:   parseIf, Print: printIf, Verify: verifyNoViews, VerifyRegions: verifyIf, Caps: ifCaps}, groupControl)

	Break = define(ir.OpDef{Name: "break", Opcode: 0x0a, Since: V13_1, Traits: ir.Terminator,
		Summary:  "Leaves the loop around it.",
		Doc:      "It may stand in the loop itself or in ifs inside it, but not in a for.",
		Operands: fields(doc("the results of the loop", variadic("operands", anyCudaType))),
		Parents:  parents("if", "loop"), Syntax: terminatorSyntax, Verify: verifyBreak, Caps: exitCaps("loop")}, groupControl)
	Continue = define(ir.OpDef{Name: "continue", Opcode: 0x11, Since: V13_1, Traits: ir.Terminator,
		Summary: "Begins the next iteration of the loop around it.",
		Doc: "It may stand in the for or loop itself or in ifs inside it. The values become the loop-carried ones of the next iteration, or the results when a for " +
			"has run through.",
		Operands: fields(doc("the loop-carried values", variadic("operands", anyCudaType))),
		Parents:  parents("for", "if", "loop"), Syntax: terminatorSyntax, Verify: verifyContinue,
		Caps: exitCaps("for", "loop")}, groupControl)
	Return = define(ir.OpDef{Name: "return", Opcode: 0x5c, Since: V13_1, Traits: ir.Terminator,
		Summary:  "Ends the kernel for this block.",
		Doc:      "It may stand in an if, but not in a loop: a loop has to end first. It returns nothing.",
		Operands: fields(variadic("operands", anyType)),
		Parents:  parents("entry", "if"), Syntax: terminatorSyntax, Verify: verifyReturn, Caps: exitCaps("entry")}, groupControl)
	Yield = define(ir.OpDef{Name: "yield", Opcode: 0x6d, Since: V13_1, Traits: ir.Pure | ir.Terminator,
		Summary:  "Ends the region with its results.",
		Doc:      "In an if the values become the results; in reduce and scan they are the combined elements.",
		Operands: fields(doc("the results of the region", variadic("operands", anyCudaType))),
		Parents:  parents("if", "reduce", "scan"), Syntax: terminatorSyntax}, groupControl)

	Assert = define(ir.OpDef{Name: "assert", Opcode: 0x05, Since: V13_1, Summary: "Reports a message and traps unless all elements are true.",
		Doc:      "The kernel may go on for a while after an assertion has failed; the host gets an error. It is meant for debugging.",
		Operands: fields(one("condition", boolTile)), Attrs: fields(attr("message", stringKind)),
		Syntax: "$condition `,` $message attr-dict `:` type($condition)", Caps: append(affects(console), ir.UsesLocation.Is(struct{}{}))}, groupControl)

	GdcLaunchDependents = define(ir.OpDef{Name: "gdc_launch_dependents_tko", Opcode: 0x77, Since: V13_4,
		Summary: "Lets the kernels that depend on this one start.",
		Doc: "For programmatic dependent launch: once all blocks have come here or ended, kernels that wait for this one may begin, while it is still running. " +
			"Before sm_90 it does nothing.",
		Operands: fields(optional("token", tokenType)), Results: fields(one("result_token", tokenType)),
		Syntax: "(`token` `=` $token^)? attr-dict `->` type($result_token)", Caps: touchesAll}, groupControl)
	GdcWait = define(ir.OpDef{Name: "gdc_wait_tko", Opcode: 0x78, Since: V13_4,
		Summary:  "Waits for the kernels that this one depends on.",
		Doc:      "For programmatic dependent launch: what the kernels before have written is visible behind it. Before sm_90 it does nothing.",
		Operands: fields(optional("token", tokenType)), Results: fields(one("result_token", tokenType)),
		Syntax: "(`token` `=` $token^)? attr-dict `->` type($result_token)", Caps: touchesAll}, groupControl)
)

func parents(names ...string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = Dialect.Name + "." + n
	}
	return out
}
