package nvvm

import (
	"strings"

	"github.com/tilewright/tilewright/ir"
)

// ld %addr [+ 16] [if %p else %a, %b] {..} : ptr -> types
func parseLd(p ir.AsmParser, st *ir.OpState) {
	c := p.Context()
	addr := p.Operand()
	if p.Opt("+") {
		st.SetAttr(AttrOffset, c.IntAttr(c.Int(64), p.Integer()))
	}
	var pred ir.OperandRef
	var other []ir.OperandRef
	pos := p.Pos()
	conditional := p.OptKeyword("if")
	if conditional {
		pred = p.Operand()
		p.ExpectKeyword("else")
		other = p.Operands()
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	addrType := p.Type()
	p.Expect("->")
	types := p.TypeList()
	if p.Failed() {
		return
	}
	groups := [][]ir.Value{{p.Resolve(addr, addrType)}, nil, nil}
	if conditional {
		groups[1] = []ir.Value{p.Resolve(pred, c.Int(1))}
		groups[2] = p.ResolveAll(other, types, pos)
	}
	if p.Failed() {
		return
	}
	st.OperandGroups(groups...)
	st.Types = types
}

func printLd(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Operand(op.Operand(0))
	if off, ok := op.IntAttr(AttrOffset); ok {
		p.Str(" + ")
		p.Int(off)
	}
	if pred := op.OperandNamed("predicate"); !pred.IsNil() {
		p.Str(" if ")
		p.Operand(pred)
		p.Str(" else ")
		p.Operands(op.OperandsNamed("other"))
	}
	p.OptAttrDict(op, false, AttrOffset, ir.OperandSegmentSizes)
	p.Str(" : ")
	p.Type(op.Operand(0).Type())
	p.Str(" -> ")
	p.Types(op.ResultTypes())
}

// shfl.sync bfly %v, %off : type
func parseShuffle(p ir.AsmParser, st *ir.OpState) {
	st.SetAttr(AttrMode, ShuffleKind.Parse(p))
	v := p.Operand()
	p.Expect(",")
	off := p.Operand()
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	t := p.Type()
	if p.Failed() {
		return
	}
	st.Operands = []ir.Value{p.Resolve(v, t), p.Resolve(off, p.Context().Int(32))}
	st.Types = []ir.Type{t}
}

func printShuffle(p ir.AsmPrinter, op ir.Op) {
	p.Str(" " + op.StringAttr(AttrMode) + " ")
	p.Operands(op.Operands())
	p.OptAttrDict(op, false, AttrMode)
	p.Str(" : ")
	p.Type(op.Result(0).Type())
}

// mma.sync [%a..], [%b..], [%c..] {shape = "m16n8k16", ..} : a type, b type, c type; with scales the same for
// [%a_scale], [%b_scale]
func parseMma(operands []ir.Field) func(ir.AsmParser, *ir.OpState) {
	return func(p ir.AsmParser, st *ir.OpState) {
		refs := make([][]ir.OperandRef, len(operands))
		pos := p.Pos()
		for i := range refs {
			if i > 0 {
				p.Expect(",")
			}
			p.CommaList("[", "]", func() { refs[i] = append(refs[i], p.Operand()) })
		}
		st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
		p.Expect(":")
		types := p.TypeList()
		if p.Failed() {
			return
		}
		if len(types) != len(operands) {
			p.ErrorAt(pos, "expected the register types of %s, but got %d types", names(operands), len(types))
			return
		}
		groups := make([][]ir.Value, len(operands))
		for i, list := range refs {
			for _, r := range list {
				groups[i] = append(groups[i], p.Resolve(r, types[i]))
			}
		}
		if p.Failed() {
			return
		}
		st.OperandGroups(groups...)
		for range groups[2] {
			st.Types = append(st.Types, types[2])
		}
	}
}

// names lists the names of operands as a sentence does.
func names(operands []ir.Field) string {
	list := make([]string, len(operands))
	for i, o := range operands {
		list[i] = o.Name
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

func printMma(operands []ir.Field) func(ir.AsmPrinter, ir.Op) {
	return func(p ir.AsmPrinter, op ir.Op) {
		first := make([]ir.Type, len(operands))
		for i, o := range operands {
			vs := op.OperandsNamed(o.Name)
			if i > 0 {
				p.Str(",")
			}
			p.Str(" [")
			p.Operands(vs)
			p.Str("]")
			if len(vs) > 0 {
				first[i] = vs[0].Type()
			}
		}
		p.OptAttrDict(op, false, ir.OperandSegmentSizes)
		p.Str(" : ")
		for i, t := range first {
			if i > 0 {
				p.Str(", ")
			}
			p.Type(t)
		}
	}
}
