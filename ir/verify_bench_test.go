package ir

import "testing"

// buildVerifiable returns a module of functions with n operations each, with types, attributes and constraints as
// real ones have.
func buildVerifiable(functions, n int) Op {
	c := NewContext(verifyDialect)
	top := NewBuilder(c.NewArena())
	st := top.NewState(vModule, nil)
	st.AddRegion().AddBlock()
	module := top.Insert(st)
	i32 := c.Int(32)
	one := NamedAttr{"value", c.IntAttr(i32, 1)}
	for f := range functions {
		_, b := addFunc(module, "f"+string(rune('a'+f)))
		v := b.Block().Arg(0)
		for i := range n / 2 {
			k := b.Create(vConst, nil, []Type{i32}, one).Result(0)
			if i%1000 == 0 {
				st := b.NewState(vIf, nil)
				st.Operands = []Value{k}
				for range 2 {
					inner := BuilderAtEnd(st.AddRegion().AddBlock())
					inner.Create(vAdd, []Value{v, k}, []Type{i32})
					inner.Create(vYield, nil, nil)
				}
				b.Insert(st)
			}
			v = b.Create(vAdd, []Value{v, k}, []Type{i32}).Result(0)
		}
		b.Create(vRet, nil, nil)
	}
	return module
}

func BenchmarkVerify(b *testing.B) {
	const functions, n = 4, 50_000
	module := buildVerifiable(functions, n)
	if ds := Check(module); ds != nil {
		b.Fatal(ds[0])
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		Check(module)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(functions*n), "ns/checked-op")
}

func BenchmarkClone(b *testing.B) {
	const n = 100_000
	module := buildVerifiable(1, n)
	for range b.N {
		NewBuilder(module.Context().NewArena()).Clone(module, NewMapping())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/cloned-op")
}
