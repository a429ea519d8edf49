package pipelining

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// pipelinedCases is how many cases have loops that are pipelined, at least.
const pipelinedCases = 33

var (
	loopHead  = regexp.MustCompile(`^(\s*)(.*\bfor (unsigned )?%\S+ in \()(%\S+) to (%\S+), step (%\S+)(\) : tile<(i\d+)>.*)$`)
	entryHead = regexp.MustCompile(`(?m)^(\s*entry @\w+\(.*?)\)( (?:optimization_hints.*)?\{)$`)
)

// limited is the text of a module whose innermost loops that count run %trips times at most, a parameter behind the
// others. Fewer iterations than the program has touch no memory that it does not.
func limited(t *testing.T, text string) string {
	t.Helper()
	if n := len(entryHead.FindAllString(text, -1)); n != 1 {
		t.Fatalf("%d entries in\n%s", n, text)
	}
	lines := strings.Split(entryHead.ReplaceAllString(text, "$1, %trips: tile<i32>)$2"), "\n")
	var out []string
	for i, line := range lines {
		m := loopHead.FindStringSubmatch(line)
		if m == nil || hasLoop(lines[i+1:], m[1]) {
			out = append(out, line)
			continue
		}
		lower, upper, step, typ, n := m[4], m[5], m[6], "tile<"+m[8]+">", fmt.Sprint(i)
		trips := "%trips"
		if m[8] == "i64" {
			out = append(out, fmt.Sprintf("%%trips%s = exti %%trips signed : tile<i32> -> %s", n, typ))
			trips += n
		}
		sign := "signed"
		if m[3] != "" {
			sign = "unsigned"
		}
		out = append(out, fmt.Sprintf("%%span%s = muli %s, %s : %s", n, trips, step, typ), fmt.Sprintf("%%end%s = addi %s, %%span%s : %s", n, lower, n, typ),
			fmt.Sprintf("%%last%s = mini %s, %%end%s %s : %s", n, upper, n, sign, typ), m[1]+m[2]+lower+" to %last"+n+", step "+step+m[7])
	}
	return strings.Join(out, "\n")
}

// hasLoop reports whether a loop that is so far indented has another one inside.
func hasLoop(body []string, indent string) bool {
	for _, line := range body {
		if strings.HasPrefix(line, indent+"}") {
			return false
		}
		if loopHead.MatchString(line) || strings.Contains(line, "loop ") {
			return true
		}
	}
	return false
}

// TestPipelinedCases: every case of the corpus with a loop that is pipelined gives the same as the program for all
// numbers of iterations from 0 to two times the stages and one, or as many as it has: as PTX, adversarially.
func TestPipelinedCases(t *testing.T) {
	t.Parallel()
	folder, names := corpus.Cases(t)
	var pipelined atomic.Int32
	t.Run("cases", func(t *testing.T) {
		for i, name := range names {
			if !tier.Try(i, 24) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if limitedCase(t, filepath.Join(folder, name)) {
					pipelined.Add(1)
				}
			})
		}
	})
	if n := pipelined.Load(); tier.All() && n < pipelinedCases || n == 0 {
		t.Errorf("%d cases have loops that are pipelined, expected %d at least", n, pipelinedCases)
	}
}

// limitedCase tries a case, and reports whether a loop of it is pipelined.
func limitedCase(t *testing.T, dir string) bool {
	c, err := launch.LoadCase(dir)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.ReadModule()
	if err != nil {
		t.Fatal(err)
	}
	var said, text bytes.Buffer
	read := func(data []byte) ir.Op { return kerneltest.Read(t, &said, c.Name, data) }
	if err := asm.Print(&text, read(data), asm.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(strings.Split(text.String(), "\n"), loopHead.MatchString) {
		return false
	}
	changed := []byte(limited(t, text.String()))
	w := &watch{seen: func(ir.Op) {}}
	result, err := compile.To(context.Background(), read(changed), compile.Options{GPU: "sm_80", OptLevel: 3, Instruments: []pipeline.Instrument{w}})
	if err != nil || w.err != nil {
		t.Fatalf("%v %v\n%s", err, w.err, &said)
	}
	last := -1
	for _, s := range w.shapes {
		last = max(last, 2*(1+s.Prefetch+s.Overlap)+1)
	}
	program := read(changed)
	var before *launch.Request
	for trips := 0; trips <= last; trips++ {
		want := limitedRequest(c, trips)
		if err := interp.New(program).Run(context.Background(), want); err != nil {
			t.Fatalf("%d iterations: %v", trips, err)
		}
		if trips > 1 && same(c, before, want) { // the program has no more
			break
		}
		before = want
		e := kerneltest.Emulator(t, result, c.Entry)
		e.Adversarial, e.Seed = true, uint64(trips)
		got := limitedRequest(c, trips)
		if err := e.Run(context.Background(), got); err != nil {
			t.Fatalf("%d iterations: %v", trips, err)
		}
		for _, x := range c.Expect {
			if x.Segment {
				t.Fatalf("segment %d: this test compares arguments only", x.Arg)
			}
			d, err := launch.Compare(got.Args[x.Arg].Buffer, want.Args[x.Arg].Buffer, x.Tolerance)
			if err != nil || !d.OK() {
				t.Errorf("%d iterations: argument %d: %d of %d elements differ, first element %d: %s (%v)", trips, x.Arg, d.Mismatches, d.Elements, d.First, d.FirstPair, err)
			}
		}
	}
	return last > 0
}

func limitedRequest(c *launch.Case, trips int) *launch.Request {
	req := c.Request()
	req.Args = append(req.Args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(trips)}})
	return req
}

// same reports whether a case leaves the same in its outputs.
func same(c *launch.Case, a, b *launch.Request) bool {
	return !slices.ContainsFunc(c.Expect, func(x launch.Expect) bool {
		return x.Segment || !bytes.Equal(a.Args[x.Arg].Buffer.Data, b.Args[x.Arg].Buffer.Data)
	})
}
