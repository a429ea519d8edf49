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

// TestTiming: what was measured counts before rates, a sparse instruction takes as long as the dense one of half its K,
// and one that the architecture emulates as long as two of twice the width at least.
func TestTiming(t *testing.T) {
	t.Parallel()
	i4 := sm.MatrixTypes{A: sm.S4, B: sm.S4, D: sm.S32}
	f8, f16 := sm.MatrixTypes{A: sm.E4M3, B: sm.E4M3, D: sm.F32}, sm.MatrixTypes{A: sm.F16, B: sm.F16, D: sm.F32}
	for _, c := range []struct {
		gpu            string
		family         sm.MatrixFamily
		k              int
		types          sm.MatrixTypes
		issue, latency int
		native, guess  bool
	}{
		{"sm_90", sm.MmaSync, 16, f16, 6, 24, true, false},
		{"sm_90", sm.MmaSync, 8, f16, 4, 17, true, false},
		{"sm_90", sm.MmaSparse, 32, f16, 6, 24, true, true},
		{"sm_80", sm.MmaSync, 64, i4, 8, 25, true, false},
		{"sm_90", sm.MmaSync, 64, i4, 304, 375, false, false},
		{"sm_120", sm.MmaSync, 64, i4, 304, 375, false, true},
		{"sm_89", sm.MmaSync, 32, f8, 16, 33, true, true},
		{"sm_90", sm.MmaSync, 32, f8, 13, 30, false, true},
	} {
		a, err := sm.Lookup(c.gpu)
		if err != nil {
			t.Fatal(err)
		}
		row := sm.FindMatrix(c.family, sm.MatrixShape{M: 16, N: 8, K: c.k}, c.types)
		got, ok := row.Timing(a, 8)
		if !ok || got.Issue != c.issue || got.Latency != c.latency || row.Native(a) != c.native || got.Estimate != c.guess || got.Source == "" {
			t.Errorf("%s, %s: %+v, native: %v; want %+v", c.gpu, row, got, row.Native(a), c)
		}
	}
}
