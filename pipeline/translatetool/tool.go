package translatetool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/internal/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

const toolName = "tile-translate"

// Main runs the tool and returns its exit status. args are without the program's name.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		fmt.Fprintf(stderr, "%s: error: %v\n", toolName, err)
		return status
	}
	c, err := parseFlags(args)
	if errors.Is(err, cli.ErrHelp) {
		writeHelp(stdout)
		return cli.OK
	}
	if err != nil {
		return fail(cli.Usage, err)
	}
	if c.listVersions {
		for _, v := range cudatile.Versions {
			fmt.Fprintln(stdout, v)
		}
		return cli.OK
	}
	name, data, err := cli.Read(c.input, stdin)
	if err != nil {
		return fail(cli.Rejected, err)
	}
	t := &translation{config: c, name: name, file: data, stderr: stderr}
	var out bytes.Buffer
	ok := t.all(&out)
	// What could be shown of a damaged file is worth more than nothing; a result is not.
	if ok || c.action.partial && c.output == "-" {
		if err := cli.Write(c.output, out.Bytes(), stdout); err != nil {
			return fail(cli.Rejected, err)
		}
	}
	if !ok {
		return cli.Rejected
	}
	return cli.OK
}

// A translation is one call of Main.
type translation struct {
	*config
	name   string
	file   []byte
	stderr io.Writer
}

// all translates the input, whole or part by part. It reports whether all went well.
func (t *translation) all(out *bytes.Buffer) bool {
	chunks := []asm.Chunk{{Text: t.file}}
	if t.split && !bytecode.Is(t.file) {
		chunks = asm.Split(t.file)
	}
	ok := true
	for _, chunk := range chunks {
		ok = t.one(out, chunk) && ok
	}
	return ok
}

// one translates a part of the input. A panic is reported as what it is, a fault of this program.
func (t *translation) one(out *bytes.Buffer, chunk asm.Chunk) (ok bool) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(t.stderr, "%s: error: internal error: %v\n%s\n", toolName, v, debug.Stack())
			ok = false
		}
	}()
	ctx := tileir.NewContext()
	ctx.AllowUnregistered = t.allowUnregistered
	defer ctx.Diag.Push(ctx.Diag.PrintTo(t.stderr))()
	if t.action.bytecodeOnly && !bytecode.Is(chunk.Text) {
		return t.report(ctx, errors.New("invalid magic number: input does not correspond to Tile IR bytecode"))
	}
	return t.report(ctx, t.action.run(t, ctx, chunk, out))
}

// errReported is returned for what the context's diagnostics told already.
var errReported = errors.New("reported")

// report tells the user of an error once.
func (t *translation) report(ctx *ir.Context, err error) bool {
	var parsed *asm.Error
	var verified *ir.VerifyError
	var diag *ir.Diagnostic
	switch {
	case err == nil:
		return true
	case errors.As(err, &parsed), errors.As(err, &verified), errors.Is(err, errReported):
	case errors.As(err, &diag):
		ctx.Diag.Emit(diag)
	default:
		fmt.Fprintf(t.stderr, "%s: error: %s: %v\n", toolName, t.name, err)
	}
	return false
}
