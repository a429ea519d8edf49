package passes

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/rewrite"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A kernelWriter writes random kernels of nested ifs and loops, with returns, breaks and continues, that store what
// they compute.
type kernelWriter struct {
	r      *rand.Rand
	out    strings.Builder
	next   int
	places int // in the buffer, each of which is stored to once in the text
}

const maxPlaces = 4096

// A kernelScope is what can be used and done at a point of a kernel.
type kernelScope struct {
	depth        int
	ints, truths []string
	loop         string // "for" or "loop" if one is around with only ifs between; "" outside of loops
	step         string // what a continue of a loop carries on
}

func (w *kernelWriter) name() string {
	w.next++
	return fmt.Sprintf("%%v%d", w.next)
}

func (w *kernelWriter) line(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

func (w *kernelWriter) pick(list []string) string {
	if w.r.IntN(3) > 0 { // what is new is more likely to be near
		list = list[max(0, len(list)-4):]
	}
	return list[w.r.IntN(len(list))]
}

func (w *kernelWriter) kernel() string {
	w.line("cuda_tile.module @m {\nentry @k(%%out: tile<ptr<i32>>, %%a: tile<i32>, %%b: tile<i32>, %%c: tile<i1>, %%d: tile<i1>) {")
	s := kernelScope{ints: []string{"%a", "%b"}, truths: []string{"%c", "%d"}}
	for _, v := range []int{0, 1, -1, w.r.IntN(9) - 4} {
		n := w.name()
		w.line("%s = constant <i32: %d> : tile<i32>", n, v)
		s.ints = append(s.ints, n)
	}
	for _, v := range []bool{true, false} {
		n := w.name()
		w.line("%s = constant <i1: %v> : tile<i1>", n, v)
		s.truths = append(s.truths, n)
	}
	w.statements(&s)
	w.line("return\n}\n}")
	return w.out.String()
}

func (w *kernelWriter) statements(s *kernelScope) {
	for range 2 + w.r.IntN(4) {
		switch k := w.r.IntN(12); {
		case k < 3:
			w.compute(s)
		case k < 4:
			w.truth(s)
		case k < 6:
			w.store(s)
		case k < 10 && s.depth < 4:
			w.ifs(s)
		case s.depth < 3:
			w.loops(s)
		}
	}
	w.store(s)
}

func (w *kernelWriter) compute(s *kernelScope) {
	n := w.name()
	if w.r.IntN(3) == 0 {
		w.line("%s = select %s, %s, %s : tile<i1>, tile<i32>", n, w.pick(s.truths), w.pick(s.ints), w.pick(s.ints))
	} else {
		op := []string{"addi", "subi", "muli", "andi", "xori"}[w.r.IntN(5)]
		w.line("%s = %s %s, %s : tile<i32>", n, op, w.pick(s.ints), w.pick(s.ints))
	}
	s.ints = append(s.ints, n)
}

func (w *kernelWriter) truth(s *kernelScope) {
	n := w.name()
	switch w.r.IntN(4) {
	case 0:
		w.line("%s = xori %s, %s : tile<i1>", n, w.pick(s.truths), w.pick(s.truths))
	case 3:
		ones, v := w.name(), w.name()
		w.line("%s = constant <i1: true> : tile<i1>", ones)
		w.line("%s = xori %s, %s : tile<i1>", n, ones, w.pick(s.truths))
		w.line("%s = select %s, %s, %s : tile<i1>, tile<i32>", v, n, w.pick(s.ints), w.pick(s.ints))
		s.ints = append(s.ints, v)
	case 1:
		w.line("%s = select %s, %s, %s : tile<i1>, tile<i1>", n, w.pick(s.truths), w.pick(s.truths), w.pick(s.truths))
	default:
		p := []string{"equal", "not_equal", "less_than"}[w.r.IntN(3)]
		w.line("%s = cmpi %s %s, %s, signed : tile<i32> -> tile<i1>", n, p, w.pick(s.ints), w.pick(s.ints))
	}
	s.truths = append(s.truths, n)
}

func (w *kernelWriter) store(s *kernelScope) {
	if w.places == maxPlaces {
		return
	}
	i, p := w.name(), w.name()
	w.line("%s = constant <i32: %d> : tile<i32>", i, w.places)
	w.line("%s = offset %%out, %s : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>", p, i)
	w.line("%s = store_ptr_tko weak %s, %s : tile<ptr<i32>>, tile<i32> -> token", w.name(), p, w.pick(s.ints))
	w.places++
}

// ifs writes an if, often several with the same condition or its negation, one behind the other or one in the other.
func (w *kernelWriter) ifs(s *kernelScope) {
	cond := w.pick(s.truths)
	for again := true; again; again = w.r.IntN(3) > 0 {
		w.ifWith(s, cond)
	}
	if w.r.IntN(3) == 0 {
		n, ones := w.name(), w.name()
		w.line("%s = constant <i1: true> : tile<i1>", ones)
		w.line("%s = xori %s, %s : tile<i1>", n, cond, ones)
		w.ifWith(s, cond)
		w.ifWith(s, n)
	}
}

func (w *kernelWriter) ifWith(s *kernelScope, cond string) {
	var types []string
	for range w.r.IntN(4) {
		types = append(types, []string{"tile<i32>", "tile<i32>", "tile<i1>"}[w.r.IntN(3)])
	}
	result, arrow := "", ""
	var results []string
	if n := len(types); n > 0 {
		name := w.name()
		result, arrow = fmt.Sprintf("%s:%d = ", name, n), " -> ("+strings.Join(types, ", ")+")"
		for i := range n {
			results = append(results, fmt.Sprintf("%s#%d", name, i))
		}
	}
	w.line("%sif %s%s {", result, cond, arrow)
	w.arm(s, types)
	if len(types) > 0 || w.r.IntN(2) == 0 {
		w.line("} else {")
		w.arm(s, types)
	}
	w.line("}")
	for i, t := range types {
		if t == "tile<i32>" {
			s.ints = append(s.ints, results[i])
		} else {
			s.truths = append(s.truths, results[i])
		}
	}
}

func (w *kernelWriter) arm(s *kernelScope, types []string) {
	inner := kernelScope{depth: s.depth + 1, ints: s.ints[:len(s.ints):len(s.ints)], truths: s.truths[:len(s.truths):len(s.truths)], loop: s.loop, step: s.step}
	switch w.r.IntN(4) {
	case 0: // empty
	case 1:
		if s.depth < 4 {
			w.ifWith(&inner, w.pick(inner.truths))
		}
	default:
		w.statements(&inner)
	}
	switch {
	case w.r.IntN(6) > 0:
		var values []string
		for _, t := range types {
			if t == "tile<i32>" {
				values = append(values, w.pick(inner.ints))
			} else {
				values = append(values, w.pick(inner.truths))
			}
		}
		if len(values) == 0 {
			w.line("yield")
		} else {
			w.line("yield %s : %s", strings.Join(values, ", "), strings.Join(types, ", "))
		}
	case s.loop == "":
		w.line("return")
	case s.loop == "for":
		w.line("continue %s : tile<i32>", w.pick(inner.ints))
	case w.r.IntN(2) == 0:
		w.line("break %s : tile<i32>", w.pick(inner.ints))
	default:
		w.line("continue %s : tile<i32>", s.step)
	}
}

func (w *kernelWriter) loops(s *kernelScope) {
	result, arg, lo, hi, one := w.name(), w.name(), w.name(), w.name(), w.name()
	w.line("%s = constant <i32: 0> : tile<i32>\n%s = constant <i32: %d> : tile<i32>\n%s = constant <i32: 1> : tile<i32>", lo, hi, w.r.IntN(3), one)
	inner := kernelScope{depth: s.depth + 1, truths: s.truths[:len(s.truths):len(s.truths)]}
	if w.r.IntN(2) == 0 {
		i := w.name()
		w.line("%s = for %s in (%s to %s, step %s) : tile<i32> iter_values(%s = %s) -> (tile<i32>) {", result, i, lo, hi, one, arg, w.pick(s.ints))
		inner.ints, inner.loop = append(s.ints[:len(s.ints):len(s.ints)], arg, i), "for"
		w.statements(&inner)
		w.line("continue %s : tile<i32>\n}", w.pick(inner.ints))
	} else {
		done, next := w.name(), w.name()
		w.line("%s = loop iter_values(%s = %s) : tile<i32> -> tile<i32> {", result, arg, lo)
		w.line("%s = cmpi greater_than_or_equal %s, %s, signed : tile<i32> -> tile<i1>", done, arg, hi)
		w.line("if %s {\nbreak %s : tile<i32>\n}\n%s = addi %s, %s : tile<i32>", done, arg, next, arg, one)
		inner.ints, inner.loop, inner.step = append(s.ints[:len(s.ints):len(s.ints)], arg, next), "loop", next
		w.statements(&inner)
		w.line("continue %s : tile<i32>\n}", next)
	}
	s.ints = append(s.ints, result)
}

// execute runs a kernel with both values of both conditions, and returns what it stores.
func execute(t *testing.T, module ir.Op) []byte {
	t.Helper()
	var all []byte
	e := interp.New(module)
	e.MaxSteps = 1 << 16
	for bits := range uint64(4) {
		data := bytes.Repeat([]byte{0x77}, 4*maxPlaces)
		scalar := func(d launch.DType, v uint64) launch.Arg { return launch.Arg{Scalar: launch.Scalar{DType: d, Bits: v}} }
		args := []launch.Arg{{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{maxPlaces}, Data: data}}, scalar(launch.I32, 5),
			scalar(launch.I32, 1<<32-3), scalar(launch.I1, bits&1), scalar(launch.I1, bits>>1)}
		if err := e.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}); err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}

// TestCanonicalKernels canonicalises random kernels, which must store the same as before; doing so again must change
// nothing. Every pattern of ifs and selects must have been of use.
func TestCanonicalKernels(t *testing.T) {
	t.Parallel()
	applied := make(map[string]int)
	for seed := range uint64(tier.Count(20, 30)) {
		w := &kernelWriter{r: rand.New(rand.NewPCG(seed, 1))}
		text := w.kernel()
		c := tileir.NewContext()
		module, err := tileir.Read(c, "kernel", []byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		want := execute(t, module)
		res := rewrite.Apply(module, rewrite.Canonical(c), rewrite.Config{})
		for name, n := range res.Applied {
			applied[name] += n
		}
		if err := ir.Verify(module); err != nil {
			t.Fatalf("seed %d: %v\n%s\nbecame\n%s", seed, err, text, asm.String(module))
		}
		if got := execute(t, module); !bytes.Equal(got, want) {
			for i := 0; i < len(got); i += 4 {
				if a, b := binary.LittleEndian.Uint32(got[i:]), binary.LittleEndian.Uint32(want[i:]); a != b {
					t.Errorf("seed %d: place %d is %d, expected %d", seed, i/4%maxPlaces, int32(a), int32(b))
				}
			}
			t.Fatalf("%s\nbecame\n%s", text, asm.String(module))
		}
		if !res.Converged {
			t.Errorf("seed %d: does not converge", seed)
		}
		if again := rewrite.Apply(module, rewrite.Canonical(c), rewrite.Config{}); again.Changed {
			t.Errorf("seed %d: canonicalising once more applies %v, folds %d and erases %d\n%s", seed, again.Applied, again.Folded, again.Erased, text)
		}
	}
	for _, def := range []*ir.OpDef{cudatile.If, cudatile.Select} {
		patterns, _ := rewrite.Canonicalizers.OfDef(def)
		for _, p := range patterns {
			if applied[p.Name] == 0 {
				t.Errorf("pattern %s was never of use", p.Name)
			}
		}
	}
	t.Logf("%v", applied)
}
