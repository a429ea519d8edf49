package number

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The two ways to cut off digits agree where both work, and the exact one gives what they give.
func TestDecimals(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	narrow := 0
	for i := range 200_000 {
		x := math.Float64frombits(r.Uint64())
		switch i % 4 {
		case 0:
			x = float64(math.Float32frombits(r.Uint32()))
		case 1:
			x = float64(r.IntN(2_000_000)) / float64(int(1)<<r.IntN(20))
		case 2:
			x = r.NormFloat64()
		}
		if x = math.Abs(x); math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
			continue
		}
		n := 1 + r.IntN(17)
		fraction, e2 := math.Frexp(x)
		significand := uint64(fraction * (1 << 53))
		zeros := bits.TrailingZeros64(significand)
		significand, e2 = significand>>zeros, e2+zeros-53
		wantV, wantE := cutBig(significand, e2, n)
		if v, e, ok := cut(significand, e2, n); ok {
			narrow++
			if v != wantV || e != wantE {
				t.Fatalf("%v, %d digits: %d e%d, want %d e%d", x, n, v, e, wantV, wantE)
			}
		}
		if exact, ok := shortDecimal(x); ok {
			if d := digits(x, shortDigits); string(d.digits()) != string(exact.digits()) || d.exp != exact.exp {
				t.Fatalf("%v: %s e%d, want %s e%d", x, exact.digits(), exact.exp, d.digits(), d.exp)
			}
		}
	}
	if narrow < 50_000 {
		t.Errorf("only %d numbers needed no more than 128 bits", narrow)
	}
}

func TestDecimalRounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		v    uint64
		n    int
		want string
		exp  int
	}{
		{123456, 6, "123456", 5}, {1234565, 6, "123457", 6}, {1234564, 6, "123456", 6}, {9999995, 6, "1", 7}, {1299999, 5, "13", 6},
		{1000004, 6, "1", 6}, {0, 6, "0", 0}, {100, 6, "1", 2},
	} {
		var d decimal
		d.set(tt.v, 0)
		d.round(tt.n)
		if string(d.digits()) != tt.want || d.exp != tt.exp {
			t.Errorf("%d to %d digits: %s e%d, want %s e%d", tt.v, tt.n, d.digits(), d.exp, tt.want, tt.exp)
		}
	}
}
