package kernelsuite

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/testing/tileaskernel"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// lowered is a kernel of nv_tileas and how it is lowered.
type lowered struct {
	tileaskernel.Kernel
	module ir.Op
}

// read reads the file of a kernel.
func (k *lowered) read(file string, stderr io.Writer) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	c := tileir.NewContext()
	c.Diag.Push(c.Diag.PrintTo(stderr))
	k.module, err = tileir.Read(c, file, text)
	return err
}

// placed runs the passes after a kernel as written.
func (k *lowered) placed() error {
	_, err := k.Run(k.module, tileaskernel.Placing)
	return err
}

// A comparison runs one launch on several engines.
type comparison struct {
	request *launch.Request
	first   *launch.Request // as the first engine leaves it
}

// run runs the launch. What it leaves must be what the first engine left.
func (c *comparison) run(what string, e launch.Engine) error {
	req := c.request.Clone()
	if err := e.Run(context.Background(), req); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if c.first == nil {
		c.first = req
		return nil
	}
	for i, arg := range req.Args {
		if arg.Buffer == nil {
			continue
		}
		if err := same(arg.Buffer, c.first.Args[i].Buffer); err != nil {
			return fmt.Errorf("%s: argument %d: %w", what, i, err)
		}
	}
	return nil
}

func same(got, want *launch.Buffer) error {
	d, err := launch.Compare(got, want, launch.Tolerance{})
	if err == nil && !d.OK() {
		err = fmt.Errorf("%d of %d elements differ, first element %d: %s", d.Mismatches, d.Elements, d.First, d.FirstPair)
	}
	return err
}

// eachOrder runs a module in so many orders of its threads and roles, with what is asynchronous early and late.
func (c *comparison) eachOrder(what string, m ir.Op, orders uint64) error {
	return EachOrder(m, orders, func(order string, e *interp.Engine) error { return c.run(what+", "+order, e) })
}

// EachOrder makes engines that run a module with threads in so many orders, each with what is asynchronous early and
// late.
func EachOrder(m ir.Op, orders uint64, run func(order string, e *interp.Engine) error) error {
	for _, late := range []bool{false, true} {
		for seed := range orders {
			e := interp.New(m)
			e.Threads, e.Adversarial, e.Seed = true, late, seed
			if err := run(fmt.Sprintf("adversarial %v, seed %d", late, seed), e); err != nil {
				return err
			}
		}
	}
	return nil
}

func runTileAS(args []string, stdout, stderr io.Writer) error {
	var k lowered
	flags := pflag.NewFlagSet("run-tileas", pflag.ContinueOnError)
	flags.StringVar(&k.GPU, "gpu-name", "sm_90", "the target of the PTX")
	flags.Var(&k.TensorMaps, "tensor-maps", "who makes tensor maps")
	blocks := flags.Uint32("grid", 1, "the number of tile blocks")
	given := flags.StringArray("arg", nil, "the next argument")
	before := flags.String("passes", "", "passes that run before shared memory is placed")
	orders := flags.Uint64("orders", 0, "in how many orders threads run as written; 0: as one")
	placedOrders := flags.Uint64("placed-orders", 0, "in how many orders threads run with shared memory placed; 0: as one")
	seeds := flags.Uint64("seeds", 4, "in how many orders the PTX runs")
	check := flags.String("check", "", "compare a buffer with a file: INDEX=FILE.npy")
	print := flags.Bool("print", false, "print the first buffer")
	if err := flags.Parse(args); err != nil {
		return err
	}
	req, err := Request(*blocks, *given)
	if err != nil {
		return err
	}
	if err := k.read(flags.Arg(0), stderr); err != nil {
		return err
	}
	c := comparison{request: req}
	inLevel := func(what string, orders uint64) error {
		if orders == 0 {
			return c.run(what, interp.New(k.module))
		}
		return c.eachOrder(what, k.module, orders)
	}
	if err := inLevel("as written", *orders); err != nil {
		return err
	}
	if *before != "" {
		if _, err := k.Run(k.module, *before); err != nil {
			return err
		}
	}
	if err := k.placed(); err != nil {
		return err
	}
	if err := inLevel("placed", *placedOrders); err != nil {
		return err
	}
	if err := c.code(&k, *seeds); err != nil {
		return err
	}
	if *check != "" {
		want, err := launch.ParseCheck(*check, c.first.Args, nil)
		if err != nil {
			return err
		}
		if err := same(c.first.Args[want.Arg].Buffer, want.Want); err != nil {
			return err
		}
	}
	if *print {
		printBuffer(stdout, c.first.Args[0].Buffer)
	}
	return nil
}

// code runs a kernel whose shared memory is placed as PTX, in so many orders of its warps.
func (c *comparison) code(k *lowered, seeds uint64) error {
	text, described, err := k.PTX(k.module)
	if err != nil {
		return err
	}
	for seed := range seeds {
		e, err := emulate.New("k.ptx", text)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
		compile.Describe(e, described.Kernels[0])
		e.Adversarial, e.Seed = seed > 0, seed
		if err := c.run(fmt.Sprintf("as PTX for %s, seed %d", k.GPU, seed), e); err != nil {
			return err
		}
	}
	return nil
}

// isTileAS reports whether a file is a kernel of nv_tileas.
func isTileAS(text []byte) bool { return strings.Contains(string(text), "nv_tileas.func @") }

// PTX is the code of a kernel of nv_tileas.
func PTX(file, gpu string, maps contract.TensorMaps) ([]byte, error) {
	k := lowered{Kernel: tileaskernel.Kernel{GPU: gpu, TensorMaps: maps}}
	if err := k.read(file, os.Stderr); err != nil {
		return nil, err
	}
	if err := k.placed(); err != nil {
		return nil, err
	}
	text, _, err := k.PTX(k.module)
	return text, err
}
