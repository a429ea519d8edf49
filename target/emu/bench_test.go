package emu

import (
	"context"
	"testing"
)

// benchmark runs an entry of 128 threads for CTAs blocks with one worker
// and reports thread instructions per second.
func benchmark(b *testing.B, body string, ctas uint32) {
	m := parse(b, kernel(body))
	mem := NewMemory()
	out, err := mem.Alloc("out", 1<<20, 0)
	if err != nil {
		b.Fatal(err)
	}
	var work uint64
	for b.Loop() {
		s, err := m.Run(context.Background(), mem, Launch{Entry: "k", Grid: [3]uint32{ctas}, Block: [3]uint32{128}, Params: [][]byte{le64(out), le64(out)}, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		work += s.ThreadInstructions
	}
	b.ReportMetric(float64(work)/b.Elapsed().Seconds()/1e6, "Mthreadinst/s")
}

func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"integer", `mov.u32 %r1, 0; mov.u32 %r0, 1;
L:	add.u32 %r0, %r0, %r1; xor.b32 %r2, %r0, %r31; shl.b32 %r3, %r2, 1; mad.lo.u32 %r0, %r3, %r2, %r0; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 1000; @%p0 bra L;`},
		{"fma", `mov.u32 %r1, 0; mov.f32 %f0, 1.0; mov.f32 %f1, 0.5;
L:	fma.rn.f32 %f0, %f0, %f1, %f1; fma.rn.f32 %f2, %f0, %f1, %f1; add.f32 %f3, %f0, %f2; mul.f32 %f4, %f3, %f2; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 1000; @%p0 bra L;`},
		{"memory", `mov.u32 %r1, 0; mul.wide.u32 %d0, %r31, 4; add.u64 %d1, %d30, %d0;
L:	ld.global.f32 %f0, [%d1]; ld.global.f32 %f1, [%d1+4096]; add.f32 %f0, %f0, %f1; st.global.f32 [%d1+8192], %f0; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 1000; @%p0 bra L;`},
		{"mma", `mov.u32 %r1, 0; mov.b32 %r2, 0x3c003c00; mov.f32 %f0, 0.0; mov.f32 %f1, 0.0; mov.f32 %f2, 0.0; mov.f32 %f3, 0.0;
L:	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r2, %r2, %r2, %r2}, {%r2, %r2}, {%f0, %f1, %f2, %f3}; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 100; @%p0 bra L;`},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, c.body, 4) })
	}
}
