package mutants

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// changeAttribute replaces an attribute by another value: most often one that its row admits.
func changeAttribute(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return op.Def() != nil && len(op.Def().Attrs) > 0 && !op.Is(arith.Constant) })
	if !ok {
		return false
	}
	f, _ := pick(m, op.Def().Attrs)
	old := op.Attr(f.Name)
	candidates := m.candidates(op.Context(), f, old)
	if f.Kind != nil && f.Kind.Check != nil && m.IntN(12) > 0 {
		candidates = slices.DeleteFunc(candidates, func(a ir.Attribute) bool { return !f.Kind.Check(a) })
	}
	a, ok := pick(m, candidates)
	if !ok || a == old {
		return false
	}
	op.SetAttr(f.Name, a)
	return true
}

// candidates lists attributes that may stand in a field: near the old one, from elsewhere in the module, and the
// words of a keyword.
func (m *mutator) candidates(c *ir.Context, f ir.Field, old ir.Attribute) []ir.Attribute {
	out := slices.Clone(m.attrs)
	out = append(out, c.Unit(), c.IntAttr(c.Int(32), 1), c.IntAttr(c.Int(64), 0), c.BoolAttr(true), c.BoolAttr(false))
	if f.Kind != nil {
		if _, words, ok := strings.Cut(f.Kind.Desc, "one of {"); ok {
			for w := range strings.SplitSeq(strings.TrimSuffix(words, "}"), ", ") {
				out = append(out, c.String(w))
			}
		}
	}
	for range 3 { // as likely as all the others
		out = append(out, m.near(c, old)...)
	}
	return out
}

// near lists attributes that differ from one in little.
func (m *mutator) near(c *ir.Context, old ir.Attribute) (out []ir.Attribute) {
	switch a := old.(type) {
	case *ir.IntegerAttr:
		for _, v := range []int64{a.Value + 1, a.Value - 1, a.Value * 2, a.Value / 2, a.Value ^ 16, -a.Value, 0, 1 << 20, 1<<31 - 1} {
			out = append(out, c.IntAttr(a.Type(), v))
		}
	case *ir.DenseArrayAttr:
		if n := len(a.Values); n > 0 {
			i, j := m.IntN(n), m.IntN(n)
			swapped := slices.Clone(a.Values)
			swapped[i], swapped[j] = swapped[j], swapped[i]
			out = append(out, c.DenseArray(a.Elem, swapped...), c.DenseArray(a.Elem, a.Values[:n-1]...), c.DenseArray(a.Elem, append(slices.Clone(a.Values), a.Values[0])...))
			for _, v := range []int64{0, 1, -1, a.Values[i] * 2, a.Values[i] / 2, a.Values[i] + 1, 1 << 30} {
				if elem, is := a.Elem.(*ir.IntegerType); is && elem.Width == 1 {
					v &= 1
				}
				one := slices.Clone(a.Values)
				one[i] = v
				out = append(out, c.DenseArray(a.Elem, one...))
			}
		}
	case *ir.ArrayAttr:
		if n := len(a.Elems); n > 0 {
			i, j := m.IntN(n), m.IntN(n)
			swapped := slices.Clone(a.Elems)
			swapped[i], swapped[j] = swapped[j], swapped[i]
			out = append(out, c.Array(swapped...), c.Array(a.Elems[:n-1]...))
		}
	}
	return out
}

// dropAttribute takes an attribute away, also one that the row does not list.
func dropAttribute(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool {
		return len(op.InherentAttrs()) > 0 || op.DiscardableAttrs() != nil && len(op.DiscardableAttrs().Entries) > 0
	})
	if !ok {
		return false
	}
	names := make([]string, 0, 4)
	for _, a := range op.InherentAttrs() {
		if a.Name != ir.SymName {
			names = append(names, a.Name)
		}
	}
	if d := op.DiscardableAttrs(); d != nil {
		for _, a := range d.Entries {
			names = append(names, a.Name)
		}
	}
	name, ok := pick(m, names)
	if ok {
		op.SetAttr(name, nil)
	}
	return ok
}

// changeConstant gives a constant another value.
func changeConstant(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return op.Is(arith.Constant) })
	if !ok {
		return false
	}
	a, ok := pick(m, m.near(op.Context(), op.Attr(arith.AttrValue)))
	if ok {
		op.SetAttr(arith.AttrValue, a)
	}
	return ok
}
