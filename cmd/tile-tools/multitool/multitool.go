// Package multitool is all programs as one: it is the tool that it is named after, by a link; else the first argument
// names the tool. The Python wheel carries it, since the programs share most of their code.
package multitool

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/cmd/tile-lsp/lsptool"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-reduce/reducetool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	"github.com/tilewright/tilewright/cmd/tile-view/viewtool"
	"github.com/tilewright/tilewright/cmd/tile/tiletool"
	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/internal/leaf/suggest"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

// A program is the body of a tool, and whether it follows the context.
type program struct {
	patient bool
	main    func(ctx context.Context, name string, args []string) int
}

// streams is a tool that reads and writes the standard streams.
func streams(main func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int) program {
	return program{true, func(ctx context.Context, _ string, args []string) int {
		return main(ctx, args, os.Stdin, os.Stdout, os.Stderr)
	}}
}

var translate = program{false, func(_ context.Context, name string, args []string) int {
	return translatetool.MainAs(name, args, os.Stdin, os.Stdout, os.Stderr)
}}

var compiler = program{true, func(ctx context.Context, name string, args []string) int {
	return compiletool.Main(ctx, name, args, os.Stdin, os.Stdout, os.Stderr)
}}

var programs = map[string]program{
	"tile":           streams(tiletool.Main),
	"tile-lsp":       streams(lsptool.Main),
	"tile-reduce":    streams(reducetool.Main),
	"tile-run":       streams(runtool.Main),
	"tile-translate": translate,
	"tileirdisasm":   translate,
	"tilec":          compiler,
	"tileiras":       compiler,
	"tile-opt": {false, func(_ context.Context, _ string, args []string) int {
		return opttool.TileOpt().Main(args, os.Stdin, os.Stdout, os.Stderr)
	}},
	"tile-view": {true, func(ctx context.Context, _ string, args []string) int {
		return viewtool.Main(ctx, args, os.Stdout, os.Stderr)
	}},
}

const name = "tile-tools"

// find returns the tool that a command line means, and the tool's own name and arguments; nil if it names none.
func find(called string, args []string) (*program, string, []string) {
	called = strings.TrimSuffix(filepath.Base(called), ".exe")
	if p, ok := programs[called]; ok {
		return &p, called, args
	}
	if len(args) > 0 {
		if p, ok := programs[args[0]]; ok {
			return &p, args[0], args[1:]
		}
	}
	return nil, "", args
}

// Patient reports whether the tool that a command line means follows the context.
func Patient(called string, args []string) bool {
	p, _, _ := find(called, args)
	return p != nil && p.patient
}

// Main runs the tool that a command line means, on the standard streams, and returns its exit status. Help of its own
// and complaints about a tool that it does not know go to stdout and stderr.
func Main(ctx context.Context, called string, args []string, stdout, stderr io.Writer) int {
	p, tool, rest := find(called, args)
	if p != nil {
		return p.main(ctx, tool, rest)
	}
	names := slices.Sorted(maps.Keys(programs))
	if slices.Equal(args, []string{"--help"}) {
		t := &cli.Tool{Name: name, Summary: "all tools in one program", Flags: cli.NewFlags(name, nil),
			Usage: []cli.Line{{Command: " TOOL [arguments]", Does: "run one of " + suggest.List(names) + "; a link of such a name runs it too"}}}
		t.WriteHelp(stdout)
		return cli.OK
	}
	did := ""
	if len(args) > 0 {
		did = suggest.DidYouMean(args[0], names)
	}
	cli.Complain(stderr, name, fmt.Errorf("the first argument names a tool%s: %s", did, suggest.List(names)))
	return cli.Usage
}
