package mma_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/mma"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Products of random and special patterns are those of the plain definition:
// every element is decoded, multiplied and added for itself, in order of k,
// and the sums are rounded without the short cuts of format.round.
func TestMmaPlain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s              mma.Shape
		ta, tb, tc, td syntax.Type
	}{
		{mma.Shape{M: 16, N: 8, K: 8}, syntax.F16, syntax.F16, syntax.F32, syntax.F32}, {mma.Shape{M: 16, N: 8, K: 16}, syntax.F16, syntax.F16, syntax.F32, syntax.F32}, {mma.Shape{M: 16, N: 8, K: 16}, syntax.F16, syntax.F16, syntax.F16, syntax.F16},
		{mma.Shape{M: 16, N: 8, K: 16}, syntax.BF16, syntax.BF16, syntax.F32, syntax.F32}, {mma.Shape{M: 16, N: 8, K: 8}, syntax.TF32, syntax.TF32, syntax.F32, syntax.F32}, {mma.Shape{M: 16, N: 8, K: 32}, syntax.E4M3, syntax.E4M3, syntax.F32, syntax.F32},
		{mma.Shape{M: 16, N: 8, K: 32}, syntax.E5M2, syntax.E4M3, syntax.F32, syntax.F32}, {mma.Shape{M: 16, N: 8, K: 16}, syntax.E5M2, syntax.E5M2, syntax.F16, syntax.F16},
		{mma.Shape{M: 16, N: 8, K: 32}, syntax.S8, syntax.S8, syntax.S32, syntax.S32}, {mma.Shape{M: 16, N: 8, K: 32}, syntax.U8, syntax.S8, syntax.S32, syntax.S32}, {mma.Shape{M: 16, N: 8, K: 16}, syntax.S8, syntax.U8, syntax.S32, syntax.S32}, {mma.Shape{M: 8, N: 8, K: 16}, syntax.U8, syntax.U8, syntax.S32, syntax.S32},
		{mma.Shape{M: 16, N: 8, K: 64}, syntax.S4, syntax.S4, syntax.S32, syntax.S32}, {mma.Shape{M: 16, N: 8, K: 64}, syntax.U4, syntax.U4, syntax.S32, syntax.S32}, {mma.Shape{M: 16, N: 8, K: 32}, syntax.S4, syntax.U4, syntax.S32, syntax.S32}, {mma.Shape{M: 8, N: 8, K: 32}, syntax.U4, syntax.S4, syntax.S32, syntax.S32},
	} {
		name := fmt.Sprintf("m%dn8k%d.row.col.%s.%s.%s.%s", c.s.M, c.s.K, c.td, c.ta, c.tb, c.tc)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fa, fb, fc := mma.FragmentA(c.s, c.ta.Bits()), mma.FragmentB(c.s, c.tb.Bits()), mma.FragmentC(c.s)
			fragments := []mma.Fragment{fa, fb, fc}
			types := []syntax.Type{c.ta, c.tb, c.tc}
			run := mmaRun{inst: "mma.sync.aligned." + name, d: mma.Registers(fc.Elems, c.td.Bits())}
			for i, f := range fragments {
				run.regs = append(run.regs, mma.Registers(f.Elems, types[i].Bits()))
			}
			rng := rand.New(rand.NewPCG(11, uint64(c.s.K)))
			for round := range 24 {
				var words [3][32][8]uint32
				get := run.run(t, func(lane, operand, i int) uint32 {
					words[operand][lane][i] = randomWord(rng, types[operand], round)
					return words[operand][lane][i]
				})
				var m [3][]uint64 // row-major
				for operand, f := range fragments {
					n := types[operand].Bits()
					m[operand] = make([]uint64, f.Rows*f.Cols)
					for lane := range 32 {
						for i := range f.Elems {
							row, col := f.At(lane, i)
							m[operand][row*f.Cols+col] = uint64(words[operand][lane][i*n/32]) >> (i * n % 32) & num.Mask(n)
						}
					}
				}
				for lane := range 32 {
					for i := range fc.Elems {
						row, col := fc.At(lane, i)
						n := c.td.Bits()
						got := uint64(get(lane, i*n/32)) >> (i * n % 32) & num.Mask(n)
						if want := plainElement(c.s, types, c.td, m, row, col); got != want {
							t.Fatalf("round %d, element (%d, %d): got %#x, want %#x", round, row, col, got, want)
						}
					}
				}
			}
		})
	}
}

// plainElement is one element of a x b + c.
func plainElement(s mma.Shape, types []syntax.Type, td syntax.Type, m [3][]uint64, row, col int) uint64 {
	if types[0].Integer() {
		value := func(v uint64, t syntax.Type) int64 {
			if t.Signed() {
				return num.SignExtend(v, t.Bits())
			}
			return int64(v)
		}
		sum := value(m[2][row*8+col], syntax.S32)
		for k := range s.K {
			sum += value(m[0][row*s.K+k], types[0]) * value(m[1][k*8+col], types[1])
		}
		return uint64(uint32(sum))
	}
	value := func(v uint64, t syntax.Type) float64 {
		if t == syntax.TF32 {
			v &^= 0x1fff
		}
		return mma.OperandFormats[t].Decode(v)
	}
	sum := fp.F32.Decode(m[2][row*8+col])
	if types[2] == syntax.F16 {
		sum = fp.F16.Decode(m[2][row*8+col])
	}
	for k := range s.K {
		product := value(m[0][row*s.K+k], types[0]) * value(m[1][k*8+col], types[1])
		sum += product
	}
	f := mma.OperandFormats[td]
	if td == syntax.F32 {
		f = fp.F32
	}
	return plainRound(f, sum)
}

// plainRound is format.round to nearest even by way of pack.
func plainRound(f *fp.Format, x float64) uint64 {
	switch {
	case x != x:
		return f.NaN
	case math.IsInf(x, 0):
		return f.Signed(x < 0, f.Infinity())
	}
	frac, exp := math.Frexp(math.Abs(x))
	return f.Pack(math.Signbit(x), uint64(math.Ldexp(frac, 53)), exp-53, fp.Nearest)
}

// randomWord fills a register with elements: any patterns, those of similar
// numbers, or, in some rounds, special ones.
func randomWord(rng *rand.Rand, t syntax.Type, round int) uint32 {
	n := t.Bits()
	if n > 32 || t.Integer() || round%3 == 0 {
		return rng.Uint32()
	}
	f := mma.OperandFormats[t]
	if t == syntax.F32 || t == syntax.TF32 {
		f = fp.F32
	}
	return packed(n, func(int) uint64 {
		switch special := []uint64{0, f.Sign(), 1, f.Sign() | 1, f.Infinity(), f.Sign() | f.Infinity(), f.Largest(), f.NaN, 1 << f.MantissaBits, 1<<f.MantissaBits - 1}; {
		case round%3 == 1 && rng.IntN(64) == 0:
			return special[rng.IntN(len(special))]
		case round%6 == 2:
			return special[rng.IntN(2)]
		}
		return f.Round(rng.NormFloat64(), fp.Nearest)
	})
}
