package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

const name = "tile link"

// maxModules bounds the modules of one call.
const maxModules = 4096

// Main runs the command and returns its exit status. args are without its name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, cli.Why(ctx, err))
		return status
	}
	fs := cli.NewFlags(name, nil)
	var out, log string
	fs.StringVarP(&out, "output", "o", "", "write the bytecode to this `FILE`; -: standard output")
	cli.DefineLog(fs, &log, "modules are read")
	t := &cli.Tool{Name: name, Summary: "join modules of kernels into one", Flags: fs,
		Usage:    []cli.Line{{Command: " -o OUT.tileirbc MODULE...", Does: "write one module with all kernels; those of equal names are numbered"}},
		Examples: []cli.Line{{Command: " -o all.tileirbc add.tileirbc softmax.tileirbc"}}}
	if status, done := t.Begin(args, nil, stdout, fail); done {
		return status
	}
	switch {
	case out == "":
		return fail(cli.Usage, errors.New("no output: name it with -o"))
	case fs.NArg() == 0 || fs.NArg() > maxModules:
		return fail(cli.Usage, fmt.Errorf("1 to %d modules are expected, but got %d", maxModules, fs.NArg()))
	}
	ctx, err := cli.WithLog(ctx, stderr, log)
	if err != nil {
		return fail(cli.Usage, err)
	}
	c := tileir.NewContext()
	var said bytes.Buffer
	c.Diag.Push(c.Diag.PrintTo(&said))
	var first ir.Op
	for _, path := range fs.Args() {
		if ctx.Err() != nil {
			return fail(cli.Rejected, ctx.Err())
		}
		file, data, err := cli.Read(path, stdin)
		if err != nil {
			return fail(cli.Rejected, err)
		}
		module, err := tileir.Read(c, file, data)
		if err == nil {
			if first.IsNil() {
				first = module
			} else {
				err = join(first, module)
			}
		}
		if err != nil {
			_, _ = io.Copy(stderr, &said)
			return fail(cli.Rejected, fmt.Errorf("'%s' cannot be joined: %w", path, err))
		}
	}
	module, err := kernels(first)
	var data []byte
	if err == nil {
		data, err = bytecode.Encode(module, bytecode.Options{})
	}
	if err == nil {
		err = cli.Write(out, data, stdout)
	}
	if err != nil {
		return fail(cli.Rejected, err)
	}
	return cli.OK
}

// join adds the kernels and globals of a module to another one.
func join(to, from ir.Op) error {
	target, err := kernels(to)
	if err != nil {
		return err
	}
	source, err := kernels(from)
	if err != nil {
		return err
	}
	b := ir.BuilderAtEnd(target.Body())
	for op := range source.Body().Ops() {
		symbol := op.SymbolName()
		if taken := !target.LookupSymbol(symbol).IsNil(); taken && !op.Is(cudatile.Entry) {
			return fmt.Errorf("two modules have a global '%s'", symbol)
		}
		clone := b.Clone(op, ir.NewMapping())
		for n := 2; ; n++ {
			if found := target.LookupSymbol(symbol); found.IsNil() || found == clone {
				break
			}
			symbol = fmt.Sprintf("%s_%d", op.SymbolName(), n)
			clone.SetAttr(ir.SymName, op.Context().String(symbol))
		}
	}
	return nil
}

// kernels returns the cuda_tile.module in a builtin.module, which must be the only thing there.
func kernels(module ir.Op) (found ir.Op, err error) {
	var others []string
	for op := range module.Body().Ops() {
		if op.Is(cudatile.Module) && found.IsNil() {
			found = op
		} else {
			others = append(others, "'"+op.Name()+"'")
		}
	}
	switch {
	case found.IsNil():
		return found, errors.New("there is no module of cuda_tile")
	case others != nil:
		return found, fmt.Errorf("there are %s beside the module of cuda_tile", strings.Join(others, ", "))
	}
	return found, nil
}
