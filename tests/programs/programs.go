// Package programs lets a test program be each of the tools, so that tests call them as processes of their own
// without building them.
package programs

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-lsp/lsptool"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-reduce/reducetool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	"github.com/tilewright/tilewright/cmd/tile-view/viewtool"
	"github.com/tilewright/tilewright/cmd/tile/tiletool"
	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	_ "github.com/tilewright/tilewright/passes/all" // as the programs link them
)

// A program is what the function main of a tool does.
type program struct {
	patient bool // see cli.Program
	body    func(ctx context.Context) int
}

var all = map[string]program{
	"tile-opt": {false, func(context.Context) int {
		return opttool.TileOpt().Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}},
	"tile-translate": {false, translate},
	"tileirdisasm":   {false, translate},
	"tile-run": {true, func(ctx context.Context) int {
		return runtool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}},
	"tile-reduce": {true, func(ctx context.Context) int {
		return reducetool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}},
	"tile-lsp": {true, func(ctx context.Context) int {
		return lsptool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}},
	"tile-view": {true, func(ctx context.Context) int {
		return viewtool.Main(ctx, os.Args[1:], os.Stdout, os.Stderr)
	}},
	"tile": {true, func(ctx context.Context) int {
		return tiletool.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	}},
	"tilec":    {true, compile},
	"tileiras": {true, compile},
}

func compile(ctx context.Context) int {
	return compiletool.Main(ctx, os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

func translate(context.Context) int {
	return translatetool.MainAs(os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// Main is the body of TestMain: it runs the tests, or the tool by whose name the test program was called.
func Main(m *testing.M) {
	if p, ok := all[filepath.Base(os.Args[0])]; ok {
		cli.Program(p.patient, p.body)
	}
	os.Exit(m.Run())
}

// Install makes a folder with the tools in it, for PATH: links to the test program.
func Install(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name := range all {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
