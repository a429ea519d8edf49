package expandmath_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/expandmath"
	"github.com/tilewright/tilewright/tests/ptxprobe"
)

// TestTurnsAreShared: angles that a thread reduces together have the results that each has alone, whichever are large,
// and an angle that is a result is reduced by itself.
func TestTurnsAreShared(t *testing.T) {
	t.Parallel()
	f := numeric.F64
	in := []string{"f64", "f64", "f64"}
	angle := func(r *rand.Rand) uint64 {
		switch r.IntN(4) {
		case 0:
			return r.Uint64()
		case 1:
			return f.Encode(nearMultiple(r), numeric.Env{})
		case 2:
			return f.Encode(1e20*r.Float64(), numeric.Env{})
		}
		return f.Encode(100*r.NormFloat64(), numeric.Env{})
	}
	rows := func(r *rand.Rand) [][]uint64 {
		var out [][]uint64
		for range samples(600) {
			out = append(out, []uint64{angle(r), angle(r), angle(r)})
		}
		return out
	}
	// Three angles, then nine products, of which eight are reduced together, and an angle that is a result.
	ops := []string{"sin %a", "cos %b", "sin %c", "cos %c", "tan %a"}
	for _, x := range []string{"%a", "%b", "%c"} {
		for k := range 3 {
			ops = append(ops, fmt.Sprintf("mulf %s, %%k%d", x, k))
		}
	}
	for i := range 9 {
		ops = append(ops, fmt.Sprintf("cos %%v%d", 5+i))
	}
	ops = append(ops, "sin %v0")
	constants := "  %k0 = arith.constant 1.0e10 : f64\n  %k1 = arith.constant 0.5 : f64\n  %k2 = arith.constant -3.0 : f64\n"
	body := func(n int) string { // the first n operations
		var b strings.Builder
		b.WriteString(constants)
		for i, op := range ops[:n] {
			fmt.Fprintf(&b, "  %%v%d = arith.%s : f64\n", i, op)
		}
		return b.String()
	}
	var want []uint64
	run := func(before, text, out string, judge func(i int, args []uint64, got uint64)) {
		i := 0
		p := ptxprobe.Probe{Before: before, Text: text, In: in, Out: out, Extra: rows}
		ptxprobe.EachOf(t, []ptxprobe.Probe{p}, "sm_80", expandmath.CUDA, func(_ ptxprobe.Probe, args []uint64, got uint64) {
			judge(i, args, got)
			i++
		})
	}
	// Alone: the product before an operation is all that its kernel has besides.
	for i, op := range ops {
		if strings.HasPrefix(op, "mulf") {
			continue
		}
		before := constants
		if x := strings.Fields(op)[1]; strings.HasPrefix(x, "%v") {
			var of int
			fmt.Sscanf(x, "%%v%d", &of)
			before += fmt.Sprintf("  %s = arith.%s : f64\n", x, ops[of])
		}
		run(before, "arith."+op+" : f64", "f64", func(k int, _ []uint64, got uint64) {
			if i == 0 {
				want = append(want, 0)
			}
			want[k] = want[k]*3 + got
		})
	}
	// Together: a sum that depends on each result and on their order.
	var b strings.Builder
	b.WriteString(body(len(ops)) + "  %three = arith.constant 3 : i64\n  %w = arith.constant 0 : i64\n")
	sum := "%w"
	for i, op := range ops {
		if strings.HasPrefix(op, "mulf") {
			continue
		}
		fmt.Fprintf(&b, "  %%i%d = arith.bitcast %%v%d : f64 to i64\n  %%m%d = arith.muli %s, %%three : i64\n  %%s%d = arith.addi %%m%d, %%i%d : i64\n", i, i, i, sum, i, i, i)
		sum = fmt.Sprintf("%%s%d", i)
	}
	bad := 0
	run(b.String(), "arith.addi "+sum+", %w : i64", "i64", func(k int, args []uint64, got uint64) {
		if got != want[k] {
			if bad++; bad < 4 {
				t.Errorf("of %v: together %x, alone %x", args, got, want[k])
			}
		}
	})
}
