package lsptool

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-lsp/lsp"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

const name = "tile-lsp"

type config struct {
	log   string
	about cli.About
	flags *pflag.FlagSet
}

func newConfig() *config {
	c := &config{flags: cli.NewFlags(name, nil)}
	c.flags.Bool("stdio", true, "speak on standard input and output, which it always does; some editors say so")
	cli.DefineLog(c.flags, &c.log, "the editor asks for, on standard error,")
	c.about.Define(c.flags)
	return c
}

func (c *config) tool() *cli.Tool {
	return &cli.Tool{Name: name, Summary: "a language server for the text of Tile IR, of all levels", Flags: c.flags,
		Usage: []cli.Line{{Command: "", Does: "started by an editor: docs/editors.md has settings"}}}
}

// Main runs the tool and returns its exit status. args are without the program's name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, cli.Why(ctx, err))
		return status
	}
	c := newConfig()
	if status, done := c.tool().Begin(args, &c.about, stdout, fail); done {
		return status
	}
	if c.flags.NArg() > 0 {
		return fail(cli.Usage, fmt.Errorf("no file is expected, but got '%s': editors send their files", c.flags.Arg(0)))
	}
	ctx, err := cli.WithLog(ctx, stderr, c.log)
	if err != nil {
		return fail(cli.Usage, err)
	}
	closer, ok := stdin.(io.ReadCloser)
	if !ok {
		closer = io.NopCloser(stdin)
	}
	if err := lsp.Serve(ctx, closer, stdout, lsp.Options{}); err != nil {
		return fail(cli.Rejected, err)
	}
	return cli.OK
}
