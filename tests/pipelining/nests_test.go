package pipelining

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A nested is a kernel with a loop over tiles, and a loop in it that accumulates MMAs: testdata/nests/NAME.mlir. Its
// parameters are an output, three inputs, a table of i32, the bounds and the step of the outer loop, and how many steps
// the inner one takes.
type nested struct {
	name  string
	chain bool   // of two MMAs, whose copies may start apart
	stays string // why the copies cannot go ahead; empty: they do
}

var nestedKernels = []nested{
	{name: "tile_by_division"},
	{name: "steps_by_tile"},
	{name: "loop_carried_tile"},
	{name: "tile_from_a_table"},
	{name: "mma_chain", chain: true},
	{name: "loads_after_stores", stays: "its copies depend on the result of 'nv_tileas.tiled_store' in the previous iteration"},
}

func (k nested) text(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "nests", k.name+".mlir"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A nestLaunch is how often the outer loop of a nest runs, and how many steps the inner one takes.
type nestLaunch struct{ lower, upper, step, steps int64 }

func (k nested) request(t *testing.T, c nestLaunch) *launch.Request {
	t.Helper()
	args := []launch.Arg{kerneltest.Buffer(t, launch.F32, 704*32, func(int) int64 { return 77 })}
	for j := range 3 {
		args = append(args, kerneltest.Buffer(t, launch.F16, 304*96, func(i int) int64 { return int64((i*(7+2*j)+i/37+i/701*5)%3 - 1) }))
	}
	args = append(args, kerneltest.Buffer(t, launch.I32, 16, func(i int) int64 { return int64(i * i % 3) }))
	for _, v := range []int64{c.lower, c.upper, c.step, c.steps} {
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: kerneltest.Bits(t, launch.I32, v)}})
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}
}

// nestLaunches are outer loops of no iteration to twice the stages and one, with inner ones of as many steps.
func nestLaunches(stages int) (out []nestLaunch) {
	for outer := range int64(2*stages + 2) {
		for steps := range int64(2*stages + 2) {
			if outer > 2 && (steps+outer)%5 != 0 { // all have been seen by then
				continue
			}
			c := nestLaunch{1, 1 + outer*2, 2, steps}
			switch (outer + steps) % 3 {
			case 1:
				c = nestLaunch{0, outer, 1, steps}
			case 2: // a last step that goes beyond the bound
				c = nestLaunch{1, 1 + outer*3 - min(outer, 1), 3, steps}
			}
			out = append(out, c)
		}
	}
	return out
}

// A nestWatch executes the module behind the expansion of loops, and counts the nests that the schedule made.
type nestWatch struct {
	behind func(module ir.Op)
	ahead  int
}

func (w *nestWatch) Serial() bool { return true }

func (w *nestWatch) BeforePass(*pipeline.Event) {}

func (w *nestWatch) AfterPass(ev *pipeline.Event) {
	if ev.Err != nil {
		return
	}
	switch ev.Item.Pass.Name {
	case "tileas-schedule-loops":
		ev.Op.Walk(func(op ir.Op) ir.WalkResult {
			if op.HasUnitAttr(tileas.AttrFillAhead) {
				w.ahead++
			}
			return ir.Advance
		})
	case "tileas-pipeline-loops":
		w.behind(ev.Root)
	}
}

// TestPipelinedNests: loops in loops give the same as in the program, for few and many iterations of both, in the interpreter
// behind the expansion, where races are looked for too, and as PTX, in order and adversarially.
func TestPipelinedNests(t *testing.T) {
	t.Parallel()
	for n, k := range nestedKernels {
		if !tier.Try(n, 3) {
			continue
		}
		for i, what := range []string{"prefetch=1 at-once=1", "prefetch=2 at-once=1", "prefetch=3 at-once=2", "prefetch=1 at-once=2", "staggered=true"} {
			if apart := what == "staggered=true"; apart && !k.chain || !tier.All() && i > 1 && !apart || !k.chain && k.name != nestedKernels[0].name && i > 0 {
				continue
			}
			t.Run(k.name+"/"+what, func(t *testing.T) {
				t.Parallel()
				k.run(t, what)
			})
		}
	}
}

func (k nested) run(t *testing.T, what string) {
	var said bytes.Buffer
	read := func() ir.Op { return kerneltest.Read(t, &said, "k.mlir", k.text(t)) }
	program := read()
	all := nestLaunches(2 + strings.Count(what, "2") + 2*strings.Count(what, "3"))
	want := make([]*launch.Request, len(all))
	for i, c := range all {
		if !tier.Try(i, 9) {
			continue
		}
		want[i] = k.request(t, c)
		if err := interp.New(program).Run(context.Background(), want[i]); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
	}
	compare := func(engine string, e launch.Engine, i int) {
		t.Helper()
		kerneltest.RunAndCompare(t, fmt.Sprintf("%s, %+v", engine, all[i]), e, k.request(t, all[i]), 0, want[i].Args[0].Buffer)
	}
	w := &nestWatch{behind: func(m ir.Op) {
		for i := range all {
			if !tier.Try(i, 9) {
				continue
			}
			e := interp.New(m)
			e.Adversarial, e.Races = i%4 != 0, true
			compare("tileas behind the expansion", e, i)
		}
	}}
	result, err := compile.To(context.Background(), read(), compile.Options{GPU: "sm_80", OptLevel: 3, Decisions: true, Instruments: []pipeline.Instrument{w},
		PassOptions: map[string]string{"tileas-schedule-loops": what}})
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	switch {
	case k.stays == "" && w.ahead == 0:
		t.Errorf("the loop inside is not filled ahead\n%s", &said)
	case k.stays != "" && (w.ahead > 0 || !strings.Contains(said.String(), k.stays)):
		t.Errorf("%d loops are filled ahead; want none, and '%s'\n%s", w.ahead, k.stays, &said)
	}
	for i := range all {
		if !tier.Try(i, 9) {
			continue
		}
		e := kerneltest.Emulator(t, result, "k")
		e.Adversarial, e.Seed = i%5 != 0, uint64(i)
		compare(fmt.Sprintf("ptx, seed %d", i), e, i)
	}
}
