package scf

import (
	"github.com/tilewright/tilewright/ir"
)

// if %c -> (types) { ... } else { ... }
func parseIf(p ir.AsmParser, st *ir.OpState) {
	c := p.Operand()
	if v := p.Resolve(c, p.Context().Int(1)); !p.Failed() {
		st.Operands = []ir.Value{v}
	}
	st.Types = optResults(p)
	p.Region(st.AddRegion(), nil)
	other := st.AddRegion()
	if p.OptKeyword("else") {
		p.Region(other, nil)
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

func optResults(p ir.AsmParser) (ts []ir.Type) {
	if p.Opt("->") {
		p.CommaList("(", ")", func() { ts = append(ts, p.Type()) })
	}
	return ts
}

func printIf(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Operand(op.Operand(0))
	printResults(p, op)
	p.Str(" ")
	p.Region(op.Region(0), false, true)
	if !op.Region(1).Empty() {
		p.Str(" else ")
		p.Region(op.Region(1), false, true)
	}
	p.OptAttrDict(op, false)
}

func printResults(p ir.AsmPrinter, op ir.Op) {
	if op.NumResults() == 0 {
		return
	}
	p.Str(" -> (")
	p.Types(op.ResultTypes())
	p.Str(")")
}

// for [unsigned] %i = %lb to %ub step %s [iter_args(%a = %x, ...) -> (types)] : type { ... }
func parseFor(p ir.AsmParser, st *ir.OpState) {
	if p.OptKeyword("unsigned") {
		st.SetAttr("unsigned", p.Context().Unit())
	}
	iv := p.Argument(false)
	p.Expect("=")
	bounds := []ir.OperandRef{p.Operand()}
	p.ExpectKeyword("to")
	bounds = append(bounds, p.Operand())
	p.ExpectKeyword("step")
	bounds = append(bounds, p.Operand())
	args, inits, pos := parseIterArgs(p)
	st.Types = optResults(p)
	p.Expect(":")
	iv.Type = p.Type()
	if p.Failed() {
		return
	}
	for _, b := range bounds {
		st.Operands = append(st.Operands, p.Resolve(b, iv.Type))
	}
	finishLoop(p, st, append([]ir.Argument{iv}, args...), 1, inits, pos)
}

func parseIterArgs(p ir.AsmParser) (args []ir.Argument, inits []ir.OperandRef, pos ir.Pos) {
	pos = p.Pos()
	if p.OptKeyword("iter_args") {
		p.CommaList("(", ")", func() {
			args = append(args, p.Argument(false))
			p.Expect("=")
			inits = append(inits, p.Operand())
		})
	}
	return args, inits, pos
}

func finishLoop(p ir.AsmParser, st *ir.OpState, args []ir.Argument, first int, inits []ir.OperandRef, pos ir.Pos) {
	types := st.Types
	if st.Def.Name == "loop" { // its results have types of their own
		types = make([]ir.Type, 0, len(inits))
		if len(inits) > 0 {
			p.Expect(":")
			types = p.TypeList()
		}
	}
	if p.Failed() {
		return
	}
	if len(types) != len(inits) {
		p.ErrorAt(pos, "expected as many types as loop-carried values, but got %d and %d", len(types), len(inits))
		return
	}
	for i, t := range types {
		args[first+i].Type = t
	}
	st.Operands = append(st.Operands, p.ResolveAll(inits, types, pos)...)
	p.Region(st.AddRegion(), args)
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

func printFor(p ir.AsmPrinter, op ir.Op) {
	if op.HasUnitAttr("unsigned") {
		p.Str(" unsigned")
	}
	l := forLoop(op)
	p.Str(" ")
	p.Operand(l.IndVar)
	p.Str(" = ")
	p.Operand(l.Lower)
	p.Str(" to ")
	p.Operand(l.Upper)
	p.Str(" step ")
	p.Operand(l.Step)
	printIterArgs(p, l)
	printResults(p, op)
	p.Str(" : ")
	p.Type(l.IndVar.Type())
	p.Str(" ")
	p.Region(l.Body, false, true)
	p.OptAttrDict(op, false, "unsigned")
}

func printIterArgs(p ir.AsmPrinter, l ir.Loop) {
	if l.NumIterArgs == 0 {
		return
	}
	p.Str(" iter_args(")
	for i := range l.NumIterArgs {
		if i > 0 {
			p.Str(", ")
		}
		p.Operand(l.IterArg(i))
		p.Str(" = ")
		p.Operand(l.Init(i))
	}
	p.Str(")")
}

// loop [iter_args(%a = %x, ...)] [-> (result types)] [: types of the loop-carried values] { ... }
func parseLoop(p ir.AsmParser, st *ir.OpState) {
	args, inits, pos := parseIterArgs(p)
	st.Types = optResults(p)
	finishLoop(p, st, args, 0, inits, pos)
}

func printLoop(p ir.AsmPrinter, op ir.Op) {
	l := loopLoop(op)
	printIterArgs(p, l)
	printResults(p, op)
	if l.NumIterArgs > 0 {
		p.Str(" : ")
		for i := range l.NumIterArgs {
			if i > 0 {
				p.Str(", ")
			}
			p.Type(l.Init(i).Type())
		}
	}
	p.Str(" ")
	p.Region(l.Body, false, true)
	p.OptAttrDict(op, false)
}
