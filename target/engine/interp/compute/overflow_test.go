package compute

import (
	"math/big"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// An overflow is what exact arithmetic says: the result is not a number of the width.
func TestOverflows(t *testing.T) {
	t.Parallel()
	exact := map[*ir.OpDef]func(z, a, b *big.Int, n uint64) *big.Int{
		cudatile.AddI: func(z, a, b *big.Int, _ uint64) *big.Int { return z.Add(a, b) },
		cudatile.SubI: func(z, a, b *big.Int, _ uint64) *big.Int { return z.Sub(a, b) },
		cudatile.MulI: func(z, a, b *big.Int, _ uint64) *big.Int { return z.Mul(a, b) },
		cudatile.ShLI: func(z, a, _ *big.Int, n uint64) *big.Int { return z.Lsh(a, uint(min(n, 128))) },
	}
	edges := func(w numeric.Int) []uint64 {
		if w <= numeric.I8 {
			out := make([]uint64, 1<<w)
			for i := range out {
				out[i] = uint64(i)
			}
			return out
		}
		return []uint64{0, 1, 2, 3, 31, 63, 64, 0xffff, w.Mask(), w.Mask() - 1, w.MinSigned(), w.MinSigned() + 1, w.MaxSigned(), w.MaxSigned() - 1, 0x5555555555555555 & w.Mask()}
	}
	number := func(w numeric.Int, a uint64, signed bool) *big.Int {
		if signed {
			return big.NewInt(w.Signed(a))
		}
		return new(big.Int).SetUint64(a)
	}
	fits := func(w numeric.Int, x *big.Int, signed bool) bool {
		if signed {
			lo := big.NewInt(w.Signed(w.MinSigned()))
			return x.Cmp(lo) >= 0 && x.Cmp(big.NewInt(int64(w.MaxSigned()))) <= 0
		}
		return x.Sign() >= 0 && x.Cmp(new(big.Int).SetUint64(w.Mask())) <= 0
	}
	z := new(big.Int)
	for _, w := range []numeric.Int{numeric.I1, numeric.I4, numeric.I8, numeric.I32, numeric.I64} {
		for _, signed := range []bool{false, true} {
			for _, a := range edges(w) {
				for def, f := range exact {
					for _, b := range edges(w) {
						if got, want := overflows[def](w, a, b, signed), !fits(w, f(z, number(w, a, signed), number(w, b, signed), b), signed); got != want {
							t.Fatalf("%s %s of %#x and %#x, signed %v: overflows %v", def.Name, w, a, b, signed, got)
						}
					}
				}
				if signed {
					if got, want := overflows[cudatile.NegI](w, a, 0, true), !fits(w, z.Neg(number(w, a, true)), true); got != want {
						t.Fatalf("negi %s of %#x: overflows %v", w, a, got)
					}
				}
				for _, to := range []numeric.Int{numeric.I1, numeric.I4, numeric.I8} {
					if got, want := overflows[cudatile.TruncI](w, a, uint64(to), signed), !fits(to, number(w, a, signed), signed); to < w && got != want {
						t.Fatalf("trunci %s to %s of %#x, signed %v: overflows %v", w, to, a, signed, got)
					}
				}
			}
		}
	}
}
