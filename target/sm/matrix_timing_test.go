package sm_test

import (
	"slices"
	"testing"

	"github.com/tilewright/tilewright/target/sm"
)

// TestMultiplyAdds: an SM of sm_90 is fastest with wgmma, and what no tensor core takes is done by threads.
func TestMultiplyAdds(t *testing.T) {
	t.Parallel()
	f16, f32 := sm.MatrixTypes{A: sm.F16, B: sm.F16, D: sm.F32}, sm.MatrixTypes{A: sm.F32, B: sm.F32, D: sm.F32}
	for _, c := range []struct {
		gpu   string
		types sm.MatrixTypes
		want  float64
	}{{"sm_80", f16, 1024}, {"sm_90", f16, 2048}, {"sm_100", f16, 4096}, {"sm_120", f16, 512}, {"sm_80", f32, 64}, {"sm_90", f32, 128}, {"sm_80", sm.MatrixTypes{A: sm.E4M3, B: sm.E4M3, D: sm.F32}, 0}} {
		i := slices.IndexFunc(sm.All(), func(a *sm.Arch) bool { return a.Name == c.gpu })
		if got := sm.All()[i].MultiplyAdds(c.types); got != c.want {
			t.Errorf("%s, %v: %v multiply-adds in a cycle, want %v", c.gpu, c.types, got, c.want)
		}
	}
}
