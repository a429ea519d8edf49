package numeric

import "testing"

func BenchmarkScalar(b *testing.B) {
	const n = 1024
	in := make([]uint64, n)
	for _, f := range []Format{F32, F64, F16, BF16, F8E4M3FN} {
		for i := range in {
			in[i] = f.Encode(float64(i%37)*0.37+0.01, Env{})
		}
		out := make([]uint64, n)
		run := func(name string, fn func(a, b uint64) uint64) {
			b.Run(f.String()+"/"+name, func(b *testing.B) {
				for b.Loop() {
					for i := range in {
						out[i] = fn(in[i], in[n-1-i])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/elem")
			})
		}
		run("add", func(x, y uint64) uint64 { return f.Add(x, y, Env{}) })
		run("mul", func(x, y uint64) uint64 { return f.Mul(x, y, Env{}) })
		run("fma", func(x, y uint64) uint64 { return f.FMA(x, y, x, Env{}) })
		run("max", func(x, y uint64) uint64 { return f.Max(x, y, false, Env{}) })
		run("decode", func(x, _ uint64) uint64 { return uint64(f.Decode(x)) })
		run("encode", func(x, _ uint64) uint64 { return f.Encode(float64(int64(x)), Env{}) })
		run("exp2", func(x, _ uint64) uint64 { return f.Exp2(x, Env{}) })
	}
}
