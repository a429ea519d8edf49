package reference

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/cmd/tile-lsp/lsptool"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/cmd/tile-reduce/reducetool"
	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/cmd/tile-tools/multitool"
	"github.com/tilewright/tilewright/cmd/tile-translate/translatetool"
	"github.com/tilewright/tilewright/cmd/tile-view/view"
	"github.com/tilewright/tilewright/cmd/tile-view/viewtool"
	"github.com/tilewright/tilewright/cmd/tile/check"
	"github.com/tilewright/tilewright/cmd/tile/confirm"
	debugtool "github.com/tilewright/tilewright/cmd/tile/debug"
	"github.com/tilewright/tilewright/cmd/tile/judge"
	linktool "github.com/tilewright/tilewright/cmd/tile/link"
	"github.com/tilewright/tilewright/cmd/tile/tiletool"
	"github.com/tilewright/tilewright/cmd/tile/tune"
	"github.com/tilewright/tilewright/cmd/tilec/compiletool"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

// A tool is a command that explains itself when it is asked for help.
type tool struct {
	name, about string
	help        func(out io.Writer) int
}

var helpFlag = []string{"--help"}

var tools = []tool{
	{"tile-opt", "reads the IR of any level, runs passes on it and prints the result",
		func(out io.Writer) int { return opttool.TileOpt().Main(helpFlag, nil, out, io.Discard) }},
	{"tile-translate", "converts between bytecode and text, and shows what bytecode holds",
		func(out io.Writer) int { return translatetool.Main(helpFlag, nil, out, io.Discard) }},
	{"tilec", "compiles kernels to PTX, to cubins, or to the IR of a level on the way",
		func(out io.Writer) int {
			return compiletool.Main(context.Background(), "tilec", helpFlag, nil, out, io.Discard)
		}},
	{"tileiras", "is tilec under the name of the tool that it stands in for, with that tool's defaults",
		func(out io.Writer) int {
			return compiletool.Main(context.Background(), "tileiras", helpFlag, nil, out, io.Discard)
		}},
	{"tile-run", "runs kernels without a GPU and compares what they compute with what is expected",
		func(out io.Writer) int { return runtool.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile", "judges kernels, checks the synchronization of PTX, and says what is installed",
		func(out io.Writer) int { return tiletool.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile check", "finds races, missing fences and waits, and deadlocks in PTX: see [check](../check.md)",
		func(out io.Writer) int { return check.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile confirm", "asks a GPU whether the emulator and the model are right: see [confirm](../confirm.md)",
		func(out io.Writer) int { return confirm.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile judge", "says whether kernels are right: see [one verdict](../cases.md)",
		func(out io.Writer) int { return judge.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile tune", "chooses the fastest configuration of a kernel, without a GPU: see [tune](../tune.md)",
		func(out io.Writer) int { return tune.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile debug", "debugs kernels in the interpreter, for editors: see [debug](../debug.md)",
		func(out io.Writer) int { return debugtool.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile link", "joins modules of kernels into one",
		func(out io.Writer) int { return linktool.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile-reduce", "shrinks a module while a program of the user finds it interesting",
		func(out io.Writer) int { return reducetool.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile-view", "shows what becomes of a kernel in a browser: see [report](../report.md)",
		func(out io.Writer) int { return viewtool.Main(context.Background(), helpFlag, out, io.Discard) }},
	{"tile-lsp", "is the language server that editors start: see [editors](../editors.md)",
		func(out io.Writer) int { return lsptool.Main(context.Background(), helpFlag, nil, out, io.Discard) }},
	{"tile-tools", "is all programs as one, which the Python wheel carries",
		func(out io.Writer) int {
			return multitool.Main(context.Background(), "tile-tools", helpFlag, out, io.Discard)
		}},
}

// toolsPage is made from what the tools print for --help.
func toolsPage() (string, error) {
	page := newDoc("Tools")
	page.WriteString("All tools answer `--version`, `--man` (a page for man) and `--completion=bash|zsh|fish`. They take `-flag` and `--flag`, flags and files in any order, and `-` or no file for standard input.\n")
	page.printf("An input has at most %d MiB, and in `tile-view` %d MiB. A larger one is rejected, also a pipe or device that never ends.\n\n", cli.MaxInput>>20, view.MaxFile>>20)
	for _, t := range tools {
		page.printf("- %s %s\n", link(t.name, t.name), t.about)
	}
	page.WriteString("\n")
	for _, t := range tools {
		var out bytes.Buffer
		if status := t.help(&out); status != 0 || out.Len() == 0 {
			return "", fmt.Errorf("%s --help ends with status %d and prints %d bytes", t.name, status, out.Len())
		}
		// The passes of tile-opt have a page of their own.
		text, _, more := strings.Cut(out.String(), "\nPasses,")
		page.heading(2, "`"+t.name+"`")
		page.code("text", text)
		if more {
			page.WriteString("Each pass is a flag too: see [passes](passes.md).\n\n")
		}
	}
	return strings.TrimRight(page.String(), "\n") + "\n", nil
}
