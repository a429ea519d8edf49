package emu_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

func TestParseDirectives(t *testing.T) {
	t.Parallel()
	m := emutest.Parse(t, `.file 1 "kernel.py"
.visible .entry first(
	.param .u64 .ptr .global .align 16 a,
	.param .u32 n,
	.param .align 64 .b8 map[128],
	.param .b8 flag
)
.reqntid 128, 1, 1
.minnctapersm 2
.maxnreg 168
{
	.reg .b32 %r<5>;
	.shared .align 128 .b8 buf[1024];
	.local .align 8 .b8 stack[40];
	.pragma "nounroll";
	.loc 1 10 0
	mov.u32 %r1, %tid.x; // comment
	/* a longer
	   comment */
	.loc 1 11 3, function_name $L__info, inlined_at 1 10 0
	ret;
}
.section .debug_str { $L__info: .b8 1, 2 }
.weak .entry second()
{
}
`)
	e := m.Entry("first")
	if e == nil || len(m.Entries()) != 2 || m.Version != "8.8" || m.Target != "sm_90a" {
		t.Fatalf("entries %v, version %s, target %s", m.Entries(), m.Version, m.Target)
	}
	want := []emu.Param{{Name: "a", Type: "u64", Size: 8, Align: 8, Offset: 0}, {Name: "n", Type: "u32", Size: 4, Align: 4, Offset: 8}, {Name: "map", Type: "b8", Size: 128, Align: 64, Offset: 64}, {Name: "flag", Type: "b8", Size: 1, Align: 1, Offset: 192}}
	for i, p := range e.Params {
		if p != want[i] {
			t.Errorf("parameter %d is %+v, want %+v", i, p, want[i])
		}
	}
	if e.ReqNTID != [3]uint32{128, 1, 1} || e.SharedBytes != 1024 || e.LocalBytes != 48 || len(e.Directives) != 3 {
		t.Errorf("entry is %+v", e)
	}
	if d := e.Directives[2]; d.Name != ".maxnreg" || d.Args[0] != "168" {
		t.Errorf("directive is %+v", d)
	}
}

// TestFromCubin reads what is particular to the PTX that NVIDIA's compiler leaves in cubins: a parameter that is no
// argument, and the text that the PTX was compiled from, in which nothing is a token.
func TestFromCubin(t *testing.T) {
	t.Parallel()
	m, err := emu.Parse("x", []byte(`.visible .entry k(.param .u64 p, .hidden .param .align 64 .b8 map[128])
.language 7
{
	ret;
}
.nv_intermediate_source_section {
.code_block {
.ir_name: "tile ir"
.source_begin
entry @k(%p: tile<ptr<f32>>) { assert %c, "it's { not 5.e "
.source_end
}
}
.visible .entry behind() { ret; }
`))
	if err != nil {
		t.Fatal(err)
	}
	if p := m.Entry("k").Params; p[0].Hidden || !p[1].Hidden || m.Entry("behind") == nil {
		t.Errorf("parameters are %+v", p)
	}
	_, err = emu.Parse("x", []byte(".nv_intermediate_source_section {\n.source_begin\n}\n"))
	if err == nil || !strings.Contains(err.Error(), "source text is not closed") {
		t.Errorf("error is %v", err)
	}
}

func TestUnknownPerformanceDirective(t *testing.T) {
	t.Parallel()
	m, err := emu.Parse("x", []byte(".visible .entry k()\n.language 3 .shiny_knob 1, 2, \"x\"\n{\n}"))
	if err != nil {
		t.Fatal(err)
	}
	d := m.Entry("k").Directives
	if len(d) != 2 || d[1].Name != ".shiny_knob" || len(d[1].Args) != 3 {
		t.Errorf("directives are %+v", d)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ body, want string }{
		{"frob.u32 %r0, %r1;", "test.ptx:15:1: unknown instruction 'frob.u32': 'frob.u32 %r0, %r1;'"},
		{"add.wild.u32 %r0, %r1, %r2;", "unknown modifier '.wild' of 'add'"},
		{"add.u32 %r0, %r1;", "'add' takes 3 operands, got 2"},
		{"add.u32 %r0, %f1, %r2;", "register '%f1' of type .f32 cannot be an operand of type .u32"},
		{"add.u64 %d0, %r1, 1;", "register '%r1' of type .b32 cannot be an operand of type .u64"},
		{"add.u32 %r0, %r99, 1;", "'%r99' is not declared"},
		{"add %r0, %r1, 1;", "instruction 'add' has no type"},
		{"add.f32 %f0, %f1, 1;", "integer constant as an operand of type .f32"},
		{"mov.u32 %r0, 0x1ffffffff;", "constant 8589934591 does not fit type .u32"},
		{"bra NOWHERE;", "label 'NOWHERE' is not defined"},
		{"@%r1 bra X; X:", "the guard is not a predicate register"},
		{"X: X: ret;", "label 'X' is defined twice"},
		{".reg .b32 %r<7>;", "registers '%r' are declared twice"},
		{".reg .b32 a; .reg .b32 a;", "'a' is declared twice"},
		{".reg .q7 %q;", "unknown register type '.q7'"},
		{"ld.global.v4.b64x {%d0}, [%d1];", "instruction 'ld' has no type"},
		{"ld.global.v2.u32 {%r0}, [%d1];", "expected a vector of 2 operands"},
		{"ld.shared.u32 %r0, [out];", "'out' is in .param, the access names .shared"},
		{"ld.global.u32 %r0, %d1;", "expected an address in brackets"},
		{"st.global.u32 [%h1], %r0;", "register '%h1' of type .b16 cannot be an address"},
		{"cvt.u32.f32 %r0, %f0;", "needs an integer rounding mode"},
		{"cvt.rn.e4m3x2.f32 %h0, %f0, %f1;", "needs '.satfinite'"},
		{"setp.lo.s32 %p0, %r0, %r1;", "comparison '.lo' does not exist for type .s32"},
		{"setp.lt.b32 %p0, %r0, %r1;", "comparison '.lt' does not exist for type .b32"},
		{"mul.wide.u64 %d0, %d1, %d2;", "'mul.wide' does not exist for type .u64"},
		{"shfl.bfly.b32 %r0, %r1, 1, 31;", "'shfl' takes 5 operands"},
		{"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};", "is not supported"},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};", "expected a vector of 4 operands"},
		{"mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};", "'mma' with this shape, layout and types is not supported"},
		{"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.f32.e2m1.e2m1.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};", "'mma' needs .block_scale with the kinds that scale"},
		{"mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3}, %r0, {0,0}, %r0, {0,0};", "'mma' with this kind, scale vector and type of scale is not supported"},
		{"mma.sp.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, {%f0,%f1,%f2,%f3}, %r0, 0, %r0, {0,0}, %r0, {0,0};", "'mma' with this shape, layout and types is not supported"},
		{"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r0,%r1}, {%r0}, {%r4}, {%r0,%r1};", "'mma' needs .xor.popc or .and.popc with single bits"},
		{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, {%f0,%f1,%f2,%f3}, %r0, 2;", "expected a sparsity selector that is a constant below 2"},
		{"atom.global.add.b32 %r0, [%d0], 1;", "'atom.add' does not exist for type .b32"},
		{"call nofunc;", "this function is not declared"},
		{"mov.b32 %r0, \"x\";", "expected a constant, got 'x'"},
		{"mov.f32 %f0, 0f3F;", "malformed floating-point constant '0f3F'"},
		{"mov.u32 %r0, 12abc;", "malformed integer constant '12abc'"},
		{"mov.u32 %r0, 1/0;", "division by zero"},
		{"/* open", "comment is not closed"},
		{"mov.u32 %r0 %r1;", "expected ';', got '%r1'"},
		{".shared .b8 s[999999999];", "is larger than the limit"},
		{".frob 1;", "unknown directive '.frob'"},
		{strings.Repeat("{", 100), "nesting deeper than 64"},
	} {
		_, err := emu.Parse("test.ptx", []byte(emutest.Header+emutest.Kernel(c.body)))
		var e *emu.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.body, err, c.want)
		}
	}
}

func TestModuleErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want string }{
		{".address_size 32", "address size 32 is not supported"},
		{".entry k(.param .u32 a, .param .u32 a) {}", "'a' is declared twice"},
		{".entry k() {} .entry k() {}", "'k' is defined twice"},
		{".entry k() { ret; ", "function 'k' is not closed"},
		{".global .u32 x[2] = {1, 2, 3};", "too many initialisers for 'x'"},
		{".global .align 3 .u32 x;", "alignment 3 is not a power of two"},
		{".global .u32 x[];", "'x' has no size"},
		{".shared .u32 x = 1;", "shared variable 'x' cannot have an initialiser"},
		{".global .b8 a[200000000]; .global .b8 b[200000000];", "module variables exceed"},
		{"entry", "expected a directive, got 'entry'"},
		{".func f() { call f; ret; }", "recursive call of 'f' is not supported"},
		{".entry k(.param .b8 x[99999]) {}", "is larger than the limit"},
	} {
		_, err := emu.Parse("m", []byte(c.src))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.src, err, c.want)
		}
	}
}

// FuzzParse checks that no text makes the parser panic or hang.
func FuzzParse(f *testing.F) {
	f.Add(emutest.Header + emutest.Kernel("add.u32 %r0, %r31, 1;\n@%p1 bra L; L:"))
	f.Add(emutest.Header + emutest.Kernel("ld.global.v4.f32 {%f0, %f1, %f2, _}, [%d30+-16];"))
	f.Add(emutest.Header + emutest.Kernel(".shared .align 8 .b8 x[8]; T: .branchtargets A; A: brx.idx %r1, T;"))
	f.Add(emutest.Header + emutest.Kernel("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};"))
	f.Add(emutest.Header + emutest.Kernel("mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32 {%r0,%r1,%r2,%r3}, {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, {%r0,%r1,%r2,%r3}, %r31, 0;"))
	f.Add(emutest.Header + emutest.Kernel("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3}, %r0, {%h0,%h1}, %r0, {0,0};"))
	f.Add(emutest.Header + emutest.Kernel("cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, 1.0; setp.lt.and.f32 %p1|%p2, %f0, %f1, !%p3; mov.b64 {%r1, _}, %d1;"))
	f.Add(".global .align 4 .b8 a[3][2] = {{1, 2}, {3}}; .func (.param .b32 r) f(.param .b32 x) ; .section .x { .b8 1 }")
	f.Fuzz(func(t *testing.T, src string) {
		m, err := emu.Parse("f", []byte(src))
		if (m == nil) != (err != nil) {
			t.Fatalf("module %v and error %v", m, err)
		}
	})
}

// FuzzRun executes random statements; nothing they do may make the emulator
// panic or hang.
func FuzzRun(f *testing.F) {
	for _, body := range []string{
		"add.u32 %r0, %r31, 1; @%p1 bra L; L:",
		".shared .align 16 .b8 s[64]; mov.u32 %r1, s; st.shared.v2.u32 [%r1+8], {%r31, 5}; ld.shared.b64 %d1, [s+8]; bar.sync 0;",
		"shfl.sync.idx.b32 %r1|%p1, %r31, 3, 31, -1; vote.sync.ballot.b32 %r2, %p1, -1; redux.sync.add.u32 %r3, %r2, -1;",
		"setp.lt.u32 %p1, %r31, 3; @%p1 bra A; bar.warp.sync 5; exit; A: barrier.sync 1, 32; T: .branchtargets A, B; B: brx.idx %r31, T;",
		".shared .align 8 .b64 b; mbarrier.init.shared.b64 [b], 3; mbarrier.arrive.shared.b64 %d1, [b]; mbarrier.test_wait.shared.b64 %p1, [b], %d1; cp.async.wait_group 1;",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r31], [%d31], 16, [%r31]; atom.global.add.u32 %r1, [%d30], %r31; cvt.rn.f16.f32 %h1, 1.5;",
		"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d30, %d31, 0, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;",
		".shared .align 128 .b8 s[256]; mov.u32 %r1, s; cvt.u64.u32 %d1, %r1; tensormap.replace.tile.rank.shared::cta.b1024.b32 [%d1], 1; tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%d1], 0, %r31; cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d1, {%r31}], [%r1];",
		".shared .align 16 .b8 s[512]; mov.u32 %r1, s; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 64; ld.shared.b32 %r2, [%r1]; tcgen05.st.sync.aligned.16x64b.x2.b32 [%r2], {%r1, %r2}; tcgen05.wait::st.sync.aligned; tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%r3, %r4}, [%r2], 2; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;",
		".shared .align 16 .b8 s[512]; mov.u32 %r1, s; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 512; mov.b64 %d1, 0x4000001000000; tcgen05.mma.cta_group::1.kind::f16 [%r2], %d1, %d1, %r31, {%r1, %r1, %r1, %r1}, %p1, 3; tcgen05.cp.cta_group::1.128x256b [%r2], %d1; tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r1];",
		".shared .align 16 .b8 s[512]; mov.u32 %r1, s; stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%r1], {%r1, %r2, %r3, %r4}; ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32 {%r1, %r2, %r3, %r4}, [%r1]; st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%r1], {%d1, %d2}, [%r1+64]; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%r1], %r2, [%r1];",
		".reg .b128 %q; mov.b128 %q, {%d30, %d31}; atom.global.cas.b128 %q, [%d30], %q, %q; mov.b64 {%h1, _, %h2, %h3}, %d30;",
	} {
		f.Add(body, uint8(3))
	}
	names := strings.NewReplacer("%out", "%d30", "%smem", "%r31", "%bar", "%r31", "%tmem", "%r31", "%map", "%d31", "%rows", "%d31", "%im2colw", "%d31", "%im2col", "%d31")
	for _, s := range emu.Instructions() {
		for _, form := range s.Forms {
			f.Add(names.Replace(expandRanges(form.PTX)), uint8(2))
		}
	}
	f.Fuzz(func(t *testing.T, body string, seed uint8) {
		m, err := emu.Parse("f", []byte(emutest.Header+emutest.Kernel(body)))
		if err != nil || len(m.Entries()) != 1 || len(m.Entries()[0].Params) != 2 {
			return
		}
		mem := emu.NewMemory()
		buf, err := mem.Alloc("buf", 256, 0)
		if err != nil {
			t.Fatal(err)
		}
		l := emu.Launch{
			Entry: m.Entries()[0].Name, Block: [3]uint32{64}, MaxSteps: 1 << 12, Params: [][]byte{emutest.LE64(buf), emutest.LE64(buf)},
			Adversarial: seed&1 != 0, Seed: uint64(seed), AllowUninitialized: seed&2 != 0,
		}
		if _, err := m.Run(t.Context(), mem, l); err != nil && err.Error() == "" {
			t.Fatal("error without a message")
		}
	})
}

// TestScrambled lets a launch read a register that nothing has written: zeros, or bits that the seed chooses when the
// launch is adversarial, of the register's width.
func TestScrambled(t *testing.T) {
	t.Parallel()
	m, err := emu.Parse("x", []byte(`.visible .entry k(.param .u64 p)
{
	.reg .b16 %h; .reg .b64 %d<3>; .reg .b32 %w;
	ld.param.u64 %d1, [p];
	cvt.u32.u16 %w, %h;
	st.global.u32 [%d1], %w;
	st.global.u64 [%d1+8], %d2;
	ret;
}
`))
	if err != nil {
		t.Fatal(err)
	}
	run := func(l emu.Launch) (out [16]byte, err error) {
		mem := emu.NewMemory()
		addr, err := mem.Alloc("p", 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		l.Entry, l.Block, l.Params = "k", [3]uint32{1}, [][]byte{binary.LittleEndian.AppendUint64(nil, addr)}
		if _, err := m.Run(t.Context(), mem, l); err != nil {
			return out, err
		}
		return out, mem.Read(addr, out[:])
	}
	if _, err := run(emu.Launch{}); err == nil || !strings.Contains(err.Error(), "read before it is written") {
		t.Errorf("error is %v", err)
	}
	if out, err := run(emu.Launch{AllowUninitialized: true}); err != nil || out != [16]byte{} {
		t.Errorf("got %v, %v", out, err)
	}
	first, err := run(emu.Launch{AllowUninitialized: true, Adversarial: true, Seed: 1})
	if err != nil || first[2] != 0 || first[3] != 0 || [16]byte{} == first {
		t.Errorf("got %v, %v", first, err)
	}
	again, _ := run(emu.Launch{AllowUninitialized: true, Adversarial: true, Seed: 1})
	other, _ := run(emu.Launch{AllowUninitialized: true, Adversarial: true, Seed: 2})
	if again != first || other == first {
		t.Errorf("seed 1 gave %v and %v, seed 2 %v", first, again, other)
	}
}
