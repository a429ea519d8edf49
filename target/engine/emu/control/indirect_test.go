package control_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

const indirectFunctions = `
.func (.reg .b32 y) twice(.reg .b32 x) { add.s32 y, x, x; ret; }
.func (.reg .b32 y) square(.reg .b32 x) { mul.lo.s32 y, x, x; ret; }
.func (.reg .b32 y) next(.reg .b32 x) { .reg .b32 %t; call (%t), twice, (x); add.s32 y, %t, 1; ret; }
.func (.reg .b64 y) other(.reg .b64 x) { mov.b64 y, x; ret; }
.global .u64 table[3] = {twice, square, next};
`

// TestCallIndirect calls, in each lane, one of three functions.
func TestCallIndirect(t *testing.T) {
	t.Parallel()
	fetch := "rem.u32 %r1, %r31, 3; mul.wide.u32 %d1, %r1, 8; mov.u64 %d2, table; add.u64 %d1, %d1, %d2; ld.global.u64 %d3, [%d1];\n"
	choose := "rem.u32 %r1, %r31, 3; mov.u64 %d3, twice; mov.u64 %d4, square; mov.u64 %d5, next; setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r1, 2; @%p1 mov.u64 %d3, %d4; @%p2 mov.u64 %d3, %d5;\n"
	for name, body := range map[string]string{
		"prototype":       fetch + "P: .callprototype (.reg .b32 _) _ (.reg .b32 _); call (%r0), %d3, (%r31), P;",
		"list of targets": choose + "T: .calltargets twice, square, next; call (%r0), %d3, (%r31), T;",
		"call table":      fetch + "call (%r0), %d3, (%r31), table;",
		"guarded":         fetch + "P: .callprototype (.reg .b32 _) _ (.reg .b32 _); mov.b32 %r0, 7; setp.lt.u32 %p0, %r31, 20; @%p0 call (%r0), %d3, (%r31), P;",
	} {
		out := emutest.U32s(emutest.Launch(t, indirectFunctions+emutest.Kernel(body+emutest.Store), 32, 128, nil))
		for i, got := range out {
			x := uint32(i)
			want := []uint32{2 * x, x * x, 2*x + 1}[i%3]
			if name == "guarded" && i >= 20 {
				want = 7
			}
			if got != want {
				t.Errorf("%s: thread %d: got %d, want %d", name, i, got, want)
			}
		}
	}
}

func TestCallIndirectErrors(t *testing.T) {
	t.Parallel()
	proto := "P: .callprototype (.reg .b32 _) _ (.reg .b32 _); "
	for _, c := range []struct{ body, want string }{
		{"mov.u64 %d3, other; " + proto + "call (%r0), %d3, (%r31), P;", "is not the address of a function that this call may reach"},
		{"mov.u64 %d3, 4096; " + proto + "call (%r0), %d3, (%r31), P;", "0x1000 is not the address of a function"},
		{"mov.u64 %d3, twice; T: .calltargets square; call (%r0), %d3, (%r31), T;", "is not the address of a function that this call may reach"},
		{"call (%r0), %d3, (%r31);", "needs a prototype or a list of targets"},
		{"call (%r0), nowhere, (%r31);", "this function is not declared"},
		{"T: .calltargets nowhere; mov.u64 %d3, 0; call (%r0), %d3, (%r31), T;", "'nowhere' is not a function"},
		{"mov.u32 %r1, twice;", "'twice' is not declared"},
	} {
		m, err := emu.Parse("test.ptx", []byte(emutest.Header+indirectFunctions+emutest.Kernel(c.body)))
		if err == nil {
			_, err = emutest.TryLaunch(m, 32, 128, nil)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.body, err, c.want)
		}
	}
}

// TestStack allocates in a loop, gives the memory back, and leaves a callee
// to free what it took.
func TestStack(t *testing.T) {
	t.Parallel()
	src := `.func (.reg .b32 y) taker(.reg .b32 x) { .reg .b64 %p; alloca.u64 %p, 4096, 64; st.local.u32 [%p+4092], x; ld.local.u32 y, [%p+4092]; ret; }
` + emutest.Kernel(`mov.b32 %r1, 0; mov.b32 %r0, 0;
	add.u32 %r2, %r31, 1; mul.wide.u32 %d1, %r2, 4; alloca.u64 %d2, %d1; st.local.u32 [%d2], %r31;
L:	stacksave.u64 %d3; alloca.u64 %d4, 8192; st.local.u32 [%d4], %r1; ld.local.u32 %r3, [%d4]; add.u32 %r0, %r0, %r3; stackrestore.u64 %d3;
	call (%r4), taker, (%r1); add.u32 %r0, %r0, %r4;
	add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 10; @%p0 bra L;
	ld.local.u32 %r3, [%d2]; add.u32 %r0, %r0, %r3;`+emutest.Store)
	for i, got := range emutest.U32s(emutest.Launch(t, src, 32, 128, nil)) {
		if want := uint32(90 + i); got != want {
			t.Errorf("thread %d: got %d, want %d", i, got, want)
		}
	}
	for _, c := range []struct{ body, want string }{
		{"alloca.u64 %d1, 20000;", "'alloca' of 20000 bytes exceeds the stack"},
		{"L: alloca.u64 %d1, 64; bra L;", "of which 0 bytes are left"},
		{"stacksave.u64 %d1; alloca.u64 %d2, 64; sub.u64 %d1, %d1, 4096; stackrestore.u64 %d1;", "is no earlier stack pointer"},
		{"alloca.u64 %d1, 64, 3;", "must be a constant power of two"},
		{"alloca.u32 %r1, 64;", "type '.u32' is not supported"},
	} {
		m, err := emu.Parse("test.ptx", []byte(emutest.Header+emutest.Kernel(c.body)))
		if err == nil {
			_, err = emutest.TryLaunch(m, 32, 128, nil)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.body, err, c.want)
		}
	}
}

// TestAlias calls a function by another name.
func TestAlias(t *testing.T) {
	t.Parallel()
	src := ".visible .func (.reg .b32 y) f(.reg .b32 x);\n.visible .func (.reg .b32 y) g(.reg .b32 x) { mad.lo.u32 y, x, 3, 1; ret; }\n.alias f, g;\n"
	for i, got := range emutest.U32s(emutest.Launch(t, src+emutest.Kernel("call (%r1), f, (%r31); call (%r2), g, (%r1); mov.b32 %r0, %r2;"+emutest.Store), 32, 128, nil)) {
		if want := uint32(9*i + 4); got != want {
			t.Errorf("thread %d: got %d, want %d", i, got, want)
		}
	}
	for _, c := range []struct{ src, want string }{
		{".alias f, g;", "'f' is not a function without a body"},
		{".func f(); .func g(); .alias f, g;", "'g' is not a device function with a body"},
		{".func g() { ret; } .alias g, g;", "'g' is not a function without a body"},
	} {
		if _, err := emu.Parse("test.ptx", []byte(emutest.Header+c.src)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.src, err, c.want)
		}
	}
}
