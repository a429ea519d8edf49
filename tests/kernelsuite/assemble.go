package kernelsuite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tileaskernel"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// assemble assembles the code of a file for several targets.
func assemble(args []string, _, stderr io.Writer) error {
	flags := pflag.NewFlagSet("assemble", pflag.ContinueOnError)
	gpus := flags.StringSlice("gpu-name", nil, "the targets")
	since := flags.String("since", "", "all targets from this one on")
	program := flags.String("ptxas", "", "the path of ptxas")
	maps := contract.TensorMaps("")
	flags.Var(&maps, "tensor-maps", "who makes tensor maps")
	spills := flags.Bool("spills", false, "registers may be spilled")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for i, name := range sm.Names() {
		if name == *since {
			*gpus = append(*gpus, sm.Names()[i:]...)
		}
	}
	if len(*gpus) == 0 || *program == "" {
		return errors.New("no targets, or no ptxas")
	}
	a := assembly{tool: &ptxas.Tool{Path: *program}, file: flags.Arg(0), maps: maps, spills: *spills, stderr: stderr}
	for _, gpu := range *gpus {
		if err := a.try(gpu); err != nil {
			return fmt.Errorf("%s: %w", gpu, err)
		}
	}
	return nil
}

// An assembly is a file whose code is assembled.
type assembly struct {
	tool   *ptxas.Tool
	file   string
	maps   contract.TensorMaps
	spills bool // are no error
	stderr io.Writer
}

func (a *assembly) try(gpu string) error {
	text, err := os.ReadFile(a.file)
	if err != nil {
		return err
	}
	code, described, err := a.compile(gpu, text)
	if err != nil {
		return err
	}
	out, err := a.tool.Assemble(context.Background(), code, ptxas.Options{Arch: described.Target, OptLevel: 3})
	if err != nil {
		return err
	}
	if len(out.Warnings) > 0 {
		return fmt.Errorf("ptxas warns: %v", out.Warnings)
	}
	if len(out.Entries) != len(described.Kernels) {
		return fmt.Errorf("ptxas reports %d entries, but the module has %d", len(out.Entries), len(described.Kernels))
	}
	for _, e := range out.Entries {
		if e.SpillStores+e.SpillLoads > 0 && !a.spills {
			return fmt.Errorf("registers are spilled: %d bytes", e.SpillStores+e.SpillLoads)
		}
	}
	return nil
}

// compile returns the code, and its target and kernels.
func (a *assembly) compile(gpu string, text []byte) ([]byte, *nvvmtoptx.Launch, error) {
	if isTileAS(text) {
		k := lowered{Kernel: tileaskernel.Kernel{GPU: gpu, TensorMaps: a.maps}}
		if err := k.read(a.file, a.stderr); err != nil {
			return nil, nil, err
		}
		if err := k.placed(); err != nil {
			return nil, nil, err
		}
		return k.PTX(k.module)
	}
	ctx := tileir.NewContext()
	var warned error
	ctx.Diag.Push(func(d *ir.Diagnostic) {
		if !kerneltest.IgnoredHint(d.Message) {
			warned = d
		}
	})
	module, err := tileir.Read(ctx, a.file, text)
	if err != nil {
		return nil, nil, err
	}
	result, err := compile.To(context.Background(), module, compile.Options{GPU: gpu, OptLevel: 3, TensorMaps: a.maps})
	if err == nil {
		err = warned
	}
	if err != nil {
		return nil, nil, err
	}
	return result.PTX, result.Launch, nil
}
