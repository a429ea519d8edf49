package pipelining

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

// request is a launch of a kernel whose loop counts so far. Inputs are small integers, so that all sums are exact;
// some of them differ from their neighbours in every direction.
func (k counted) request(t *testing.T, c counting, trips int) *launch.Request {
	t.Helper()
	buffer := func(elem string, n int, value func(i int) int64) launch.Arg {
		d := kerneltest.Types[elem]
		b := &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, d.Bytes(n))}
		for i := range n {
			d.Store(b.Data, i, kerneltest.Bits(t, d, value(i)))
		}
		return launch.Arg{Buffer: b}
	}
	args := []launch.Arg{buffer(k.out, k.results, func(int) int64 { return 77 })}
	for j, elem := range k.inputs {
		n := 704 * 32
		if elem == "i32" && j == 0 {
			n = 64 * 512
		}
		made, _ := countedInputs.LoadOrStore(fmt.Sprint(elem, j), sync.OnceValue(func() launch.Arg { // inputs are only read, so that launches share them
			return buffer(elem, n, func(i int) int64 { return int64((i*(7+2*j)+i/37+i/701*5)%3 - 1) })
		}))
		args = append(args, made.(func() launch.Arg)())
	}
	for _, v := range []int64{c.lower, c.upper(trips), c.step} {
		d := kerneltest.Types[c.typ]
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: d, Bits: kerneltest.Bits(t, d, v)}})
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}
}

var countedInputs sync.Map // from the type and the place of a parameter

// A watch executes the module behind the expansion of loops, and notes the shape that their schedules had.
type watch struct {
	seen   func(module ir.Op)
	shapes []schedule.Shape
	err    error
}

func (w *watch) Serial() bool { return true }

func (w *watch) BeforePass(*pipeline.Event) {}

func (w *watch) AfterPass(ev *pipeline.Event) {
	if ev.Err != nil {
		return
	}
	switch ev.Item.Pass.Name {
	case "tileas-schedule-loops":
		arch, err := sm.Lookup("sm_80")
		if err != nil {
			w.err = err
			return
		}
		model := price.NewModel(arch, max(1, contract.KernelSpecOf(ev.Op).NumWarps))
		ev.Op.Walk(func(op ir.Op) ir.WalkResult {
			a := tileas.ScheduleOf(op)
			if a == nil {
				return ir.Advance
			}
			g, err := ddg.Build(op, model)
			if err != nil {
				w.err = err
				return ir.Interrupt
			}
			s, err := schedule.ShapeOf(g, a)
			w.shapes, w.err = append(w.shapes, s), err
			return ir.Advance
		})
	case "tileas-pipeline-loops":
		w.seen(ev.Root)
	}
}

// TestPipelinedTripCounts: pipelined loops give the same as the loops of the program, for all numbers of iterations
// up to two times the stages and one, however far the copies run ahead and whether iterations compute at once: in the
// interpreter behind the expansion, and as PTX, in order and adversarially.
func TestPipelinedTripCounts(t *testing.T) {
	t.Parallel()
	for n, k := range countedKernels {
		for i, c := range countings {
			if !tier.Try(n, 3) || !tier.Try(i, 9) {
				continue
			}
			t.Run(k.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				overlapped := false
				for _, lead := range []int{1, 2, 3, 4} {
					for _, atOnce := range []int{1, 2} {
						if !tier.Try(lead+atOnce, 3) || i > 1 && (lead != 1+i%4 || atOnce != 2) { // the ways of counting do not depend on the shape much
							continue
						}
						overlapped = k.try(t, c, lead, atOnce) || overlapped
					}
				}
				if k.phases > 0 {
					if s, said := k.run(t, c, "staggered=true", 2*2+1); !s.Staggered || s.Prefetch != 1 || s.Overlap != 0 {
						t.Errorf("copies are not staggered: the schedule is of shape %+v\n%s", s, said)
					}
				}
				if k.overlaps && !overlapped {
					t.Errorf("no schedule has overlapping iterations")
				}
			})
		}
	}
}

// try compiles a kernel with a schedule of a shape and compares. It reports whether iterations compute at once.
func (k counted) try(t *testing.T, c counting, lead, atOnce int) bool {
	t.Helper()
	s, said := k.run(t, c, fmt.Sprintf("prefetch=%d at-once=%d", lead, atOnce), 2*(lead+atOnce)+1)
	// Where loads take most of the time, all that computes may stand a turn later rather than in two.
	if s.Prefetch < lead || s.Prefetch+s.Overlap >= lead+atOnce {
		t.Fatalf("lead %d, %d at once: the schedule is of shape %+v\n%s", lead, atOnce, s, said)
	}
	return s.Overlap > 0
}

// TestSchedulersAgree: all schedulers there are, that of the plugin too, pipeline the kernels, which then give the same.
func TestSchedulersAgree(t *testing.T) {
	t.Parallel()
	shapes := make(map[string]bool)
	last := 3
	if tier.All() {
		last = 7
	}
	for _, name := range schedule.Names() {
		for n, k := range countedKernels {
			if !tier.Try(n, 3) {
				continue
			}
			s, _ := k.run(t, countings[1], "scheduler="+name, last)
			shapes[fmt.Sprint(name, k.name, s)] = true
			if name == "serial" && (s.Prefetch != 1 || s.Overlap != 0) {
				t.Errorf("serial: %s: shape %+v", k.name, s)
			}
		}
	}
	if tier.All() && len(shapes) != len(schedule.Names())*len(countedKernels) {
		t.Errorf("schedules are alike: %v", shapes)
	}
	var said bytes.Buffer
	args := []string{"--lower-to=loops-scheduled", "--gpu-name=sm_80", "--schedule=exact", "--remarks", "-o", filepath.Join(t.TempDir(), "out.mlir"), filepath.Join(corpus.Dir(t), "cases", "fmha_full_f16", "k.tileirbc")}
	if status := opttool.TileOpt().Main(args, strings.NewReader(""), &said, &said); status != 0 || !strings.Contains(said.String(), "more than the 25 that exact takes, so that iterative placed it") {
		t.Errorf("a body that is too large: status %d\n%s", status, &said)
	}
}

// run compiles a kernel with a scheduler of these options and compares, up to so many iterations. It returns the
// shape of the schedule and the remarks.
func (k counted) run(t *testing.T, c counting, what string, last int) (schedule.Shape, string) {
	t.Helper()
	var said bytes.Buffer
	read := func() ir.Op { return kerneltest.Read(t, &said, "k.mlir", []byte(k.text(t, c))) }
	program := read()
	want := make([]*launch.Request, last+1)
	for trips := range want {
		want[trips] = k.request(t, c, trips)
		if err := interp.New(program).Run(context.Background(), want[trips]); err != nil {
			t.Fatalf("%d iterations: %v\n%s", trips, err, k.text(t, c))
		}
	}
	compare := func(engine string, e launch.Engine, trips int) {
		t.Helper()
		kerneltest.RunAndCompare(t, fmt.Sprintf("%s, %s, %d iterations", what, engine, trips), e, k.request(t, c, trips), 0, want[trips].Args[0].Buffer)
	}
	w := &watch{seen: func(m ir.Op) {
		for trips := range want {
			for _, late := range []bool{false, true} {
				if !late && trips%3 != 1 {
					continue
				}
				e := interp.New(m)
				e.Adversarial = late
				compare(fmt.Sprintf("tileas behind the expansion, late %v", late), e, trips)
			}
		}
	}}
	result, err := compile.To(context.Background(), read(), compile.Options{GPU: "sm_80", OptLevel: 3, Decisions: true, Instruments: []pipeline.Instrument{w},
		PassOptions: map[string]string{"tileas-schedule-loops": what}})
	if err != nil || w.err != nil {
		t.Fatalf("%s: %v %v\n%s", what, err, w.err, &said)
	}
	// The loop may have a fast version, which the numbers of iterations that fill the tiles run.
	if len(w.shapes) < 1 || len(w.shapes) > 2 {
		t.Fatalf("%s: schedules are of shapes %+v\n%s", what, w.shapes, &said)
	}
	for trips := range want {
		for seed := range uint64(2) {
			if seed == 0 && trips%3 != 0 { // in order is one of the orders that the others choose from
				continue
			}
			e := kerneltest.Emulator(t, result, "k")
			e.Adversarial, e.Seed = seed > 0, seed+uint64(trips)
			compare(fmt.Sprintf("ptx, seed %d", seed), e, trips)
		}
	}
	return w.shapes[0], said.String()
}
