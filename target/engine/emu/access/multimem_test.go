package access_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestMultimem has the operations on a multicast object with one member.
func TestMultimem(t *testing.T) {
	t.Parallel()
	in := append(emutest.LE32(7, 0x3c004000, math.Float32bits(1.5), math.Float32bits(-2)), emutest.LE64(1<<40)...)
	out := emutest.U32s(emutest.Launch(t, emutest.Kernel(`
	multimem.ld_reduce.relaxed.gpu.global.add.u32 %r0, [%d31]; st.global.u32 [%d30], %r0;
	multimem.ld_reduce.weak.global.add.acc::f32.f16x2 %r1, [%d31+4]; st.global.u32 [%d30+4], %r1;
	multimem.ld_reduce.global.add.v2.f32 {%f0, %f1}, [%d31+8]; st.global.v2.f32 [%d30+8], {%f0, %f1};
	multimem.ld_reduce.global.max.u64 %d1, [%d31+16]; st.global.u64 [%d30+16], %d1;
	mov.b32 %r2, 5; multimem.st.relaxed.sys.global.u32 [%d30+24], %r2; multimem.red.relaxed.gpu.global.add.u32 [%d30+24], %r2;
	multimem.st.weak.global.v2.f32 [%d30+32], {%f0, %f1}; multimem.red.relaxed.gpu.global.add.v2.f32 [%d30+32], {%f0, %f0};
	multimem.red.release.sys.global.or.b32 [%d30+24], 16;`), 1, 40, in))
	want := []uint32{7, 0x3c004000, math.Float32bits(1.5), math.Float32bits(-2), 0, 256, 26, 0, math.Float32bits(3), math.Float32bits(-0.5)}
	if fmt.Sprint(out) != fmt.Sprint(want) {
		t.Errorf("got %#x, want %#x", out, want)
	}
	for _, c := range []struct{ inst, want string }{
		{"multimem.ld_reduce.global.add.s64 %d1, [%d31];", "does not exist"},
		{"multimem.ld_reduce.global.min.f32 %f1, [%d31];", "does not exist"},
		{"multimem.red.global.max.v2.f16x2 [%d31], {%r1, %r1};", "does not exist"},
		{"multimem.ld_reduce.global.add.f16 %h1, [%d31];", "does not exist"},
		{"multimem.ld_reduce.weak.gpu.global.add.u32 %r1, [%d31];", "state space, semantics or scope"},
		{"multimem.st.acquire.gpu.global.u32 [%d31], %r1;", "state space, semantics or scope"},
		{"mov.u64 %d1, 0x10000000000; multimem.ld_reduce.global.add.u32 %r1, [%d1];", "is not in global memory"},
	} {
		m, err := emu.Parse("test.ptx", []byte(emutest.Header+emutest.Kernel(c.inst)))
		if err == nil {
			_, err = emutest.TryLaunch(m, 1, 64, make([]byte, 64))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want %q", c.inst, err, c.want)
		}
	}
}
