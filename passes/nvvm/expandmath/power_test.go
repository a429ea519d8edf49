package expandmath_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
)

// Powers may have errors of 3 ulp, and of 4, which is the bound that CUDA publishes, where ex2.approx or rcp.approx is
// off by one in its last place.
const powerBound, nudgedPowerBound = 3, 4

// TestPowers runs the operations of the expansion of powf on pairs of special numbers, and on many others. Most of them
// have results near to both ends of the range, where the error of the logarithm counts most.
func TestPowers(t *testing.T) {
	t.Parallel()
	blocks := 6400
	switch {
	case tier.Exhaustive():
		blocks = 6_400_000
	case tier.All():
		blocks = 16_000
	}
	p := expanded(t, "powf %a, %b")
	for _, by := range []nudge{{}, {ex2: 1}, {ex2: -1}, {rcp: 1}, {rcp: -1}} {
		bound := float64(powerBound)
		if by != (nudge{}) {
			bound = nudgedPowerBound
		}
		m := p.machine(by)
		r := rand.New(rand.NewPCG(1, 2))
		most, x, y := 0., float32(0), float32(0)
		for i := range blocks {
			for k := range block {
				a, b := drawPower(r)
				if at := i*block + k; at < len(edges)*len(edges) {
					a, b = edges[at/len(edges)], edges[at%len(edges)]
				}
				m.in[0][k], m.in[1][k] = fp.Bits32(a), fp.Bits32(b)
			}
			m.run()
			for k, bits := range m.out {
				a, b := fp.Float32(m.in[0][k]), fp.Float32(m.in[1][k])
				got, want := fp.Float32(bits), math.Pow(float64(a), float64(b))
				if u := ulps(got, want); u > most {
					most, x, y = u, a, b
					if !(u <= bound) {
						t.Errorf("off by %v: powf(%x, %x) is %v, want %v, off by %.4f ulp", by, a, b, got, want, u)
					}
				}
			}
		}
		t.Logf("off by %v: at most %.4f ulp, of %x to the power %x", by, most, x, y)
	}
}

var inf32 = float32(math.Inf(1))

// edges are numbers whose powers are special, in every pair and with both signs.
var edges = func() []float32 {
	out := []float32{float32(math.NaN())}
	for _, x := range []float32{0, 0x1p-149, 0x1p-126, 0x1p-24, 0.5, math.Nextafter32(1, 0), 1, math.Nextafter32(1, 2), 1.5, 2, 3, 7, 2.5,
		0x1p22 + 0.5, 0x1p23 + 1, 0x1p24, 0x1p24 + 2, longest, 0x1.8p100, 0x1p101, math.MaxFloat32, inf32} {
		out = append(out, x, -x)
	}
	return out
}()

// longest is where exponents are cut off.
const longest = 0x1p100

// drawPower draws a base and an exponent.
func drawPower(r *rand.Rand) (x, y float32) {
	switch r.IntN(6) {
	case 0: // arbitrary patterns
		return math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
	case 1: // small whole exponents of both signs of the base
		return float32(r.Float64()*6 - 3), float32(r.IntN(200) - 100)
	case 2: // any base
		x = float32(math.Exp2(r.Float64()*256 - 128))
	case 3: // no power of two is taken from the base
		x = float32(0.65 + 0.85*r.Float64())
	case 4: // logarithms that cancel
		x = float32(1 + (r.Float64()-0.5)*math.Exp2(-20*r.Float64()))
	default: // the largest arguments of the polynomial
		x = float32(math.Sqrt(0.5+1.5*float64(r.IntN(2))) * (1 + (r.Float64()-0.5)*1e-3))
	}
	exponent := 128 - 10*r.Float64()
	if r.IntN(2) == 0 {
		exponent = -149 + 40*r.Float64()
	}
	return x, float32(exponent / math.Log2(float64(x)))
}
