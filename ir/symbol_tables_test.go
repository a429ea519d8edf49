package ir

import "testing"

func TestSymbolTables(t *testing.T) {
	t.Parallel()
	c := NewContext(verifyDialect)
	table := func(b *Builder, name string) (Op, *Builder) {
		st := b.NewState(vModule, nil)
		st.SetAttr(SymName, c.String(name))
		body := st.AddRegion().AddBlock()
		op := b.Insert(st)
		return op, BuilderAtEnd(body)
	}
	root, b := table(NewBuilder(c.NewArena()), "root")
	a, ab := table(b, "a")
	inner, _ := table(ab, "x")
	outer, _ := table(b, "x")
	var s SymbolTables
	if s.Lookup(root, "a") != a || !s.Lookup(root, "b").IsNil() {
		t.Error("lookup")
	}
	for _, tt := range []struct {
		from Op
		ref  *SymbolRefAttr
		want []Op
	}{
		{a, c.SymbolRef("x"), []Op{inner}},
		{outer, c.SymbolRef("x"), []Op{outer}},
		{root, c.SymbolRef("a", "x"), []Op{a, inner}},
		{inner, c.SymbolRef("a", "x"), []Op{a, inner}}, // not to be found in a
		{inner, c.SymbolRef("a", "y"), nil},
		{inner, c.SymbolRef("root"), nil},
	} {
		got := s.Resolve(tt.from, tt.ref)
		same := len(got) == len(tt.want)
		for i := range got {
			same = same && got[i] == tt.want[i]
		}
		if !same {
			t.Errorf("%s: got %d operations, want %d", AttrString(tt.ref), len(got), len(tt.want))
		}
	}
}
