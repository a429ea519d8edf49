package emu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Products of random and special patterns are those of the plain definition:
// every element is decoded, multiplied and added for itself, in order of k,
// and the sums are rounded without the short cuts of format.round.
func TestMmaPlain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s              shape
		ta, tb, tc, td scalar
	}{
		{shape{16, 8, 8}, tF16, tF16, tF32, tF32}, {shape{16, 8, 16}, tF16, tF16, tF32, tF32}, {shape{16, 8, 16}, tF16, tF16, tF16, tF16},
		{shape{16, 8, 16}, tBF16, tBF16, tF32, tF32}, {shape{16, 8, 8}, tTF32, tTF32, tF32, tF32}, {shape{16, 8, 32}, tE4M3, tE4M3, tF32, tF32},
		{shape{16, 8, 32}, tE5M2, tE4M3, tF32, tF32}, {shape{16, 8, 16}, tE5M2, tE5M2, tF16, tF16},
		{shape{16, 8, 32}, tS8, tS8, tS32, tS32}, {shape{16, 8, 32}, tU8, tS8, tS32, tS32}, {shape{16, 8, 16}, tS8, tU8, tS32, tS32}, {shape{8, 8, 16}, tU8, tU8, tS32, tS32},
		{shape{16, 8, 64}, tS4, tS4, tS32, tS32}, {shape{16, 8, 64}, tU4, tU4, tS32, tS32}, {shape{16, 8, 32}, tS4, tU4, tS32, tS32}, {shape{8, 8, 32}, tU4, tS4, tS32, tS32},
	} {
		name := fmt.Sprintf("m%dn8k%d.row.col.%s.%s.%s.%s", c.s.m, c.s.k, c.td, c.ta, c.tb, c.tc)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fa, fb, fc := fragmentA(c.s, c.ta.bits()), fragmentB(c.s, c.tb.bits()), fragmentC(c.s)
			fragments := []fragment{fa, fb, fc}
			types := []scalar{c.ta, c.tb, c.tc}
			run := mmaRun{inst: "mma.sync.aligned." + name, d: registers(fc.elems, c.td.bits())}
			for i, f := range fragments {
				run.regs = append(run.regs, registers(f.elems, types[i].bits()))
			}
			rng := rand.New(rand.NewPCG(11, uint64(c.s.k)))
			for round := range 24 {
				var words [3][32][8]uint32
				get := run.run(t, func(lane, operand, i int) uint32 {
					words[operand][lane][i] = randomWord(rng, types[operand], round)
					return words[operand][lane][i]
				})
				var m [3][]uint64 // row-major
				for operand, f := range fragments {
					n := types[operand].bits()
					m[operand] = make([]uint64, f.rows*f.cols)
					for lane := range 32 {
						for i := range f.elems {
							row, col := f.at(lane, i)
							m[operand][row*f.cols+col] = uint64(words[operand][lane][i*n/32]) >> (i * n % 32) & mask(n)
						}
					}
				}
				for lane := range 32 {
					for i := range fc.elems {
						row, col := fc.at(lane, i)
						n := c.td.bits()
						got := uint64(get(lane, i*n/32)) >> (i * n % 32) & mask(n)
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
func plainElement(s shape, types []scalar, td scalar, m [3][]uint64, row, col int) uint64 {
	if types[0].integer() {
		value := func(v uint64, t scalar) int64 {
			if t.signed() {
				return sext(v, t.bits())
			}
			return int64(v)
		}
		sum := value(m[2][row*8+col], tS32)
		for k := range s.k {
			sum += value(m[0][row*s.k+k], types[0]) * value(m[1][k*8+col], types[1])
		}
		return uint64(uint32(sum))
	}
	value := func(v uint64, t scalar) float64 {
		if t == tTF32 {
			v &^= 0x1fff
		}
		return operandFormats[t].decode(v)
	}
	sum := fmtF32.decode(m[2][row*8+col])
	if types[2] == tF16 {
		sum = fmtF16.decode(m[2][row*8+col])
	}
	for k := range s.k {
		product := value(m[0][row*s.k+k], types[0]) * value(m[1][k*8+col], types[1])
		sum += product
	}
	f := operandFormats[td]
	if td == tF32 {
		f = fmtF32
	}
	return plainRound(f, sum)
}

// plainRound is format.round to nearest even by way of pack.
func plainRound(f *format, x float64) uint64 {
	switch {
	case x != x:
		return f.nan
	case math.IsInf(x, 0):
		return f.signed(x < 0, f.infinity())
	}
	frac, exp := math.Frexp(math.Abs(x))
	return f.pack(math.Signbit(x), uint64(math.Ldexp(frac, 53)), exp-53, rnNearest)
}

// randomWord fills a register with elements: any patterns, those of similar
// numbers, or, in some rounds, special ones.
func randomWord(rng *rand.Rand, t scalar, round int) uint32 {
	n := t.bits()
	if n > 32 || t.integer() || round%3 == 0 {
		return rng.Uint32()
	}
	f := operandFormats[t]
	if t == tF32 || t == tTF32 {
		f = fmtF32
	}
	return packed(n, func(int) uint64 {
		switch special := []uint64{0, f.sign(), 1, f.sign() | 1, f.infinity(), f.sign() | f.infinity(), f.largest(), f.nan, 1 << f.mbits, 1<<f.mbits - 1}; {
		case round%3 == 1 && rng.IntN(64) == 0:
			return special[rng.IntN(len(special))]
		case round%6 == 2:
			return special[rng.IntN(2)]
		}
		return f.round(rng.NormFloat64(), rnNearest)
	})
}

// The zeros that a sparse product leaves out do not show.
func TestMmaSparsePlain(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 14))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 1e300}
	left := 0 // products that left zeros out
	for round := range 300 {
		m := &metadata{unit: 1, ordered: round%2 == 0, t: tF16, rows: 16, chunks: 8}
		m.prepare()
		var e lanes
		w := &warp{regs: []lanes{{}}}
		for _, p := range m.places {
			pairs := []uint64{0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110}
			v := pairs[rng.IntN(len(pairs))]
			if round%4 == 1 && rng.IntN(100) == 0 {
				v = v>>2 | v&3<<2
			}
			e[p.lane] |= v << p.shift
		}
		w.regs[0] = e
		s := shape{16, 8, 32}
		fast, plain := new(tile), new(tile)
		fill := func(list []float64, odds int) {
			for i := range list {
				if list[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20); odds > 0 && rng.IntN(odds) == 0 {
					list[i] = special[rng.IntN(len(special))]
				}
			}
		}
		fill(fast.a[:16*16], 50)
		fill(fast.b[:32*8], map[bool]int{true: 400}[round%3 == 0])
		fill(fast.c[:16*8], map[bool]int{true: 300}[round%5 == 0])
		if round%7 == 0 { // sums of -0
			for i := range fast.a[:4*16] {
				fast.a[i], fast.c[i/2] = special[1], special[1]
			}
			for i, y := range fast.b[:32*8] {
				fast.b[i] = math.Abs(y)
			}
		}
		*plain = *fast
		if !expand(m, w, plain.a[:]) {
			t.Fatalf("round %d: %v", round, w.err)
		}
		multiply(s, plain.a[:], plain.b[:], plain.c[:])
		if !m.multiplyStored(w, s, fast) {
			continue
		}
		left++
		for i := range plain.c[:16*8] {
			if x, y := fast.c[i], plain.c[i]; math.Float64bits(x) != math.Float64bits(y) && (x == x || y == y) {
				t.Fatalf("round %d, element %d: got %v, want %v", round, i, x, y)
			}
		}
	}
	if left < 100 {
		t.Errorf("only %d products left zeros out", left)
	}
}
