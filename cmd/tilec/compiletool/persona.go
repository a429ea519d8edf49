package compiletool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes"
)

// A failure is how a run ends without an output.
type failure uint8

const (
	badFlag        failure = iota // a flag or a value that there is not
	badCombination                // flags that do not go together
	noInput                       // the input is missing or cannot be read
	notTileIR                     // the input is damaged, or something else
	notCompiled                   // what came after reading
	notWritten                    // the output
)

// A persona is what depends on the name that the tool is called by.
type persona struct {
	name   string
	status map[failure]int
	// cubin is the default output; gpu that architecture, "" when it must be named; output that file.
	cubin       bool
	gpu, output string
	// maps is how kernels have tensor maps when nobody says.
	maps contract.TensorMaps
	// text and stdin say whether these are accepted as input.
	text, stdin bool
	// quote: diagnostics show the source; else they are one line each, with the location at the end.
	quote bool
}

var tilec = &persona{name: "tilec", gpu: passes.DefaultGPU, output: "-", maps: contract.DefaultTensorMaps, text: true, stdin: true, quote: true,
	status: map[failure]int{badFlag: cli.Usage, badCombination: cli.Usage, noInput: cli.Rejected, notTileIR: cli.Rejected,
		notCompiled: cli.Rejected, notWritten: cli.Rejected}}

// tileiras has the exit statuses of the tool of that name, which front ends know. They launch with the arguments of
// the program, so that CTAs make their maps.
var tileiras = &persona{name: "tileiras", cubin: true, output: "elf.o", maps: contract.TensorMapsDevice,
	status: map[failure]int{badFlag: 1, badCombination: 2, noInput: 1, notTileIR: 3, notCompiled: 5, notWritten: 2}}

// pathVar names the compiler for cutile-rs, which calls what the links of that path lead to.
const pathVar = "CUTILE_TILEIRAS_PATH"

// personaFor returns the persona for the path that the program was called by. The target of a link named tileiras
// counts if the client has followed the link: it then calls by the full path, which people seldom type.
func personaFor(program string) *persona {
	if isTileiras(program) {
		return tileiras
	}
	if link := os.Getenv(pathVar); isTileiras(link) && filepath.IsAbs(program) {
		if to, err := filepath.EvalSymlinks(link); err == nil && to == program {
			return tileiras
		}
	}
	return tilec
}

func isTileiras(path string) bool {
	return strings.TrimSuffix(filepath.Base(path), ".exe") == tileiras.name
}

// complain reports an error that has no place in the input.
func (p *persona) complain(stderr io.Writer, err error) {
	var wrong *wrongLine
	end := "\n"
	switch {
	case p != tileiras:
		cli.Complain(stderr, p.name, err)
		return
	case errors.Is(err, errSaid):
		return
	case errors.As(err, &wrong):
		fmt.Fprintln(stderr, source.Printable(wrong.Error()))
		return
	case errors.Is(err, errNoInput):
		end = "\n\n"
	}
	fmt.Fprintf(stderr, "error: %s%s", source.Printable(err.Error()), end)
}

// last is the line that ends the messages about a kind of failure of that input, or "".
func (p *persona) last(f failure, input []byte) string {
	if p != tileiras {
		return ""
	}
	switch f {
	case notTileIR:
		return "error: " + bytecode.NotTileIR(input)
	case notCompiled:
		return "error: failed to compile Tile IR program"
	}
	return ""
}

// handler writes diagnostics. The front ends parse lines that begin with "error: ". A location before that, as MLIR
// has it, breaks one of the front ends, so the location comes last.
func (p *persona) handler(ctx *ir.Context, w io.Writer) ir.DiagHandler {
	if p.quote {
		ctx.Diag.FindSources(new(source.Reader).Text)
		return ctx.Diag.PrintTo(w)
	}
	files := new(source.Reader)
	return func(d *ir.Diagnostic) { writePlain(w, d, files) }
}

func writePlain(w io.Writer, d *ir.Diagnostic, files *source.Reader) {
	at, line := "", ""
	if f := ir.FileLocOf(d.Loc); f != nil {
		at = fmt.Sprintf(" (at %s:%d:%d)", f.File, f.Line, f.Column)
		line = source.Line(f.File, files.Text(f.File), f.Line, f.Column)
	}
	fmt.Fprintf(w, "%s: %s\n%s", d.Severity, source.Printable(d.Message+at), line)
	for _, n := range d.Notes {
		writePlain(w, n, files)
	}
}
