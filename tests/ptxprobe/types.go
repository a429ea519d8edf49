package ptxprobe

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
)

// A Type is an element type of the tests.
type Type struct {
	name   string
	bits   int
	format numeric.Format // zero for integers
}

func typeNamed(t testing.TB, name string) Type {
	t.Helper()
	if f, ok := numeric.ParseFormat(name); ok {
		return Type{name, f.Bits(), f}
	}
	var w int
	if _, err := fmt.Sscanf(name, "i%d", &w); err != nil {
		t.Fatalf("type %q: %v", name, err)
	}
	return Type{name: name, bits: w}
}

func (s Type) bytes() int { return (s.bits + 7) / 8 }

// edges are values at which arithmetic tends to go wrong.
func (s Type) edges() []uint64 {
	if s.format == 0 {
		w := numeric.Int(s.bits)
		list := []uint64{0, 1, 2, 3, 7, w.Mask(), w.MinSigned(), w.MaxSigned(), w.Mask() - 1, w.MinSigned() + 1, uint64(s.bits), uint64(s.bits) - 1,
			0x5555555555555555, 0x123456789abcdef0, 0xff, 0x80}
		for i := range list {
			list[i] = w.Wrap(list[i])
		}
		return list
	}
	f := s.format
	list := []uint64{f.Zero(false), f.Zero(true), f.Inf(false), f.Inf(true), f.NaN(), f.MaxFinite(false), f.MaxFinite(true), f.MaxFinite(false) - 1<<f.Spec().Pad,
		1 << f.Spec().Pad, f.Neg(1 << f.Spec().Pad)}
	for _, x := range []float64{1, -1, 1.5, 2, 3, -3, 0.5, 0.1, 1e-3, 100, 127.5, 255, 1e5, -1e10, 1 << 31, 1 << 32, 1 << 63, 65519.99, 2.5e-8, 1e-40} {
		list = append(list, f.Encode(x, numeric.Env{}))
	}
	return list
}

func (s Type) random(r *rand.Rand) uint64 {
	v := r.Uint64() >> (64 - s.bits)
	if s.format == 0 {
		return v
	}
	if r.IntN(2) == 0 { // of moderate size
		return s.format.Encode(r.NormFloat64()*float64(int(1)<<r.IntN(12)), numeric.Env{})
	}
	return v &^ (1<<s.format.Spec().Pad - 1)
}
