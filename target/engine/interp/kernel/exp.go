package kernel

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// The exponentials of f32 are those of package numeric: float64 results of package math, rounded. Nearly always a
// cheaper approximation tells which f32 that is. With a table of 2^(i/32) and a polynomial of degree five, its relative
// error is below 2^-48, and that of math below 2^-51. So both round alike unless the approximation lies within 2^-44 of
// the middle between two f32. Those, and large operands, take the slow way.

// powers are 2^(i/32).
var powers = func() (t [32]float64) {
	for i := range t {
		t[i] = math.Exp2(float64(i) / 32)
	}
	return t
}()

var (
	naturalBase = vector.Reduction{Steps: 32 / math.Ln2, High: stepHigh, Low: math.Ln2/32 - stepHigh, Unit: 1, Tiny: -104}
	binaryBase  = vector.Reduction{Steps: 32, High: 1. / 32, Unit: math.Ln2, Tiny: -150}
)

// stepHigh is ln(2)/32 to 37 bits.
const stepHigh = 0x1.62e42fefap-6

// expF32 returns the kernel that raises the base to the power of f32 elements, to nearest even.
func expF32(base *vector.Reduction, slow func(x uint64) uint64) Unary {
	rest := expF32InGo(base, slow)
	if vector.Exp == nil {
		return rest
	}
	return first1(func(out, a []uint64) int { return vector.Exp(out, a, base, &powers) }, rest)
}

func expF32InGo(base *vector.Reduction, slow func(x uint64) uint64) Unary {
	// Adding shifter rounds to an integer, which the last bits of the sum hold.
	const shifter = 3 << 51
	const shifterBits = 0x4338 << 48
	return func(out, a []uint64) {
		a = a[:len(out)]
		steps, high, low, unit := base.Steps, base.High, base.Low, base.Unit
		for i, b := range a {
			x := float64(f32(b))
			if !(x > -80 && x < 80) {
				if x <= base.Tiny { // less than half of the smallest number, or just half: masks make many of these
					out[i] = 0
				} else {
					out[i] = slow(b)
				}
				continue
			}
			shifted := x*steps + shifter
			n, whole := int64(math.Float64bits(shifted))-shifterBits, shifted-shifter
			r := ((x - whole*high) - whole*low) * unit
			p := 1 + r*(1+r*(1./2+r*(1./6+r*(1./24+r*(1./120)))))
			y := math.Float64bits(p*powers[n&31]) + uint64(n>>5)<<52
			const dropped = 52 - 23
			if y&(1<<dropped-1)-(1<<(dropped-1)-1<<8) < 2<<8 {
				out[i] = slow(b)
				continue
			}
			out[i] = uint64(math.Float32bits(float32(math.Float64frombits(y))))
		}
	}
}

// tanhF32 returns the kernel of hyperbolic tangents of f32, to nearest even. From 0.2 on they are 1 - 2/(e^2x + 1), whose
// relative error is below four times that of the exponential; below it, a series. So the same neighbourhood of the
// middle takes the slow way, and so do subnormal results.
func tanhF32(slow func(x uint64) uint64) Unary {
	rest := func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = slow(x)
		}
	}
	if vector.Tanh == nil {
		return rest
	}
	return first1(func(out, a []uint64) int { return vector.Tanh(out, a, &naturalBase, &powers) }, rest)
}
