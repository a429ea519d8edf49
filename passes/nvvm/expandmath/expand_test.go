package expandmath_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/expandmath"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// A reference is a function in more digits than any format has, and in float64 for what is not finite.
type reference struct {
	text   string
	big    func(x []*big.Float) *big.Float
	double func(x []float64) float64
	// Arguments are drawn from these ranges, besides edge values and arbitrary patterns; of two arguments, for each.
	ranges [][2]float64
	// Bounds of the error in ulp: of the exact methods a little above what was measured, and those that CUDA publishes.
	f32, cuda, f64 float64
}

func one(f func(*big.Float) *big.Float) func([]*big.Float) *big.Float {
	return func(x []*big.Float) *big.Float { return f(x[0]) }
}

func oneDouble(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

var angles = [][2]float64{{-1, 1}, {-10, 10}, {1.57, 1.58}, {-65536, 65536}, {-1e6, 1e6}, {0, 1e10}, {0, 1e30}}

var references = []reference{
	{"exp %a", one(bigExp), oneDouble(math.Exp), [][2]float64{{-90, 90}, {-750, 710}, {-1, 1}}, 2, 2, 1},
	{"exp2 %a", one(func(x *big.Float) *big.Float { return bigExp(bigMul(x, bigLn2)) }), oneDouble(math.Exp2), [][2]float64{{-150, 128}, {-1080, 1025}, {-1, 1}}, 2, 2, 1},
	{"log %a", one(bigLog), oneDouble(math.Log), [][2]float64{{0, 2}, {0.5, 1.5}, {0.99, 1.01}, {0, 1e6}}, rounded32, 1, 1},
	{"log2 %a", one(func(x *big.Float) *big.Float { return bigQuo(bigLog(x), bigLn2) }), oneDouble(math.Log2), [][2]float64{{0, 2}, {0.5, 1.5}, {0.99, 1.01}, {0, 1e6}}, rounded32, 1, 1},
	{"tanh %a", one(bigTanh), oneDouble(math.Tanh), [][2]float64{{-1, 1}, {-10, 10}, {0.3, 0.6}, {0.5, 0.6}}, rounded32, 2, 1},
	{"sinh %a", one(bigSinh), oneDouble(math.Sinh), [][2]float64{{-2, 2}, {-90, 90}, {0.9, 1.1}, {-711, 711}}, rounded32, 3, 2},
	{"cosh %a", one(bigCosh), oneDouble(math.Cosh), [][2]float64{{-2, 2}, {-90, 90}, {17, 20}, {-711, 711}}, rounded32, 2, 1.05},
	{"rsqrt %a", one(func(x *big.Float) *big.Float { return bigQuo(newBig(1), new(big.Float).SetPrec(precision).Sqrt(x)) }),
		oneDouble(func(x float64) float64 { return 1 / math.Sqrt(x) }), [][2]float64{{0, 4}, {0, 1e30}}, 2, 2, 2},
	{"powf %a, %b", func(x []*big.Float) *big.Float { return bigExp(bigMul(x[1], bigLog(x[0]))) }, func(x []float64) float64 { return math.Pow(x[0], x[1]) },
		[][2]float64{{0, 3}, {0.99, 1.01}, {0, 1000}, {-300, 300}}, 2, 4, 2},
	{"sin %a", one(bigSin), oneDouble(math.Sin), angles, rounded32, 2, 2},
	{"cos %a", one(bigCos), oneDouble(math.Cos), angles, rounded32, 2, 2},
	{"tan %a", one(bigTan), oneDouble(math.Tan), angles, rounded32, 4, 2},
	{"atan2 %a, %b", func(x []*big.Float) *big.Float { return bigAtan2(x[0], x[1]) }, func(x []float64) float64 { return math.Atan2(x[0], x[1]) },
		[][2]float64{{-1, 1}, {-100, 100}, {0, 1e-3}}, 2, 3, 2},
}

// errorOf returns how far a result is from the exact value in units of the format's last place there, infinite for
// another value than the one wanted where that is no ordinary number.
func (r reference) errorOf(f numeric.Format, args []float64, got uint64) float64 {
	want := r.double(args)
	// float64's own exponential functions overflow early: math.Exp(709.5) is infinite on amd64.
	if math.IsInf(want, 0) && len(args) == 1 && args[0] != 0 && math.Abs(args[0]) < 2000 {
		want, _ = r.big([]*big.Float{newBig(args[0])}).Float64()
	}
	ordinary := want == want && want != 0 && !math.IsInf(want, 0)
	for _, a := range args {
		ordinary = ordinary && a != 0 && !math.IsInf(a, 0) && a == a
	}
	rounded := f.Encode(want, numeric.Env{})
	switch {
	case f.IsNaN(rounded) && f.IsNaN(got), rounded == got && (!ordinary || f.IsInf(got)):
		return 0
	case f == numeric.F64 && want == 0 && f.Abs(got) == 1:
		return 1 // likewise
	case f.IsInf(got) != f.IsInf(rounded):
		if f == numeric.F64 && math.Abs(float64(int64(f.Abs(got))-int64(f.Abs(rounded)))) == 1 {
			return 1 // at the edge of the range, where float64's own functions give up early
		}
		return math.Inf(1)
	case f.IsNaN(got) || f.IsNaN(rounded) || !ordinary && (f.IsZero(rounded) || f.IsInf(rounded)):
		return math.Inf(1)
	case !ordinary:
		return math.Abs(float64(int64(got) - int64(rounded)))
	}
	x := make([]*big.Float, len(args))
	for i, a := range args {
		x[i] = newBig(a)
	}
	if len(args) == 2 && strings.HasPrefix(r.text, "powf") { // a power of a negative number is that of the positive one but for its sign
		x[0].Abs(x[0])
	}
	exact := r.big(x)
	if exact.Sign() > 0 && want < 0 {
		exact.Neg(exact)
	}
	spec := f.Spec()
	exponent := max(exact.MantExp(nil)-1, 1-spec.Bias) - spec.Man
	difference := bigSub(newBig(f.Decode(got)), exact)
	u, _ := new(big.Float).SetMantExp(difference, -exponent).Float64()
	return math.Abs(u)
}

// TestAccuracy measures the expansions. The emulator's approximate instructions are rounded correctly; those of a GPU
// add their own error, for ex2 and rcp below one ulp of f32.
func TestAccuracy(t *testing.T) {
	t.Parallel()
	for k, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		for i, ref := range references {
			if !tier.Try(i+k, 6) {
				continue
			}
			for _, accuracy := range []expandmath.Accuracy{expandmath.CUDA, expandmath.Exact} {
				if accuracy == expandmath.Exact && (f == numeric.F16 || f == numeric.BF16) {
					continue // the same method
				}
				t.Run(fmt.Sprintf("%s/%s/%s", f, accuracy, strings.Fields(ref.text)[0]), func(t *testing.T) {
					t.Parallel()
					measure(t, ref, f, accuracy)
				})
			}
		}
	}
}

// samples is how many arguments a test draws: TILEWRIGHT_SAMPLES, or so many in the short tier.
func samples(short int) int {
	if n, err := strconv.Atoi(os.Getenv("TILEWRIGHT_SAMPLES")); err == nil {
		return n
	}
	if tier.All() {
		return 10 * short
	}
	return short
}

// roundedOnce bounds the error of a result that was right to many more digits before it was rounded to the format.
const roundedOnce = 0.502

func measure(t *testing.T, ref reference, f numeric.Format, accuracy expandmath.Accuracy) {
	t.Helper()
	bound := ref.f32
	switch {
	case f == numeric.F64:
		bound = ref.f64
	case f != numeric.F32:
		bound = roundedOnce
	case accuracy == expandmath.CUDA:
		bound = ref.cuda
	}
	in := []string{f.String()}
	n := 1
	if strings.HasSuffix(ref.text, "%b") {
		in, n = append(in, f.String()), 2
	}
	p := ptxprobe.Probe{Text: "arith." + ref.text + " : " + f.String(), In: in, Out: f.String(), Extra: func(r *rand.Rand) [][]uint64 {
		var rows [][]uint64
		for range samples(600) {
			row := make([]uint64, n)
			for i := range row {
				bounds := ref.ranges[r.IntN(len(ref.ranges))]
				row[i] = f.Encode(bounds[0]+r.Float64()*(bounds[1]-bounds[0]), numeric.Env{})
			}
			rows = append(rows, row)
		}
		for range samples(200) * (2 - n) {
			rows = append(rows, []uint64{f.Encode(nearMultiple(r), numeric.Env{})})
		}
		return rows
	}}
	worst, bad := 0.0, 0
	var at []float64
	ptxprobe.EachOf(t, []ptxprobe.Probe{p}, "sm_80", accuracy, func(_ ptxprobe.Probe, bits []uint64, got uint64) {
		args := make([]float64, len(bits))
		for i, b := range bits {
			args[i] = f.Decode(b)
		}
		u := ref.errorOf(f, args, got)
		if !(u <= bound) {
			if bad++; bad < 6 {
				t.Errorf("%s of %v: got %v, want %v, off by %.2f ulp", ref.text, args, f.Decode(got), ref.double(args), u)
			}
		}
		if u > worst {
			worst, at = u, args
		}
	})
	t.Logf("%s: at most %.3f ulp, at %v", p.Text, worst, at)
}

// TestRemaindersAreExact: remainders are exact.
func TestRemaindersAreExact(t *testing.T) {
	t.Parallel()
	var probes []ptxprobe.Probe
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		probes = append(probes, ptxprobe.Probe{Text: "arith.remf %a, %b : " + f.String(), In: []string{f.String(), f.String()}, Out: f.String(),
			Want: func(args []uint64) (uint64, bool) { return f.Rem(args[0], args[1], numeric.Env{}), true }})
	}
	ptxprobe.Exactly(t, probes, "sm_80")
}

// TestDivideByPower: a multiplication takes the place of a division, with every sign, subnormal number and overflow.
func TestDivideByPower(t *testing.T) {
	t.Parallel()
	var probes []ptxprobe.Probe
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		for _, by := range []float64{2, -4, 1024, 0.25, 3, 0x1p15, 0x1p-14} {
			divisor := f.Encode(by, numeric.Env{})
			probes = append(probes, ptxprobe.Probe{Before: "  %by = arith.constant " + strconv.FormatFloat(by, 'f', 20, 64) + " : " + f.String(),
				Text: "arith.divf %a, %by : " + f.String(), In: []string{f.String()}, Out: f.String(),
				Want: func(args []uint64) (uint64, bool) { return f.Div(args[0], divisor, numeric.Env{}), true }})
		}
	}
	ptxprobe.Exactly(t, probes, "sm_80")
}
