package loopsplit_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	_ "github.com/tilewright/tilewright/internal/testing/heap"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/cudatile/loopsplit"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// kernel is a loop over numbers of eight bits that leaves in its result which ones it saw, in which order and in
// which branch. What stands for constants comes first.
const kernel = `cuda_tile.module @m {
entry @k(%%out: tile<ptr<i32>>, %%plo: tile<i8>, %%phi: tile<i8>, %%pstep: tile<i8>, %%ps: tile<i8>) {
  %%one = constant <i32: 1> : tile<i32>
  %%seven = constant <i32: 7> : tile<i32>
  %%many = constant <i32: 65599> : tile<i32>
  %%clo = constant <i8: %d> : tile<i8>
  %%chi = constant <i8: %d> : tile<i8>
  %%cstep = constant <i8: %d> : tile<i8>
  %%cs = constant <i8: %d> : tile<i8>
  %%r = for %s %%i in (LO to HI, step STEP) : tile<i8> iter_values(%%a = %%one) -> (tile<i32>) {
    %%x = exti %%i signed : tile<i8> -> tile<i32>
    %%b = muli %%a, %%many : tile<i32>
    %%c = addi %%b, %%x : tile<i32>
    %%k = cmpi %s, %s : tile<i8> -> tile<i1>
    %%e = if %%k -> (tile<i32>) {
      %%f = addi %%c, %%seven : tile<i32>
      yield %%f : tile<i32>
    } else {
      %%g = muli %%c, %%seven : tile<i32>
      yield %%g : tile<i32>
    }
    continue %%e : tile<i32>
  }
  %%t = store_ptr_tko weak %%out, %%r : tile<ptr<i32>>, tile<i32> -> token
  return
}
}`

// numbers are bounds, points and steps.
type numbers struct{ lo, hi, step, s int8 }

// interesting are numbers near which something may wrap around.
var interesting = []int8{-128, -127, -126, -3, -1, 0, 1, 2, 5, 100, 126, 127}

func randomNumbers(r *rand.Rand, unsigned bool) numbers {
	pick := func() int8 { return interesting[r.IntN(len(interesting))] }
	n := numbers{pick(), pick(), []int8{1, 1, 2, 3, 7, 64, 100, 127}[r.IntN(8)], pick()}
	if unsigned && r.IntN(8) == 0 {
		n.step = -100 // 156
	}
	return n
}

// A form is which comparison a loop makes, and which of its numbers are constants.
type form struct {
	predicate string
	exchange  bool // the counter is on the right
	unsigned  bool
	constants [4]bool
}

func (f form) text(n numbers) string {
	word, operands := "signed", "%i, S"
	if f.unsigned {
		word = "unsigned"
	}
	if f.exchange {
		operands = "S, %i"
	}
	loop := ""
	if f.unsigned {
		loop = "unsigned"
	}
	text := fmt.Sprintf(kernel, n.lo, n.hi, n.step, n.s, loop, f.predicate+" "+operands, word)
	for i, name := range []string{"LO", "HI", "STEP", "S"} {
		by := "%p" + strings.ToLower(name)
		if f.constants[i] {
			by = "%c" + strings.ToLower(name)
		}
		for _, after := range []string{" ", ")", ","} {
			text = strings.ReplaceAll(text, " "+name+after, " "+by+after)
			text = strings.ReplaceAll(text, "("+name+after, "("+by+after)
		}
	}
	return text
}

func parse(t *testing.T, text string) ir.Op {
	t.Helper()
	module, err := tileir.Read(tileir.NewContext(), "kernel", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return module
}

// split runs the pass and returns how many loops it has split.
func split(t *testing.T, module ir.Op, options string) int64 {
	t.Helper()
	it, err := pipeline.ParsePass(passes.Default, "loop-split", options)
	if err != nil {
		t.Fatal(err)
	}
	pl := pipeline.New(module.Name())
	pl.Append(pipeline.NestPath(nil, module.Name(), "cuda_tile.entry"), it)
	res, err := (&pipeline.Manager{}).Run(context.Background(), pl, module)
	if err != nil {
		t.Fatalf("%v\n%s", err, asm.String(module))
	}
	for _, s := range res.Statistics {
		if s.Statistic.Name == "num-split" {
			return s.Value
		}
	}
	return 0
}

// A runnable is a module and the engine that has decoded it.
type runnable struct {
	module ir.Op
	engine *interp.Engine
}

func runnableOf(module ir.Op) runnable { return runnable{module, interp.New(module)} }

func execute(t *testing.T, m runnable, n numbers) uint32 {
	t.Helper()
	data := make([]byte, 4)
	args := []launch.Arg{{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{1}, Data: data}}}
	for _, v := range []int8{n.lo, n.hi, n.step, n.s} {
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I8, Bits: uint64(uint8(v))}})
	}
	if err := m.engine.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}); err != nil {
		t.Fatalf("%+v: %v\n%s", n, err, asm.String(m.module))
	}
	return binary.LittleEndian.Uint32(data)
}

// TestSplitLoopsAgree splits loops of all forms, with constants for some of the numbers, and runs them next to the
// originals where numbers may wrap around.
func TestSplitLoopsAgree(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	splits, both := int64(0), 0
	for _, predicate := range []string{"less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"} {
		for bits := range 64 {
			f := form{predicate, bits&1 != 0, bits&2 != 0, [4]bool{bits&4 != 0, bits&8 != 0, bits&16 != 0, bits&32 != 0}}
			for range 3 {
				n := randomNumbers(r, f.unsigned)
				text := f.text(n)
				before, after := parse(t, text), parse(t, text)
				done := split(t, after, "")
				splits += done
				original, cut := runnableOf(before), runnableOf(after)
				for range 12 {
					m := randomNumbers(r, f.unsigned)
					for i, p := range []*int8{&m.lo, &m.hi, &m.step, &m.s} {
						if f.constants[i] {
							*p = []int8{n.lo, n.hi, n.step, n.s}[i]
						}
					}
					want, got := execute(t, original, m), execute(t, cut, m)
					if got != want {
						t.Fatalf("%+v, %+v: got %#x, expected %#x\n%s", f, m, got, want, asm.String(after))
					}
					if done > 0 {
						both++
					}
				}
			}
		}
	}
	if splits < 500 || both < 6000 {
		t.Errorf("only %d loops were split, and %d runs compared", splits, both)
	}
}

// TestNestedSplitsStayBounded nests loops each of which can be split. The inner ones are copied with every split around them.
func TestNestedSplitsStayBounded(t *testing.T) {
	t.Parallel()
	const depth = 24
	var text strings.Builder
	text.WriteString("cuda_tile.module @m {\nentry @k(%n: tile<i32>) {\n%one = constant <i32: 1> : tile<i32>\n")
	for i := range depth {
		fmt.Fprintf(&text, "for %%i%d in (%%one to %%n, step %%one) : tile<i32> {\n%%k%d = cmpi less_than %%i%d, %%n, signed : tile<i32> -> tile<i1>\n", i, i, i)
		fmt.Fprintf(&text, "if %%k%d {\n}\n", i)
	}
	text.WriteString(strings.Repeat("}\n", depth) + "return\n}\n}\n")
	for options, limit := range map[string]int{"": 8000, "max-growth=1": 1000, "max-growth=20": 20000} {
		module := parse(t, text.String())
		if split(t, module, options) == 0 {
			t.Errorf("%q: nothing is split", options)
		}
		n := 0
		module.Walk(func(op ir.Op) ir.WalkResult {
			n++
			return ir.Advance
		})
		if n > limit+100*depth {
			t.Errorf("%q: %d operations, expected at most %d and what computes the points", options, n, limit)
		}
	}
}

// TestRejectedOptions gives options that mean nothing.
func TestRejectedOptions(t *testing.T) {
	t.Parallel()
	c := ir.NewContext(ops.Dialect)
	for _, o := range []*loopsplit.Options{{Threshold: -1, MaxGrowth: 8}, {Threshold: 1}} {
		if _, err := loopsplit.Pass.Prepare(c, o); err == nil {
			t.Errorf("%+v is accepted", *o)
		}
	}
}
