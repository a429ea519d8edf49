package updatesymbolname

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// A replacer rebuilds attributes around those that leaf replaces; leaf returns what it does not replace.
type replacer struct {
	ctx  *ir.Context
	leaf func(ir.Attribute) ir.Attribute
	done map[ir.Attribute]ir.Attribute // an attribute may be shared by very many others
}

// below replaces in all that is nested in op, but not inside operations with the traits, if there are any.
func (r *replacer) below(op ir.Op, closed ir.Traits) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		if inner == op {
			return ir.Advance
		}
		r.op(inner)
		if closed != 0 && inner.HasTrait(closed) {
			return ir.SkipBelow
		}
		return ir.Advance
	})
}

// op replaces in the attributes and the location of one operation.
func (r *replacer) op(op ir.Op) {
	for i := range op.Def().Attrs {
		if a := op.AttrAt(i); a != nil {
			op.SetAttrAt(i, r.attr(a))
		}
	}
	op.SetDiscardableAttrs(rebuilt(r, op.DiscardableAttrs()))
	op.SetLoc(rebuilt(r, op.Loc()))
}

// rebuilt returns what stands for an attribute of a kind that is replaced by its like only.
func rebuilt[A ir.Attribute](r *replacer, a A) A { return r.attr(a).(A) }

func rebuiltAll[A ir.Attribute](r *replacer, list []A) []A {
	out := slices.Clone(list)
	for i, a := range out {
		out[i] = rebuilt(r, a)
	}
	return out
}

func (r *replacer) attr(a ir.Attribute) ir.Attribute {
	if out, ok := r.done[a]; ok {
		return out
	}
	out := r.leaf(a)
	if out == a {
		out = r.parts(a)
	}
	if r.done == nil {
		r.done = make(map[ir.Attribute]ir.Attribute)
	}
	r.done[a] = out
	return out
}

// parts replaces in what an attribute is made of.
func (r *replacer) parts(a ir.Attribute) ir.Attribute {
	c := r.ctx
	switch a := a.(type) {
	case *ir.ArrayAttr:
		return c.Array(rebuiltAll(r, a.Elems)...)
	case *ir.DictAttr:
		entries := slices.Clone(a.Entries)
		for i := range entries {
			entries[i].Value = r.attr(entries[i].Value)
		}
		return c.Dict(entries...)
	case *ir.NameLoc:
		return c.NameLoc(a.Name, rebuilt(r, a.Child))
	case *ir.CallSiteLoc:
		return c.CallSiteLoc(rebuilt(r, a.Callee), rebuilt(r, a.Caller))
	case *ir.FusedLoc:
		metadata := a.Metadata
		if metadata != nil {
			metadata = r.attr(metadata)
		}
		return c.FusedLoc(rebuiltAll(r, a.Locs), metadata)
	case *cudatile.DILocAttr:
		return cudatile.DILoc(c, a.Source, rebuilt(r, a.Scope))
	case *cudatile.DILexicalBlockAttr:
		return cudatile.DILexicalBlock(c, rebuilt(r, a.Scope), a.File, a.Line, a.Column)
	}
	return a
}
