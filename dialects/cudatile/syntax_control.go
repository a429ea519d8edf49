package cudatile

import "github.com/tilewright/tilewright/ir"

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

// parseFor parses "unsigned %i in (%lb to %ub, step %step) : type iter_values(...) -> (types) { ... }".
func parseFor(p ir.AsmParser, st *ir.OpState) {
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
	p.Expect(":")
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
	parseBody(p, st, args, "continue", pos)
}

// parseBody parses the region of an operation, and the attributes behind it.
func parseBody(p ir.AsmParser, st *ir.OpState, args []ir.Argument, terminator string, pos ir.Pos) {
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

func printFor(p ir.AsmPrinter, op ir.Op) {
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
		p.Types(valueTypes(inits))
		p.Str(") ")
	}
	p.Region(op.Region(0), false, !hidesTerminator(op.Region(0), "continue"))
	p.OptAttrDict(op, false, "unsignedCmp")
}

// parseLoop parses "iter_values(...) : types -> types { ... }" or ": types { ... }".
func parseLoop(p ir.AsmParser, st *ir.OpState) {
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
	parseBody(p, st, args, "continue", pos)
}

func printLoop(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	inits := op.Operands()
	if len(inits) > 0 {
		printAssignments(p, op.Body().Args(), inits)
		p.Str(" : ")
		p.Types(valueTypes(inits))
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
	p.Region(op.Region(0), false, !hidesTerminator(op.Region(0), "continue"))
	p.OptAttrDict(op, false)
}

// parseIf parses "%cond -> (types) { ... } else { ... }".
func parseIf(p ir.AsmParser, st *ir.OpState) {
	pos := p.Pos()
	cond := p.Operand()
	if p.Opt("->") {
		p.CommaList("(", ")", func() { st.Types = append(st.Types, p.Type()) })
	}
	if p.Failed() {
		return
	}
	st.Operands = append(st.Operands, p.Resolve(cond, Scalar(p.Context(), p.Context().Int(1))))
	then, otherwise := st.AddRegion(), st.AddRegion()
	p.Region(then, nil)
	if p.Failed() {
		return
	}
	terminate(p, then, "yield", pos)
	if p.OptKeyword("else") {
		p.Region(otherwise, nil)
		if p.Failed() {
			return
		}
		terminate(p, otherwise, "yield", pos)
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

func printIf(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Operand(op.Operand(0))
	if op.NumResults() > 0 {
		p.Str(" -> (")
		p.Types(op.ResultTypes())
		p.Str(")")
	}
	p.Str(" ")
	p.Region(op.Region(0), false, !hidesTerminator(op.Region(0), "yield"))
	if r := op.Region(1); !r.Empty() {
		p.Str(" else ")
		p.Region(r, false, !hidesTerminator(r, "yield"))
	}
	p.OptAttrDict(op, false)
}

func parseReduce(p ir.AsmParser, st *ir.OpState) { parseReduction(p, st, false) }
func parseScan(p ir.AsmParser, st *ir.OpState)   { parseReduction(p, st, true) }

// parseReduction parses "%operands dim=1 reverse=false identities=[0.0 : f32] : types -> types (%a: type, ...) { ... }".
func parseReduction(p ir.AsmParser, st *ir.OpState, scan bool) {
	pos := p.Pos()
	c := p.Context()
	operands := p.Operands()
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.ExpectKeyword("dim")
	p.Expect("=")
	st.SetAttr("dim", c.IntAttr(c.Int(32), parseRange(p, -1<<31, 1<<31-1)))
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

func printReduce(p ir.AsmPrinter, op ir.Op) { printReduction(p, op, false) }
func printScan(p ir.AsmPrinter, op ir.Op)   { printReduction(p, op, true) }

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
	p.Types(valueTypes(op.Operands()))
	p.Str(" -> ")
	p.Types(op.ResultTypes())
	p.Str(" ")
	p.Newline()
	printArgs(p, op.Body())
	p.Str(" ")
	p.Region(op.Region(0), false, true)
}
