package syntax

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// assignments parses "(%arg = %init, ...)".
func assignments(p ir.AsmParser) (args []ir.Argument, inits []ir.OperandRef) {
	p.CommaList("(", ")", func() {
		args = append(args, p.Argument(false))
		p.Expect("=")
		inits = append(inits, p.Operand())
	})
	return args, inits
}

// printAssignments prints "iter_values(%arg = %init, ...)".
func printAssignments(p ir.AsmPrinter, args, inits []ir.Value) {
	p.Str("iter_values(")
	for i, v := range inits {
		if i > 0 {
			p.Str(", ")
		}
		if i < len(args) {
			p.Operand(args[i])
		}
		p.Str(" = ")
		p.Operand(v)
	}
	p.Str(")")
}

// ParseFor parses "unsigned %i in (%lb to %ub, step %step) : type iter_values(...) -> (types) { ... }".
func ParseFor(p ir.AsmParser, st *ir.OpState) {
	pos := p.Pos()
	if p.OptKeyword("unsigned") {
		st.SetAttr("unsignedCmp", p.Context().Unit())
	}
	args := []ir.Argument{p.Argument(false)}
	p.ExpectKeyword("in")
	p.Expect("(")
	bounds := []ir.OperandRef{p.Operand()}
	p.ExpectKeyword("to")
	bounds = append(bounds, p.Operand())
	p.Expect(",")
	p.ExpectKeyword("step")
	bounds = append(bounds, p.Operand())
	p.Expect(")")
	if !p.Opt(":") {
		p.Errorf("expected ':' and the type of the induction variable, as in 'for %%i in (%%from to %%to, step %%step) : tile<i32> {'")
		return
	}
	args[0].Type = p.Type()
	var inits []ir.OperandRef
	if p.OptKeyword("iter_values") {
		var carried []ir.Argument
		carried, inits = assignments(p)
		p.Expect("->")
		p.CommaList("(", ")", func() { st.Types = append(st.Types, p.Type()) })
		if len(inits) != len(st.Types) {
			p.ErrorAt(pos, "mismatch in number of loop-carried values and defined values")
			return
		}
		for i := range carried {
			carried[i].Type = st.Types[i]
		}
		args = append(args, carried...)
	}
	for _, b := range bounds {
		st.Operands = append(st.Operands, p.Resolve(b, args[0].Type))
	}
	st.Operands = append(st.Operands, p.ResolveAll(inits, st.Types, pos)...)
	parseBody(p, st, args, cudatile.Continue, pos)
}

// parseBody parses the region of an operation, and the attributes after it.
func parseBody(p ir.AsmParser, st *ir.OpState, args []ir.Argument, terminator *ir.OpDef, pos ir.Pos) {
	if p.Failed() {
		return
	}
	body := st.AddRegion()
	p.Region(body, args)
	if p.Failed() {
		return
	}
	terminate(p, body, terminator, pos)
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

// PrintFor prints for.
func PrintFor(p ir.AsmPrinter, op ir.Op) {
	if op.HasUnitAttr("unsignedCmp") {
		p.Str(" unsigned")
	}
	args := op.Body().Args()
	if len(args) == 0 {
		p.Str(" <<no induction variable>>")
		return
	}
	p.Str(" ")
	p.Operand(args[0])
	p.Str(" in (")
	p.Operand(op.Operand(0))
	p.Str(" to ")
	p.Operand(op.Operand(1))
	p.Str(", step ")
	p.Operand(op.Operand(2))
	p.Str(") : ")
	p.Type(args[0].Type())
	p.Str(" ")
	if inits := op.Operands()[3:]; len(inits) > 0 {
		printAssignments(p, args[1:], inits)
		p.Str(" -> (")
		p.Types(ir.TypesOf(inits))
		p.Str(") ")
	}
	p.Region(op.Region(0), false, !HidesTerminator(op.Region(0), cudatile.Continue))
	p.OptAttrDict(op, false, "unsignedCmp")
}

// ParseLoop parses "iter_values(...) : types -> types { ... }" or ": types { ... }".
func ParseLoop(p ir.AsmParser, st *ir.OpState) {
	pos := p.Pos()
	var args []ir.Argument
	if p.OptKeyword("iter_values") {
		var inits []ir.OperandRef
		args, inits = assignments(p)
		p.Expect(":")
		types := p.TypeList()
		if len(types) != len(args) {
			p.Errorf("found different number of iter_values and types")
			return
		}
		for i := range args {
			args[i].Type = types[i]
		}
		st.Operands = append(st.Operands, p.ResolveAll(inits, types, pos)...)
		if p.Opt("->") {
			st.Types = p.TypeList()
		}
	} else if p.Opt(":") {
		st.Types = p.TypeList()
	}
	parseBody(p, st, args, cudatile.Continue, pos)
}

// PrintLoop prints loop.
func PrintLoop(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	inits := op.Operands()
	if len(inits) > 0 {
		printAssignments(p, op.Body().Args(), inits)
		p.Str(" : ")
		p.Types(ir.TypesOf(inits))
		p.Str(" ")
	}
	if op.NumResults() > 0 {
		if len(inits) > 0 {
			p.Str("-> ")
		} else {
			p.Str(": ")
		}
		p.Types(op.ResultTypes())
		p.Str(" ")
	}
	p.Region(op.Region(0), false, !HidesTerminator(op.Region(0), cudatile.Continue))
	p.OptAttrDict(op, false)
}

// ParseIf parses "%cond -> (types) { ... } else { ... }".
func ParseIf(p ir.AsmParser, st *ir.OpState) {
	pos := p.Pos()
	cond := p.Operand()
	if p.Opt("->") {
		p.CommaList("(", ")", func() { st.Types = append(st.Types, p.Type()) })
	}
	if p.Failed() {
		return
	}
	st.Operands = append(st.Operands, p.Resolve(cond, cudatile.Scalar(p.Context(), p.Context().Int(1))))
	then, otherwise := st.AddRegion(), st.AddRegion()
	p.Region(then, nil)
	if p.Failed() {
		return
	}
	terminate(p, then, cudatile.Yield, pos)
	if p.OptKeyword("else") {
		p.Region(otherwise, nil)
		if p.Failed() {
			return
		}
		terminate(p, otherwise, cudatile.Yield, pos)
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

// PrintIf prints if.
func PrintIf(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Operand(op.Operand(0))
	if op.NumResults() > 0 {
		p.Str(" -> (")
		p.Types(op.ResultTypes())
		p.Str(")")
	}
	p.Str(" ")
	p.Region(op.Region(0), false, !HidesTerminator(op.Region(0), cudatile.Yield))
	if r := op.Region(1); !r.Empty() {
		p.Str(" else ")
		p.Region(r, false, !HidesTerminator(r, cudatile.Yield))
	}
	p.OptAttrDict(op, false)
}

// ParseReduce parses reduce.
func ParseReduce(p ir.AsmParser, st *ir.OpState) { parseReduction(p, st, false) }

// ParseScan parses scan.
func ParseScan(p ir.AsmParser, st *ir.OpState) { parseReduction(p, st, true) }

// parseReduction parses "%operands dim=1 reverse=false identities=[0.0 : f32] : types -> types (%a: type, ...) { ...
// }".
func parseReduction(p ir.AsmParser, st *ir.OpState, scan bool) {
	pos := p.Pos()
	c := p.Context()
	operands := p.Operands()
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.ExpectKeyword("dim")
	p.Expect("=")
	st.SetAttr("dim", c.IntAttr(c.Int(32), cudatile.ParseRange(p, -1<<31, 1<<31-1)))
	if scan {
		p.ExpectKeyword("reverse")
		p.Expect("=")
		reverse := p.OptKeyword("true")
		if !reverse {
			p.ExpectKeyword("false")
		}
		st.SetAttr("reverse", c.BoolAttr(reverse))
	}
	p.ExpectKeyword("identities")
	p.Expect("=")
	if a := p.Attr(nil); a != nil {
		st.SetAttr("identities", a)
	}
	p.Expect(":")
	types := p.TypeList()
	p.Expect("->")
	st.Types = p.TypeList()
	st.Operands = append(st.Operands, p.ResolveAll(operands, types, pos)...)
	args, _ := parseSignature(p)
	if p.Failed() {
		return
	}
	p.Region(st.AddRegion(), args)
}

// PrintReduce prints reduce.
func PrintReduce(p ir.AsmPrinter, op ir.Op) { printReduction(p, op, false) }

// PrintScan prints scan.
func PrintScan(p ir.AsmPrinter, op ir.Op) { printReduction(p, op, true) }

func printReduction(p ir.AsmPrinter, op ir.Op, scan bool) {
	p.Str(" ")
	p.Operands(op.Operands())
	p.OptAttrDict(op, false, "dim", "reverse", "identities")
	dim, _ := op.IntAttr("dim")
	p.Str(" dim=")
	p.Int(dim)
	if reverse, _ := op.IntAttr("reverse"); scan && reverse != 0 {
		p.Str(" reverse=true")
	} else if scan {
		p.Str(" reverse=false")
	}
	p.Str(" identities=")
	if a := op.Attr("identities"); a != nil {
		p.Attr(a)
	}
	p.Str(" : ")
	p.Types(ir.TypesOf(op.Operands()))
	p.Str(" -> ")
	p.Types(op.ResultTypes())
	p.Str(" ")
	p.Newline()
	printArgs(p, op.Body(), nil)
	p.Str(" ")
	p.Region(op.Region(0), false, true)
}
