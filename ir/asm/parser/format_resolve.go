package parser

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/format"
)

// resolve turns names into values and fills in what the text left out.
func (x *formatParse) resolve(p *parser) {
	common := x.commonType()
	at := 0 // in the list of all operands' types
	for i := range x.f.Def.Operands {
		x.resolveField(p, i, common, &at)
	}
	if x.allOps.set && at != x.allOps.len() {
		p.ErrorAt(x.allOps.pos(), "number of operands and types do not match: got %d operands and %d types", at, x.allOps.len())
	}
	if x.f.Def.Traits.Has(ir.AttrSizedOperandSegments) {
		sizes := make([]int64, len(x.operands))
		for i, s := range x.operands {
			sizes[i] = int64(s.len())
		}
		x.st.Attrs = append(x.st.Attrs, ir.NamedAttr{Name: ir.OperandSegmentSizes, Value: p.ctx.DenseI32(sizes...)})
	}
	x.results(p, common)
}

// commonType returns a type that was spelled, for operations all of whose types are the same.
func (x *formatParse) commonType() ir.Type {
	if !x.f.Def.Traits.Has(ir.SameOperandsAndResultType) || len(x.frame.ins) == 0 {
		return nil
	}
	return x.frame.ins[0]
}

func (x *formatParse) resolveField(p *parser, i int, common ir.Type, at *int) {
	field := &x.f.Def.Operands[i]
	refs := x.frame.refs[x.operands[i].lo:x.operands[i].hi]
	types := x.opTypes[i]
	if types.set && field.Arity != ir.One {
		x.checkTypes(p, field, len(refs), types)
	}
	for k := range refs {
		var t ir.Type
		switch {
		case x.allOps.set:
			if *at >= x.allOps.len() {
				p.ErrorAt(x.allOps.pos(), "number of operands and types do not match: got %d operands and %d types", len(x.frame.refs), x.allOps.len())
			}
			t = x.frame.ins[int(x.allOps.lo)+*at]
			*at++
		case types.set && field.Arity == ir.Variadic:
			t = x.frame.ins[int(types.lo)+k]
		case types.len() > 0:
			t = x.frame.ins[types.lo]
		case field.Type.Only != nil:
			t = field.Type.Only(p.ctx)
		default:
			t = common
		}
		if t == nil {
			p.ErrorAt(refs[k].Pos, "expected the type of operand '%s'", field.Name)
		}
		x.st.Operands = append(x.st.Operands, p.Resolve(refs[k], t))
	}
}

// checkTypes checks the types that were spelled for the n operands of a field.
func (x *formatParse) checkTypes(p *parser, field *ir.Field, n int, types span) {
	switch {
	case field.Arity == ir.Variadic && types.len() != n:
		p.ErrorAt(types.pos(), "number of operands and types do not match: got %d operands and %d types", n, types.len())
	case field.Arity == ir.Optional && n == 0 && types.len() > 0 && x.onlyFor(types):
		p.ErrorAt(types.pos(), "type of operand '%s', which is absent", field.Name)
	}
}

// onlyFor reports whether a type was spelled for one operand field and nothing else.
func (x *formatParse) onlyFor(s span) bool {
	n := 0
	for _, list := range [][]span{x.opTypes, x.resTypes} {
		for _, other := range list {
			if other.set && other.lo == s.lo && other.hi == s.hi {
				n++
			}
		}
	}
	return n == 1
}

func (x *formatParse) results(p *parser, common ir.Type) {
	def := x.f.Def
	outs := x.frame.outs[:0]
	if x.allRes.set {
		outs = append(outs, x.frame.ins[x.allRes.lo:x.allRes.hi]...)
		x.frame.outs, x.st.Types = outs, outs
		return
	}
	sized := def.Traits.Has(ir.AttrSizedResultSegments)
	var sizes []int64
	for i := range def.Results {
		n := len(outs)
		switch x.f.ResultTypes[i] {
		case format.Spelled:
			s := x.resTypes[i]
			outs = append(outs, x.frame.ins[s.lo:s.hi]...)
		case format.OnlyType:
			outs = append(outs, def.Results[i].Type.Only(p.ctx))
		case format.SameType:
			t := common
			if t == nil && len(x.st.Operands) > 0 {
				t = x.st.Operands[0].Type()
			}
			if t == nil {
				p.ErrorAt(x.pos, "the type of result '%s' is not known", def.Results[i].Name)
			}
			outs = append(outs, t)
		case format.Inferred: // by the caller, for all results
		}
		if sized {
			sizes = append(sizes, int64(len(outs)-n))
		}
	}
	x.frame.outs, x.st.Types = outs, outs
	if sized {
		x.st.Attrs = append(x.st.Attrs, ir.NamedAttr{Name: ir.ResultSegmentSizes, Value: p.ctx.DenseI32(sizes...)})
	}
}

// placeOptional moves operands that were read into the first fields of their run to the fields that admit their types.
func (x *formatParse) placeOptional() {
	for _, run := range x.f.Runs {
		var types []ir.Type
		for _, field := range run {
			if x.operands[field].len() == 1 && x.opTypes[field].len() == 1 {
				types = append(types, x.frame.ins[x.opTypes[field].lo])
			}
		}
		n := len(types)
		if n == 0 || n == len(run) || x.operands[run[n]].len() > 0 || x.opTypes[run[n]].len() > 0 {
			continue // all there or none; or numbers of operands and types differ, which resolve reports
		}
		fields := x.f.FieldsOf(run, types)
		for i, field := range slices.Backward(fields) {
			if from := run[i]; from != field {
				x.operands[field], x.operands[from] = x.operands[from], x.operands[field]
				x.opTypes[field], x.opTypes[from] = x.opTypes[from], x.opTypes[field]
			}
		}
	}
}
