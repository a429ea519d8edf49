package pipeline

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
	"time"
)

// Timing is the instrument that measures passes, and writes MLIR's execution time report. The time of a pass is the
// sum over the operations that it ran on, so that with several workers the sum exceeds what has elapsed.
type Timing struct {
	start time.Time
	mu    sync.Mutex
	times map[*Item]*passTime
	extra []extraTime
}

type passTime struct {
	run, verify time.Duration
	runs        int
}

type extraTime struct {
	name string
	d    time.Duration
}

// NewTiming returns a Timing whose clock for the total starts now.
func NewTiming() *Timing { return &Timing{start: time.Now(), times: make(map[*Item]*passTime)} }

// BeforePass implements Instrument.
func (t *Timing) BeforePass(*Event) {}

// AfterPass implements Instrument.
func (t *Timing) AfterPass(ev *Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	pt := t.times[ev.Item]
	if pt == nil {
		pt = new(passTime)
		t.times[ev.Item] = pt
	}
	pt.run += ev.Elapsed
	pt.verify += ev.Verify
	pt.runs++
}

// Add adds work outside the pipeline, such as "Parser", to the line of that name.
func (t *Timing) Add(name string, d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.extra {
		if t.extra[i].name == name {
			t.extra[i].d += d
			return
		}
	}
	t.extra = append(t.extra, extraTime{name, d})
}

type timingLine struct {
	name  string
	depth int
	d     time.Duration
}

// WriteTree writes the report in the shape of the pipelines that ran.
func (t *Timing) WriteTree(w io.Writer, ps ...*Pipeline) error {
	lines := t.extraLines()
	var walk func(n *OpPipeline, depth int) time.Duration
	walk = func(n *OpPipeline, depth int) (sum time.Duration) {
		at := len(lines)
		lines = append(lines, timingLine{name: "'" + n.Op + "' Pipeline", depth: depth})
		for i := range n.Items {
			it := &n.Items[i]
			if it.Nest != nil {
				sum += walk(it.Nest, depth+1)
				continue
			}
			pt := t.times[it]
			if pt == nil {
				continue
			}
			lines = append(lines, timingLine{it.Pass.DisplayTitle(), depth + 1, pt.run})
			if pt.verify > 0 {
				lines = append(lines, timingLine{"(V) verifier", depth + 2, pt.verify})
			}
			sum += pt.run + pt.verify
		}
		lines[at].d = sum
		return sum
	}
	for _, p := range ps {
		walk(p.Root, 0)
	}
	return t.write(w, lines)
}

// WriteList writes the report as a list of passes, the slowest first.
func (t *Timing) WriteList(w io.Writer) error {
	lines := t.extraLines()
	byName := make(map[string]int)
	add := func(name string, d time.Duration) {
		i, ok := byName[name]
		if !ok {
			i = len(lines)
			byName[name] = i
			lines = append(lines, timingLine{name: name})
		}
		lines[i].d += d
	}
	for it, pt := range t.times {
		add(it.Pass.DisplayTitle(), pt.run)
		if pt.verify > 0 {
			add("(V) verifier", pt.verify)
		}
	}
	sort.Slice(lines, func(i, j int) bool {
		if lines[i].d != lines[j].d {
			return lines[i].d > lines[j].d
		}
		return lines[i].name < lines[j].name
	})
	return t.write(w, lines)
}

func (t *Timing) extraLines() (lines []timingLine) {
	for _, e := range t.extra {
		lines = append(lines, timingLine{name: e.name, d: e.d})
	}
	return lines
}

const reportRule = "===-------------------------------------------------------------------------==="

func (t *Timing) write(w io.Writer, lines []timingLine) error {
	total := time.Since(t.start)
	rest := total
	for _, l := range lines {
		if l.depth == 0 {
			rest -= l.d
		}
	}
	if rest > 0 {
		lines = append(lines, timingLine{name: "Rest", d: rest})
	}
	lines = append(lines, timingLine{name: "Total", d: total})
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s\n%25s... Execution time report ...\n%s\n", reportRule, "", reportRule)
	fmt.Fprintf(&sb, "  Total Execution Time: %.4f seconds\n\n", total.Seconds())
	sb.WriteString("  ----Wall Time----  ----Name----\n")
	for _, l := range lines {
		share := 0.0
		if total > 0 {
			share = 100 * float64(l.d) / float64(total)
		}
		fmt.Fprintf(&sb, "  %8.4f (%5.1f%%)  %s%s\n", l.d.Seconds(), share, strings.Repeat("  ", l.depth), l.name)
	}
	_, err := io.WriteString(w, sb.String())
	return err
}
