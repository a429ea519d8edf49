package pipelining

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/internal/testing/tileaskernel"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// An asyncLoop is a kernel in testdata whose loop multiplies asynchronously. Its parameters are an output of 64x64 f32,
// two inputs of f16, and the bounds of the loop.
type asyncLoop struct {
	file string
	// waits are those for MMAs in the loop when copies run two iterations ahead, in their order: how many MMAs each
	// leaves in flight.
	waits     string
	staggered bool // copies may start apart
	refilled  bool // copies for the next run of the loop begin before this one ends
}

var asyncLoops = []asyncLoop{
	{file: "mma_chain", waits: "1"},
	{file: "mma_chain_of_two", waits: "2"},
	{file: "two_mma_chains", waits: "2"},
	{file: "operand_also_loaded", waits: "0"},
	{file: "accumulator_used", waits: "0"},
	{file: "attention", waits: "0 0", staggered: true},
	{file: "stored_operand", waits: "0"},
	{file: "tma_mma_chain", waits: "1"},
	{file: "tma_two_mbarriers", waits: "1"},
	{file: "tma_and_cp_async", waits: "1"},
	{file: "tma_and_cp_async_before", waits: "1"},
	{file: "tma_attention", waits: "0 0", staggered: true},
	{file: "nested_mma_chain", waits: "1 0"},
	{file: "nested_tma_mma_chain", waits: "1 0"},
	{file: "refilled_tma_mma_chain", waits: "1 0 0", refilled: true},
	{file: "refilled_tma_mma_branch", waits: "1 0", refilled: true},
	{file: "refilled_tma_two_mbarriers", waits: "1 0 0", refilled: true},
}

// lowered runs passes over a kernel and returns the module.
func (k asyncLoop) lowered(t *testing.T, passes ...string) (m ir.Op, said string) {
	t.Helper()
	var out, errs bytes.Buffer
	args := append(passes, "--tileas-allocate-shared", "--tileas-insert-barriers", "--gpu-name=sm_90", "--remarks", filepath.Join("testdata", k.file+".mlir"))
	if status := opttool.TileOpt().Main(args, strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("status %d\n%s", status, &errs)
	}
	return kerneltest.Read(t, &errs, "k.mlir", out.Bytes()), errs.String()
}

// waitsIn returns what waits for products in the loop of turns leave under way.
func waitsIn(m ir.Op) string {
	var out []string
	m.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.DotWait) && !op.ParentOp().IsNil() && op.ParentOp().Is(scf.For) {
			n, _ := op.IntAttr(tileas.AttrPending)
			out = append(out, fmt.Sprint(n))
		}
		return ir.Advance
	})
	return strings.Join(out, " ")
}

// An asyncShape is options of tileas-schedule-loops, and up to how many iterations loops of such a shape are run.
type asyncShape struct {
	what string
	last int
}

// TestPipelinedAsyncMMA: loops of asynchronous products give the same when they are pipelined, however far copies run ahead
// and whether iterations compute at once, for numbers of iterations up to two times the stages and one; in order, and
// with everything that is asynchronous as late as may be.
func TestPipelinedAsyncMMA(t *testing.T) {
	t.Parallel()
	for i, k := range asyncLoops {
		if !tier.Try(i, 9) {
			continue
		}
		t.Run(k.file, func(t *testing.T) {
			t.Parallel()
			plain, _ := k.lowered(t)
			wants := make(map[int]*launch.Request) // by the number of iterations
			shapes := []asyncShape{{"prefetch=1", 5}, {"prefetch=2", 7}, {"prefetch=3 at-once=1", 9}, {"prefetch=1 at-once=2", 7}, {"", 9}}
			if k.staggered {
				shapes = append(shapes, asyncShape{"staggered=true", 5})
			}
			for _, shape := range shapes {
				m, said := k.lowered(t, "--tileas-keep-mma-in-flight", "--tileas-schedule-loops="+shape.what, "--tileas-pipeline-loops", "--canonicalize")
				if !strings.Contains(said, "loop pipelined") {
					t.Fatalf("%s: the loop is not pipelined:\n%s", shape.what, said)
				}
				if ahead := strings.Contains(said, "outer loop pipelined"); ahead != (k.refilled) && shape.what == "prefetch=2" {
					t.Errorf("filled in the run before: %v\n%s", ahead, said)
				}
				if got := waitsIn(m); shape.what == "prefetch=2" && got != k.waits {
					t.Errorf("waits leave %q under way, want %q", got, k.waits)
				}
				for trips := range shape.last + 1 {
					if trips > 3 && trips < shape.last-1 && trips%2 == len(shape.what)%2 { // between few and many
						continue
					}
					if wants[trips] == nil {
						wants[trips] = tileaskernel.LoopRequest(t, 1, 2, trips)
						if err := interp.New(plain).Run(context.Background(), wants[trips]); err != nil {
							t.Fatalf("%d iterations: %v", trips, err)
						}
					}
					for _, late := range []bool{false, true} {
						if !late && trips != 1+len(shape.what)%3 {
							continue
						}
						e := interp.New(m)
						e.Threads, e.Adversarial = true, late
						kerneltest.RunAndCompare(t, fmt.Sprintf("%s, %d iterations, late %v", shape.what, trips, late), e, tileaskernel.LoopRequest(t, 1, 2, trips), 0, wants[trips].Args[0].Buffer)
					}
				}
			}
		})
	}
}
