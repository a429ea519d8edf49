package values

import (
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// TestIdentitiesAgree asks what every operation of two operands comes to when only the second is known, or when both
// are the same value, and compares with the interpreter on all edge values of what is not known. Of a float that
// arithmetic has yielded more holds than of any other.
func TestIdentitiesAgree(t *testing.T) {
	t.Parallel()
	found := make(map[*ir.OpDef]int)
	c := tileir.NewContext()
	for _, def := range ops.Dialect.Ops() {
		if len(def.Operands) != 2 || def.Fold == nil || unfolded[def] != "" || !isElementwise(def) {
			continue
		}
		for _, types := range signatures(c, def) {
			for _, attrs := range attributes(c, def) {
				f := newFoldBench(t, c)
				if f.legal(def, types, attrs) {
					found[def] += f.identities(def, types, attrs)
					f.run()
				}
			}
		}
	}
	for _, def := range []*ir.OpDef{cudatile.AddI, cudatile.SubI, cudatile.MulI, cudatile.DivI, cudatile.RemI, cudatile.MaxI, cudatile.MinI,
		cudatile.AndI, cudatile.OrI, cudatile.XorI, cudatile.ShLI, cudatile.ShRI, cudatile.CmpI, cudatile.AddF, cudatile.SubF, cudatile.MulF,
		cudatile.DivF, cudatile.MaxF, cudatile.MinF, cudatile.CmpF} {
		if found[def] == 0 {
			t.Errorf("%s has no identity", def.FullName())
		}
	}
}

func isElementwise(def *ir.OpDef) bool {
	for _, s := range shapeFolds {
		if s.def == def {
			return false
		}
	}
	return true
}

// identities returns how many were found.
func (f *foldBench) identities(def *ir.OpDef, types []ir.Type, attrs []ir.NamedAttr) int {
	n := 0
	results := []ir.Type{cudatile.Scalar(f.b.Context(), types[2])}
	for in := range combinations(types[:2]) {
		for _, x := range f.spellings(types[0], in[0]) {
			known := f.scalar(types[1], in[1])
			n += f.identity(f.b.Create(def, []ir.Value{x, known}, results, attrs...), nil, ir.ConstantValue(known))
			if types[0] == types[1] && in[0] == in[1] {
				n += f.identity(f.b.Create(def, []ir.Value{x, x}, results, attrs...), nil, nil)
			}
		}
	}
	return n
}

// spellings returns a value as it is and, for a float, as the result of an operation that yields no NaN but the
// canonical one.
func (f *foldBench) spellings(elem ir.Type, bits uint64) []ir.Value {
	x := f.scalar(elem, bits)
	ft, ok := elem.(*ir.FloatType)
	if !ok {
		return vs(x)
	}
	nothing := f.scalar(elem, ft.Format.Zero(true))
	sum := f.b.Create(cudatile.AddF, vs(x, nothing), []ir.Type{x.Type()},
		ir.NamedAttr{Name: "rounding_mode", Value: cudatile.NearestEven.Attr(f.b.Context())}).Result(0)
	return vs(x, sum)
}

// identity notes what folding makes of an operation of which some operands are known.
func (f *foldBench) identity(op ir.Op, operands ...ir.Attribute) int {
	f.t.Helper()
	r := op.Def().Fold(op, operands)
	switch {
	case r == nil:
		op.Erase() // it may be undefined
		return 0
	case r[0].Attr != nil:
		f.folded[op] = []uint64{r[0].Attr.(*ir.DenseElementsAttr).Bits(cudatile.ElemOf(op.Result(0).Type()), 0)}
	case r[0].Value.IsBlockArg():
		f.t.Fatalf("%s: folds to an argument", describe(op))
	default:
		f.same[op] = r[0].Value.DefiningOp()
	}
	return 1
}
