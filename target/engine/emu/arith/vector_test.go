package arith

import (
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/vector"
)

// TestVectors: vector instructions have the bits of the scalar definitions, of random patterns and of all that is
// special, and of results that are one of the operands.
func TestVectors(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	special := []uint64{0, 1, 0x7fffff, 0x800000, 0x3f800000, 0x3f7fffff, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff, 0x33800000, 0x00ffffff}
	lanes := func(n int) (out [][32]uint64) {
		for range n {
			var x [32]uint64
			for i := range x {
				switch r.IntN(3) {
				case 0:
					x[i] = special[r.IntN(len(special))] | uint64(r.IntN(2))<<31
				case 1:
					x[i] = fp.Bits32(float32(r.NormFloat64()))
				default:
					x[i] = uint64(r.Uint32())
				}
			}
			out = append(out, x)
		}
		return out
	}
	for range 3000 {
		x := lanes(3)
		for _, ftz := range []bool{false, true} {
			mod := fp.ModF32{Ftz: ftz}
			for _, name := range []string{"add", "sub", "mul"} {
				k := vector.Binary(name, ftz)
				if k == nil {
					continue
				}
				d, f := x[0], mod.Wrap2(binaryF32(name, fp.Nearest))
				k(&d, &d, &x[1])
				for i := range d {
					if want := f(x[0][i], x[1][i]); d[i] != want {
						t.Fatalf("%s, ftz %t, of %#x and %#x: got %#x, want %#x", name, ftz, x[0][i], x[1][i], d[i], want)
					}
				}
			}
			if k := vector.FMA(ftz); k != nil {
				d, f := x[2], mod.Wrap3(fmaF32(fp.Nearest))
				k(&d, &x[0], &x[1], &d)
				for i := range d {
					if want := f(x[0][i], x[1][i], x[2][i]); d[i] != want {
						t.Fatalf("fma, ftz %t, of %#x, %#x and %#x: got %#x, want %#x", ftz, x[0][i], x[1][i], x[2][i], d[i], want)
					}
				}
			}
		}
	}
}
