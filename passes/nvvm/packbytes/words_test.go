package packbytes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/packbytes"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// ops are what words are computed for, and what a byte is.
var ops = map[string]func(x, y uint8) uint8{
	"andi":  func(x, y uint8) uint8 { return x & y },
	"ori":   func(x, y uint8) uint8 { return x | y },
	"xori":  func(x, y uint8) uint8 { return x ^ y },
	"addi":  func(x, y uint8) uint8 { return x + y },
	"subi":  func(x, y uint8) uint8 { return x - y },
	"negi":  func(x, _ uint8) uint8 { return -x },
	"absi":  func(x, _ uint8) uint8 { return uint8(max(int8(x), -int8(x))) },
	"maxsi": func(x, y uint8) uint8 { return uint8(max(int8(x), int8(y))) },
	"maxui": func(x, y uint8) uint8 { return max(x, y) },
	"minsi": func(x, y uint8) uint8 { return uint8(min(int8(x), int8(y))) },
	"minui": func(x, y uint8) uint8 { return min(x, y) },
	"shli":  func(x, y uint8) uint8 { return x << y },
	"shrui": func(x, y uint8) uint8 { return x >> y },
	"shrsi": func(x, y uint8) uint8 { return uint8(int8(x) >> y) },
}

func isShift(name string) bool { return strings.HasPrefix(name, "sh") }

// A second operand of four bytes: what makes them, and each of them for arguments of a probe.
type operand struct {
	name  string
	text  string // defines %y:4
	value func(i int, args []uint64) uint8
}

func operands(op string) (out []operand) {
	byteOf := func(word uint64, i int) uint8 { return uint8(word >> (8 * i)) }
	constants := func(values ...int) operand {
		o := operand{name: fmt.Sprint(values), value: func(i int, _ []uint64) uint8 { return uint8(values[i]) }}
		for i, v := range values {
			o.text += fmt.Sprintf("  %%y%d = arith.constant %d : i8\n", i, int8(v))
		}
		return o
	}
	if isShift(op) {
		for k := range 10 {
			out = append(out, constants(k, k, k, k))
		}
		return append(out, constants(255, 255, 255, 255))
	}
	return append(out, constants(0, 1, 127, 128), constants(200, 200, 200, 200),
		operand{
			name:  "word",
			text:  "  %y0, %y1, %y2, %y3 = nvvm.unpack %b : i32 -> i8, i8, i8, i8\n",
			value: func(i int, args []uint64) uint8 { return byteOf(args[1], i) },
		},
		operand{
			name:  "one byte",
			text:  "  %t = arith.trunci %b : i32 to i8\n  %y0 = arith.bitcast %t : i8 to i8\n",
			value: func(_ int, args []uint64) uint8 { return byteOf(args[1], 0) },
		})
}

// onTargets executes what probes returns, for a target with minima and maxima of two i16, and one without.
func onTargets(t *testing.T, probes func(t *testing.T, arch *sm.Arch) []ptxprobe.Probe) {
	t.Helper()
	t.Parallel()
	for _, gpu := range []string{"sm_80", "sm_90"} {
		t.Run(gpu, func(t *testing.T) {
			t.Parallel()
			arch, err := sm.Lookup(gpu)
			if err != nil {
				t.Fatal(err)
			}
			ptxprobe.Exactly(t, probes(t, arch), gpu)
		})
	}
}

// TestWords computes with words and compares each byte. All of it must have become words.
func TestWords(t *testing.T) {
	onTargets(t, func(t *testing.T, arch *sm.Arch) (probes []ptxprobe.Probe) {
		for op, f := range ops {
			for _, y := range operands(op) {
				probes = append(probes, probe(t, arch, op, f, y))
			}
		}
		return probes
	})
}

// TestConversions converts four bytes to floats and compares their bits. All of it must have become words.
func TestConversions(t *testing.T) {
	onTargets(t, func(t *testing.T, arch *sm.Arch) (probes []ptxprobe.Probe) {
		for _, c := range []struct {
			op, to string
			format numeric.Format
			value  func(x uint8) float64
		}{
			{"sitofp", "f16", numeric.F16, func(x uint8) float64 { return float64(int8(x)) }},
			{"uitofp", "f16", numeric.F16, func(x uint8) float64 { return float64(x) }},
			{"sitofp", "bf16", numeric.BF16, func(x uint8) float64 { return float64(int8(x)) }},
		} {
			before := "  %x:4 = nvvm.unpack %a : i32 -> i8, i8, i8, i8\n"
			for i := range 4 {
				before += fmt.Sprintf("  %%z%d = arith.%s %%x#%d : i8 to %s\n", i, c.op, i, c.to)
			}
			before += fmt.Sprintf("  %%l = nvvm.pack %%z0, %%z1 : %[1]s, %[1]s -> i32\n  %%h = nvvm.pack %%z2, %%z3 : %[1]s, %[1]s -> i32\n", c.to)
			probes = append(probes, ptxprobe.Probe{
				Before: before, Text: "nvvm.pack %l, %h : i32, i32 -> i64", In: []string{"i32"}, Out: "i64",
				Pass: func(fn ir.Op) {
					if n := packbytes.Pack(fn, arch, func(string, ir.Op) bool { return true }); n != 1 {
						t.Errorf("%s to %s: %d words, want 1", c.op, c.to, n)
					}
				},
				Want: func(args []uint64) (word uint64, defined bool) {
					for i := range 4 {
						word |= c.format.Encode(c.value(uint8(args[0]>>(8*i))), numeric.Env{}) << (16 * i)
					}
					return word, true
				},
			})
		}
		return probes
	})
}

func probe(t *testing.T, arch *sm.Arch, op string, f func(x, y uint8) uint8, y operand) ptxprobe.Probe {
	before := "  %x:4 = nvvm.unpack %a : i32 -> i8, i8, i8, i8\n" + y.text
	for i := range 4 {
		second := fmt.Sprintf(", %%y%d", i)
		switch {
		case op == "negi" || op == "absi":
			second = ""
		case y.name == "one byte":
			second = ", %y0"
		}
		before += fmt.Sprintf("  %%z%d = arith.%s %%x#%d%s : i8\n", i, op, i, second)
	}
	return ptxprobe.Probe{
		Before: before, Text: "nvvm.pack %z0, %z1, %z2, %z3 : i8, i8, i8, i8 -> i32", In: []string{"i32", "i32"}, Out: "i32",
		Pass: func(fn ir.Op) {
			if n := packbytes.Pack(fn, arch, func(string, ir.Op) bool { return true }); n != 1 {
				t.Errorf("%s, %s: %d words, want 1", op, y.name, n)
			}
		},
		Want: func(args []uint64) (word uint64, defined bool) {
			for i := range 4 {
				word |= uint64(f(uint8(args[0]>>(8*i)), y.value(i, args))) << (8 * i)
			}
			return word, true
		},
	}
}
