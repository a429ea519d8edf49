package runtool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/internal/suggest"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/emulate"
	"github.com/tilewright/tilewright/target/interp"
	"github.com/tilewright/tilewright/target/launch"
)

// An engine is a way to run a kernel.
type engine struct {
	name string
	// build makes a program ready to run, given its IR, unless it is PTX; nil: the engine is not there yet. The IR may be changed.
	build func(ctx context.Context, c *config, p *program, module ir.Op, entry string) (launch.Engine, error)
}

var engines = []*engine{{"interp", buildInterp}, {"ptx", buildEmulator}, {"cuda", nil}}

func engineNamed(n string) (*engine, error) {
	var all, ready []string
	for _, e := range engines {
		if all = append(all, e.name); e.build != nil {
			ready = append(ready, e.name)
		}
		if e.name == n && e.build != nil {
			return e, nil
		}
	}
	for _, known := range all {
		if known == n {
			return nil, fmt.Errorf("engine '%s' is not available yet; available: %s", n, strings.Join(ready, ", "))
		}
	}
	return nil, fmt.Errorf("unknown engine '%s'%s; engines: %s", n, suggest.DidYouMean(n, all), strings.Join(all, ", "))
}

// A program is a file to run. Each engine reads it anew, since compiling changes the IR.
type program struct {
	name string
	data []byte
	errs io.Writer // takes diagnostics and what the kernel prints
}

// isPTX reports whether the file is PTX, which begins with the directive .version, behind comments.
func (p *program) isPTX() bool {
	rest := p.data
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		switch {
		case bytes.HasPrefix(rest, []byte(".version")):
			return true
		case bytes.HasPrefix(rest, []byte("//")):
			i := bytes.IndexByte(rest, '\n')
			if i < 0 {
				return false
			}
			rest = rest[i:]
		default:
			return false
		}
	}
}

// read reads the program as IR. An error says in short what the diagnostics, which it writes, say in full.
func (p *program) read() (ir.Op, error) {
	ctx := tileir.NewContext()
	ctx.Diag.Push(ctx.Diag.PrintTo(p.errs))
	module, err := tileir.Read(ctx, p.name, p.data)
	if err != nil {
		return ir.Op{}, fmt.Errorf("'%s' was rejected", p.name)
	}
	return module, nil
}

func buildInterp(_ context.Context, c *config, p *program, module ir.Op, _ string) (launch.Engine, error) {
	if module.IsNil() {
		return nil, fmt.Errorf("'%s' is PTX, which only engine ptx runs", p.name)
	}
	e := interp.New(module)
	// Compiled code takes such a tile to be out of bounds as a whole, and producers launch grids that rely on it.
	e.LooseIndices = !c.strict
	return e, nil
}

func buildEmulator(ctx context.Context, c *config, p *program, module ir.Op, entry string) (launch.Engine, error) {
	text := p.data
	dynamic := 0
	if !module.IsNil() {
		result, err := compile.To(ctx, module, compile.Options{GPU: c.gpu, OptLevel: c.optLevel})
		if err != nil {
			return nil, short(err)
		}
		text = result.PTX
		if k := result.Kernel(entry); k != nil {
			dynamic = k.DynamicShared
		}
	}
	e, err := emulate.New(p.name+".ptx", text)
	if err != nil {
		return nil, err
	}
	e.DynamicShared = uint32(dynamic)
	e.Adversarial, e.Seed = c.hostile, c.adversarial
	e.Stdout = p.errs
	return e, nil
}

// short leaves out of an error what the diagnostics said already.
func short(err error) error {
	var f *pipeline.Failure
	if errors.As(err, &f) {
		return fmt.Errorf("pass '%s' failed on %s", f.Pass.Name, f.Op)
	}
	return err
}
