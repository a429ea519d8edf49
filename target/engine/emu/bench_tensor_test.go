//go:build unix

package emu_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// BenchmarkTensorCore runs the asynchronous matrix products, whose operands are in shared memory, and reports
// operations of their elements for each second of a processor.
func BenchmarkTensorCore(b *testing.B) {
	const rounds = 8
	// fill gives 32 KiB of shared memory at %r49 numbers.
	const fill = "mov.b32 %r0, 0x3c003800; mul.lo.u32 %r1, %r31, 256; add.u32 %r1, %r1, %r49;"
	var stores strings.Builder
	for at := 0; at < 256; at += 16 {
		fmt.Fprintf(&stores, "st.shared.v4.b32 [%%r1+%d], {%%r0, %%r0, %%r0, %%r0};\n", at)
	}
	descriptor := func(swizzle uint64, lead, stride int, bits uint64) string {
		return fmt.Sprint(swizzle | uint64(lead/16)<<16 | uint64(stride/16)<<32 | bits)
	}
	for _, c := range []struct {
		name string
		k    int
	}{{"f16", 16}, {"tf32", 8}, {"e4m3", 32}} {
		types := map[string]string{"f16": "f16.f16", "tf32": "tf32.tf32", "e4m3": "e4m3.e4m3"}[c.name]
		tail := ", 1, 1, 1"
		if c.name == "f16" {
			tail += ", 0, 0"
		}
		accumulators := strings.ReplaceAll(emutest.RegisterList(0, 64), "%r", "%c")
		product := fmt.Sprintf("wgmma.mma_async.sync.aligned.m64n128k%d.f32.%s %s, %%d10, %%d11%s;\n", c.k, types, accumulators, tail)
		var zero strings.Builder
		for i := range 64 {
			fmt.Fprintf(&zero, "mov.f32 %%c%d, 0f00000000;\n", i)
		}
		body := ".reg .f32 %c<64>; .shared .align 1024 .b8 s[32768]; mov.u32 %r49, s;" + fill + stores.String() + zero.String() +
			"fence.proxy.async; bar.sync 0; shr.u32 %r2, %r49, 4; cvt.u64.u32 %d9, %r2;" +
			"or.b64 %d10, %d9, " + descriptor(1<<62, 16, 1024, 0) + "; or.b64 %d11, %d9, " + descriptor(1<<62, 16, 1024, 0) + ";" +
			loop(rounds, "wgmma.fence.sync.aligned; "+strings.Repeat(product, 4)+"wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;")
		b.Run("wgmma/"+c.name, func(b *testing.B) { products(b, body, 2*64*128*float64(c.k)*4*rounds) })
	}
	for _, c := range []struct {
		name, kind string
		format     uint32
		k          int
	}{{"f16", "f16", 0, 16}, {"tf32", "tf32", 2<<7 | 2<<10, 8}, {"e4m3", "f8f6f4", 0, 32}} {
		idesc := 1<<4 | c.format | 128/8<<17 | 128/16<<24
		product := fmt.Sprintf("tcgen05.mma.cta_group::1.kind::%s [%%r50], %%d10, %%d11, %%r3, %%p15;\n", c.kind)
		body := strings.Replace(strings.Replace(emutest.TensorBody(fill+stores.String()+
			"fence.proxy.async; bar.sync 0; shr.u32 %r2, %r49, 4; cvt.u64.u32 %d9, %r2;"+
			"or.b64 %d10, %d9, "+descriptor(2<<61, 16, 1024, 1<<46)+"; or.b64 %d11, %d9, "+descriptor(2<<61, 16, 1024, 1<<46)+";"+
			fmt.Sprintf("mov.u32 %%r3, %d; mov.u32 %%r4, 0; @!%%p15 bra DONE;", idesc)+
			fmt.Sprintf("tcgen05.mma.cta_group::1.kind::%s [%%r50], %%d10, %%d11, %%r3, 0;\n", c.kind)+
			loop(rounds, strings.Repeat(product, 4)+
				"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r48];"+
				"W: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r48], %r4; @!%p1 bra W; xor.b32 %r4, %r4, 1;")+"DONE: "),
			"s[16384]", "s[32768]", 1), ", 64;", ", 128;", 2)
		b.Run("tcgen05/"+c.name, func(b *testing.B) { products(b, body, 2*128*128*float64(c.k)*(4*rounds+1)) })
	}
}

// products runs a body that makes matrix products of so many operations.
func products(b *testing.B, body string, flops float64) {
	m := emutest.Parse(b, emutest.Kernel(body))
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 1<<10, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	start, runs := cpuTime(b), 0
	for b.Loop() {
		if _, err := m.Run(context.Background(), mem, emu.Launch{Entry: "k", Grid: [3]uint32{1}, Block: [3]uint32{128}, Params: [][]byte{emutest.LE64(out), emutest.LE64(out)}, Workers: 1}); err != nil {
			b.Fatal(err)
		}
		runs++
	}
	b.ReportMetric(flops*float64(runs)/(cpuTime(b)-start).Seconds()/1e9, "GFLOP/cpu-s")
}
