package nvvmtoptx_test

import (
	"testing"

	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// TestWordsOfBFloats converts both bf16 of a word to f32, where nothing else reads them and where something does.
func TestWordsOfBFloats(t *testing.T) {
	t.Parallel()
	widen := `  %h:2 = nvvm.unpack %a : i32 -> bf16, bf16
  %f0 = arith.ftof %h#0 : bf16 to f32
  %f1 = arith.ftof %h#1 : bf16 to f32
  %low = arith.bitcast %f0 : f32 to i32
`
	onEach(t, []ptxprobe.Probe{
		{
			Before: widen + "  %high = arith.bitcast %f1 : f32 to i32\n",
			Text:   "nvvm.pack %low, %high : i32, i32 -> i64", In: []string{"i32"}, Out: "i64",
			Want: func(args []uint64) (uint64, bool) {
				return args[0]<<16&0xffff0000 | args[0]&0xffff0000<<32, true
			},
		},
		{
			Before: widen + "  %g = arith.absf %f1 : f32\n  %u = arith.bitcast %g : f32 to i32\n  %word = nvvm.pack %h#1, %h#0 : bf16, bf16 -> i32\n  %high = arith.xori %u, %word : i32\n",
			Text:   "nvvm.pack %low, %high : i32, i32 -> i64", In: []string{"i32"}, Out: "i64",
			Want: func(args []uint64) (uint64, bool) {
				low, high := args[0]&0xffff, args[0]>>16&0xffff
				return low<<16 | ((high&0x7fff)<<16^(high|low<<16))<<32, high&0x7fff <= 0x7f80 // of a NaN, the sign is open
			},
		},
	})
}
