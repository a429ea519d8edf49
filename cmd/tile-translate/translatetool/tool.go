package translatetool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/pipeline/check/expect"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

const toolName = "tile-translate"

// A Tool is tile-translate, perhaps with more than the released dialect.
type Tool struct {
	// Extensions are registered in every context.
	Extensions []*ir.Extension
}

// Main runs tile-translate and returns its exit status. args are without the program's name.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return new(Tool).Main(args, stdin, stdout, stderr)
}

func (tool *Tool) newContext() *ir.Context {
	ctx := tileir.NewContext()
	for _, x := range tool.Extensions {
		ctx.Extend(x)
	}
	return ctx
}

// Main is as the function of that name.
func (tool *Tool) Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(toolName, stdout, stderr, func(stdout io.Writer) int { return tool.main(args, stdin, stdout, stderr) })
}

func (tool *Tool) main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, toolName, err)
		return status
	}
	format := wire.FormatOf(tool.newContext())
	c, err := parseFlags(args, format)
	if errors.Is(err, cli.ErrHelp) {
		writeHelp(stdout, format)
		return cli.OK
	}
	if err != nil {
		return fail(cli.Usage, err)
	}
	if c.about.Asked() {
		if err := c.about.Answer(stdout, c.tool()); err != nil {
			return fail(cli.StatusOf(err, cli.Usage), err)
		}
		return cli.OK
	}
	if c.listVersions {
		for _, v := range format.Versions {
			fmt.Fprintln(stdout, v)
		}
		return cli.OK
	}
	if c.action.binary && c.output == "-" && cli.IsTerminal(stdout) {
		return fail(cli.Usage, errors.New("bytecode is no text: name a file with -o, or send standard output elsewhere"))
	}
	log, err := cli.Logger(stderr, c.log)
	if err != nil {
		return fail(cli.Usage, err)
	}
	name, data, err := cli.Read(c.input, stdin)
	if err != nil {
		return fail(cli.Rejected, err)
	}
	log.Debug().Str("input", name).Int("bytes", len(data)).Bool("bytecode", bytecode.Is(data)).Msg("read")
	t := &translation{tool: tool, config: c, log: log, name: name, file: data, stderr: stderr}
	out := cli.NewOutput(c.output, stdout)
	ok := t.all(out)
	// What could be shown of a damaged file is worth more than nothing; a result is not.
	if !ok && !(c.action.partial && c.output == "-") && out.Err() == nil {
		out.Discard()
		return cli.Rejected
	}
	if err := out.Commit(); err != nil {
		return fail(cli.Rejected, err)
	}
	if !ok {
		return cli.Rejected
	}
	return cli.OK
}

// A translation is one call of Main.
type translation struct {
	*config
	tool   *Tool
	log    zerolog.Logger
	name   string
	file   []byte
	stderr io.Writer
}

// all translates the input, at once or part by part. It reports whether all went well.
func (t *translation) all(out io.Writer) bool {
	if !t.split || bytecode.Is(t.file) {
		return t.one(out, asm.Chunk{Text: t.file})
	}
	var parts bytes.Buffer // written if all of them are right
	ok := true
	for _, chunk := range asm.Split(t.file) {
		ok = t.one(&parts, chunk) && ok
	}
	if ok || t.action.partial {
		_, _ = out.Write(parts.Bytes()) // the output keeps the error
	}
	return ok
}

// one translates a part of the input. A panic is reported as what it is, a fault of this program.
func (t *translation) one(out io.Writer, chunk asm.Chunk) (ok bool) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(t.stderr, "%s: error: internal error: %v\n%s\n", toolName, v, debug.Stack())
			ok = false
		}
	}()
	ctx := t.tool.newContext()
	ctx.AllowUnregistered = t.allowUnregistered
	if t.verifyDiag != "" {
		return t.verify(ctx, chunk)
	}
	defer cli.Diagnose(ctx, t.stderr)()
	start := time.Now()
	err := t.translate(ctx, chunk, out)
	t.log.Debug().Str("action", t.action.flag).Int("line", chunk.LineOffset+1).Dur("elapsed", time.Since(start)).Err(err).Msg("translated")
	var unwritten *cli.WriteError // reported when the output is closed
	if err != nil && !errors.As(err, &unwritten) && !t.report(ctx, err) {
		cli.Complain(t.stderr, toolName, fmt.Errorf("%s: %w", t.name, err))
	}
	return err == nil
}

// verify holds the diagnostics of a part against the comments in it. What would have been written is of no interest.
func (t *translation) verify(ctx *ir.Context, chunk asm.Chunk) bool {
	want, err := expect.Parse(t.name, chunk.Text, chunk.LineOffset)
	if err != nil {
		fmt.Fprintln(t.stderr, err)
		return false
	}
	var got []*ir.Diagnostic
	defer ctx.Diag.Push(func(d *ir.Diagnostic) { got = append(got, d) })()
	if err := t.translate(ctx, chunk, io.Discard); err != nil && !t.report(ctx, err) {
		got = append(got, ir.Errorf(nil, "%v", err))
	}
	problems := want.Compare(t.name, got, t.verifyDiag == expect.OnlyExpected)
	for _, p := range problems {
		fmt.Fprintln(t.stderr, p)
	}
	return len(problems) == 0
}

func (t *translation) translate(ctx *ir.Context, chunk asm.Chunk, out io.Writer) error {
	if t.action.bytecodeOnly && (!bytecode.Is(chunk.Text) || bytecode.IsMLIR(chunk.Text)) {
		return errors.New("invalid magic number: " + bytecode.NotTileIR(chunk.Text))
	}
	return t.action.run(t, ctx, chunk, out)
}

// errReported is returned for what the context's diagnostics told already.
var errReported = errors.New("reported")

// report sees to it that an error that has a diagnostic is emitted once. It reports whether it has one.
func (t *translation) report(ctx *ir.Context, err error) bool {
	var parsed *asm.Error
	var verified *ir.VerifyError
	var diag *ir.Diagnostic
	switch {
	case errors.As(err, &parsed), errors.As(err, &verified), errors.Is(err, errReported):
	case errors.As(err, &diag):
		ctx.Diag.Emit(diag)
	default:
		return false
	}
	return true
}
