package tcgen05_test

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestTensorFaults breaks cases that work.
func TestTensorFaults(t *testing.T) {
	t.Parallel()
	f16 := tensorCase{inst: "kind::f16", m: 128, n: 16, k: 16, a: "f16", b: "f16", d: "f32"}
	f8 := tensorCase{inst: "kind::f8f6f4", m: 128, n: 16, k: 32, a: "e4m3", b: "e4m3", d: "f32"}
	mx8 := tensorCase{inst: "kind::mxf8f6f4.block_scale", m: 128, n: 16, k: 32, a: "e4m3", b: "e4m3", d: "f32", vectors: 1}
	mx4 := tensorCase{inst: "kind::mxf4.block_scale", m: 128, n: 16, k: 64, a: "e2m1", b: "e2m1", d: "f32", vectors: 2}
	pair := tensorCase{inst: "kind::f16", m: 128, n: 32, k: 16, a: "f16", b: "f16", d: "f32", pair: true}
	ws := tensorCase{inst: "kind::f16", m: 64, n: 64, k: 16, a: "f16", b: "f16", d: "f32", ws: true}
	with := func(c tensorCase, f func(c *tensorCase)) tensorCase { f(&c); return c }
	for i, c := range []struct {
		c     tensorCase
		spoil func(in []testImage)
		want  string
	}{
		{c: with(f16, func(c *tensorCase) { c.flip = 4 }), want: "is sparse, the instruction is not"},
		{c: with(f16, func(c *tensorCase) { c.flip = 1 << 6 }), want: "reserved bits of the instruction"},
		{c: with(f16, func(c *tensorCase) { c.flip = 1 << 3 }), want: "reserved bits of the instruction"},
		{c: with(f16, func(c *tensorCase) { c.flip = 1 << 29 }), want: "reserved bits of the instruction"},
		{c: with(f16, func(c *tensorCase) { c.flip = 1 << 30 }), want: "reserved bits of the instruction"},
		{c: with(f16, func(c *tensorCase) { c.flip = 2 << 7 }), want: "names a format"},
		{c: with(f16, func(c *tensorCase) { c.a, c.d = "bf16", "f16" }), want: "accumulator of .f16 for operands of .bf16"},
		{c: with(f16, func(c *tensorCase) { c.m = 112; c.place(0) }), want: "shape that does not exist"},
		{c: with(f16, func(c *tensorCase) { c.sparse, c.selector = true, 2 }), want: "selector above 1"},
		{c: with(f8, func(c *tensorCase) { c.sparse, c.flip = true, 1 }), want: "selector must be 0"},
		{c: with(f16, func(c *tensorCase) { c.sparse, c.edit = true, [2]string{"%r50, 0x110", "%r50, 0x114"} }), want: "metadata 0b0000 of row 127"},
		{c: with(f16, func(c *tensorCase) { c.sparse, c.edit = true, [2]string{"%r50, 0x110", "%r50, 0x111"} }), want: "at the odd column"},
		{c: with(f16, func(c *tensorCase) { c.sparse, c.edit = true, [2]string{"0x8040014", "0x8040010"} }), want: "of a sparse MMA is not sparse"},
		{c: with(f16, func(c *tensorCase) { c.sparse, c.swizzleB = true, 32 }), want: "wider than the swizzling mode"},
		{c: with(f16, func(c *tensorCase) { c.transA, c.swizzleA = true, 129 }), want: "atoms of 32 bytes"},
		{c: with(f16, func(c *tensorCase) { c.swizzleA = 129 }), want: "needs a transposed matrix"},
		{c: tensorCase{inst: "kind::tf32", m: 128, n: 16, k: 8, a: "tf32", b: "tf32", d: "f32", transB: true}, want: "atoms of 32 bytes"},
		{c: with(f8, func(c *tensorCase) { c.a, c.transA = "e2m1", true }), want: "transposes an operand of less than 8 bits"},
		{c: with(f8, func(c *tensorCase) { c.n, c.transB = 24, true }), want: "transposed B of 8 bits"},
		{c: with(f16, func(c *tensorCase) { c.flipB = 1 << 52 }), want: "absolute leading dimension"},
		{c: with(f16, func(c *tensorCase) { c.flipB = 1 << 53 }), want: "reserved bits of the matrix"},
		{c: with(f16, func(c *tensorCase) { c.flipB = 3 << 61 }), want: "swizzling mode of the matrix descriptor does not exist"},
		{c: with(f16, func(c *tensorCase) { c.inst += ".collector::a::use" }), want: "with which the buffer is not filled"},
		{c: with(f16, func(c *tensorCase) {
			c.edit = [2]string{"tcgen05.mma", "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%r48], %d6, %d7, %r11, %p5; tcgen05.mma.cta_group::1.kind::f16.collector::a::lastuse [%r48], %d7, %d6, %r11, %p5; tcgen05.mma"}
		}), want: "'.collector::a::lastuse' of a matrix"},
		{c: with(f16, func(c *tensorCase) {
			c.m, c.inTensor, c.lane, c.edit = 64, true, 16, [2]string{"%r49, 0x100100", "%r49, 0x100"}
		}), want: "A starts at lane 0 of TMEM and the accumulator at lane 16"},
		{c: with(f16, func(c *tensorCase) { c.lane = 16 }), want: "128 lanes from 16"},
		{c: tensorCase{inst: "kind::i8", m: 128, n: 40, k: 32, a: "s8", b: "s8", d: "s32"}, want: "shape that does not exist"},
		{c: tensorCase{inst: "kind::i8", m: 128, n: 32, k: 32, a: "s8", b: "s8", d: "s32", negate: 1}, want: "reserved bits of the instruction"},
		{c: with(mx8, func(c *tensorCase) { c.fine = true }), want: "scale factors of .ue4m3"},
		{c: with(mx8, func(c *tensorCase) { c.flip = 1 << 24 }), want: "reserved bits of the instruction"},
		{c: with(mx4, func(c *tensorCase) { c.flip = 1 << 31 }), want: "a K of 96 is not supported"},
		{c: with(mx4, func(c *tensorCase) { c.idA = 1 }), want: "scale factor ID"},
		{c: with(mx4, func(c *tensorCase) { c.transA = true }), want: "transposes an operand"},
		{c: mx8, spoil: func(in []testImage) { in[0].tensor[33][testSA] ^= 1 }, want: "scale factors of A in lanes 1 and 33, column 288"},
		{c: mx8, spoil: func(in []testImage) { in[0].tensor[96][testSB] ^= 1 }, want: "scale factors of B in lanes 0 and 96"},
		{c: with(pair, func(c *tensorCase) { c.inTensor = true }), spoil: func(in []testImage) { in[1].tensor[64][testA] ^= 1 }, want: "the copies of row 0 of A in lanes 0 and 64"},
		{c: with(pair, func(c *tensorCase) { c.n = 24 }), want: "shape that does not exist"},
		{c: with(mx8, func(c *tensorCase) { c.m, c.pair, c.sparse = 128, true, true }), want: "shape that does not exist"},
		{c: with(pair, func(c *tensorCase) {
			c.disable = make([]uint32, 8)
			c.disable[1] = 1
			c.edit = [2]string{"%r1, 0, !%p0", "%r1, 1, !%p0"}
		}), want: "disabled by the odd CTA"},
		{c: with(pair, func(c *tensorCase) { c.edit = [2]string{"fence.proxy.async;", ""} }), want: "no 'fence.proxy.async' since it was written"},
		{c: with(pair, func(c *tensorCase) { c.edit = [2]string{"tcgen05.commit", "@!%p0 tcgen05.commit"} }), want: "deadlock"},
		{c: with(pair, func(c *tensorCase) { c.edit = [2]string{".multicast::cluster.b64 [%r3], 3", ".b64 [%r3]"} }), want: "deadlock"},
		{c: with(pair, func(c *tensorCase) {
			c.edit = [2]string{"@!%p1 bra F;", "@!%p1 bra F; setp.ne.u32 %p6, %r1, 0; @%p6 bra F;"}
		}), want: "deadlock"},
		{c: with(pair, func(c *tensorCase) { c.edit = [2]string{"@!%p1 bra F;", "bra F;"} }), want: "without freeing the TMEM"},
		{c: with(pair, func(c *tensorCase) {
			c.edit = [2]string{"tcgen05.dealloc.cta_group::2.sync.aligned.b32 0, 512", "shr.u32 %r12, 512, %r1; tcgen05.dealloc.cta_group::2.sync.aligned.b32 0, %r12"}
		}), want: "the CTAs of a pair disagree"},
		{c: with(pair, func(c *tensorCase) {
			c.edit = [2]string{"barrier.cluster.wait;", "barrier.cluster.wait; setp.ne.u32 %p6, %r1, 0; @%p6 exit;"}
		}), want: "the other CTA of the pair has exited"},
		{c: with(ws, func(c *tensorCase) { c.inTensor = true }), want: "with an M below 128 is not supported by '.ws'"},
		{c: with(ws, func(c *tensorCase) { c.n = 96 }), want: "shape that does not exist"},
		{c: with(ws, func(c *tensorCase) { c.n, c.sparse = 256, true }), want: "shape that does not exist"},
		{c: with(ws, func(c *tensorCase) { c.shift, c.mask = 1, 9<<56 }), want: "column shift"},
		{c: with(ws, func(c *tensorCase) { c.mask = 1 << 37 }), want: "reserved bits of the zero-column mask"},
		{c: tensorCase{inst: "kind::tf32.ashift", m: 64, n: 16, k: 8, a: "tf32", b: "tf32", d: "f32", inTensor: true}, want: "needs an M of 128 or 256"},
	} {
		t.Run(fmt.Sprint(i, " ", c.want), func(t *testing.T) {
			t.Parallel()
			in, want := c.c.setup(rand.New(rand.NewSource(int64(i))))
			if c.spoil != nil {
				c.spoil(in)
			}
			if err := c.c.run(in, want, 0); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want %q", err, c.want)
			}
		})
	}
}

// tensorRejected are forms that neither Parse nor the assembler accepts.
var tensorRejected = []struct{ text, want string }{
	{"tcgen05.mma.kind::f16 [%r0], %d0, %d1, %r1, %p0;", "need .cta_group"},
	{"tcgen05.mma.cta_group::1.kind::f8f6f4 [%r0], %d0, %d1, %r1, %p0, 3;", "too many operands"},
	{"tcgen05.mma.cta_group::1.kind::f16 [%r0], %d0, %d1, %r1, %p0, 16;", "from 0 to 15"},
	{"tcgen05.mma.cta_group::2.kind::f16 [%r0], %d0, %d1, %r1, {%r0, %r1, %r2, %r3}, %p0;", "vector of 8 masks"},
	{"tcgen05.mma.cta_group::1.kind::f16.ashift [%r0], %d0, %d1, %r1, %p0;", "needs an A in TMEM"},
	{"tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::use [%r0], [%r2], %d1, %r1, %p0;", "does not go with '.collector::a::use'"},
	{"tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::fill [%r0], [%r2], %d1, %r1, %p0;", "does not go with '.collector::a::fill'"},
	{"tcgen05.mma.cta_group::1.kind::f16.collector::a::use.collector::a::fill [%r0], [%r2], %d1, %r1, %p0;", "two uses of collector buffers"},
	{"tcgen05.mma.cta_group::1.kind::f16.block_scale [%r0], [%r1], %d1, %r1, %p0;", "needs .block_scale with the kinds that scale"},
	{"tcgen05.mma.cta_group::1.kind::mxf8f6f4 [%r0], %d0, %d1, %r1, [%r2], [%r3], %p0;", "needs .block_scale with the kinds that scale"},
	{"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::2X [%r0], %d0, %d1, %r1, [%r2], [%r3], %p0;", "size of scale vectors does not exist"},
	{"tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block16 [%r0], %d0, %d1, %r1, [%r2], [%r3], %p0;", "size of scale vectors does not exist"},
	{"tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale [%r0], %d0, %d1, %r1, [%r2], [%r3], %p0;", "size of scale vectors does not exist"},
	{"tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.ashift [%r0], [%r3], %d1, %r1, [%r2], [%r3], %p0;", "does not go with block scaling"},
	{"tcgen05.mma.ws.cta_group::2.kind::f16 [%r0], %d0, %d1, %r1, %p0;", "with these modifiers does not exist"},
	{"tcgen05.mma.ws.cta_group::1.kind::f16.collector::a::fill [%r0], %d0, %d1, %r1, %p0;", "no such collector buffer"},
	{"tcgen05.mma.ws.cta_group::1.kind::f16.ashift [%r0], [%r2], %d1, %r1, %p0;", "with these modifiers does not exist"},
	{"tcgen05.mma.sp.ws.cta_group::1.kind::i8 [%r0], [%r2], %d1, [%r2], %r1, %p0;", "'.ws' comes before '.sp'"},
	{"tcgen05.mma.cta_group::1.kind::f16 [4], %d0, %d1, %r1, %p0;", "must be in a register"},
	{"tcgen05.mma.cta_group::1.kind::f16 [%r0], %d0, %d1, %r1, {0, 0, 0, 0}, %p0;", "must be a register"},
	{"tcgen05.cp.cta_group::1.64x128b [%r0], %d0;", "with this shape and multicast does not exist"},
	{"tcgen05.cp.cta_group::1.32x128b [%r0], %d0;", "with this shape and multicast does not exist"},
	{"tcgen05.cp.cta_group::1.128x128b.warpx4 [%r0], %d0;", "with this shape and multicast does not exist"},
	{"tcgen05.cp.cta_group::1.128x128b.b6x16_p32 [%r0], %d0;", "needs '.b8x16'"},
	{"tcgen05.alloc.sync.aligned.shared::cta.b32 [%r0], 32;", "need .cta_group"},
	{"tcgen05.shift.cta_group::1 [%r0];", "needs .down"},
	{"tcgen05.ld.red.sync.aligned.32x32b.x1.max.u32 {%r0}, %r2, [%r3];", "is supported with .32x32b and .x2"},
	{"tcgen05.ld.red.sync.aligned.32x32b.x2.max.abs.u32 {%r0, %r1}, %r2, [%r3];", "only with .f32"},
}

// tensorOnly is an entry with one instruction.
func tensorOnly(name, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".visible .entry %s()\n{\n\t.reg .pred %%p<8>; .reg .b32 %%r<64>; .reg .f32 %%f<8>; .reg .b64 %%d<16>; .reg .b16 %%h<2>;\n\tsetp.eq.u32 %%p0, 0, 0; setp.eq.u32 %%p5, 0, 0; mov.b16 %%h0, 3;\n", name)
	for i := range 16 {
		fmt.Fprintf(&b, "\tmov.b32 %%r%d, 0; mov.b64 %%d%d, 0;\n", i, i)
	}
	return b.String() + "\t" + text + "\n\tret;\n}\n"
}

// TestTensorFormsAssemble gives the forms of tcgen05 that the tests execute,
// and those that Parse must reject, to the assembler.
func TestTensorFormsAssemble(t *testing.T) {
	t.Parallel()
	ptxas := judges.Ptxas(t)
	assemble := func(arch, text string) error {
		cmd := exec.Command(ptxas, "-O0", "-arch", arch, "-o", os.DevNull, "-")
		cmd.Stdin = strings.NewReader(".version 9.1\n.target " + arch + "\n.address_size 64\n" + text)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("ptxas: %w\n%s", err, out)
		}
		return nil
	}
	forms := map[string][]string{"sm_103a": {
		"tcgen05.ld.red.sync.aligned.32x32b.x2.min.abs.NaN.f32 {%f0, %f1}, %f2, [%r3];", "tcgen05.ld.red.sync.aligned.32x32b.x4.max.s32 {%r0, %r1, %r4, %r5}, %r2, [%r3];",
	}}
	for _, group := range []string{"cta_group::1", "cta_group::2"} {
		forms["sm_100a"] = append(forms["sm_100a"], "tcgen05.shift."+group+".down [%r0];", "tcgen05.commit."+group+".mbarrier::arrive::one.b64 [%d0];",
			"tcgen05.commit."+group+".mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r0], %h0;",
			"tcgen05.alloc."+group+".sync.aligned.b32 [%d0], 32;", "tcgen05.dealloc."+group+".sync.aligned.b32 %r0, %r1;", "tcgen05.relinquish_alloc_permit."+group+".sync.aligned;")
		for _, shape := range []string{"128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4"} {
			for _, format := range []string{"", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64"} {
				forms["sm_100a"] = append(forms["sm_100a"], fmt.Sprintf("tcgen05.cp.%s.%s%s [%%r0], %%d0;", group, shape, format))
			}
		}
	}
	for _, c := range tensorCases {
		group := "cta_group::1"
		if c.pair {
			group = "cta_group::2"
		}
		text := c.product(group)
		forms["sm_100a"] = append(forms["sm_100a"], text)
		if !strings.Contains(text, "kind::i8") {
			forms["sm_103a"] = append(forms["sm_103a"], text)
		}
	}
	for arch, list := range forms {
		var all strings.Builder
		for i, text := range list {
			all.WriteString(tensorOnly(fmt.Sprintf("k%d", i), text))
		}
		if _, err := emu.Parse("forms.ptx", []byte(emutest.Header+all.String())); err != nil {
			t.Error(err)
		}
		if err := assemble(arch, all.String()); err != nil {
			t.Error(err)
		}
	}
	for i, c := range tensorRejected {
		text := tensorOnly("k", c.text)
		if _, err := emu.Parse("refused.ptx", []byte(emutest.Header+text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.text, err, c.want)
		}
		if !tier.Try(i, 3) {
			continue
		}
		arch := "sm_100a"
		if strings.Contains(c.text, ".red") {
			arch = "sm_103a"
		}
		if assemble(arch, text) == nil {
			t.Errorf("%s: the assembler accepts it", c.text)
		}
	}
}

// TestTensorPairSynchronisation takes away what orders the CTAs of a pair:
// some course of the adversary must show it.
func TestTensorPairSynchronisation(t *testing.T) {
	t.Parallel()
	for _, edit := range [][2]string{
		{"@!%p4 bra W;", ""}, // the wait for the MMA
		{"barrier.cluster.arrive; barrier.cluster.wait; tcgen05.fence::after_thread_sync;", "bar.sync 0;"}, // the operands of the other CTA
	} {
		c := tensorCase{inst: "kind::f16", m: 256, n: 32, k: 16, a: "f16", b: "f16", d: "f32", pair: true, edit: edit}
		in, want := c.setup(rand.New(rand.NewSource(7)))
		shown := false
		for seed := uint64(1); seed < 12 && !shown; seed++ {
			shown = c.run(in, want, seed) != nil
		}
		if !shown {
			t.Errorf("%q taken away: nothing shows it", edit[0])
		}
	}
}
