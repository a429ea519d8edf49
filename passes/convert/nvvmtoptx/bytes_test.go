package nvvmtoptx_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// TestBytesOfWords converts every byte at every place of a word to f16.
func TestBytesOfWords(t *testing.T) {
	t.Parallel()
	var probes []ptxprobe.Probe
	for _, signed := range []bool{false, true} {
		op := "uitofp"
		if signed {
			op = "sitofp"
		}
		before := "  %b:4 = nvvm.unpack %a : i32 -> i8, i8, i8, i8\n"
		for i := range 4 {
			before += fmt.Sprintf("  %%f%d = arith.%s %%b#%d : i8 to f16\n", i, op, i)
		}
		before += "  %low = nvvm.pack %f0, %f1 : f16, f16 -> i32\n  %high = nvvm.pack %f2, %f3 : f16, f16 -> i32\n"
		probes = append(probes, ptxprobe.Probe{
			Before: before, Text: "nvvm.pack %low, %high : i32, i32 -> i64", In: []string{"i32"}, Out: "i64",
			Want: func(args []uint64) (want uint64, defined bool) {
				for i := range 4 {
					b := float64(uint8(args[0] >> (8 * i)))
					if signed {
						b = float64(int8(args[0] >> (8 * i)))
					}
					want |= numeric.F16.Encode(b, numeric.Env{}) << (16 * i)
				}
				return want, true
			},
			Extra: func(*rand.Rand) (rows [][]uint64) {
				for i := range uint64(256) {
					rows = append(rows, []uint64{i | (i+64)&0xff<<8 | (i+128)&0xff<<16 | (i+192)&0xff<<24})
				}
				return rows
			},
		})
	}
	onEach(t, probes)
}
