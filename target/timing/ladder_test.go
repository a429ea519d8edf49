package timing_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/timing"
)

// sgemm is a rung of the ladder of products of f32 matrices that S. Boehm measured on an RTX A6000 (sm_86; "How to
// Optimize a CUDA Matmul Kernel", 2022): 309, 1987, 2980, 15972 GFLOP/s of these four.
type sgemm struct {
	name    string
	threads int
	tile    int // rows and columns of a CTA
	body    string
}

const (
	rungK    = 64
	rungSMs  = 84
	oneRow   = "mul.lo.u32 %r4, %r2, 256;" // bytes of a row of A, K elements
	rungHead = `	ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];
	mov.u32 %r1, %tid.x; mov.u32 %r9, %ctaid.x; mov.f32 %f0, 0f00000000;
`
)

// each makes a warp run along the columns of C, or down its rows, where neighbours are far apart in memory.
func each(alongColumns bool) string {
	row, col := "and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5;", ""
	if alongColumns {
		row, col = "shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31;", ""
	}
	return rungHead + row + col + `
	shl.b32 %r5, %r9, 5; add.u32 %r2, %r2, %r5; ` + oneRow + `
	mul.wide.u32 %rd4, %r4, 1; add.u64 %rd4, %rd4, %rd1;
	mul.wide.u32 %rd5, %r3, 4; add.u64 %rd5, %rd5, %rd2;
	mov.u32 %r6, 0;
LOOP:
` + unrolled() + `	add.u64 %rd4, %rd4, 16; add.u64 %rd5, %rd5, 512;
	add.u32 %r6, %r6, 4; setp.lt.u32 %p1, %r6, 64; @%p1 bra LOOP;
	mul.lo.u32 %r7, %r2, 32; add.u32 %r7, %r7, %r3; mul.wide.u32 %rd6, %r7, 4; add.u64 %rd6, %rd6, %rd3; st.global.f32 [%rd6], %f0;
`
}

// unrolled is what NVIDIA's compiler makes of the loop.
func unrolled() string {
	var b strings.Builder
	for i := range 4 {
		fmt.Fprintf(&b, "	ld.global.f32 %%f%d, [%%rd4+%d]; ld.global.f32 %%f%d, [%%rd5+%d];\n", 1+2*i, 4*i, 2+2*i, 128*i)
	}
	for i := range 4 {
		fmt.Fprintf(&b, "	fma.rn.f32 %%f0, %%f%d, %%f%d, %%f0;\n", 1+2*i, 2+2*i)
	}
	return b.String()
}

// shared brings tiles of 32 x 32 into shared memory, of which each thread reads a row and a column.
func shared() string {
	var b strings.Builder
	b.WriteString(rungHead + `	shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31; shl.b32 %r5, %r9, 5; add.u32 %r8, %r2, %r5;
	mul.lo.u32 %r4, %r8, 256; mul.wide.u32 %rd4, %r4, 1; add.u64 %rd4, %rd4, %rd1; mul.wide.u32 %rd7, %r3, 4; add.u64 %rd4, %rd4, %rd7;
	mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd5, %rd2;
	mov.u32 %r10, as; shl.b32 %r11, %r1, 2; add.u32 %r12, %r10, %r11; shl.b32 %r13, %r2, 7; add.u32 %r13, %r13, %r10; shl.b32 %r14, %r3, 2; add.u32 %r14, %r14, %r10;
	mov.u32 %r6, 0;
LOOP:
	ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd5]; st.shared.f32 [%r12], %f1; st.shared.f32 [%r12+4096], %f2; bar.sync 0;
`)
	for k := range 32 {
		if k%4 == 0 { // as NVIDIA's compiler makes it
			fmt.Fprintf(&b, "	ld.shared.v4.f32 {%%f5, %%f6, %%f7, %%f8}, [%%r13+%d];\n", 4*k)
		}
		fmt.Fprintf(&b, "	ld.shared.f32 %%f4, [%%r14+%d]; fma.rn.f32 %%f0, %%f%d, %%f4, %%f0;\n", 4096+128*k, 5+k%4)
	}
	b.WriteString(`	bar.sync 0; add.u64 %rd4, %rd4, 128; add.u64 %rd5, %rd5, 4096; add.u32 %r6, %r6, 32; setp.lt.u32 %p1, %r6, 64; @%p1 bra LOOP;
	mul.lo.u32 %r7, %r8, 32; add.u32 %r7, %r7, %r3; mul.wide.u32 %rd6, %r7, 4; add.u64 %rd6, %rd6, %rd3; st.global.f32 [%rd6], %f0;
`)
	return b.String()
}

// tiles computes 8 x 8 elements a thread of tiles of 64 x 64, 8 of K at a time.
func tiles() string {
	var b strings.Builder
	b.WriteString(rungHead)
	for i := range 64 {
		fmt.Fprintf(&b, "	mov.f32 %%f%d, 0f00000000;\n", 100+i)
	}
	b.WriteString(`	shr.u32 %r2, %r1, 3; and.b32 %r3, %r1, 7; mov.u32 %r10, as; shl.b32 %r5, %r9, 14;
	shl.b32 %r4, %r1, 8; add.u32 %r4, %r4, %r5; mul.wide.u32 %rd4, %r4, 1; add.u64 %rd4, %rd4, %rd1;
	shl.b32 %r4, %r1, 2; mul.wide.u32 %rd5, %r4, 1; add.u64 %rd5, %rd5, %rd2; add.u32 %r12, %r4, %r10;
	shl.b32 %r13, %r2, 5; add.u32 %r13, %r13, %r10; shl.b32 %r14, %r3, 5; add.u32 %r14, %r14, %r10;
	mov.u32 %r6, 0;
LOOP:
`)
	b.WriteString("	ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4]; ld.global.v4.f32 {%f5, %f6, %f7, %f8}, [%rd4+16];\n")
	for i := range 8 {
		fmt.Fprintf(&b, "	st.shared.f32 [%%r12+%d], %%f%d; ld.global.f32 %%f%d, [%%rd5+%d]; st.shared.f32 [%%r12+%d], %%f%d;\n", 256*i, i+1, 30+i, 256*i, 2048+256*i, 30+i)
	}
	b.WriteString("	bar.sync 0;\n")
	for k := range 8 {
		for i := range 2 {
			fmt.Fprintf(&b, "	ld.shared.v4.f32 {%%f%d, %%f%d, %%f%d, %%f%d}, [%%r13+%d]; ld.shared.v4.f32 {%%f%d, %%f%d, %%f%d, %%f%d}, [%%r14+%d];\n",
				10+4*i, 11+4*i, 12+4*i, 13+4*i, 256*k+16*i, 20+4*i, 21+4*i, 22+4*i, 23+4*i, 2048+256*k+16*i)
		}
		for i := range 64 {
			fmt.Fprintf(&b, "	fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", 100+i, 10+i/8, 20+i%8, 100+i)
		}
	}
	b.WriteString(`	bar.sync 0; add.u64 %rd4, %rd4, 32; add.u64 %rd5, %rd5, 2048; add.u32 %r6, %r6, 8; setp.lt.u32 %p1, %r6, 64; @%p1 bra LOOP;
	shl.b32 %r7, %r9, 14; shl.b32 %r8, %r2, 11; add.u32 %r7, %r7, %r8; shl.b32 %r8, %r3, 5; add.u32 %r7, %r7, %r8; mul.wide.u32 %rd6, %r7, 1; add.u64 %rd6, %rd6, %rd3;
`)
	for i := range 64 {
		fmt.Fprintf(&b, "	st.global.f32 [%%rd6+%d], %%f%d;\n", 256*(i/8)+4*(i%8), 100+i)
	}
	return b.String()
}

// rate returns operations in a cycle of an SM, with as many tile blocks as it holds, and checks the MMA: all
// elements of A and B are one, so that all of C are K.
//
// One tile block is executed. On the card it was one of 4096 x 4096 elements, where 128 share its rows and columns;
// it counts as one of so many that touch the same sectors.
func (k *sgemm) rate(t *testing.T) float64 {
	t.Helper()
	ptx := fmt.Sprintf(".version 8.0\n.target sm_86\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n.reqntid %d, 1, 1\n{\n	.reg .pred %%p<4>;\n	.reg .b32 %%r<32>;\n	.reg .f32 %%f<200>;\n	.reg .b64 %%rd<16>;\n	.shared .align 16 .b8 as[8192];\n%s	ret;\n}\n",
		k.threads, k.body)
	m, err := emu.Parse(k.name, []byte(ptx))
	if err != nil {
		t.Fatal(err)
	}
	ones := bytes.Repeat([]byte{0, 0, 0x80, 0x3f}, k.tile*rungK)
	mem := emu.NewMemory()
	var params [][]byte
	var addr uint64
	for range 3 {
		if addr, err = mem.Alloc("matrix", uint64(len(ones)), 256); err != nil {
			t.Fatal(err)
		}
		if err := mem.Write(addr, ones); err != nil {
			t.Fatal(err)
		}
		params = append(params, binary.LittleEndian.AppendUint64(nil, addr))
	}
	p := &emu.Profile{Trace: new(emu.Trace)}
	if _, err := m.Run(t.Context(), mem, emu.Launch{Entry: "k", Params: params, Profile: p}); err != nil {
		t.Fatal(err)
	}
	c := make([]byte, 4*k.tile*k.tile)
	if err := mem.Read(addr, c); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(c, bytes.Repeat([]byte{0, 0, 0x80, 0x42}, k.tile*k.tile)) { // 64
		t.Fatalf("%s: not the MMA", k.name)
	}
	code, predicates, slots, err := m.Code("k")
	if err != nil {
		t.Fatal(err)
	}
	p.Trace.Grid = [3]uint32{1 << 14, 1, 1}
	e, err := timing.New(t.Context(), &timing.Input{Arch: mustArch(t, "sm_86"), Entry: m.Entry("k"), Code: code, Slots: slots, Predicates: predicates, Trace: p.Trace, Blocks: 128})
	if err != nil {
		t.Fatal(err)
	}
	return 2 * float64(k.tile*k.tile*rungK*e.Modelled) / float64(e.Cycles)
}

// TestThreadLadder: the estimate orders products by threads as they were measured.
func TestThreadLadder(t *testing.T) {
	t.Parallel()
	ladder := []sgemm{
		{"naive", 1024, 32, each(false)},
		{"coalesced", 1024, 32, each(true)},
		{"shared memory", 1024, 32, shared()},
		{"8 x 8 a thread", 64, 64, tiles()},
	}
	measured := []float64{309, 1987, 2980, 15972} // GFLOP/s
	last := 0.0
	for i := range ladder {
		const clock = 1.8 // GHz of that card
		r := ladder[i].rate(t)
		t.Logf("%s: %.1f operations a cycle of an SM, measured %.1f", ladder[i].name, r, measured[i]/rungSMs/clock)
		if r <= last {
			t.Errorf("%s is not faster than what is before it: %.1f and %.1f", ladder[i].name, r, last)
		}
		last = r
	}
}
