package arith_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// floatsOf returns bit patterns of a format: zeros, subnormals, powers of two, infinities, NaNs, and random ones.
func floatsOf(f numeric.Format, rng *rand.Rand, n int) []uint64 {
	mask := ^uint64(0) >> (64 - f.Bits())
	out := []uint64{f.Zero(false), f.Zero(true), f.NaN(), f.Inf(false), f.Inf(true), f.MaxFinite(false), f.MaxFinite(true), 1, 3}
	for _, x := range []float64{1, -1, 0.5, 1.5, 2.5, -2.5, 3, 7, 1e-3, 100, 65504} {
		out = append(out, f.Encode(x, numeric.Env{}))
	}
	for range n {
		out = append(out, rng.Uint64()&mask)
	}
	return out
}

func (h *bench) modes() (out [][]ir.NamedAttr, envs []numeric.Env) {
	for r := numeric.NearestEven; r <= numeric.NearestAway; r++ {
		for _, flush := range []bool{false, true} {
			attrs := []ir.NamedAttr{h.keyword(arith.AttrRounding, r.String())}
			if r == numeric.NearestEven && flush {
				attrs = nil // the default
			}
			if flush {
				attrs = append(attrs, h.unit(arith.AttrFtz))
			}
			out, envs = append(out, attrs), append(envs, numeric.Env{Rounding: r, FlushToZero: flush})
		}
	}
	return out, envs
}

var floatRefs = map[*ir.OpDef]func(f numeric.Format, x [3]uint64, env numeric.Env) uint64{
	arith.AddF: func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Add(x[0], x[1], env) },
	arith.SubF: func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Sub(x[0], x[1], env) },
	arith.MulF: func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Mul(x[0], x[1], env) },
	arith.DivF: func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Div(x[0], x[1], env) },
	arith.Fma:  func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.FMA(x[0], x[1], x[2], env) },
	arith.Sqrt: func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Sqrt(x[0], env) },

	arith.RemF:     func(f numeric.Format, x [3]uint64, _ numeric.Env) uint64 { return f.Rem(x[0], x[1], numeric.Env{}) },
	arith.NegF:     func(f numeric.Format, x [3]uint64, _ numeric.Env) uint64 { return f.Neg(x[0]) },
	arith.AbsF:     func(f numeric.Format, x [3]uint64, _ numeric.Env) uint64 { return f.Abs(x[0]) },
	arith.Floor:    func(f numeric.Format, x [3]uint64, _ numeric.Env) uint64 { return f.Floor(x[0], numeric.Env{}) },
	arith.Ceil:     func(f numeric.Format, x [3]uint64, _ numeric.Env) uint64 { return f.Ceil(x[0], numeric.Env{}) },
	arith.MaximumF: func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Max(x[0], x[1], true, env) },
	arith.MaxNumF:  func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Max(x[0], x[1], false, env) },
	arith.MinimumF: func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Min(x[0], x[1], true, env) },
	arith.MinNumF:  func(f numeric.Format, x [3]uint64, env numeric.Env) uint64 { return f.Min(x[0], x[1], false, env) },
}

// TestFloatFolds compares with package numeric, in the mode that the attributes say.
func TestFloatFolds(t *testing.T) {
	t.Parallel()
	for def, ref := range floatRefs {
		t.Run(def.Name, func(t *testing.T) {
			t.Parallel()
			h := newBench()
			rng := rand.New(rand.NewPCG(3, 4))
			modes, envs := h.modes()
			for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.TF32, numeric.F32, numeric.F64, numeric.F8E4M3FN} {
				typ := h.ctx.Float(f)
				xs := floatsOf(f, rng, 10)
				for m, attrs := range modes {
					operands := make([]ir.Type, len(def.Operands))
					for i := range operands {
						operands[i] = typ
					}
					op := h.op(def, typ, operands, attrs...)
					if def.AttrSlot(arith.AttrRounding) < 0 && envs[m].Rounding != numeric.NearestEven {
						continue
					}
					for range 200 {
						var x [3]uint64
						in := make([]ir.Attribute, len(operands))
						for i := range in {
							x[i] = xs[rng.IntN(len(xs))]
							in[i] = arith.FromBits(typ, x[i])
						}
						want := ref(f, x, envs[m])
						if got, ok := folded(t, op, in...); !ok || got != want {
							t.Fatalf("%s %s %#x: got %#x, %v, want %#x", f, modeText(envs[m]), x[:len(in)], got, ok, want)
						}
					}
				}
			}
		})
	}
}

func modeText(env numeric.Env) string { return fmt.Sprintf("%s ftz=%v", env.Rounding, env.FlushToZero) }

// TestFloatFoldsNative compares the default mode with Go's float32.
func TestFloatFoldsNative(t *testing.T) {
	t.Parallel()
	h := newBench()
	f32 := h.ctx.F32()
	rng := rand.New(rand.NewPCG(5, 6))
	xs := floatsOf(numeric.F32, rng, 300)
	for def, f := range map[*ir.OpDef]func(a, b float32) float32{
		arith.AddF: func(a, b float32) float32 { return a + b }, arith.SubF: func(a, b float32) float32 { return a - b },
		arith.MulF: func(a, b float32) float32 { return a * b }, arith.DivF: func(a, b float32) float32 { return a / b },
	} {
		op := h.op(def, f32, []ir.Type{f32, f32})
		for range 5000 {
			a, b := uint32(xs[rng.IntN(len(xs))]), uint32(xs[rng.IntN(len(xs))])
			got, ok := folded(t, op, h.ctx.FloatAttr(f32, uint64(a)), h.ctx.FloatAttr(f32, uint64(b)))
			want := f(math.Float32frombits(a), math.Float32frombits(b))
			if !ok || want == want && uint32(got) != math.Float32bits(want) || want != want && !numeric.F32.IsNaN(got) {
				t.Fatalf("%s %#x, %#x: got %#x, %v, want %v", def.Name, a, b, got, ok, want)
			}
		}
	}
}

// TestNotFolded lists operations on constants whose results are not determined.
func TestNotFolded(t *testing.T) {
	t.Parallel()
	h := newBench()
	f32, i8 := h.ctx.F32(), h.ctx.Int(8)
	one := h.ctx.FloatAttr(f32, uint64(math.Float32bits(1)))
	for _, def := range []*ir.OpDef{arith.DivF, arith.Sqrt, arith.AddF, arith.Exp, arith.TanH} {
		for _, mode := range []string{"approx", "full"} {
			operands, in := []ir.Type{f32}, []ir.Attribute{one}
			if len(def.Operands) == 2 {
				operands, in = append(operands, f32), append(in, one)
			}
			op := h.op(def, f32, operands, h.keyword(arith.AttrRounding, mode))
			if r := op.Def().Fold(op, in); r != nil {
				t.Errorf("%s %s: got %v", def.Name, mode, r)
			}
		}
	}
	for _, def := range []*ir.OpDef{arith.Exp, arith.Exp2, arith.Log, arith.Log2, arith.Sin, arith.Cos, arith.Tan, arith.SinH, arith.CosH,
		arith.TanH, arith.RSqrt} {
		op := h.op(def, f32, []ir.Type{f32})
		if r := op.Def().Fold(op, []ir.Attribute{one}); r != nil {
			t.Errorf("%s: got %v", def.Name, r)
		}
	}
	inf := h.ctx.FloatAttr(f32, numeric.F32.Inf(false))
	toInt := h.op(arith.FPToSI, i8, []ir.Type{f32})
	if r := toInt.Def().Fold(toInt, []ir.Attribute{inf}); r != nil {
		t.Errorf("infinity as an integer: got %v", r)
	}
}

func TestCompareFloats(t *testing.T) {
	t.Parallel()
	h := newBench()
	i1, f32 := h.ctx.Int(1), h.ctx.F32()
	xs := floatsOf(numeric.F32, rand.New(rand.NewPCG(7, 8)), 20)
	ordered := map[string]func(x, y float32) bool{
		"eq": func(x, y float32) bool { return x == y }, "ne": func(x, y float32) bool { return x < y || x > y },
		"lt": func(x, y float32) bool { return x < y }, "le": func(x, y float32) bool { return x <= y },
		"gt": func(x, y float32) bool { return x > y }, "ge": func(x, y float32) bool { return x >= y },
		"rd": func(x, y float32) bool { return x == x && y == y },
	}
	for _, pred := range []string{"oeq", "one", "olt", "ole", "ogt", "oge", "ord", "ueq", "une", "ult", "ule", "ugt", "uge", "uno"} {
		op := h.op(arith.CmpF, i1, []ir.Type{f32, f32}, h.keyword(arith.AttrPredicate, pred))
		for _, a := range xs {
			for _, b := range xs {
				x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
				unordered := x != x || y != y
				want := unordered
				switch {
				case pred[0] == 'o':
					want = ordered[pred[1:]](x, y)
				case pred != "uno":
					want = unordered || ordered[pred[1:]](x, y)
				}
				if got, ok := folded(t, op, h.ctx.FloatAttr(f32, a), h.ctx.FloatAttr(f32, b)); !ok || (got == 1) != want {
					t.Fatalf("%s %v, %v: got %v, %v, want %v", pred, x, y, got, ok, want)
				}
			}
		}
	}
}

// TestConversionFolds compares conversions between numbers with package numeric, and some with Go's.
func TestConversionFolds(t *testing.T) {
	t.Parallel()
	h := newBench()
	rng := rand.New(rand.NewPCG(9, 10))
	formats := []numeric.Format{numeric.F16, numeric.BF16, numeric.TF32, numeric.F32, numeric.F64, numeric.F8E4M3FN, numeric.F8E5M2,
		numeric.F8E8M0FNU, numeric.F4E2M1FN}
	for r := numeric.NearestEven; r <= numeric.NearestAway; r++ {
		env, mode := numeric.Env{Rounding: r}, h.keyword(arith.AttrRounding, r.String())
		for _, f := range formats {
			ft := h.ctx.Float(f)
			for _, to := range formats {
				op := h.op(arith.FToF, h.ctx.Float(to), []ir.Type{ft}, mode)
				for _, a := range floatsOf(f, rng, 10) {
					if got, ok := folded(t, op, arith.FromBits(ft, a)); !ok || got != to.Convert(f, a, env) {
						t.Fatalf("%s %#x to %s, %s: got %#x, %v, want %#x", f, a, to, r, got, ok, to.Convert(f, a, env))
					}
				}
			}
			for _, w := range []int{1, 8, 32, 64} {
				it := h.ctx.Int(w)
				for def, signed := range map[*ir.OpDef]bool{arith.SIToFP: true, arith.UIToFP: false} {
					op := h.op(def, ft, []ir.Type{it}, mode)
					for range 20 {
						a := rng.Uint64() & (^uint64(0) >> (64 - w))
						want := f.FromInt(numeric.Int(w), a, signed, env)
						if got, ok := folded(t, op, arith.FromBits(it, a)); !ok || got != want {
							t.Fatalf("%s i%d %#x to %s, %s: got %#x, %v, want %#x", def.Name, w, a, f, r, got, ok, want)
						}
					}
				}
			}
		}
	}
	for _, f := range formats {
		ft := h.ctx.Float(f)
		for _, w := range []int{1, 4, 8, 32, 64} {
			it := h.ctx.Int(w)
			for def, signed := range map[*ir.OpDef]bool{arith.FPToSI: true, arith.FPToUI: false} {
				plain, clamped := h.op(def, it, []ir.Type{ft}), h.op(def, it, []ir.Type{ft}, h.unit(arith.AttrSaturating))
				for _, a := range floatsOf(f, rng, 20) {
					want, defined := f.ToInt(a, numeric.Int(w), signed, numeric.Zero)
					if got, ok := folded(t, plain, arith.FromBits(ft, a)); ok != defined || ok && got != want {
						t.Fatalf("%s %s %#x to i%d: got %#x, %v, want %#x, %v", def.Name, f, a, w, got, ok, want, defined)
					}
					if got, ok := folded(t, clamped, arith.FromBits(ft, a)); !ok || got != want {
						t.Fatalf("saturating %s %s %#x to i%d: got %#x, %v, want %#x", def.Name, f, a, w, got, ok, want)
					}
				}
			}
		}
	}
	i1, f32 := h.ctx.Int(1), h.ctx.F32()
	for def, want := range map[*ir.OpDef]float32{arith.SIToFP: -1, arith.UIToFP: 1} {
		if got, _ := folded(t, h.op(def, f32, []ir.Type{i1}), h.ctx.BoolAttr(true)); math.Float32frombits(uint32(got)) != want {
			t.Errorf("%s of true: got %#x, want %v", def.Name, got, want)
		}
	}
}
