package mma

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// The zeros that a sparse product leaves out do not show.
func TestMmaSparsePlain(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 14))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 1e300}
	left := 0 // products that left zeros out
	for round := range 300 {
		m := &metadata{unit: 1, ordered: round%2 == 0, t: syntax.F16, rows: 16, chunks: 8}
		m.prepare()
		var e machine.Lanes
		w := &machine.Warp{Regs: []machine.Lanes{{}}}
		for _, p := range m.places {
			pairs := []uint64{0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110}
			v := pairs[rng.IntN(len(pairs))]
			if round%4 == 1 && rng.IntN(100) == 0 {
				v = v>>2 | v&3<<2
			}
			e[p.lane] |= v << p.shift
		}
		w.Regs[0] = e
		s := Shape{16, 8, 32}
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
			t.Fatalf("round %d: %v", round, w.Err)
		}
		Multiply(s, plain.a[:], plain.b[:], plain.c[:])
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
