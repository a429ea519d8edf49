//go:build unix

package emu_test

import (
	"context"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// BenchmarkSync runs kernels without and with the check of synchronisation.
func BenchmarkSync(b *testing.B) {
	for _, c := range []struct{ name, first, body string }{
		{"fma", "mov.f32 %f0, 1.0; mov.f32 %f1, 0.5;", "fma.rn.f32 %f0, %f0, %f1, %f1; fma.rn.f32 %f2, %f0, %f1, %f1; add.f32 %f3, %f0, %f2; mul.f32 %f4, %f3, %f2;"},
		{"memory", "mul.wide.u32 %d0, %r31, 4; add.u64 %d1, %d30, %d0; mov.u32 %r1, %ctaid.x; mul.wide.u32 %d2, %r1, 16384; add.u64 %d1, %d1, %d2;",
			"ld.global.f32 %f0, [%d1]; ld.global.f32 %f1, [%d1+4096]; add.f32 %f0, %f0, %f1; st.global.f32 [%d1+8192], %f0;"},
		{"shared", ".shared .align 16 .b8 sm[4096]; shl.b32 %r0, %r31, 4; mov.u32 %r1, sm; add.u32 %r0, %r0, %r1;",
			"st.shared.v4.b32 [%r0], {%r31, %r31, %r31, %r31}; ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%r0]; st.shared.b32 [%r0], %r2; ld.shared.b32 %r6, [%r0+4];"},
		{"ldmatrix", ".shared .align 16 .b8 sm[4096]; and.b32 %r0, %r31, 31; shl.b32 %r0, %r0, 4; mov.u32 %r1, sm; add.u32 %r0, %r0, %r1;",
			"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r3, %r4, %r5}, [%r0]; ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r6, %r7}, [%r0];"},
		{"barrier", ".shared .align 16 .b8 sm[4096]; shl.b32 %r0, %r31, 2; mov.u32 %r1, sm; add.u32 %r0, %r0, %r1;",
			"st.shared.b32 [%r0], %r31; bar.sync 0; ld.shared.b32 %r2, [%r0]; bar.sync 0;"},
	} {
		for _, checked := range []bool{false, true} {
			name := c.name + "/plain"
			if checked {
				name = c.name + "/checked"
			}
			b.Run(name, func(b *testing.B) {
				m := emutest.Parse(b, emutest.Kernel(c.first+loop(1000, c.body)))
				mem := emu.NewMemory()
				out, err := mem.Alloc("out", 1<<20, 0)
				if err != nil {
					b.Fatal(err)
				}
				start := cpuTime(b)
				n := 0
				for b.Loop() {
					l := emu.Launch{Entry: "k", Grid: [3]uint32{4}, Block: [3]uint32{128}, Params: [][]byte{emutest.LE64(out), emutest.LE64(out)}, Workers: 1}
					if checked {
						l.Sync = new(emu.SyncReport)
					}
					if _, err := m.Run(context.Background(), mem, l); err != nil {
						b.Fatal(err)
					}
					if checked && len(l.Sync.Findings) > 0 {
						b.Fatal(l.Sync.Findings[0].String())
					}
					n++
				}
				b.ReportMetric((cpuTime(b)-start).Seconds()*1e3/float64(n), "cpu-ms/op")
			})
		}
	}
}
