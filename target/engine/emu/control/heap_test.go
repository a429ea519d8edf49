package control_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestHeap allocates 2 MiB in each of 5 threads: four get memory of their own, which they write and read, and one
// gets none. Freed memory can be allocated again, but not be accessed.
func TestHeap(t *testing.T) {
	t.Parallel()
	const (
		decl = `.extern .func (.param .b64 result) malloc(.param .b64 size);
.extern .func free(.param .b64 address);
`
		malloc = `
	{
		.param .b64 n; .param .b64 r;
		st.param.b64 [n], 2097152;
		call.uni (r), malloc, (n);
		ld.param.b64 %d0, [r];
	}`
		free = `
	{
		.param .b64 a;
		st.param.b64 [a], %d0;
		call.uni free, (a);
	}`
		report = `
	mad.wide.u32 %d1, %r31, 4, %d30;
	setp.eq.u64 %p1, %d0, 0;
	mov.u32 %r1, 99;
	@%p1 bra NONE;
	st.u32 [%d0+2097148], %r31;
	ld.u32 %r1, [%d0+2097148];
NONE:
	st.global.u32 [%d1], %r1;`
	)
	out := emutest.U32s(emutest.Launch(t, decl+emutest.Kernel(malloc+report), 5, 20, nil))
	sum := uint32(0)
	for _, v := range out {
		sum += v
	}
	if sum != 0+1+2+3+99 {
		t.Errorf("got %v, expected the numbers of four threads, and 99 of the last", out)
	}
	if out := emutest.U32s(emutest.Launch(t, decl+emutest.Kernel(malloc+free+malloc+free+"\n\tmov.u64 %d0, 0;"+free+malloc+report), 4, 16, nil)); out[3] != 3 {
		t.Errorf("after free: got %v, expected the numbers of the threads", out)
	}
	for body, want := range map[string]string{
		malloc + free + free:                   "which malloc did not return",
		"\n\tmov.u64 %d0, %d30;" + free:        "which malloc did not return",
		malloc + free + "\n\tst.u32 [%d0], 1;": "past the end of",
	} {
		if _, err := emutest.TryLaunch(emutest.Parse(t, decl+emutest.Kernel(body)), 1, 4, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, expected one with %q\n%s", err, want, body)
		}
	}
}
