package expandmath_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/passes/nvvm/expandmath"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// A short32 is a function of f32 within CUDA's bounds. It may have errors of
// bound ulp, and of nudged ulp where ex2.approx or rcp.approx is off by one in its last place. Just above a power of
// two, that place is two places of the number below, so nudged may be above the bound that CUDA publishes.
type short32 struct {
	op            string
	right         func(float64) float64
	bound, nudged float64
}

var shorts = []short32{
	{"exp", math.Exp, 1.25, 2.6},
	{"log", math.Log, 1, 1},
	{"log2", rounded["log2"], 1, 1},
	{"tanh", math.Tanh, 1.8, 2.4},
	{"sinh", math.Sinh, 1.8, 3.8},
	{"cosh", math.Cosh, 1.4, 2.4},
	{"sin", math.Sin, 1.6, 1.6},
	{"cos", math.Cos, 1.6, 1.6},
	{"tan", math.Tan, 3.2, 4.1},
	{"exp2", math.Exp2, 0.5001, 2.6},
	{"rsqrt", fp.Rsqrt, 0.5001, 0.5001},
}

// TestAllArguments runs the operations of expansions on every f32 where the tier asks for it, else on every 4,097th
// and on the neighbors of numbers where methods change or results leave the range.
func TestAllArguments(t *testing.T) {
	t.Parallel()
	step := uint64(4097)
	switch {
	case tier.Exhaustive():
		step = 1
	case tier.All():
		step = 257
	}
	for _, f := range shorts {
		t.Run(f.op, func(t *testing.T) {
			t.Parallel()
			p := expanded(t, f.op+" %a")
			t.Logf("%s, every argument of %d: %s", f.op, step, f.judge(t, p, nudge{}, step, f.bound))
			for _, by := range []nudge{{ex2: 1}, {ex2: -1}, {rcp: 1}, {rcp: -1}} {
				if p.has(by) {
					t.Logf("%s, off by %v: %s", f.op, by, f.judge(t, p, by, 17*step, f.nudged))
				}
			}
		})
	}
}

// expanded is the expansion of a function of %a, or of %a and %b, within CUDA's bounds.
func expanded(t *testing.T, function string) *scalars {
	t.Helper()
	text := "nvvm.func @k(%p: !nvvm.ptr<1>) {\n  %a = nvvm.ld %p : !nvvm.ptr<1> -> f32\n"
	if strings.Contains(function, "%b") {
		text += "  %b = nvvm.ld %p : !nvvm.ptr<1> -> f32\n"
	}
	text += "  %r = arith." + function + " : f32\n  nvvm.st %p, %r : !nvvm.ptr<1>, f32\n  nvvm.return\n}"
	fn := ptxprobe.Parse(t, text).Body().First()
	if _, err := expandmath.Expand(fn, expandmath.CUDA); err != nil {
		t.Fatal(err)
	}
	p, err := newScalars(fn.Region(0))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// block is how many arguments an operation is applied to before the next one is. So the values of an expansion fit a
// processor's nearest cache.
const block = 64

// Of borders, so many neighbors on each side are always tried.
const beside = 1024

var borders = []float32{0, 0x1p-126, 0x1p-149, 0x1p-24, 0x1p-12, math.Sqrt2 / 2, 0.62, 1, math.Sqrt2, 1.5, 8.5, 9.02, 87.34, 88.03, 88.73, 89.42, 89.5, 90, 65536, 103.28, 103.98, math.MaxFloat32}

// A worst is the greatest error that was found, and where.
type worst struct {
	ulp float64
	at  float32
}

func (w worst) String() string { return fmt.Sprintf("at most %.4f ulp, of %x", w.ulp, w.at) }

// judge runs the program on every step-th pattern of bits and around borders.
func (f short32) judge(t *testing.T, p *scalars, by nudge, step uint64, bound float64) worst {
	var near []uint64
	for _, x := range borders {
		bits := math.Float32bits(x)
		for d := range uint32(2 * beside) {
			near = append(near, uint64(bits+d-beside), uint64((bits+d-beside)^1<<31))
		}
	}
	count := (uint64(1)<<32 + step - 1) / step
	blocks := (count + block - 1) / block
	workers := uint64(runtime.GOMAXPROCS(0))
	results := make([]worst, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			m := p.machine(by)
			for i := w; i < blocks; i += workers {
				for k := range m.in[0] {
					m.in[0][k] = min(i*block+uint64(k), count-1) * step
				}
				f.check(t, m, &results[w], bound)
			}
			for i := int(w) * block; i < len(near); i += int(workers) * block {
				copy(m.in[0], near[i:])
				f.check(t, m, &results[w], bound)
			}
		})
	}
	wait.Wait()
	out := worst{}
	for _, r := range results {
		if r.ulp > out.ulp {
			out = r
		}
	}
	return out
}

func (f short32) check(t *testing.T, m *machine, most *worst, bound float64) {
	m.run()
	for k, bits := range m.in[0] {
		x, got := fp.Float32(bits), fp.Float32(m.out[k])
		want := f.right(float64(x))
		u := ulps(got, want)
		if u > most.ulp {
			*most = worst{u, x}
			if !(u <= bound) {
				t.Errorf("%s of %x: got %v, want %v, off by %.4f ulp", f.op, x, got, want, u)
			}
		}
	}
}

// ulps is the distance of two numbers in places of f32 at want. What is infinite counts as the next power of two, and
// what has another sign, or is NaN alone, as infinitely far.
func ulps(got float32, want float64) float64 {
	const end = 0x1p128
	g := float64(got)
	switch {
	case want != want && g != g:
		return 0
	case want != want || g != g, (want == 0 || g == 0) && math.Signbit(want) != math.Signbit(g):
		return math.Inf(1)
	case g == want:
		return 0
	}
	g, want = max(-end, min(end, g)), max(-end, min(end, want))
	exponent := int(math.Float64bits(want)>>52&0x7ff) - 1023
	exponent = min(max(exponent, -126), 127)
	return math.Abs(g-want) / math.Float64frombits(uint64(exponent-23+1023)<<52)
}

func (p *scalars) has(by nudge) bool {
	for _, s := range p.steps {
		if by.of(s.op.Name()) != 0 {
			return true
		}
	}
	return false
}

// A nudge is by how many units of the last place results of approximate instructions are wrong.
type nudge struct{ ex2, rcp int32 }

func (n nudge) of(name string) int32 {
	switch {
	case strings.HasPrefix(name, "nvvm.ex2"):
		return n.ex2
	case strings.HasPrefix(name, "nvvm.rcp"):
		return n.rcp
	}
	return 0
}
