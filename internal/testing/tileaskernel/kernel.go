package tileaskernel

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// LoopRequest is a launch of a kernel @k with an output of 64x64 f32, two inputs of f16 and the bounds of its loop,
// which runs so many iterations. Numbers are small, so that all accumulators are exact.
func LoopRequest(t *testing.T, lower, step, trips int) *launch.Request {
	t.Helper()
	args := []launch.Arg{kerneltest.Buffer(t, launch.F32, 64*64, func(int) int64 { return 77 })}
	for j := range 2 {
		args = append(args, kerneltest.Buffer(t, launch.F16, 704*64, func(i int) int64 { return int64((i*(7+2*j)+i/37+i/701*5)%3 - 1) }))
	}
	for _, v := range []int{lower, lower + trips*step - min(1, trips)*(step-1), step} {
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: uint64(uint32(int32(v)))}})
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}
}

// The passes of the level after the kernel as written, and those that lower it to PTX.
const (
	Placing  = "tileas-allocate-shared,tileas-insert-barriers"
	Lowering = "convert-tileas-to-nvvm,nvvm.func(nvvm-expand-math,nvvm-legalize-arith),emit-ptx"
)

// A Kernel is a kernel of nv_tileas and how it is lowered; no GPU is sm_80.
type Kernel struct {
	GPU        string
	Text       string
	TensorMaps contract.TensorMaps
}

// Run runs a pipeline of passes on the kernel, or on the module from a conversion on.
func (k Kernel) Run(m ir.Op, names string) (*pipeline.Result, error) {
	text := "builtin.module(nv_tileas.func(" + names + "))"
	if strings.HasPrefix(names, "convert") {
		text = "builtin.module(" + names + ")"
	}
	p, err := pipeline.Parse(passes.Default, text)
	if err != nil {
		return nil, err
	}
	gpu := k.GPU
	if gpu == "" {
		gpu = "sm_80"
	}
	manager := pipeline.Manager{Target: &passes.Target{GPU: gpu, TensorMaps: k.TensorMaps}}
	return manager.Run(context.Background(), p, m)
}

// PTX is the code of a kernel whose shared memory is placed, and how it is launched.
func (k Kernel) PTX(m ir.Op) ([]byte, *nvvmtoptx.Launch, error) {
	result, err := k.Run(m, Lowering)
	if err != nil {
		return nil, nil, err
	}
	text, _ := result.Artifacts[nvvmtoptx.PTXArtifact].(passes.Text)
	described, _ := result.Artifacts[nvvmtoptx.LaunchArtifact].(*nvvmtoptx.Launch)
	return text, described, nil
}

// Lower is PTX where an error ends the test.
func (k Kernel) Lower(t *testing.T, m ir.Op, said *bytes.Buffer) ([]byte, *nvvmtoptx.Launch) {
	t.Helper()
	text, described, err := k.PTX(m)
	if err != nil {
		t.Fatalf("%s: %v\n%s", k.GPU, err, said)
	}
	return text, described
}
