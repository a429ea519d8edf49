// Command tile-tools is all programs as one, which the Python wheel carries: they share most of their code. It is the
// tool that it is named after, by a link; else the first argument names the tool.
package main

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

func main() {
	name, args := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"), os.Args[1:]
	if _, ok := programs[name]; !ok && len(args) > 0 {
		name, args = args[0], args[1:]
	}
	p, ok := programs[name]
	if !ok {
		names := slices.Sorted(maps.Keys(programs))
		cli.Complain(os.Stderr, "tile-tools", fmt.Errorf("the first argument names a tool: %s", suggest.List(names)))
		os.Exit(cli.Usage)
	}
	cli.Program(p.patient, func(ctx context.Context) int { return p.main(ctx, name, args) })
}
