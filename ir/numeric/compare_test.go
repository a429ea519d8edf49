package numeric

import (
	"math"
	"testing"
)

func TestMinMax(t *testing.T) {
	t.Parallel()
	nan, negZero := math.NaN(), math.Copysign(0, -1)
	tests := []struct {
		x, y      float64
		propagate bool
		env       Env
		min, max  float64
	}{
		{1, 2, false, Env{}, 1, 2},
		{-1, math.Inf(-1), false, Env{}, math.Inf(-1), -1},
		{0, negZero, false, Env{}, negZero, 0},
		{negZero, negZero, true, Env{}, negZero, negZero},
		{nan, 3, false, Env{}, 3, 3},
		{nan, 3, true, Env{}, nan, nan},
		{nan, nan, false, Env{}, nan, nan},
		{0x1p-130, 0x1p-131, false, Env{}, 0x1p-131, 0x1p-130},
		{-0x1p-130, 0x1p-131, false, Env{FlushToZero: true}, negZero, 0},
		{nan, -0x1p-130, false, Env{FlushToZero: true}, negZero, negZero},
	}
	for _, f := range []Format{BF16, TF32, F32} {
		for _, tt := range tests {
			for _, swap := range []bool{false, true} {
				a, b := f.Encode(tt.x, Env{}), f.Encode(tt.y, Env{})
				if swap {
					a, b = b, a
				}
				if got, want := f.Min(a, b, tt.propagate, tt.env), f.Encode(tt.min, Env{}); got != want {
					t.Errorf("%v min(%v, %v) %v %+v: got %#x, want %#x", f, tt.x, tt.y, tt.propagate, tt.env, got, want)
				}
				if got, want := f.Max(a, b, tt.propagate, tt.env), f.Encode(tt.max, Env{}); got != want {
					t.Errorf("%v max(%v, %v) %v %+v: got %#x, want %#x", f, tt.x, tt.y, tt.propagate, tt.env, got, want)
				}
			}
		}
	}
	if got := F8E5M2.Max(F8E5M2.Inf(false), 0, false, Env{}); got != F8E5M2.Inf(false) {
		t.Errorf("an infinity of a saturating format becomes %#x", got)
	}
	if got := F32.Max(uint64(math.Float32bits(float32(nan)))|1<<31|5, uint64(0x7f800001), false, Env{}); got != F32.NaN() {
		t.Errorf("max of two NaNs is %#x", got)
	}
}

func TestSignOperations(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		one := f.Encode(1, Env{})
		if f.Spec().Signed {
			minus := f.Encode(-1, Env{})
			if f.Neg(one) != minus || f.Neg(minus) != one || f.Abs(minus) != one {
				t.Errorf("%v: neg or abs of 1", f)
			}
			if f.Neg(f.NaN()) == f.NaN() || f.Abs(f.Neg(f.NaN())) != f.NaN() {
				t.Errorf("%v: neg and abs touch only the sign of a NaN", f)
			}
		} else if f.Neg(one) != one || f.Abs(one) != one {
			t.Errorf("%v: unsigned", f)
		}
	}
}

func TestCompareFloats(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	pairs := []struct {
		x, y  float64
		holds [6]bool // by predicate, in order of declaration
	}{
		{1, 2, [6]bool{false, true, true, true, false, false}},
		{2, -2, [6]bool{false, true, false, false, true, true}},
		{0, math.Copysign(0, -1), [6]bool{true, false, false, true, false, true}},
		{math.Inf(1), math.Inf(1), [6]bool{true, false, false, true, false, true}},
	}
	for _, f := range []Format{F16, BF16, F32, F64} {
		for p := Equal; p <= GreaterOrEqual; p++ {
			for _, unordered := range []bool{false, true} {
				for _, tt := range pairs {
					if got := f.Compare(p, unordered, f.Encode(tt.x, Env{}), f.Encode(tt.y, Env{})); got != tt.holds[p] {
						t.Errorf("%v %v %d %v: got %v", f, tt.x, p, tt.y, got)
					}
				}
				for _, other := range []float64{nan, 1} {
					a, b := f.Encode(nan, Env{}), f.Encode(other, Env{})
					if f.Compare(p, unordered, a, b) != unordered || f.Compare(p, unordered, b, a) != unordered {
						t.Errorf("%v: predicate %d of NaN and %v, unordered=%v", f, p, other, unordered)
					}
				}
			}
		}
	}
}
