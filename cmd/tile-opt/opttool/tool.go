package opttool

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// A Tool is a program like tile-opt.
type Tool struct {
	// Name is the name of the program in messages.
	Name string
	// Dialects are registered in every context.
	Dialects []*ir.Dialect
	// Extensions are registered in every context as well.
	Extensions []*ir.Extension
	// Registry holds the passes; nil: passes.Default.
	Registry *passes.Registry
	// Syntax says how text is read: what wraps the input unless --no-implicit-module is given, and which prefixes it
	// may leave out.
	Syntax func(*ir.Context) asm.ParseOptions
	// Wrap, when set, puts what was read into an outermost operation that all pipelines start from, unless
	// --no-implicit-module is given.
	Wrap func(ir.Op) ir.Op
	// IsBytecode and ReadBytecode read input that is no text; nil: all input is text.
	IsBytecode   func(data []byte) bool
	ReadBytecode func(ctx *ir.Context, name string, data []byte) (ir.Op, error)
	// Target, when set, chooses what to compile an input for, given what the command line says.
	Target func(op ir.Op, asked tileir.Asked) (*passes.Target, error)
	// Flags, when set, adds flags of the dialects. The function that it returns looks at each input that was
	// verified, emits diagnostics, and reports whether the input is accepted.
	Flags func(fs *pflag.FlagSet) func(ir.Op) bool
}

// Main runs the tool and returns its exit status. args are without the program's name.
func (t *Tool) Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(t.Name, stdout, stderr, func(stdout io.Writer) int { return t.main(args, stdin, stdout, stderr) })
}

func (t *Tool) main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		var syntax *pipeline.SyntaxError
		if errors.As(err, &syntax) {
			fmt.Fprint(stderr, source.Printable(syntax.Detail()))
		} else {
			cli.Complain(stderr, t.Name, err)
		}
		return status
	}
	tool := *t
	if tool.Registry == nil {
		tool.Registry = passes.Default
	}
	if err := tool.Registry.Err(); err != nil {
		return fail(cli.Rejected, err)
	}
	c, err := tool.parseFlags(args)
	if errors.Is(err, cli.ErrHelp) {
		tool.writeHelp(stdout)
		return cli.OK
	}
	if err != nil {
		return fail(cli.Usage, err)
	}
	s := &session{tool: &tool, config: c, stderr: stderr}
	if s.log, err = cli.Logger(stderr, c.logLevel); err != nil {
		return fail(cli.Usage, err)
	}
	if done, err := s.answer(stdout); err != nil {
		return fail(cli.StatusOf(err, cli.Usage), err)
	} else if done {
		return cli.OK
	}
	if err := s.prepareExplicit(); err != nil {
		return fail(cli.Usage, err)
	}
	if c.timing {
		s.timing = pipeline.NewTiming()
	}
	name, data, err := cli.Read(c.input, stdin)
	if err != nil {
		return fail(cli.Rejected, err)
	}
	out := cli.NewOutput(c.output, stdout)
	ok := s.process(name, data, out)
	if err := s.report(); err != nil {
		out.Discard()
		return fail(cli.Rejected, err)
	}
	if !ok && c.output != "-" && out.Err() == nil {
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

// process processes the input, at once or chunk by chunk.
func (s *session) process(name string, data []byte, out *cli.Output) (ok bool) {
	chunks := []asm.Chunk{{Text: data}}
	if s.config.split && !s.isBytecode(data) {
		chunks = asm.Split(data)
	}
	ok = true
	for i, c := range chunks {
		if i > 0 {
			_, _ = io.WriteString(out, "// -----\n") // the output keeps the error
		}
		k := &chunk{session: s, name: name, file: data, text: c.Text, line: c.LineOffset}
		ok = s.guard(func() bool { return k.process(out) }) && ok
		if s.config.report.Path != "" {
			ok = s.guard(func() bool { return k.reported(ok) }) && ok
		}
	}
	return ok
}

// guard calls f and reports a panic of it as what it is, a fault of this program, so that the exit status says that
// there is no result. Panics of passes end in the pass manager.
func (s *session) guard(f func() bool) (ok bool) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(s.stderr, "%s: error: internal error: %v\n%s\n", s.tool.Name, v, debug.Stack())
			ok = false
		}
	}()
	return f()
}

func (s *session) isBytecode(data []byte) bool {
	return s.tool.IsBytecode != nil && s.tool.IsBytecode(data)
}

// report writes what was measured over all chunks.
func (s *session) report() error {
	if s.timing == nil {
		return nil
	}
	if s.config.timingDisplay == "list" {
		return s.timing.WriteList(s.stderr)
	}
	return s.timing.WriteTree(s.stderr, s.used...)
}

// timed measures work outside the pipeline.
func (s *session) timed(name string, f func()) {
	start := time.Now()
	f()
	if s.timing != nil {
		s.timing.Add(name, time.Since(start))
	}
}
