package linear

import (
	"math/rand/v2"
	"testing"
)

// must unwraps a constructor's result in a test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// randomLayout draws bases at random: with unit set, the non-zero ones are
// different single bits, as in the layouts that compilers use.
func randomLayout(r *rand.Rand, shape []int, regs, lanes, warps, blocks int, unitBases bool) Layout {
	log := must(logShape(shape))
	n := 0
	for _, b := range log {
		n += int(b)
	}
	l := Layout{in: widths{Register: uint8(regs), Lane: uint8(lanes), Warp: uint8(warps), Block: uint8(blocks)}, shape: log}
	perm := r.Perm(max(n, l.in.total()))
	for i := range l.in.total() {
		var v uint64
		if unitBases {
			if perm[i] < n {
				v = 1 << perm[i]
			}
		} else {
			v = r.Uint64() & (1<<n - 1)
		}
		l.bases = append(l.bases, v)
	}
	return l
}

// randomSurjective draws until the layout covers its tile.
func randomSurjective(r *rand.Rand, shape []int, regs, lanes, warps, blocks int, unitBases bool) Layout {
	for {
		if l := randomLayout(r, shape, regs, lanes, warps, blocks, unitBases); l.IsSurjective() {
			return l
		}
	}
}

// positions calls f with every position of the layout.
func positions(l Layout, f func(Index)) {
	for v := range uint64(1) << l.in.total() {
		f(l.in.unpack(v))
	}
}

func newRand(t testing.TB) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(1, uint64(len(t.Name()))))
}

// randomShared draws an invertible layout of a buffer.
func randomShared(r *rand.Rand, shape []int, unitBases bool) Shared {
	for {
		l := randomLayout(r, shape, must(logSize(shape)), 0, 0, 0, unitBases)
		l.in = widths{Offset: l.in[Register]}
		if s, err := NewShared(l); err == nil {
			return s
		}
	}
}

func logSize(shape []int) (int, error) {
	l, err := empty(shape)
	return l.ElementBits(), err
}
