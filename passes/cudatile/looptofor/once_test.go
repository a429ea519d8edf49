package looptofor_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// early writes a block that computes with a number, leaves the loop from some ifs, and ends with a break or a yield of
// the number.
type early struct {
	r    *rand.Rand
	text strings.Builder
	n    int
	// twice: an if has two arms that go on, one of which may leave before.
	twice bool
}

func (e *early) block(depth int, x, end string) {
	for range e.r.IntN(3) {
		e.n++
		y := fmt.Sprintf("%%v%d", e.n)
		fmt.Fprintf(&e.text, "%s = addi %s, %%k%d : tile<i32>\n", y, x, e.r.IntN(3))
		if x = y; depth == 3 {
			continue
		}
		e.n++
		z := fmt.Sprintf("%%v%d", e.n)
		fmt.Fprintf(&e.text, "%s = if %%c%d -> (tile<i32>) {\n", z, e.r.IntN(3))
		ends := [2]string{"yield", "break"}
		if e.r.IntN(2) == 0 {
			ends = [2]string{"break", "yield"}
		}
		if e.twice && e.r.IntN(3) == 0 {
			ends = [2]string{"yield", "yield"}
		}
		e.block(depth+1, x, ends[0])
		e.text.WriteString("} else {\n")
		e.block(depth+1, x, ends[1])
		e.text.WriteString("}\n")
		x = z
	}
	fmt.Fprintf(&e.text, "%s %s : tile<i32>\n", end, x)
}

// TestLoopsThatRunOnce runs loops that always break, before and after, for all truth values of their conditions.
func TestLoopsThatRunOnce(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 8))
	unfolded, kept := 0, 0
	for i := range 300 {
		e := &early{r: r, twice: i%3 == 0}
		e.block(0, "%i", "break")
		text := fmt.Sprintf(`cuda_tile.module @m {
entry @k(%%out: tile<ptr<i32>>, %%lo: tile<i8>, %%n: tile<i8>, %%m: tile<i8>, %%step: tile<i8>, %%flag: tile<i1>) {
%%z = constant <i8: 0> : tile<i8>
%%c0 = cmpi less_than %%lo, %%z, signed : tile<i8> -> tile<i1>
%%c1 = cmpi less_than %%n, %%z, signed : tile<i8> -> tile<i1>
%%c2 = cmpi less_than %%m, %%z, signed : tile<i8> -> tile<i1>
%%k0 = constant <i32: 1> : tile<i32>
%%k1 = constant <i32: 100> : tile<i32>
%%k2 = constant <i32: 10000> : tile<i32>
%%r = loop iter_values(%%i = %%k0) : tile<i32> -> tile<i32> {
%s}
%%t = store_ptr_tko weak %%out, %%r : tile<ptr<i32>>, tile<i32> -> token
return
}
}`, e.text.String())
		before, after := parse(t, text), parse(t, text)
		raise(t, after)
		loops := 0
		after.Walk(func(op ir.Op) ir.WalkResult {
			if op.Is(cudatile.Loop) {
				loops++
			}
			return ir.Advance
		})
		if loops > 0 {
			kept++
			continue
		}
		unfolded++
		for bits := range 8 {
			sign := func(k int) int8 { return -int8(bits >> k & 1) }
			if want, got := execute(t, before, sign(0), sign(1), sign(2), 1, false), execute(t, after, sign(0), sign(1), sign(2), 1, false); got != want {
				t.Fatalf("conditions %03b: %d, want %d\n%s\nbecame\n%s", bits, got, want, text, asm.String(after))
			}
		}
	}
	if unfolded < 150 || kept < 20 {
		t.Errorf("%d loops became ifs, and %d stayed", unfolded, kept)
	}
}
