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
	decodes := func(f numeric.Format) func(b uint8) float64 {
		return func(b uint8) float64 { return f.Decode(uint64(b)) }
	}
	for _, kind := range []struct {
		op, from string
		value    func(b uint8) float64
	}{
		{"uitofp", "i8", func(b uint8) float64 { return float64(b) }},
		{"sitofp", "i8", func(b uint8) float64 { return float64(int8(b)) }},
		{"ftof", "f8E4M3FN", decodes(numeric.F8E4M3FN)},
		{"ftof", "f8E5M2", decodes(numeric.F8E5M2)},
	} {
		before := fmt.Sprintf("  %%b:4 = nvvm.unpack %%a : i32 -> %[1]s, %[1]s, %[1]s, %[1]s\n", kind.from)
		for i := range 4 {
			before += fmt.Sprintf("  %%f%d = arith.%s %%b#%d : %s to f16\n", i, kind.op, i, kind.from)
		}
		before += "  %low = nvvm.pack %f0, %f1 : f16, f16 -> i32\n  %high = nvvm.pack %f2, %f3 : f16, f16 -> i32\n"
		probes = append(probes, ptxprobe.Probe{
			Before: before, Text: "nvvm.pack %low, %high : i32, i32 -> i64", In: []string{"i32"}, Out: "i64",
			Want: func(args []uint64) (want uint64, defined bool) {
				for i := range 4 {
					b := kind.value(uint8(args[0] >> (8 * i)))
					if b != b { // which NaN is open
						return 0, false
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

// TestSignsOfPairs changes the sign of both halves of a word, and of one of them.
func TestSignsOfPairs(t *testing.T) {
	t.Parallel()
	var probes []ptxprobe.Probe
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16} {
		for op, sign := range map[string]func(half uint64) uint64{
			"negf": func(half uint64) uint64 { return half ^ 1<<15 },
			"absf": func(half uint64) uint64 { return half &^ (1 << 15) },
		} {
			for _, both := range []bool{true, false} {
				before := fmt.Sprintf("  %%h:2 = nvvm.unpack %%a : i32 -> %[1]s, %[1]s\n  %%s = arith.%[2]s %%h#0 : %[1]s\n", f, op)
				text := fmt.Sprintf("nvvm.pack %%s, %%h#1 : %[1]s, %[1]s -> i32", f)
				if both {
					before += fmt.Sprintf("  %%u = arith.%[2]s %%h#1 : %[1]s\n", f, op)
					text = fmt.Sprintf("nvvm.pack %%s, %%u : %[1]s, %[1]s -> i32", f)
				}
				probes = append(probes, ptxprobe.Probe{
					Before: before, Text: text, In: []string{"i32"}, Out: "i32",
					Want: func(args []uint64) (uint64, bool) {
						low, high := args[0]&0xffff, args[0]>>16&0xffff
						if f.IsNaN(low) || f.IsNaN(high) { // which NaN is open
							return 0, false
						}
						if both {
							high = sign(high)
						}
						return sign(low) | high<<16, true
					},
				})
			}
		}
	}
	onEach(t, probes)
}

// TestPairsOfIntegers computes both integers of a word at once.
func TestPairsOfIntegers(t *testing.T) {
	t.Parallel()
	var probes []ptxprobe.Probe
	for op, f := range map[string]func(x, y uint16) uint16{
		"addi":  func(x, y uint16) uint16 { return x + y },
		"andi":  func(x, y uint16) uint16 { return x & y },
		"ori":   func(x, y uint16) uint16 { return x | y },
		"xori":  func(x, y uint16) uint16 { return x ^ y },
		"maxsi": func(x, y uint16) uint16 { return uint16(max(int16(x), int16(y))) },
		"minsi": func(x, y uint16) uint16 { return uint16(min(int16(x), int16(y))) },
		"maxui": func(x, y uint16) uint16 { return max(x, y) },
		"minui": func(x, y uint16) uint16 { return min(x, y) },
	} {
		probes = append(probes, ptxprobe.Probe{
			Before: "  %x:2 = nvvm.unpack %a : i32 -> i16, i16\n  %y:2 = nvvm.unpack %b : i32 -> i16, i16\n" +
				"  %low = arith." + op + " %x#0, %y#0 : i16\n  %high = arith." + op + " %x#1, %y#1 : i16",
			Text: "nvvm.pack %low, %high : i16, i16 -> i32", In: []string{"i32", "i32"}, Out: "i32",
			Want: func(args []uint64) (uint64, bool) {
				low := f(uint16(args[0]), uint16(args[1]))
				return uint64(low) | uint64(f(uint16(args[0]>>16), uint16(args[1]>>16)))<<16, true
			},
		})
	}
	onEach(t, probes)
}
