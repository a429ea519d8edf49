package control_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

func TestCalls(t *testing.T) {
	t.Parallel()
	src := `.func (.param .b32 ret) square(.param .b32 x)
{
	.reg .b32 %v<3>;
	ld.param.b32 %v0, [x];
	mul.lo.s32 %v1, %v0, %v0;
	st.param.b32 [ret], %v1;
	ret;
}
.func (.reg .b32 out) clampadd(.reg .b32 a, .reg .b32 b)
{
	.reg .pred %p<2>;
	add.u32 out, a, b;
	setp.gt.u32 %p1, out, 100;
	@!%p1 bra DONE;
	mov.u32 out, 100;
DONE: ret;
}
.func early(.param .align 8 .b8 s[16])
{
	.reg .b64 %d<3>; .reg .b32 %v<2>; .reg .pred %p<2>;
	ld.param.b64 %d1, [s];
	ld.param.b32 %v1, [s+8];
	setp.eq.u32 %p1, %v1, 5;
	@%p1 ret;
	{
		.param .b32 x; .param .b32 r;
		.reg .b32 %sq;
		st.param.b32 [x], %v1;
		call.uni (r), square, (x);
		ld.param.b32 %sq, [r];
		st.global.b32 [%d1], %sq;
	}
	ret;
}
` + emutest.Kernel(`
	.reg .b32 %o;
	call (%o), clampadd, (%r31, 80);
	mul.wide.u32 %d0, %r31, 8; add.u64 %d0, %d0, %d30;
	st.global.b32 [%d0], %o;
	st.global.b32 [%d0+4], 7;
	add.u64 %d1, %d0, 4;
	{
		.param .align 8 .b8 s[16];
		st.param.b64 [s], %d1;
		st.param.b32 [s+8], %r31;
		setp.lt.u32 %p1, %r31, 30;
		@%p1 call early, (s);
	}`)
	out := emutest.U32s(emutest.Launch(t, src, 32, 256, nil))
	for i := range uint32(32) {
		want := []uint32{min(i+80, 100), i * i}
		if i == 5 || i >= 30 {
			want[1] = 7
		}
		if out[2*i] != want[0] || out[2*i+1] != want[1] {
			t.Errorf("thread %d: got %v, want %v", i, out[2*i:2*i+2], want)
		}
	}
}

const printDecl = `.extern .func (.param .b32 status) vprintf(.param .b64 format, .param .b64 args);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 fn, .param .b64 size);
.global .align 1 .b8 fmt[64] = {`

func cBytes(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%d, ", c)
	}
	return b.String() + "0"
}

func TestPrintf(t *testing.T) {
	t.Parallel()
	src := printDecl + cBytes("%d|%5u|%-4x|%08.3f|%g|%s|%lld|%c|%e|%%\n") + "};\n.global .align 1 .b8 str[4] = {104, 105, 0};\n" + emutest.Kernel(`
	.local .align 8 .b8 buf[64];
	.reg .b64 %b<4>;
	mov.u64 %b0, buf; cvta.local.u64 %b1, %b0;
	st.local.u32 [%b0], -7;
	st.local.u32 [%b0+4], 42;
	st.local.u32 [%b0+8], 255;
	mov.f64 %g0, 3.14159; st.local.f64 [%b0+16], %g0;
	mov.f64 %g0, 100000.0; st.local.f64 [%b0+24], %g0;
	mov.u64 %b2, str; st.local.u64 [%b0+32], %b2;
	st.local.u64 [%b0+40], -5000000000;
	st.local.u32 [%b0+48], 65;
	mov.f64 %g0, 0.5; st.local.f64 [%b0+56], %g0;
	mov.u64 %b2, fmt;
	{
		.param .b64 p0; .param .b64 p1; .param .b32 r;
		st.param.b64 [p0], %b2; st.param.b64 [p1], %b1;
		call.uni (r), vprintf, (p0, p1);
		ld.param.b32 %r0, [r];
	}
	st.global.u32 [%d30], %r0;`)
	m := emutest.Parse(t, src)
	mem := emu.NewMemory()
	out, err := mem.Alloc("out", 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	_, err = m.Run(context.Background(), mem, emu.Launch{Entry: "k", Block: [3]uint32{2}, Params: [][]byte{emutest.LE64(out), emutest.LE64(0)}, Stdout: &text})
	if err != nil {
		t.Fatal(err)
	}
	line := "-7|   42|ff  |0003.142|100000|hi|-5000000000|A|5.000000e-01|%\n"
	if text.String() != line+line {
		t.Errorf("printed %q, want twice %q", text.String(), line)
	}
	var b [4]byte
	if err := mem.Read(out, b[:]); err != nil || b[0] != 9 {
		t.Errorf("vprintf returned %d (%v), want 9", b[0], err)
	}
}

func TestAssertFail(t *testing.T) {
	t.Parallel()
	src := printDecl + cBytes("x > 0") + "};\n.global .align 1 .b8 file[4] = {97, 46, 99, 0};\n" + emutest.Kernel(`
	mov.u64 %d0, fmt; mov.u64 %d1, file;
	setp.ne.u32 %p1, %r31, 3; @%p1 bra OK;
	{
		.param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
		st.param.b64 [a], %d0; st.param.b64 [b], %d1; st.param.b32 [c], 12; st.param.b64 [d], %d1; st.param.b64 [e], 1;
		call.uni __assertfail, (a, b, c, d, e);
	}
OK:`)
	_, err := emutest.TryLaunch(emutest.Parse(t, src), 32, 4, nil)
	if want := "assertion 'x > 0' failed at a.c:12 in 'a.c' (cta 0,0,0 thread 3,0,0)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want %q", err, want)
	}
}
