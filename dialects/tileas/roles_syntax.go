package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// warp_specialize {
//   role "load" warps(4) regs(40) { ... }
//   role "compute" warps(8) { ... }
// }

func parseRoles(p ir.AsmParser, st *ir.OpState) {
	var names []ir.Attribute
	var warps, regs []int64
	p.Expect("{")
	for !p.Failed() && p.OptKeyword("role") {
		names = append(names, p.Context().String(p.Quoted()))
		p.ExpectKeyword("warps")
		warps = append(warps, parenthesised(p))
		n := int64(0)
		if p.OptKeyword("regs") {
			n = parenthesised(p)
		}
		regs = append(regs, n)
		r := st.AddRegion()
		p.Region(r, nil)
		if !p.Failed() {
			endRole(p, r)
		}
	}
	p.Expect("}")
	if p.Failed() {
		return
	}
	st.SetAttr(AttrRoles, p.Context().Array(names...))
	st.SetAttr(AttrWarps, p.Context().DenseI32(warps...))
	if slices.ContainsFunc(regs, func(n int64) bool { return n != 0 }) {
		st.SetAttr(AttrRegs, p.Context().DenseI32(regs...))
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

// parenthesised consumes a number that fits the i32 which holds it.
func parenthesised(p ir.AsmParser) int64 {
	p.Expect("(")
	pos := p.Pos()
	n := p.Integer()
	if n != int64(int32(n)) {
		p.ErrorAt(pos, "expected a number of 32 bits")
	}
	p.Expect(")")
	return n
}

// endRole adds the terminator that text leaves out.
func endRole(p ir.AsmParser, r ir.Region) {
	if r.Empty() {
		r.AddBlock()
	}
	b := r.Last()
	if b.Terminator().IsNil() {
		builder := ir.BuilderAtEnd(b)
		builder.Loc = p.LocAt(p.Pos())
		builder.Create(Dialect.Lookup(roleEnd), nil, nil)
	}
}

// hidesRoleEnd reports whether parsing adds the terminator of a region.
func hidesRoleEnd(r ir.Region) bool {
	if r.Empty() {
		return false
	}
	t := r.First().Terminator()
	if t.IsNil() || t.Dialect() != Dialect || t.Def().Name != roleEnd || len(t.DiscardableAttrs().Entries) > 0 {
		return false
	}
	prev := t.Prev() // parsing takes an unknown operation at the end for a terminator
	return prev.IsNil() || !prev.Def().Unregistered
}

func printRoles(p ir.AsmPrinter, op ir.Op) {
	p.Str(" {")
	p.Indent(1)
	regs, _ := op.Attr(AttrRegs).(*ir.DenseArrayAttr)
	for i := range op.NumRegions() {
		r := RoleAt(op, i)
		p.Newline()
		p.Str("role ")
		p.Quoted(r.Name)
		p.Str(" warps(")
		p.Int(r.Warps)
		p.Str(")")
		if regs != nil && i < len(regs.Values) && regs.Values[i] != 0 {
			p.Str(" regs(")
			p.Int(regs.Values[i])
			p.Str(")")
		}
		p.Str(" ")
		p.Region(op.Region(i), false, !hidesRoleEnd(op.Region(i)))
	}
	p.Indent(-1)
	p.Newline()
	p.Str("}")
	p.OptAttrDict(op, false, AttrRoles, AttrWarps, AttrRegs)
}
