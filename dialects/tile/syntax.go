package tile

import (
	"github.com/tilewright/tilewright/ir"
)

// reduce (%a, %b) {dim = 0 : i64, ..} : (types) -> (types) { ^bb0(...): ... }
func parseReduce(p ir.AsmParser, st *ir.OpState) {
	var refs []ir.OperandRef
	pos := p.Pos()
	p.CommaList("(", ")", func() { refs = append(refs, p.Operand()) })
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	ft := p.FuncType()
	if p.Failed() {
		return
	}
	st.Operands = p.ResolveAll(refs, ft.Inputs, pos)
	st.Types = ft.Results
	var args []ir.Argument
	p.CommaList("(", ")", func() { args = append(args, p.Argument(true)) })
	p.Region(st.AddRegion(), args)
}

func printReduce(p ir.AsmPrinter, op ir.Op) {
	p.Str(" (")
	p.Operands(op.Operands())
	p.Str(")")
	p.OptAttrDict(op, false)
	p.Str(" : ")
	p.Type(op.Context().Func(types(op.Operands()), op.ResultTypes()))
	p.Str(" (")
	for i, a := range op.Body().Args() {
		if i > 0 {
			p.Str(", ")
		}
		p.BlockArg(a)
	}
	p.Str(") ")
	p.Region(op.Region(0), false, true)
}

func types(vs []ir.Value) []ir.Type {
	ts := make([]ir.Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type()
	}
	return ts
}

func (l *Level) parseJoin(p ir.AsmParser, st *ir.OpState) {
	token := l.Token(p.Context())
	for _, ref := range p.Operands() {
		if v := p.Resolve(ref, token); !p.Failed() {
			st.Operands = append(st.Operands, v)
		}
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	st.Types = []ir.Type{token}
}

func printJoin(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Operands(op.Operands())
	p.OptAttrDict(op, false)
}

// tiled_load %base[%offsets] sizes [..] strides [..] [token %t] {..} : ptr -> tile
func (l *Level) parseTiledLoad(p ir.AsmParser, st *ir.OpState) {
	refs := parseAccess(p)
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	base := p.Type()
	p.Expect("->")
	tile := p.Type()
	if p.Failed() {
		return
	}
	st.OperandGroups(l.resolveAccess(p, refs, base)...)
	st.Types = []ir.Type{tile, l.Token(p.Context())}
}

type accessRefs struct {
	base     ir.OperandRef
	lists    [3][]ir.OperandRef
	token    ir.OperandRef
	hasOrder bool
}

func parseAccess(p ir.AsmParser) accessRefs {
	var r accessRefs
	r.base = p.Operand()
	for i, kw := range []string{"", "sizes", "strides"} {
		if kw != "" {
			p.ExpectKeyword(kw)
		}
		p.CommaList("[", "]", func() { r.lists[i] = append(r.lists[i], p.Operand()) })
	}
	if p.OptKeyword("token") {
		r.token, r.hasOrder = p.Operand(), true
	}
	return r
}

func (l *Level) resolveAccess(p ir.AsmParser, r accessRefs, base ir.Type) [][]ir.Value {
	c := p.Context()
	groups := [][]ir.Value{{p.Resolve(r.base, base)}}
	for _, list := range r.lists {
		var vs []ir.Value
		for _, ref := range list {
			vs = append(vs, p.Resolve(ref, c.Int(64)))
		}
		groups = append(groups, vs)
	}
	var token []ir.Value
	if r.hasOrder {
		token = []ir.Value{p.Resolve(r.token, l.Token(c))}
	}
	if p.Failed() {
		return [][]ir.Value{nil, nil, nil, nil, nil}
	}
	return append(groups, token)
}

func printAccess(p ir.AsmPrinter, a Access) {
	p.Operand(a.Base)
	for i, list := range [][]ir.Value{a.Offsets, a.Sizes, a.Strides} {
		p.Str([]string{"[", " sizes [", " strides ["}[i])
		p.Operands(list)
		p.Str("]")
	}
	if !a.Token.IsNil() {
		p.Str(" token ")
		p.Operand(a.Token)
	}
	if !a.Predicate.IsNil() {
		p.Str(" if ")
		p.Operand(a.Predicate)
	}
	p.OptAttrDict(a.Op, false, ir.OperandSegmentSizes)
	p.Str(" : ")
}

func printTiledLoad(p ir.AsmPrinter, op ir.Op) {
	a := AccessOf(op)
	p.Str(" ")
	printAccess(p, a)
	p.Type(a.Base.Type())
	p.Str(" -> ")
	p.Type(a.Tile)
}

// tiled_store %value, %base[%offsets] sizes [..] strides [..] [token %t] {..} : tile, ptr
func (l *Level) parseTiledStore(p ir.AsmParser, st *ir.OpState) { l.parseStored(p, st, false) }

// A copy is written as a store of its place, and may have a condition: copy_async %place, %base[..] sizes [..]
// strides [..] [token %t] [if %p] {..} : place, ptr
func (l *Level) parseCopy(p ir.AsmParser, st *ir.OpState) { l.parseStored(p, st, true) }

func (l *Level) parseStored(p ir.AsmParser, st *ir.OpState, conditional bool) {
	value := p.Operand()
	p.Expect(",")
	refs := parseAccess(p)
	var predicate ir.OperandRef
	given := conditional && p.OptKeyword("if")
	if given {
		predicate = p.Operand()
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	tile := p.Type()
	p.Expect(",")
	base := p.Type()
	if p.Failed() {
		return
	}
	v := p.Resolve(value, tile)
	groups := append([][]ir.Value{{v}}, l.resolveAccess(p, refs, base)...)
	if conditional {
		var c []ir.Value
		if given {
			c = []ir.Value{p.Resolve(predicate, p.Context().Int(1))}
		}
		groups = append(groups, c)
	}
	if p.Failed() {
		return
	}
	st.OperandGroups(groups...)
	st.Types = []ir.Type{l.Token(p.Context())}
}

func printTiledStore(p ir.AsmPrinter, op ir.Op) {
	a := AccessOf(op)
	p.Str(" ")
	p.Operand(op.Operand(0)) // of a copy, its place
	p.Str(", ")
	printAccess(p, a)
	p.Type(op.Operand(0).Type())
	p.Str(", ")
	p.Type(a.Base.Type())
}
