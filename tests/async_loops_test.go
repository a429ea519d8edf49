package tests

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// lowered runs passes over a kernel and returns the module.
func (k asyncLoop) lowered(t *testing.T, passes ...string) (m ir.Op, said string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "k.mlir")
	if err := os.WriteFile(path, []byte(k.text()), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := append(passes, "--tileas-allocate-shared", "--tileas-insert-barriers", "--gpu-name=sm_90", "--remarks", path)
	if status := opttool.TileOpt().Main(args, strings.NewReader(""), &out, &errs); status != 0 {
		t.Fatalf("status %d\n%s", status, &errs)
	}
	return readSaying(t, &errs, "k.mlir", out.Bytes()), errs.String()
}

// request is a launch whose loop counts so far. Numbers are small, so that all sums are exact.
func (k asyncLoop) request(t *testing.T, lower, step, trips int) *launch.Request {
	t.Helper()
	args := []launch.Arg{pipedBuffer(t, launch.F32, 64*64, func(int) int64 { return 77 })}
	for j := range 2 {
		args = append(args, pipedBuffer(t, launch.F16, 704*64, func(i int) int64 { return int64((i*(7+2*j)+i/37+i/701*5)%3 - 1) }))
	}
	for _, v := range []int{lower, lower + trips*step - min(1, trips)*(step-1), step} {
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(uint32(int32(v)))}})
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}
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

// TestAsyncLoops: loops of asynchronous products give the same when they are pipelined, however far copies run ahead and whether iterations compute at once, for numbers of iterations up to two times the stages
// and one; in order, and with everything that is asynchronous as late as may be.
func TestAsyncLoops(t *testing.T) {
	t.Parallel()
	for i, k := range asyncLoops {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			plain, _ := k.lowered(t)
			wants := make(map[int]*launch.Request) // by the number of iterations
			shapes := []asyncShape{{"lead=1", 5}, {"lead=2", 7}, {"lead=3 at-once=1", 9}, {"lead=1 at-once=2", 7}, {"", 9}}
			if k.apart {
				shapes = append(shapes, asyncShape{"apart=true", 5})
			}
			for _, shape := range shapes {
				m, said := k.lowered(t, "--tileas-defer-waits", "--tileas-schedule-loops="+shape.what, "--tileas-pipeline-loops", "--canonicalize")
				if !strings.Contains(said, "loop is pipelined") {
					t.Fatalf("%s: the loop is not pipelined:\n%s", shape.what, said)
				}
				if ahead := strings.Contains(said, "pipelined across the loop inside"); ahead != (k.behind != "") && shape.what == "lead=2" {
					t.Errorf("filled in the run before: %v\n%s", ahead, said)
				}
				if got := waitsIn(m); shape.what == "lead=2" && got != k.waits {
					t.Errorf("waits leave %q under way, want %q", got, k.waits)
				}
				for trips := range shape.last + 1 {
					if trips > 3 && trips < shape.last-1 && trips%2 == len(shape.what)%2 { // between few and many
						continue
					}
					if wants[trips] == nil {
						wants[trips] = k.request(t, 1, 2, trips)
						if err := interp.New(plain).Run(context.Background(), wants[trips]); err != nil {
							t.Fatalf("%d iterations: %v\n%s", trips, err, k.text())
						}
					}
					for _, late := range []bool{false, true} {
						if !late && trips != 1+len(shape.what)%3 {
							continue
						}
						e := interp.New(m)
						e.Threads, e.Adversarial = true, late
						leaves(t, fmt.Sprintf("%s, %d iterations, late %v", shape.what, trips, late), e, k.request(t, 1, 2, trips), 0, wants[trips].Args[0].Buffer)
					}
				}
			}
		})
	}
}
