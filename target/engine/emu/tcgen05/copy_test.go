package tcgen05_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/target/engine/emu/emutest"
)

// randomImages are images of random bytes and words.
func randomImages(rng *rand.Rand, pair bool) []testImage {
	in := make([]testImage, 1)
	if pair {
		in = make([]testImage, 2)
	}
	for i := range in {
		in[i].shared = make([]byte, testShared)
		rng.Read(in[i].shared)
		for lane := range in[i].tensor {
			for column := range in[i].tensor[lane] {
				in[i].tensor[lane][column] = rng.Uint32()
			}
		}
	}
	return in
}

// TestTensorCopies copies random bytes in every shape, as they are and
// widened, for one CTA and for a pair.
func TestTensorCopies(t *testing.T) {
	t.Parallel()
	same := func(r int) []int { return []int{r} }
	for i, c := range []struct {
		shape       string
		rows, bytes int
		lanes       func(r int) []int
	}{
		{"128x256b", 128, 32, same},
		{"128x128b", 128, 16, same},
		{"4x256b", 4, 32, func(r int) []int { return []int{[]int{0, 32, 64, 96}[r]} }},
		{"64x128b.warpx2::02_13", 64, 16, func(r int) []int { return []int{r, r + 64} }},
		{"64x128b.warpx2::01_23", 64, 16, func(r int) []int {
			if r < 32 {
				return []int{r, r + 32}
			}
			return []int{r + 32, r + 64}
		}},
		{"32x128b.warpx4", 32, 16, func(r int) []int { return []int{r, r + 32, r + 64, r + 96} }},
	} {
		for _, format := range []string{"", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64"} {
			for _, swizzle := range []int{0, 32, 64, 128} {
				for _, pair := range []bool{false, true} {
					if (pair || format != "") && swizzle == 64 {
						continue
					}
					name := fmt.Sprintf("%s%s/swizzle=%d,pair=%t", c.shape, format, swizzle, pair)
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						in := randomImages(rand.New(rand.NewSource(int64(i))), pair)
						want := slices.Clone(in)
						// The pattern of the swizzle starts at no multiple of 1024.
						start := 0
						if swizzle != 0 {
							start = 3 * 128
						}
						for cta := range in {
							for r := range c.rows {
								for u := range c.bytes / 16 {
									at := r%8*16 + r/8*512 + u*128
									if swizzle != 0 {
										at = r%8*swizzle + r/8*1024 + u*16
										at ^= at >> 7 & (swizzle/16 - 1) << 4
									}
									b := in[cta].shared[start+at:][:16]
									for e := range 16 {
										v := uint32(b[e])
										switch {
										case strings.HasSuffix(format, "p64"):
											v = uint32(b[e/2]) >> (4 * (e % 2)) & 15 << 2
										case strings.HasSuffix(format, "p32"):
											v = 0
											for i := range 6 {
												v |= uint32(b[(6*e+i)/8]) >> ((6*e + i) % 8) & 1 << (i + 1)
											}
										}
										for _, lane := range c.lanes(r) {
											word := &want[cta].tensor[lane][32+4*u+e/4]
											*word = *word&^(0xff<<(8*(e%4))) | v<<(8*(e%4))
										}
									}
								}
							}
						}
						group := "cta_group::1"
						if pair {
							group = "cta_group::2"
						}
						desc := testDescriptor(start, swizzle, false) | uint64(start/128)<<49
						x := tensorCase{pair: pair, body: fmt.Sprintf("add.u64 %%d6, %%d5, %#x; tcgen05.cp.%s.%s%s [32], %%d6;", desc, group, c.shape, format)}
						for seed := range uint64(2) {
							if !tier.Try(i+swizzle/32+int(seed), 2) {
								continue
							}
							if err := x.run(in, want, seed); err != nil {
								t.Fatalf("seed %d: %v", seed, err)
							}
						}
					})
				}
			}
		}
	}
}

// TestTensorShift moves the lanes of one warp, or of one of each CTA.
func TestTensorShift(t *testing.T) {
	t.Parallel()
	for _, pair := range []bool{false, true} {
		in := randomImages(rand.New(rand.NewSource(1)), pair)
		want := slices.Clone(in)
		for i := range in {
			for lane := 64; lane < 95; lane++ {
				for column := 100; column < 108; column++ {
					want[i].tensor[lane][column] = in[i].tensor[lane+1][column]
				}
			}
		}
		group := map[bool]string{false: "cta_group::1", true: "cta_group::2"}[pair]
		c := tensorCase{pair: pair, body: fmt.Sprintf("tcgen05.shift.%s.down [%d];", group, 64<<16+100)}
		for seed := range uint64(3) {
			if err := c.run(in, want, seed); err != nil {
				t.Fatalf("pair %t, seed %d: %v", pair, seed, err)
			}
		}
	}
}

// TestTensorReduction loads rows with their least or greatest element.
func TestTensorReduction(t *testing.T) {
	t.Parallel()
	const nan = 0x7fc00000
	for _, c := range []struct {
		op, reg string
		row     [4]uint32
		want    uint32
	}{
		{"min.u32", "r", [4]uint32{5, 0xffffffff, 3, 9}, 3},
		{"max.u32", "r", [4]uint32{5, 0xffffffff, 3, 9}, 0xffffffff},
		{"min.s32", "r", [4]uint32{5, 0xffffffff, 3, 9}, 0xffffffff},
		{"max.s32", "r", [4]uint32{5, 0xffffffff, 3, 9}, 9},
		{"max.f32", "f", [4]uint32{0x3f800000, 0xc0800000, nan, 0x40000000}, 0x40000000},
		{"min.f32", "f", [4]uint32{0x3f800000, 0xc0800000, nan, 0x40000000}, 0xc0800000},
		{"max.abs.f32", "f", [4]uint32{0x3f800000, 0xc0800000, nan, 0x40000000}, 0x40800000},
		{"max.NaN.f32", "f", [4]uint32{0x3f800000, 0xc0800000, nan, 0x40000000}, 0x7fffffff},
		{"min.abs.NaN.f32", "f", [4]uint32{0x3f800000, 0xbf000000, 0xc0000000, 0x40000000}, 0x3f000000},
	} {
		var body strings.Builder
		for i, v := range c.row {
			fmt.Fprintf(&body, "mov.b32 %%r%d, %#x;\n", i, v)
		}
		body.WriteString("tcgen05.st.sync.aligned.32x32b.x4.b32 [%r51], {%r0, %r1, %r2, %r3}; tcgen05.wait::st.sync.aligned;\n")
		fmt.Fprintf(&body, "tcgen05.ld.red.sync.aligned.32x32b.x4.%s {%%R4, %%R5, %%R6, %%R7}, %%R8, [%%r51]; tcgen05.wait::ld.sync.aligned;\n", c.op)
		text := strings.ReplaceAll(body.String(), "%R", "%"+c.reg)
		if c.reg == "f" {
			text = strings.Replace(text, "%f8,", "{%f8},", 1)
			for i := 4; i < 9; i++ {
				text += fmt.Sprintf("mov.b32 %%r%d, %%f%d;\n", i, i)
			}
		}
		out := emutest.U32s(emutest.Launch(t, emutest.Kernel(emutest.TensorBody(text+storeAll(4, 5))), 128, 128*20, nil))
		for i, got := range out {
			want := c.want
			if i%5 < 4 {
				want = c.row[i%5]
			}
			if got != want {
				t.Fatalf("%s: thread %d, register %d: got %#x, want %#x", c.op, i/5, i%5, got, want)
			}
		}
	}
}
