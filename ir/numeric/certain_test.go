package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestCertain compares results that are said to be correctly rounded with the series, and counts those that are not.
func TestCertain(t *testing.T) {
	t.Parallel()
	unary := map[string]func(Format, uint64, Env) uint64{
		"exp": Format.Exp, "exp2": Format.Exp2, "log": Format.Log, "log2": Format.Log2, "sin": Format.Sin, "cos": Format.Cos,
		"tan": Format.Tan, "sinh": Format.Sinh, "cosh": Format.Cosh, "tanh": Format.Tanh, "rsqrt": Format.Rsqrt,
	}
	for _, e := range elementaries {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			for _, f := range []Format{F16, BF16, F32} {
				r := rand.New(rand.NewPCG(7, uint64(f)))
				tried, certain, far := 0, 0, 0
				for range 40 {
					x := math.Ldexp(1+r.Float64(), e.lo+r.IntN(e.hi-e.lo))
					if !e.positive && r.IntN(2) == 0 {
						x = -x
					}
					a, b := f.Encode(x, Env{Saturate: true}), f.Encode(3*math.Abs(r.NormFloat64()), Env{})
					if f.IsZero(a) || f.IsZero(b) {
						continue
					}
					tried++
					got, ok := uint64(0), false
					switch fn := unary[e.name]; e.name {
					case "sin", "cos", "tan":
						got, ok = f.Periodic(fn, a, Env{})
						if math.Abs(f.Decode(a)) >= farAngle {
							far++
							if ok {
								t.Errorf("%v %s(%v) is said to be certain", f, e.name, f.Decode(a))
							}
						}
					case "atan2":
						got, ok = f.Binary(Format.Atan2, a, b, Env{})
					case "pow":
						got, ok = f.Binary(Format.Pow, a, b, Env{})
					default:
						got, ok = f.Unary(fn, a, Env{})
					}
					if !ok {
						continue
					}
					certain++
					if want := f.referenceOf(e.want(num(f.Decode(a)), num(f.Decode(b))), Env{}); got != want {
						t.Errorf("%v %s(%v, %v): got %v, want %v", f, e.name, f.Decode(a), f.Decode(b), f.Decode(got), f.Decode(want))
					}
				}
				if certain+far < tried-1 {
					t.Errorf("%v %s: only %d of %d results are certain", f, e.name, certain, tried)
				}
			}
		})
	}
}

// TestUncertain has results that are as near to the middle between two values as the error allows.
func TestUncertain(t *testing.T) {
	t.Parallel()
	middle, _ := new(big.Float).Add(num(1), num(math.Ldexp(1, -24))).Float64()
	if F32.certain(middle, Env{}) || F32.certain(middle*(1+uncertainty/2), Env{}) {
		t.Error("a value next to the middle of two is said to be certain")
	}
	if !F32.certain(middle*(1+4*uncertainty), Env{}) || !F32.certain(0, Env{}) || !F32.certain(math.Inf(1), Env{}) {
		t.Error("a value away from the middle of two is said to be uncertain")
	}
	one, half := F64.Encode(1, Env{}), F64.Encode(0.5, Env{})
	for _, tt := range []struct {
		name    string
		certain bool
		want    bool
	}{
		{"exp of 0", second(F64.Unary(Format.Exp, 0, Env{})), true},
		{"exp of 1", second(F64.Unary(Format.Exp, one, Env{})), false},
		{"log of -1", second(F64.Unary(Format.Log, F64.Neg(one), Env{})), true},
		{"power of a NaN", second(F64.Binary(Format.Pow, F64.NaN(), half, Env{})), true},
		{"power", second(F64.Binary(Format.Pow, one, half, Env{})), false},
	} {
		if tt.certain != tt.want {
			t.Errorf("%s: certain is %v", tt.name, tt.certain)
		}
	}
}

func second(_ uint64, ok bool) bool { return ok }
