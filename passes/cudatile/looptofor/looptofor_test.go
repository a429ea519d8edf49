package looptofor_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	_ "github.com/tilewright/tilewright/internal/testing/heap"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	_ "github.com/tilewright/tilewright/passes/cudatile/looptofor"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A form is how a loop tests its counter, of eight bits, and what it adds to it.
type form struct {
	predicate string
	unsigned  bool
	exchanged bool // the counter is on the right
	breaks    bool // the if breaks when its condition is true
	also      string
	step      int8
	taken     bool // the step is taken, not added
	asked     bool // the step is a parameter, known to be positive
	skips     bool // some iterations end early
}

var (
	predicates  = []string{"less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal", "not_equal"}
	interesting = []int8{-128, -127, -126, -3, -1, 0, 1, 2, 5, 100, 126, 127}
	steps       = []int8{1, 1, 1, 2, 3, 7, 64, 100, 127, -1, -1, -2, -100, -128}
	// also is another part of the condition: a bound that the counter passes or reaches, in the forms of
	// front ends, or what does not change.
	also = []string{"", "", "after", "front", "and", "flag"}
)

func (f form) holds(i, n, m int8, flag bool) bool {
	compare := func(p string, a, b int8) bool {
		x, y := int(a), int(b)
		if f.unsigned {
			x, y = int(uint8(a)), int(uint8(b))
		}
		switch p {
		case "less_than":
			return x < y
		case "less_than_or_equal":
			return x <= y
		case "greater_than":
			return x > y
		case "greater_than_or_equal":
			return x >= y
		}
		return x != y
	}
	ok := compare(f.predicate, i, n)
	if f.exchanged {
		ok = compare(f.predicate, n, i)
	}
	switch f.also {
	case "after", "and":
		return ok && compare("greater_than_or_equal", i, m)
	case "front":
		return ok && compare("less_than", i, m)
	case "flag":
		return ok && flag
	}
	return ok
}

// text is a kernel that leaves in its results which numbers it saw, in which order, and what the counter was in the
// end.
func (f form) text() string {
	sign := "signed"
	if f.unsigned {
		sign = "unsigned"
	}
	operands := "%i, %n"
	if f.exchanged {
		operands = "%n, %i"
	}
	var sb strings.Builder
	fmt.Fprintf(&sb, `cuda_tile.module @m {
entry @k(%%out: tile<ptr<i32>>, %%lo: tile<i8>, %%n: tile<i8>, %%m: tile<i8>, %%ps: tile<i8>, %%flag: tile<i1>) {
  %%one = constant <i32: 1> : tile<i32>
  %%many = constant <i32: 65599> : tile<i32>
  %%seven = constant <i32: 7> : tile<i32>
  %%never = constant <i1: 0> : tile<i1>
  %%cs = constant <i8: %d> : tile<i8>
  %%as = assume bounded<1, ?>, %%ps : tile<i8>
  %%r:2 = loop iter_values(%%i = %%lo, %%a = %%one) : tile<i8>, tile<i32> -> tile<i8>, tile<i32> {
    %%c1 = cmpi %s %s, %s : tile<i8> -> tile<i1>
`, f.step, f.predicate, operands, sign)
	cond := "%c1"
	inner := map[string]string{"after": "cmpi greater_than_or_equal %i, %m, " + sign + " : tile<i8> -> tile<i1>", "front": "cmpi less_than %i, %m, " + sign + " : tile<i8> -> tile<i1>"}
	switch f.also {
	case "after", "front":
		other := "%c1"
		if f.also == "front" {
			other = "%never"
		}
		fmt.Fprintf(&sb, "    %%c = if %%c1 -> (tile<i1>) {\n      %%c2 = %s\n      yield %%c2 : tile<i1>\n    } else {\n      yield %s : tile<i1>\n    }\n", inner[f.also], other)
		cond = "%c"
	case "and":
		fmt.Fprintf(&sb, "    %%c2 = %s\n    %%c = andi %%c1, %%c2 : tile<i1>\n", inner["after"])
		cond = "%c"
	case "flag":
		sb.WriteString("    %c = andi %flag, %c1 : tile<i1>\n")
		cond = "%c"
	}
	if f.breaks {
		fmt.Fprintf(&sb, "    %%true = constant <i1: 1> : tile<i1>\n    %%not = xori %s, %%true : tile<i1>\n    if %%not {\n      break %%i, %%a : tile<i8>, tile<i32>\n    }\n", cond)
	} else {
		fmt.Fprintf(&sb, "    if %s {\n    } else {\n      break %%i, %%a : tile<i8>, tile<i32>\n    }\n", cond)
	}
	step, op := "%cs", "addi"
	if f.asked {
		step = "%as"
	}
	if f.taken {
		op = "subi"
	}
	fmt.Fprintf(&sb, "    %%x = exti %%i signed : tile<i8> -> tile<i32>\n    %%b = muli %%a, %%many : tile<i32>\n    %%d = addi %%b, %%x : tile<i32>\n    %%next = %s %%i, %s : tile<i8>\n", op, step)
	if f.skips {
		sb.WriteString("    %k = cmpi less_than %d, %one, signed : tile<i32> -> tile<i1>\n    if %k {\n      %e = addi %d, %seven : tile<i32>\n      continue %next, %e : tile<i8>, tile<i32>\n    }\n")
	}
	sb.WriteString(`    continue %next, %d : tile<i8>, tile<i32>
  }
  %t = store_ptr_tko weak %out, %r#1 : tile<ptr<i32>>, tile<i32> -> token
  %p = offset %out, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %y = exti %r#0 signed : tile<i8> -> tile<i32>
  %u = store_ptr_tko weak %p, %y : tile<ptr<i32>>, tile<i32> -> token
  return
}
}`)
	return sb.String()
}

// ends reports whether the loop ends within a number of iterations: the others need not be tried.
func (f form) ends(lo, n, m, step int8, flag bool) bool {
	if f.taken {
		step = -step
	}
	for i, left := lo, 300; left > 0; i, left = i+step, left-1 {
		if !f.holds(i, n, m, flag) {
			return true
		}
	}
	return false
}

func parse(t *testing.T, text string) ir.Op {
	t.Helper()
	module, err := tileir.Read(tileir.NewContext(), "kernel", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return module
}

// raise runs the pass, and returns how many loops became a for, and around how many of them the loop stayed.
func raise(t *testing.T, module ir.Op) (raised, around int64) {
	t.Helper()
	it, err := pipeline.ParsePass(passes.Default, "loop-to-for", "")
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
		switch s.Statistic.Name {
		case "num-raised":
			raised = s.Value
		case "num-kept-around":
			around = s.Value
		}
	}
	return raised, around
}

// A runnable is a module and the engine that has decoded it.
type runnable struct {
	module ir.Op
	engine *interp.Engine
}

func runnableOf(module ir.Op) runnable { return runnable{module, interp.New(module)} }

func execute(t *testing.T, r runnable, lo, n, m, step int8, flag bool) uint64 {
	t.Helper()
	data := make([]byte, 8)
	args := []launch.Arg{{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{2}, Data: data}}}
	for _, v := range []int8{lo, n, m, step} {
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I8, Bits: uint64(uint8(v))}})
	}
	bit := uint64(0)
	if flag {
		bit = 1
	}
	args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I1, Bits: bit}})
	if err := r.engine.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}); err != nil {
		t.Fatalf("%d to %d (%d) by %d: %v\n%s", lo, n, m, step, err, asm.String(r.module))
	}
	return binary.LittleEndian.Uint64(data)
}

// TestLoopsSeeTheSameNumbers runs loops of every form, before and after, on numbers near which something wraps around, and demands
// that they see the same numbers and end with the same.
func TestLoopsSeeTheSameNumbers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 3))
	raised, around, runs := int64(0), int64(0), 0
	for range 1200 {
		f := form{predicate: predicates[r.IntN(len(predicates))], unsigned: r.IntN(3) == 0, exchanged: r.IntN(3) == 0, breaks: r.IntN(2) == 0, also: also[r.IntN(len(also))],
			step: steps[r.IntN(len(steps))], taken: r.IntN(4) == 0, asked: r.IntN(5) == 0, skips: r.IntN(4) == 0}
		text := f.text()
		before, after := parse(t, text), parse(t, text)
		n, k := raise(t, after)
		if raised, around = raised+n, around+k; n == 0 {
			continue
		}
		if again, _ := raise(t, after); again > 0 {
			t.Errorf("a loop became a for twice\n%s", asm.String(after))
		}
		original, changed := runnableOf(before), runnableOf(after)
		for range 40 {
			pick := func() int8 { return interesting[r.IntN(len(interesting))] }
			lo, hi, m, step, flag := pick(), pick(), pick(), f.step, r.IntN(4) > 0
			if f.asked {
				step = []int8{1, 2, 3, 100, 127}[r.IntN(5)]
			}
			if !f.ends(lo, hi, m, step, flag) {
				continue
			}
			if want, got := execute(t, original, lo, hi, m, max(step, 1), flag), execute(t, changed, lo, hi, m, max(step, 1), flag); got != want {
				t.Fatalf("%+v, %d to %d (%d) by %d: %x, want %x\n%s\nbecame\n%s", f, lo, hi, m, step, got, want, text, asm.String(after))
			}
			runs++
		}
	}
	t.Logf("%d loops became a for, %d in a loop; %d runs", raised, around, runs)
	if raised < 200 || around < 100 || raised-around < 50 || runs < 4000 {
		t.Errorf("only %d loops became a for, %d of them in a loop, and %d runs were compared", raised, around, runs)
	}
}

// TestSharedOperandsAreVisitedOnce: values of which each is used twice by the next are looked at once each, not once for each way
// to them.
func TestSharedOperandsAreVisitedOnce(t *testing.T) {
	t.Parallel()
	const links = 60
	sums, ands := "    %x0 = addi %n, %n : tile<i32>\n", ""
	for i := range links {
		sums += fmt.Sprintf("    %%x%d = addi %%x%d, %%x%d : tile<i32>\n", i+1, i, i)
		ands += fmt.Sprintf("    %%c%d = andi %%c%d, %%c%d : tile<i1>\n", i+1, i, i)
	}
	for _, tc := range []struct {
		sums, bound, ands, cond string
		want                    int64
	}{
		{sums, fmt.Sprintf("%%x%d", links), "", "%c0", 1},
		{"", "%n", ands, fmt.Sprintf("%%c%d", links), 0}, // too many parts
	} {
		text := fmt.Sprintf(`cuda_tile.module @m {
entry @k(%%out: tile<ptr<i32>>, %%n: tile<i32>) {
  %%one = constant <i32: 1> : tile<i32>
  %%r = loop iter_values(%%i = %%one) : tile<i32> -> tile<i32> {
%s    %%c0 = cmpi less_than %%i, %s, signed : tile<i32> -> tile<i1>
%s    if %s {
    } else {
      break %%i : tile<i32>
    }
    %%next = addi %%i, %%one : tile<i32>
    continue %%next : tile<i32>
  }
  %%t = store_ptr_tko weak %%out, %%r : tile<ptr<i32>>, tile<i32> -> token
  return
}
}`, tc.sums, tc.bound, tc.ands, tc.cond)
		if got, _ := raise(t, parse(t, text)); got != tc.want {
			t.Errorf("%d loops became a for, want %d\n%s", got, tc.want, text)
		}
	}
}
