//go:build unix

package emu_test

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// cpuTime is the time that the process has spent on processors, which other processes do not stretch as they do the
// time of a clock.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchmark runs an entry of 128 threads for CTAs blocks with one worker
// and reports thread instructions for each second of a processor.
func benchmark(b *testing.B, body string, ctas uint32) {
	m := emutest.Parse(b, emutest.Kernel(body))
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 1<<20, 0)
	if err != nil {
		b.Fatal(err)
	}
	var work uint64
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		s, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{ctas}, Block: [3]uint32{128}, Params: [][]byte{emutest.LE64(out), emutest.LE64(out)}, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		work += s.ThreadInstructions
	}
	b.ReportMetric(float64(work)/(cpuTime(b)-start).Seconds()/1e6, "Minst/cpu-s")
}

// loop repeats instructions n times.
func loop(n int, body string) string {
	return fmt.Sprintf("mov.u32 %%r30, 0;\nL: %s\nadd.u32 %%r30, %%r30, 1; setp.lt.u32 %%p0, %%r30, %d; @%%p0 bra L;", body, n)
}

func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, first, body string }{
		{"integer", "mov.u32 %r0, 1; mov.u32 %r1, 3;",
			"add.u32 %r0, %r0, %r1; xor.b32 %r2, %r0, %r31; shl.b32 %r3, %r2, 1; mad.lo.u32 %r0, %r3, %r2, %r0;"},
		{"wide", "mul.wide.u32 %d0, %r31, 7; mov.u64 %d1, 3;",
			"mad.wide.u32 %d2, %r31, %r31, %d0; add.s64 %d3, %d2, %d1; shl.b64 %d4, %d3, 3; and.b64 %d0, %d4, %d3; mul.lo.s64 %d1, %d2, %d3;"},
		{"divide", "mov.u32 %r0, 12345; mov.u32 %r1, 7;",
			"div.s32 %r2, %r0, %r1; rem.u32 %r3, %r0, 9; shr.s32 %r4, %r2, 3; min.s32 %r5, %r3, %r4; max.u32 %r6, %r5, %r4;"},
		{"fma", "mov.f32 %f0, 1.0; mov.f32 %f1, 0.5;",
			"fma.rn.f32 %f0, %f0, %f1, %f1; fma.rn.f32 %f2, %f0, %f1, %f1; add.f32 %f3, %f0, %f2; mul.f32 %f4, %f3, %f2;"},
		{"fma-ftz", "mov.f32 %f0, 1.0; mov.f32 %f1, 0.5;",
			"fma.rn.ftz.f32 %f0, %f0, %f1, %f1; fma.rn.ftz.f32 %f2, %f0, %f1, %f1; add.ftz.f32 %f3, %f0, %f2; max.ftz.f32 %f4, %f3, %f2;"},
		{"f64", "mov.f64 %g0, 1.0; mov.f64 %g1, 0.5;",
			"fma.rn.f64 %g0, %g0, %g1, %g1; add.f64 %g2, %g0, %g1; mul.f64 %g3, %g2, %g1; div.rn.f64 %g4, %g3, %g2;"},
		{"f16x2", "mov.b32 %r0, 0x3c003800; mov.b32 %r1, 0x34003400;",
			"fma.rn.f16x2 %r0, %r0, %r1, %r1; add.rn.f16x2 %r2, %r0, %r1; mul.rn.f16x2 %r3, %r2, %r1; max.f16x2 %r4, %r3, %r2;"},
		{"bf16x2", "mov.b32 %r0, 0x3f803f00; mov.b32 %r1, 0x3e803e80;",
			"fma.rn.bf16x2 %r0, %r0, %r1, %r1; add.rn.bf16x2 %r2, %r0, %r1; mul.rn.bf16x2 %r3, %r2, %r1; max.bf16x2 %r4, %r3, %r2;"},
		{"convert", "mov.f32 %f0, 1.25; cvt.rn.f32.u32 %f0, %r31;",
			"cvt.rn.f16.f32 %h0, %f0; cvt.f32.f16 %f1, %h0; cvt.rn.bf16x2.f32 %r0, %f1, %f0; cvt.rzi.s32.f32 %r1, %f0; cvt.rn.f32.s32 %f2, %r1; cvt.u64.u32 %d0, %r1;"},
		{"convert8", "mov.f32 %f0, 1.25; cvt.rn.f32.u32 %f0, %r31;",
			"cvt.rn.satfinite.e4m3x2.f32 %h0, %f0, %f0; cvt.rn.f16x2.e4m3x2 %r0, %h0; cvt.rn.satfinite.e5m2x2.f32 %h1, %f0, %f0; cvt.rn.f16x2.e5m2x2 %r1, %h1;"},
		{"special", "cvt.rn.f32.u32 %f0, %r31; mul.f32 %f0, %f0, 0.03;",
			"ex2.approx.ftz.f32 %f1, %f0; lg2.approx.f32 %f2, %f1; rcp.approx.f32 %f3, %f1; rsqrt.approx.f32 %f4, %f1; div.full.f32 %f5, %f2, %f1;"},
		{"compare", "mov.f32 %f0, 1.25; cvt.rn.f32.u32 %f1, %r31;",
			"setp.lt.f32 %p1, %f0, %f1; setp.gt.s32 %p2, %r31, 5; and.pred %p3, %p1, %p2; selp.f32 %f2, %f0, %f1, %p3; @%p3 add.f32 %f3, %f2, %f1;"},
		{"shuffle", "mov.b32 %r0, %r31;",
			"shfl.sync.bfly.b32 %r1, %r31, 16, 31, -1; add.u32 %r2, %r1, %r31; shfl.sync.idx.b32 %r3, %r2, 0, 31, -1;"},
		{"pack", "mov.b32 %r0, %r31;",
			"mov.b32 {%h0, %h1}, %r31; mov.b32 %r1, {%h1, %h0}; prmt.b32 %r2, %r1, %r0, 0x5410; mov.b64 %d0, {%r1, %r2}; mov.b64 {%r3, %r4}, %d0;"},
		{"memory", "mul.wide.u32 %d0, %r31, 4; add.u64 %d1, %d30, %d0;",
			"ld.global.f32 %f0, [%d1]; ld.global.f32 %f1, [%d1+4096]; add.f32 %f0, %f0, %f1; st.global.f32 [%d1+8192], %f0;"},
		{"memory-v4", "mul.wide.u32 %d0, %r31, 16; add.u64 %d1, %d30, %d0;",
			"ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d1]; st.global.v4.b32 [%d1+8192], {%r0, %r1, %r2, %r3}; ld.global.b16 %h0, [%d1]; st.global.b16 [%d1], %h0;"},
		{"shared", ".shared .align 16 .b8 sm[4096]; shl.b32 %r0, %r31, 4; mov.u32 %r1, sm; add.u32 %r0, %r0, %r1;",
			"st.shared.v4.b32 [%r0], {%r31, %r31, %r31, %r31}; ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%r0]; st.shared.b32 [%r0], %r2; ld.shared.b32 %r6, [%r0+4];"},
		{"ldmatrix", ".shared .align 16 .b8 sm[4096]; and.b32 %r0, %r31, 31; shl.b32 %r0, %r0, 4; mov.u32 %r1, sm; add.u32 %r0, %r0, %r1;",
			"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r3, %r4, %r5}, [%r0]; ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r6, %r7}, [%r0];"},
		{"diverge", "and.b32 %r0, %r31, 1; setp.eq.u32 %p1, %r0, 0; mov.u32 %r1, 0;",
			"@%p1 bra E; add.u32 %r1, %r1, 3; xor.b32 %r2, %r1, %r0; bra J; E: add.u32 %r1, %r1, 5; J: add.u32 %r3, %r1, 1;"},
	} {
		b.Run(c.name, func(b *testing.B) { benchmark(b, c.first+loop(1000, c.body), 4) })
	}
}

// BenchmarkMma runs four products of 16x8 in a row, with accumulators of their own, and the loop around them.
func BenchmarkMma(b *testing.B) {
	for _, c := range []struct {
		name string
		form string
		acc  string // registers of the accumulator: f, r or fd
		a, b int    // registers of the factors
		fill string // what these hold
		rest string
	}{
		{"f16", "m16n8k16.row.col.f32.f16.f16.f32", "f", 4, 2, "0x3c013802", ""},
		{"f16-acc16", "m16n8k16.row.col.f16.f16.f16.f16", "r", 4, 2, "0x14013802", ""},
		{"bf16", "m16n8k16.row.col.f32.bf16.bf16.f32", "f", 4, 2, "0x3f813802", ""},
		{"tf32", "m16n8k8.row.col.f32.tf32.tf32.f32", "f", 4, 2, "0x3f812000", ""},
		{"e4m3", "m16n8k32.row.col.f32.e4m3.e4m3.f32", "f", 4, 2, "0x38313a29", ""},
		{"e5m2", "m16n8k32.row.col.f32.e5m2.e5m2.f32", "f", 4, 2, "0x38313a29", ""},
		{"f64", "m16n8k8.row.col.f64.f64.f64.f64", "fd", 4, 2, "0x3ff123456789abcd", ""},
		{"s8", "m16n8k32.row.col.s32.s8.s8.s32", "r", 4, 2, "0x80317a29", ""},
		{"u8", "m16n8k32.row.col.s32.u8.u8.s32", "r", 4, 2, "0x80317a29", ""},
		{"s4", "m16n8k64.row.col.s32.s4.s4.s32", "r", 4, 2, "0x80317a29", ""},
		{"b1", "m16n8k256.row.col.s32.b1.b1.s32.and.popc", "r", 4, 2, "0x80317a29", ""},
		{"sparse-f16", "m16n8k32.row.col.f32.f16.f16.f32", "f", 4, 4, "0x3c013802", ", %r27, 0"},
		{"scaled-mxf8", "m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0", "f", 4, 2, "0x38313a29", ", %r27, {0, 0}, %r27, {0, 0}"},
	} {
		b.Run(c.name, func(b *testing.B) {
			first, body := ".reg .f64 %fd<32>; mov.b32 %r27, 0x44444444;", ""
			factor, typ := "r", "b32"
			if c.acc == "fd" {
				factor, typ = "fd", "f64"
				c.fill = strings.Replace(c.fill, "0x", "0d", 1)
			}
			for i := range 4 {
				first += fmt.Sprintf("mov.%s %%%s%d, %s;", typ, factor, 20+i, c.fill)
			}
			list := func(bank string, from, n int) string {
				regs := make([]string, n)
				for i := range regs {
					regs[i] = fmt.Sprintf("%%%s%d", bank, from+i)
				}
				return "{" + strings.Join(regs, ", ") + "}"
			}
			op, n := "mma.sync.aligned.", 4
			if strings.HasPrefix(c.name, "sparse") {
				op = "mma.sp::ordered_metadata.sync.aligned."
			}
			if strings.HasSuffix(c.name, "acc16") {
				n = 2
			}
			for i := range 4 {
				acc := list(c.acc, n*i, n)
				for k := range n {
					zero := map[string]string{"f": "mov.f32 %%f%d, 0.0;", "r": "mov.b32 %%r%d, 0;", "fd": "mov.f64 %%fd%d, 0.0;"}[c.acc]
					first += fmt.Sprintf(zero, n*i+k)
				}
				body += fmt.Sprintf("%s%s %s, %s, %s, %s%s;\n", op, c.form, acc, list(factor, 20, c.a), list(factor, 20, c.b), acc, c.rest)
			}
			benchmark(b, first+loop(100, body), 4)
		})
	}
}
