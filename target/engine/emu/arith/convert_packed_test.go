package arith_test

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// TestConvertStochastic compares cvt.rs with the sum of the bits of an f32
// and the random bits, aligned to the bits that are cut off, which is another
// way to write it for results that are normal numbers.
func TestConvertStochastic(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewSource(1))
	cut := func(x uint32, random, drop, randomBits, ebits int) uint64 {
		v := uint64(x&0x7fffffff) + uint64(random)<<(drop-randomBits)
		v = v>>drop - uint64(127-(1<<(ebits-1)-1))<<(23-drop)
		return v | uint64(x>>31)<<(ebits+23-drop)
	}
	normal := func(low, high float64) uint32 {
		x := float32(math.Ldexp(1+rng.Float64(), int(low)+rng.Intn(int(high-low))))
		if rng.Intn(2) == 0 {
			x = -x
		}
		return math.Float32bits(x)
	}
	var cases []emutest.Case
	for range 40 {
		a, b, r := normal(-14, 15), normal(-14, 15), rng.Uint32()
		cases = append(cases,
			emutest.Case{Inst: "cvt.rs.f16x2.f32 %r0, %f1, %f2, %r3;", In: []uint64{uint64(a), uint64(b), uint64(r)},
				Want: cut(a, int(r>>16&0x1fff), 13, 13, 5)<<16 | cut(b, int(r&0x1fff), 13, 13, 5)},
			emutest.Case{Inst: "cvt.rs.bf16x2.f32 %r0, %f1, %f2, %r3;", In: []uint64{uint64(a), uint64(b), uint64(r)},
				Want: cut(a, int(r>>16), 16, 16, 8)<<16 | cut(b, int(r&0xffff), 16, 16, 8)})
	}
	for range 20 {
		var in [4]uint32
		for i := range in {
			in[i] = normal(-6, 7)
		}
		r := rng.Uint32()
		high, low := int(r>>16), int(r&0xffff)
		list := fmt.Sprintf("{0f%08X, 0f%08X, 0f%08X, 0f%08X}", in[0], in[1], in[2], in[3])
		for _, f := range []struct {
			name        string
			drop, ebits int
		}{{"e4m3x4", 20, 4}, {"e5m2x4", 21, 5}} {
			var want uint64
			for i, x := range in {
				random := high
				if i >= 2 {
					random = low
				}
				want = want<<8 | cut(x, random, f.drop, 16, f.ebits)
			}
			cases = append(cases, emutest.Case{Inst: "cvt.rs.satfinite." + f.name + ".f32 %r0, " + list + ", %r1;", In: []uint64{uint64(r)}, Want: want})
		}
	}
	cases = append(cases,
		// 1.25 is half way between 1 and 1.5 of e2m1; 100 saturates to 6; 0.1
		// is a fifth of the smallest number; -1.25 becomes zero by .relu.
		emutest.Case{Inst: "cvt.rs.satfinite.e2m1x4.f32 %h0, {0f3fa00000, 0f42c80000, 0f3dcccccd, 0fbfa00000}, %r1;", In: []uint64{0}, Want: 0x270a},
		emutest.Case{Inst: "cvt.rs.satfinite.e2m1x4.f32 %h0, {0f3fa00000, 0f42c80000, 0f3dcccccd, 0fbfa00000}, %r1;", In: []uint64{0x80008000}, Want: 0x370a},
		emutest.Case{Inst: "cvt.rs.relu.satfinite.e2m1x4.f32 %h0, {0f3fa00000, 0f42c80000, 0f3dcccccd, 0fbfa00000}, %r1;", In: []uint64{0x7fffffff}, Want: 0x2710},
		emutest.Case{Inst: "cvt.rs.satfinite.e3m2x4.f32 %r0, {0f42c80000, 0f00000000, 0fc2c80000, 0f3f800000}, %r1;", In: []uint64{0}, Want: 0x1f003f0c},
		emutest.Case{Inst: "cvt.rs.satfinite.f16x2.f32 %r0, %f1, %f2, 0;", In: []uint64{0x7f800000, 0x7fc00000}, Want: 0x7bff7fff},

		emutest.Case{Inst: "cvt.rn.bf16x2.e4m3x2 %r0, %h1;", In: []uint64{0x3840}, Want: 0x3f804000},
		emutest.Case{Inst: "cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2 %r0, %h1, %h2;", In: []uint64{0x3840, 0x807e}, Want: 0x40003f80},
		emutest.Case{Inst: "cvt.rn.satfinite.s2f6x2.f32 %h0, %f1, %f2;", In: []uint64{0x3fc00000, 0xc0a00000}, Want: 0x6080},
		emutest.Case{Inst: "cvt.rn.satfinite.relu.scaled::n2::ue8m0.s2f6x2.f32 %h0, %f1, %f2, %h3;", In: []uint64{0x3fc00000, 0xc0a00000, 0x8080}, Want: 0x3000},
		emutest.Case{Inst: "cvt.rn.bf16x2.s2f6x2 %r0, %h1;", In: []uint64{0x60c0}, Want: 0x3fc0bf80},
		emutest.Case{Inst: "cvt.rn.satfinite.e5m2x2.bf16x2 %h0, %r1;", In: []uint64{0x3f804000}, Want: 0x3c40},
	)
	emutest.RunCases(t, cases)
}
