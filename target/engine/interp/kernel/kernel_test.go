package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// TestMain runs the tests with each set of instructions that the processor has, the one in use last.
func TestMain(m *testing.M) {
	if len(vector.Sets()) == 0 {
		os.Exit(m.Run())
	}
	for _, set := range slices.Backward(vector.Sets()) {
		vector.Use(set)
		if code := m.Run(); code != 0 {
			fmt.Fprintln(os.Stderr, "with "+set)
			os.Exit(code)
		}
	}
}

// samples returns patterns of a format: random ones, and many near special values.
func samples(f numeric.Format, n int) []uint64 {
	r := rand.New(rand.NewPCG(1, uint64(f)))
	env := numeric.Env{}
	special := []uint64{f.Zero(false), f.Zero(true), f.Inf(false), f.Inf(true), f.NaN(), f.MaxFinite(false), f.MaxFinite(true), f.Encode(1, env), f.Encode(-1, env), 1}
	out := make([]uint64, n)
	for i := range out {
		switch i % 4 {
		case 0:
			out[i] = special[r.IntN(len(special))] + uint64(r.IntN(5)) - 2
		case 1:
			out[i] = f.Encode(r.NormFloat64(), env)
		default:
			out[i] = r.Uint64()
		}
		out[i] &= 1<<f.Bits() - 1
	}
	return out
}

// parts are lengths in which n elements are handed to a kernel: at once, and so few that no vector instruction computes
// them.
func parts(n int) []int { return []int{n, 7} }

// by applies a kernel to parts of elements.
func by(part int, out, a, b []uint64, k Binary) {
	clear(out)
	for i := 0; i < len(out); i += part {
		end := min(i+part, len(out))
		k(out[i:end], a[i:end], b[i:end])
	}
}

// The kernels for hot formats compute what package numeric does.
func TestFastKernels(t *testing.T) {
	t.Parallel()
	const n = 50_000
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		a, b := samples(f, n), samples(f, 2*n)[n:]
		out := make([]uint64, n)
		check := func(name string, want func(x, y uint64) uint64) {
			t.Helper()
			for i := range out {
				if w := want(a[i], b[i]); out[i] != w {
					t.Fatalf("%v %s of %#x and %#x: got %#x, want %#x", f, name, a[i], b[i], out[i], w)
				}
			}
		}
		for def, exact := range map[*ir.OpDef]Definition2{
			cudatile.AddF: numeric.Format.Add, cudatile.SubF: numeric.Format.Sub, cudatile.MulF: numeric.Format.Mul, cudatile.DivF: numeric.Format.Div,
		} {
			if fastBinary(def, f) == nil && f != numeric.F64 {
				t.Errorf("%v has no kernel for %s", f, def.Name)
			}
			for _, env := range []numeric.Env{{}, {FlushToZero: true}, {Rounding: numeric.Zero}} {
				for _, part := range parts(n) {
					by(part, out, a, b, Arithmetic(def, exact, f, env))
					check(fmt.Sprintf("%s %+v", def.Name, env), func(x, y uint64) uint64 { return exact(f, x, y, env) })
				}
			}
		}
		for to := range conversions {
			if to[0] != f {
				continue
			}
			for _, part := range parts(n) {
				by(part, out, a, a, func(out, a, _ []uint64) { Conversion(f, to[1])(out, a) })
				check("to "+to[1].String(), func(x, _ uint64) uint64 { return to[1].Convert(f, x, numeric.Env{}) })
			}
		}
	}
}

// The same of the kernels that choose and compare.
func TestFastOrder(t *testing.T) {
	t.Parallel()
	const n = 20_000
	out := make([]uint64, n)
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		a, b := samples(f, n), samples(f, 2*n)[n:]
		for _, propagate := range []bool{false, true} {
			for i, exact := range []func(numeric.Format, uint64, uint64, bool, numeric.Env) uint64{numeric.Format.Min, numeric.Format.Max} {
				for _, part := range parts(n) {
					by(part, out, a, b, MinMax(f, i == 1, propagate))
					for k := range out {
						if w := exact(f, a[k], b[k], propagate, numeric.Env{}); out[k] != w {
							t.Fatalf("%v: %d %t of %#x and %#x: got %#x, want %#x", f, i, propagate, a[k], b[k], out[k], w)
						}
					}
				}
			}
			for p := numeric.Equal; p <= numeric.GreaterOrEqual; p++ {
				for _, part := range parts(n) {
					by(part, out, a, b, Compare(f, p, propagate))
					for k := range out {
						if w := Truth(f.Compare(p, propagate, a[k], b[k])); out[k] != w {
							t.Fatalf("%v: comparison %d of %#x and %#x: got %d", f, p, a[k], b[k], out[k])
						}
					}
				}
			}
		}
	}
}

// The same of integers.
func TestFastIntegers(t *testing.T) {
	t.Parallel()
	const n = 5000
	r := rand.New(rand.NewPCG(1, 2))
	a, b, out := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for _, w := range []numeric.Int{1, 8, 16, 32, 64} {
		edges := []uint64{0, 1, w.Mask() >> 1, w.Mask()>>1 + 1, w.Mask()}
		for i := range a {
			a[i], b[i] = r.Uint64()&w.Mask(), r.Uint64()&w.Mask()
			if i%2 == 0 {
				a[i], b[i] = edges[r.IntN(len(edges))], edges[r.IntN(len(edges))]
			}
		}
		check := func(name string, k Binary, want func(a, b uint64) uint64) {
			t.Helper()
			for _, part := range parts(n) {
				by(part, out, a, b, k)
				for i, x := range out {
					if y := want(a[i], b[i]); x != y {
						t.Fatalf("i%d %s of %#x and %#x: got %#x, want %#x", w, name, a[i], b[i], x, y)
					}
				}
			}
		}
		for op, f := range map[byte]func(a, b uint64) uint64{
			'+': func(a, b uint64) uint64 { return w.Wrap(a + b) }, '-': func(a, b uint64) uint64 { return w.Wrap(a - b) }, '*': func(a, b uint64) uint64 { return w.Wrap(a * b) },
			'&': func(a, b uint64) uint64 { return a & b }, '|': func(a, b uint64) uint64 { return a | b }, '^': func(a, b uint64) uint64 { return a ^ b },
		} {
			check(string(op), Integer(op, w.Mask()), f)
		}
		for p := numeric.Equal; p <= numeric.GreaterOrEqual; p++ {
			for _, signed := range []bool{false, true} {
				check(fmt.Sprintf("comparison %d, signed %t,", p, signed), CompareI(w, p, signed), func(a, b uint64) uint64 { return Truth(w.Compare(p, signed, a, b)) })
			}
		}
	}
}

// The same of fused multiply-adds: of any elements, and of those whose sum nearly cancels or lies next to the middle
// of two numbers.
func TestFastFMA(t *testing.T) {
	t.Parallel()
	const n = 60_000
	r := rand.New(rand.NewPCG(3, 4))
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		a, b, c := samples(f, n), samples(f, 2*n)[n:], samples(f, 3*n)[2*n:]
		for i := range c {
			product := f.Decode(a[i]) * f.Decode(b[i])
			switch i % 5 {
			case 0:
				c[i] = f.Encode(-product, numeric.Env{}) ^ uint64(r.IntN(4))
			case 1:
				half := math.Ldexp(float64(r.IntN(1<<(f.Spec().Man+1))*2+1), -r.IntN(30))
				a[i], b[i], c[i] = f.Encode(half, numeric.Env{}), f.Encode(1, numeric.Env{}), f.Encode(math.Ldexp(half, r.IntN(3*f.Spec().Man)-f.Spec().Man), numeric.Env{})
			}
		}
		out := make([]uint64, n)
		for _, env := range []numeric.Env{{}, {FlushToZero: true}, {Rounding: numeric.Zero}} {
			for _, part := range parts(n) {
				for i := 0; i < n; i += part {
					end := min(i+part, n)
					FMA(f, env)(out[i:end], a[i:end], b[i:end], c[i:end])
				}
				for i := range out {
					if w := f.FMA(a[i], b[i], c[i], env); out[i] != w {
						t.Fatalf("%v fma %+v of %#x, %#x and %#x: got %#x, want %#x", f, env, a[i], b[i], c[i], out[i], w)
					}
				}
			}
		}
	}
}

// The same of functions of one operand, the tabulated ones before and after their tables are filled.
func TestFastUnary(t *testing.T) {
	t.Parallel()
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64, numeric.F8E4M3FN, numeric.F8E5M2} {
		n := 1 << max(min(f.Bits(), 16), 12)
		if f.Bits() > 16 {
			n = 10_000
		}
		a := samples(f, n)
		if f == numeric.F32 {
			for i := range a[:n/2] {
				a[i] = f.Encode((float64(i)/float64(n)-0.25)*400, numeric.Env{})
			}
		}
		out, want := make([]uint64, n), make([]uint64, n)
		check := func(name string, k Unary, exact func(x uint64) uint64) {
			t.Helper()
			for i, x := range a {
				want[i] = exact(x)
			}
			for round, part := range append(parts(n), n) {
				by(part, out, a, a, func(out, a, _ []uint64) { k(out, a) })
				for i := range out {
					if out[i] != want[i] {
						t.Fatalf("%v: %s of %#x, round %d: got %#x, want %#x", f, name, a[i], round, out[i], want[i])
					}
				}
			}
		}
		for def, exact := range map[*ir.OpDef]Definition1{
			cudatile.Exp: numeric.Format.Exp, cudatile.Exp2: numeric.Format.Exp2, cudatile.Sqrt: numeric.Format.Sqrt,
			cudatile.TanH: numeric.Format.Tanh,
		} {
			for _, env := range []numeric.Env{{}, {FlushToZero: true}, {Rounding: numeric.Zero}} {
				check(fmt.Sprintf("%s %+v", def.Name, env), Function(def, exact, f, env), func(x uint64) uint64 { return exact(f, x, env) })
			}
		}
		for _, to := range []numeric.Format{numeric.F16, numeric.BF16, numeric.TF32, numeric.F32, numeric.F64, numeric.F8E4M3FN, numeric.F4E2M1FN} {
			convert := func(x uint64) uint64 { return to.Convert(f, x, numeric.Env{}) }
			k := Tabulated(TableKey{cudatile.FToF, f, to, numeric.Env{}}, convert)
			if tabulates := f.Bits() <= 16 && to != numeric.F64; (k != nil) != tabulates {
				t.Fatalf("table from %v to %v: got %t, want %t", f, to, k != nil, tabulates)
			} else if tabulates {
				check("to "+to.String(), k, convert)
			}
		}
	}
}

// The exponentials of f32 next to where rounding changes: the logarithms of the middles between two numbers.
func TestFastExp(t *testing.T) {
	t.Parallel()
	const n = 200_000
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		base  *vector.Reduction
		log   func(float64) float64
		exact func(numeric.Format, uint64, numeric.Env) uint64
	}{{&naturalBase, math.Log, numeric.Format.Exp}, {&binaryBase, math.Log2, numeric.Format.Exp2}} {
		slow := 0
		exact := func(x uint64) uint64 { return c.exact(numeric.F32, x, numeric.Env{}) }
		for _, kernel := range []func(*vector.Reduction, func(uint64) uint64) Unary{expF32, expF32InGo} {
			slow = 0
			k := kernel(c.base, func(x uint64) uint64 { slow++; return exact(x) })
			a, out := make([]uint64, n), make([]uint64, n)
			for i := range a {
				y := math.Ldexp(1+(float64(r.IntN(1<<23))+0.5)*0x1p-23, r.IntN(150)-75)
				a[i] = uint64(math.Float32bits(float32(c.log(y))))
				if i%2 == 0 {
					a[i] = uint64(math.Float32bits(float32(r.NormFloat64() * 0x1p-24)))
				}
			}
			for i, x := range []float32{-80, -79.99, 80, -87.5, -103.9, -104, -104.1, -149, -149.5, -150, -150.5, -1e30, float32(math.Inf(-1)), float32(math.Inf(1)), float32(math.NaN()), 88, 128} {
				a[100*i+1] = uint64(math.Float32bits(x))
			}
			a[0] = uint64(math.Float32bits(0x1p-24)) // whose exponential is the middle and 2^-49
			k(out, a)
			if c.base == &naturalBase && slow == 0 {
				t.Error("nothing took the slow way")
			}
			for i := range out {
				if w := exact(a[i]); out[i] != w {
					t.Fatalf("exponential of %#x: got %#x, want %#x", a[i], out[i], w)
				}
			}
			if slow > n/100 {
				t.Errorf("%d of %d took the slow way", slow, n)
			}
		}
	}
}

// The hyperbolic tangents of f32: of all magnitudes, where the series begins, and next to where rounding changes.
func TestFastTanh(t *testing.T) {
	t.Parallel()
	const n = 200_000
	r := rand.New(rand.NewPCG(7, 8))
	slow := 0
	exact := func(x uint64) uint64 { return numeric.F32.Tanh(x, numeric.Env{}) }
	k := tanhF32(func(x uint64) uint64 { slow++; return exact(x) })
	a, out := make([]uint64, n), make([]uint64, n)
	for i := range a {
		x := math.Atanh((0.5 + float64(r.IntN(1<<23))) * 0x1p-23) // a middle, where the result has an exponent of -1
		switch i % 4 {
		case 0:
			x = r.NormFloat64() * 3
		case 1:
			x = 0.2 + r.NormFloat64()*0x1p-20
		case 2:
			x = math.Ldexp(r.NormFloat64(), -r.IntN(110))
		}
		a[i] = uint64(math.Float32bits(float32(x)))
		if i%2 == 0 {
			a[i] ^= 1 << 31
		}
	}
	for i, x := range []float32{0, float32(math.Copysign(0, -1)), 9, 9.01, 9.02, 10, 20, 80, -1e30, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 0x1p-126, 0x1p-140, -0x1p-149} {
		a[1000*i+1] = uint64(math.Float32bits(x))
	}
	k(out, a)
	for i := range out {
		if w := exact(a[i]); out[i] != w {
			t.Fatalf("tangent of %#x: got %#x, want %#x", a[i], out[i], w)
		}
	}
	if vector.Tanh != nil && (slow == 0 || slow > n/100) {
		t.Errorf("%d of %d took the slow way", slow, n)
	}
}

// The logarithms of f32: of all magnitudes, next to one, and next to where rounding changes.
func TestFastLog(t *testing.T) {
	t.Parallel()
	const n = 400_000
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range []struct {
		unit  float64
		exp   func(float64) float64
		exact func(numeric.Format, uint64, numeric.Env) uint64
	}{{1, math.Exp, numeric.Format.Log}, {1 / math.Ln2, math.Exp2, numeric.Format.Log2}} {
		slow := 0
		exact := func(x uint64) uint64 { return c.exact(numeric.F32, x, numeric.Env{}) }
		k := logF32(c.unit, func(x uint64) uint64 { slow++; return exact(x) })
		a, out := make([]uint64, n), make([]uint64, n)
		for i := range a {
			switch i % 4 {
			case 0:
				a[i] = r.Uint64N(0x7f800000)
			case 1:
				a[i] = uint64(math.Float32bits(float32(0.5 + 1.5*r.Float64())))
			case 2: // the numbers whose logarithms are nearest to the middle between two
				middle := (1 + (float64(r.IntN(1<<23))+0.5)*0x1p-23) * math.Ldexp(1, r.IntN(11)-5)
				a[i] = uint64(math.Float32bits(float32(c.exp(middle))))
			default:
				a[i] = uint64(math.Float32bits(float32(math.Ldexp(1, r.IntN(250)-125))))
			}
		}
		copy(a, []uint64{0, 0x80000000, 1, 0x7fffff, 0x800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xbf800000, 0x3f800000, 0x3f780000, 0x3f840000,
			0x3f77ffff, 0x3f840001, 0x3fffffff, 0x40000000})
		k(out, a)
		for i := range out {
			if w := exact(a[i]); out[i] != w {
				t.Fatalf("logarithm of %#x: got %#x, want %#x", a[i], out[i], w)
			}
		}
		if slow > n/20 {
			t.Errorf("%d of %d took the slow way", slow, n)
		}
	}
}

// The same of conversions of integers.
func TestFastFromInt(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	a := make([]uint64, 50_000)
	for i := range a {
		a[i] = r.Uint64() >> r.IntN(64)
		if i%2 == 0 {
			a[i] = uint64(1)<<r.IntN(64) + uint64(r.IntN(5)) - 2 + uint64(1)<<r.IntN(64)
		}
	}
	x, out := make([]uint64, len(a)), make([]uint64, len(a))
	for _, w := range []numeric.Int{numeric.I1, numeric.I4, numeric.I8, numeric.I16, numeric.I32, numeric.I64} {
		for i := range a {
			x[i] = w.Wrap(a[i])
		}
		for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
			for _, signed := range []bool{false, true} {
				k := FromInt(w, f, signed)
				if k == nil {
					continue
				}
				k(out, x)
				for i := range out {
					if want := f.FromInt(w, x[i], signed, numeric.Env{}); out[i] != want {
						t.Fatalf("i%d %#x, signed %t, to %v: got %#x, want %#x", w, x[i], signed, f, out[i], want)
					}
				}
			}
		}
	}
}

// Every f32 on and next to the boundaries of rounding to f16 and bf16.
func TestRoundHalf(t *testing.T) {
	t.Parallel()
	for b := range uint64(1 << 16) {
		for _, f := range []numeric.Format{numeric.F16, numeric.BF16} {
			x, y := f.Decode(b), f.Decode(b+1)
			for _, v := range []float64{x, y, (x + y) / 2} {
				for _, w := range []float32{float32(v), math.Nextafter32(float32(v), 1e9), math.Nextafter32(float32(v), -1e9)} {
					got := uint64(roundF16(w))
					if f == numeric.BF16 {
						got = uint64(roundBF16(w))
					}
					if want := f.Encode(float64(w), numeric.Env{}); got != want {
						t.Fatalf("%v of %g: got %#x, want %#x", f, w, got, want)
					}
				}
			}
		}
	}
}
