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

// early writes a block that computes with a number, leaves the loop or the kernel from some ifs, and ends with that or a
// yield of the number. Before a return, it stores the number.
type early struct {
	leave string // break or return
	r     *rand.Rand
	text  strings.Builder
	n     int
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
		ends := [2]string{"yield", e.leave}
		if e.r.IntN(2) == 0 {
			ends = [2]string{e.leave, "yield"}
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
	if end == "return" {
		e.n++
		fmt.Fprintf(&e.text, "%%v%d = store_ptr_tko weak %%out, %s : tile<ptr<i32>>, tile<i32> -> token\nreturn\n", e.n, x)
		return
	}
	fmt.Fprintf(&e.text, "%s %s : tile<i32>\n", end, x)
}

// TestLoopsThatRunOnce runs loops that always break, before and after, for all truth values of their conditions.
func TestLoopsThatRunOnce(t *testing.T) {
	t.Parallel()
	testEarly(t, "break", cudatile.Loop, 0, "%r = loop iter_values(%i = %k0) : tile<i32> -> tile<i32> {\n", `}
%t = store_ptr_tko weak %out, %r : tile<ptr<i32>>, tile<i32> -> token
return
`)
}

// TestEarlyReturns does so for kernels that return early.
func TestEarlyReturns(t *testing.T) {
	t.Parallel()
	testEarly(t, "return", cudatile.Return, 1, "%i = addi %k0, %k0 : tile<i32>\n", "")
}

// testEarly fails if a block that leaves early does not become ifs, so that at most so many operations are left, in most
// kernels, or if it computes something else then.
func testEarly(t *testing.T, leave string, counted *ir.OpDef, most int, head, tail string) {
	r := rand.New(rand.NewPCG(5, 8))
	unfolded, kept := 0, 0
	for i := range 300 {
		e := &early{leave: leave, r: r, twice: i%3 == 0}
		e.block(0, "%i", leave)
		text := fmt.Sprintf(`cuda_tile.module @m {
entry @k(%%out: tile<ptr<i32>>, %%lo: tile<i8>, %%n: tile<i8>, %%m: tile<i8>, %%step: tile<i8>, %%flag: tile<i1>) {
%%z = constant <i8: 0> : tile<i8>
%%c0 = cmpi less_than %%lo, %%z, signed : tile<i8> -> tile<i1>
%%c1 = cmpi less_than %%n, %%z, signed : tile<i8> -> tile<i1>
%%c2 = cmpi less_than %%m, %%z, signed : tile<i8> -> tile<i1>
%%k0 = constant <i32: 1> : tile<i32>
%%k1 = constant <i32: 100> : tile<i32>
%%k2 = constant <i32: 10000> : tile<i32>
%s%s%s}
}`, head, e.text.String(), tail)
		before, after := parse(t, text), parse(t, text)
		raise(t, after)
		if len(after.Collect(func(op ir.Op) bool { return op.Is(counted) })) > most {
			kept++
			continue
		}
		unfolded++
		original, changed := runnableOf(before), runnableOf(after)
		for bits := range 8 {
			sign := func(k int) int8 { return -int8(bits >> k & 1) }
			if want, got := execute(t, original, sign(0), sign(1), sign(2), 1, false), execute(t, changed, sign(0), sign(1), sign(2), 1, false); got != want {
				t.Fatalf("conditions %03b: %d, want %d\n%s\nbecame\n%s", bits, got, want, text, asm.String(after))
			}
		}
	}
	if unfolded < 150 || kept < 20 {
		t.Errorf("%d became ifs, and %d stayed", unfolded, kept)
	}
}
