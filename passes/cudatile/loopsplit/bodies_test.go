package loopsplit_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A bodyWriter writes kernels of random loops over numbers of eight bits: comparisons of every kind, of counters and
// of what the loops carry, ifs that test them, side by side or in each other, with results, stores and continues.
type bodyWriter struct {
	r      *rand.Rand
	out    strings.Builder
	next   int
	places int // that the text stores to
}

const maxPlaces = 512

var orders = []string{"signed", "unsigned"}

// A place in a kernel has values of each type that can be used there.
type place struct {
	depth, loops int
	words, small []string // of 32 and of 8 bits
	counters     []string
	truths       []string
	order        string // that the loop around compares in
}

func (p *place) inner() *place {
	q := *p
	q.depth++
	for _, list := range []*[]string{&q.words, &q.small, &q.counters, &q.truths} {
		*list = (*list)[:len(*list):len(*list)]
	}
	return &q
}

func (w *bodyWriter) line(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

func (w *bodyWriter) name() string {
	w.next++
	return fmt.Sprintf("%%v%d", w.next)
}

func (w *bodyWriter) pick(list []string) string { return list[w.r.IntN(len(list))] }

func (w *bodyWriter) byteConstant(v int8) string {
	n := w.name()
	w.line("%s = constant <i8: %d> : tile<i8>", n, v)
	return n
}

func (w *bodyWriter) kernel() string {
	w.line("cuda_tile.module @m {\nentry @k(%%out: tile<ptr<i32>>, %%p0: tile<i8>, %%p1: tile<i8>, %%p2: tile<i8>, %%p3: tile<i8>, %%c: tile<i1>) {")
	p := &place{small: []string{"%p0", "%p1", "%p2", "%p3"}, truths: []string{"%c"}}
	for _, v := range interesting[w.r.IntN(4):] {
		p.small = append(p.small, w.byteConstant(v))
	}
	word := w.name()
	w.line("%s = constant <i32: 65599> : tile<i32>", word)
	p.words = []string{word}
	for range 1 + w.r.IntN(2) {
		w.loop(p)
	}
	w.line("return\n}\n}")
	return w.out.String()
}

func (w *bodyWriter) loop(p *place) {
	q := p.inner()
	q.loops++
	steps := []int8{1, 1, 1, 2, 3, 7, 100, 127}
	if p.loops > 0 {
		steps = []int8{50, 64, 100, 127} // few iterations of what is inside others
	}
	step := w.byteConstant(steps[w.r.IntN(len(steps))])
	result, i, a, b := w.name(), w.name(), w.name(), w.name()
	q.order = orders[w.r.IntN(2)]
	w.line("%s:2 = for %s %s in (%s to %s, step %s) : tile<i8> iter_values(%s = %s, %s = %s) -> (tile<i32>, tile<i8>) {", result, strings.TrimPrefix(q.order, "signed"), i,
		w.pick(p.small), w.pick(p.small), step, a, w.pick(p.words), b, w.pick(p.small))
	x, y, z := w.name(), w.name(), w.name()
	w.line("%s = exti %s signed : tile<i8> -> tile<i32>\n%s = muli %s, %s : tile<i32>\n%s = addi %s, %s : tile<i32>", x, i, y, a, p.words[0], z, x, y)
	q.words, q.small, q.counters = append(q.words, a, z), append(q.small, b, i), append(q.counters, i, i, i)
	w.statements(q)
	w.line("continue %s, %s : tile<i32>, tile<i8>\n}", q.words[len(q.words)-1], w.pick(q.small))
	p.words, p.small = append(p.words, result+"#0"), append(p.small, result+"#1")
	w.store(p)
}

func (w *bodyWriter) statements(p *place) {
	for range 1 + w.r.IntN(4) {
		switch k := w.r.IntN(12); {
		case k < 3:
			w.compare(p)
		case k < 4:
			w.compute(p)
		case k < 5:
			w.store(p)
		case k < 6 && p.loops < 3 && p.depth < 5:
			w.loop(p)
		case p.depth < 5:
			w.branch(p)
		}
	}
}

func (w *bodyWriter) compute(p *place) {
	n := w.name()
	if w.r.IntN(4) == 0 {
		w.line("%s = exti %s unsigned : tile<i1> -> tile<i32>", n, w.pick(p.truths))
	} else {
		w.line("%s = %s %s, %s : tile<i32>", n, []string{"addi", "subi", "muli", "xori"}[w.r.IntN(4)], p.words[len(p.words)-1], w.pick(p.words))
	}
	p.words = append(p.words, n)
}

func (w *bodyWriter) compare(p *place) {
	predicates := []string{"less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal", "equal", "not_equal"}
	n, x, y := w.name(), w.pick(p.counters), w.pick(p.small)
	if w.r.IntN(2) == 0 {
		x, y = y, x
	}
	order := p.order
	if w.r.IntN(6) == 0 {
		order = orders[w.r.IntN(2)]
	}
	w.line("%s = cmpi %s %s, %s, %s : tile<i8> -> tile<i1>", n, w.pick(predicates), x, y, order)
	p.truths = append(p.truths, n)
}

func (w *bodyWriter) store(p *place) {
	if w.places == maxPlaces {
		return
	}
	i, at := w.name(), w.name()
	w.line("%s = constant <i32: %d> : tile<i32>\n%s = offset %%out, %s : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>", i, w.places, at, i)
	w.line("%s = store_ptr_tko weak %s, %s : tile<ptr<i32>>, tile<i32> -> token", w.name(), at, p.words[len(p.words)-1])
	w.places++
}

func (w *bodyWriter) branch(p *place) {
	if w.r.IntN(2) == 0 {
		w.compare(p)
	}
	cond := p.truths[max(0, len(p.truths)-1-w.r.IntN(3))]
	n := w.name()
	hint := ""
	if w.r.IntN(8) == 0 {
		hint = fmt.Sprintf(" {cuda_tile.loop_split = %d}", w.r.IntN(3))
	}
	if w.r.IntN(3) == 0 {
		w.line("if %s {", cond)
		w.arm(p, "")
		if w.r.IntN(2) == 0 {
			w.line("} else {")
			w.arm(p, "")
		}
		w.line("}%s", hint)
		return
	}
	w.line("%s = if %s -> (tile<i32>) {", n, cond)
	w.arm(p, "tile<i32>")
	w.line("} else {")
	w.arm(p, "tile<i32>")
	w.line("}%s", hint)
	p.words = append(p.words, n)
}

func (w *bodyWriter) arm(p *place, result string) {
	q := p.inner()
	if w.r.IntN(4) > 0 {
		w.compute(q)
		w.statements(q)
	}
	switch last := q.words[len(q.words)-1]; {
	case w.r.IntN(5) == 0:
		w.line("continue %s, %s : tile<i32>, tile<i8>", last, w.pick(q.small))
	case result != "":
		w.line("yield %s : %s", last, result)
	default:
		w.line("yield")
	}
}

// stores returns what a kernel leaves in memory.
func stores(t *testing.T, m runnable, args [4]int8, c uint64) []byte {
	t.Helper()
	data := bytes.Repeat([]byte{0x77}, 4*maxPlaces)
	list := []launch.Arg{{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{maxPlaces}, Data: data}}}
	for _, v := range args {
		list = append(list, launch.Arg{Scalar: launch.Scalar{DType: launch.I8, Bits: uint64(uint8(v))}})
	}
	list = append(list, launch.Arg{Scalar: launch.Scalar{DType: launch.I1, Bits: c}})
	if err := m.engine.Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: list}); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, asm.String(m.module))
	}
	return data
}

// TestSplitBodiesAgree splits random loops, again and again until nothing is left to split, and demands that they store
// what they did before.
func TestSplitBodiesAgree(t *testing.T) {
	t.Parallel()
	splits, more, runs := int64(0), int64(0), 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		w := &bodyWriter{r: r}
		text := w.kernel()
		before, after := parse(t, text), parse(t, text)
		n := split(t, after, "")
		again := parse(t, asm.String(after))
		m := split(t, again, "")
		splits, more = splits+n, more+m
		if n == 0 {
			continue
		}
		original, results := runnableOf(before), []runnable{runnableOf(after), runnableOf(again)}
		for range 6 {
			var args [4]int8
			for i := range args {
				args[i] = interesting[r.IntN(len(interesting))]
			}
			c := r.Uint64N(2)
			want := stores(t, original, args, c)
			for _, result := range results {
				if !bytes.Equal(stores(t, result, args, c), want) {
					t.Fatalf("seed %d, %v: stores differ\n%s\nbecame\n%s", seed, args, text, asm.String(result.module))
				}
			}
			runs++
		}
	}
	t.Logf("%d splits, %d more in what came out, %d runs", splits, more, runs)
	if splits < 100 || more < 40 || runs < 500 {
		t.Errorf("only %d loops were split, %d again, and %d runs compared", splits, more, runs)
	}
}
