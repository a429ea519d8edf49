package cudatile

import "github.com/tilewright/tilewright/ir"

const terminatorSyntax = "attr-dict ($operands^ `:` type($operands))?"

// Structure and control flow.
var (
	Module = define(ir.OpDef{Name: "module", Opcode: 0x4b,
		Traits:  ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator | ir.SingleBlock | ir.GraphRegion,
		Summary: "A program: globals and entries.",
		Attrs:   fields(attr("sym_name", symNameKind), since(V13_3, optAttr("producer", stringKind))),
		Regions: region("body"), Parse: parseModule, Print: printModule, Verify: verifyModule}, groupCore)
	Entry = define(ir.OpDef{Name: "entry", Opcode: 0x16, Traits: ir.IsolatedFromAbove | ir.Symbol | ir.SingleBlock,
		Summary: "A kernel: what runs for each block of the grid.",
		Attrs: fields(attr("sym_name", symNameKind), attr("function_type", typeKind), since(V13_5, optAttr("arg_attrs", arrayKind)),
			optAttr("res_attrs", arrayKind), optAttr("optimization_hints", hintsKind)),
		Regions: fields(blocks(1, ir.Field{Name: "body"})), Parse: parseEntry, Print: printEntry, Verify: verifyEntry,
		VerifyRegions: verifyEntryBody}, groupCore)
	Global = define(ir.OpDef{Name: "global", Opcode: 0x31, Traits: ir.Symbol, Summary: "A constant array in global memory.",
		Attrs: fields(attr("sym_name", symNameKind), doc("the initial elements", attr("value", denseKind)),
			defAttr("alignment", i64Kind, func(c *ir.Context) ir.Attribute { return c.IntAttr(c.Int(64), 0) }),
			since(V13_3, unit("constant")),
			since(V13_3, defAttr("symbol_visibility", visibilityKind, enumDefault(SymbolVisibilities, uint32(Public))))),
		Parse: parseGlobal, Print: printGlobal, Verify: verifyGlobal}, groupCore)

	For = define(ir.OpDef{Name: "for", Opcode: 0x29, Since: V13_1, Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary: "Runs the region for each value of an induction variable.",
		Operands: fields(one("lowerBound", intScalar), one("upperBound", intScalar), one("step", intScalar),
			variadic("initValues", anyType)),
		Attrs: fields(since(V13_2, unit("unsignedCmp"))), Results: fields(variadic("resultValues", anyType)),
		Regions: fields(blocks(1, ir.Field{Name: "region"})), Parse: parseFor, Print: printFor, VerifyRegions: verifyFor,
		ResultNames: nameFirst("for"), ArgNames: nameForArgs, Caps: forCaps},
		groupControl, sameType("lowerBound", "upperBound", "step"), sameType("initValues", "resultValues"))
	Loop = define(ir.OpDef{Name: "loop", Opcode: 0x41, Since: V13_1, Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary:  "Runs the region again and again until a break.",
		Operands: fields(variadic("initValues", anyType)), Results: fields(doc("what the break says", variadic("resultValues", anyType))),
		Regions: fields(blocks(1, ir.Field{Name: "region"})), Parse: parseLoop, Print: printLoop, VerifyRegions: verifyLoop,
		Caps: loopCaps}, groupControl)
	If = define(ir.OpDef{Name: "if", Opcode: 0x32, Since: V13_1, Traits: ir.SingleBlock | ir.RecursiveEffects,
		Summary:  "Runs one of two regions.",
		Operands: fields(one("condition", boolScalar)), Results: fields(variadic("results", anyType)),
		Regions: fields(blocks(1, ir.Field{Name: "thenRegion"}), ir.Field{Name: "elseRegion"}),
		Parse:   parseIf, Print: printIf, Verify: verifyNoViews, VerifyRegions: verifyIf, Caps: ifCaps}, groupControl)

	Break = define(ir.OpDef{Name: "break", Opcode: 0x0a, Since: V13_1, Traits: ir.Terminator,
		Summary:  "Leaves the loop around it.",
		Operands: fields(doc("the results of the loop", variadic("operands", anyCudaType))),
		Parents:  parents("if", "loop"), Syntax: terminatorSyntax, Verify: verifyBreak, Caps: exitCaps("loop")}, groupControl)
	Continue = define(ir.OpDef{Name: "continue", Opcode: 0x11, Since: V13_1, Traits: ir.Terminator,
		Summary:  "Begins the next iteration of the loop around it.",
		Operands: fields(doc("the loop-carried values", variadic("operands", anyCudaType))),
		Parents:  parents("for", "if", "loop"), Syntax: terminatorSyntax, Verify: verifyContinue,
		Caps: exitCaps("for", "loop")}, groupControl)
	Return = define(ir.OpDef{Name: "return", Opcode: 0x5c, Since: V13_1, Traits: ir.Terminator,
		Summary:  "Ends the kernel for this block.",
		Operands: fields(variadic("operands", anyType)),
		Parents:  parents("entry", "if"), Syntax: terminatorSyntax, Verify: verifyReturn, Caps: exitCaps("entry")}, groupControl)
	Yield = define(ir.OpDef{Name: "yield", Opcode: 0x6d, Since: V13_1, Traits: ir.Pure | ir.Terminator,
		Summary:  "Ends the region with its results.",
		Operands: fields(doc("the results of the region", variadic("operands", anyCudaType))),
		Parents:  parents("if", "reduce", "scan"), Syntax: terminatorSyntax}, groupControl)

	Assert = define(ir.OpDef{Name: "assert", Opcode: 0x05, Since: V13_1, Summary: "Reports a message and traps unless all elements are true.",
		Operands: fields(one("condition", boolTile)), Attrs: fields(attr("message", stringKind)),
		Syntax: "$condition `,` $message attr-dict `:` type($condition)", Caps: affects(console)}, groupControl)

	GdcLaunchDependents = define(ir.OpDef{Name: "gdc_launch_dependents_tko", Opcode: 0x77, Since: V13_4,
		Summary:  "Lets the kernels that depend on this one start.",
		Operands: fields(optional("token", tokenType)), Results: fields(one("result_token", tokenType)),
		Syntax: "(`token` `=` $token^)? attr-dict `->` type($result_token)", Caps: touchesAll}, groupControl)
	GdcWait = define(ir.OpDef{Name: "gdc_wait_tko", Opcode: 0x78, Since: V13_4,
		Summary:  "Waits for the kernels that this one depends on.",
		Operands: fields(optional("token", tokenType)), Results: fields(one("result_token", tokenType)),
		Syntax: "(`token` `=` $token^)? attr-dict `->` type($result_token)", Caps: touchesAll}, groupControl)
)

func parents(names ...string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = D.Name + "." + n
	}
	return out
}
