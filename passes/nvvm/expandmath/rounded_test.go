package expandmath_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/expandmath"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// rounded32 bounds the error of the functions of f32 that are all but correctly rounded, in ulp, and wrongly the
// share of their results that are neighbours of the right ones: a little above what was measured
// (docs/measurements/functions.md).
const (
	rounded32 = 0.5005
	wrongly   = 1e-4
)

// Each function with a reference in float64, which is right to many more digits than are judged.
var rounded = map[string]func(float64) float64{
	"log": math.Log, "log2": func(x float64) float64 { return math.Log(x) * math.Log2E }, // math.Log2 cancels near 1
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
}

// nearMultiple is next to a multiple of π/2, where sine or cosine is small and the argument's reduction cancels most.
func nearMultiple(r *rand.Rand) float64 { return float64(1+r.IntN(1<<(10+r.IntN(20)))) * math.Pi / 2 }

// TestResultsAreRoundedAsDocumented compares many results with the right ones. TILEWRIGHT_SAMPLES is how many for each range; it prints
// what the documentation says.
func TestResultsAreRoundedAsDocumented(t *testing.T) {
	t.Parallel()
	samples := samples(1 << 12)
	for _, ref := range references {
		name := strings.Fields(ref.text)[0]
		if rounded[name] == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			measureRounded(t, ref, rounded[name], samples)
		})
	}
}

func measureRounded(t *testing.T, ref reference, right func(float64) float64, samples int) {
	f := numeric.F32
	p := ptxprobe.Probe{Text: "arith." + ref.text + " : f32", In: []string{"f32"}, Out: "f32", Extra: func(r *rand.Rand) [][]uint64 {
		var rows [][]uint64
		for _, bounds := range ref.ranges {
			for range samples {
				rows = append(rows, []uint64{f.Encode(bounds[0]+r.Float64()*(bounds[1]-bounds[0]), numeric.Env{})})
			}
		}
		for range samples {
			rows = append(rows, []uint64{f.Encode(nearMultiple(r), numeric.Env{})}, []uint64{uint64(r.Uint32())})
		}
		return rows
	}}
	count, wrong, worst := 0, 0, 0.0
	ptxprobe.EachOf(t, []ptxprobe.Probe{p}, "sm_80", expandmath.Exact, func(_ ptxprobe.Probe, bits []uint64, got uint64) {
		x := f.Decode(bits[0])
		want := right(x)
		rounded := f.Encode(want, numeric.Env{})
		if f.IsNaN(rounded) || f.IsInf(rounded) || f.IsZero(rounded) {
			return // TestAccuracy judges these
		}
		count++
		u := math.Abs(f.Decode(got)-want) / math.Ldexp(1, max(math.Ilogb(want), -126)-23)
		worst = max(worst, u)
		if got != rounded && ref.errorOf(f, []float64{x}, got) > 0.5 {
			wrong++
		}
		if !(u <= rounded32) {
			t.Errorf("of %x: got %v, want %v, off by %.4f ulp", x, f.Decode(got), want, u)
		}
	})
	t.Logf("%s: at most %.6f ulp, %d of %d wrong", p.Text, worst, wrong, count)
	if float64(wrong) > wrongly*float64(count)+2 {
		t.Errorf("%d of %d results are not the nearest numbers", wrong, count)
	}
}
