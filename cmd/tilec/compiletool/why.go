package compiletool

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/kernelplan"
	"github.com/tilewright/tilewright/internal/tooling/why"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
)

// say writes on standard output what f says of the module, instead of code.
func (s *session) say(ctx context.Context, stdout io.Writer, f func(ctx context.Context, w io.Writer, module ir.Op) error) int {
	s.ctx = tileir.NewContext()
	s.ctx.Diag.Push(s.handler(s.ctx, s.stderr))
	module, err := s.parseModule()
	if err != nil {
		return s.fail(notTileIR, nil)
	}
	var buf bytes.Buffer
	if err := f(ctx, &buf, module); err != nil {
		var said *ir.Diagnostic
		if errors.As(err, &said) {
			s.ctx.Diag.Emit(said)
			err = nil
		}
		var f *flagError
		if errors.As(err, &f) {
			return s.fail(f.failure, f.err)
		}
		return s.fail(notCompiled, err)
	}
	if err := cli.Write("-", buf.Bytes(), stdout); err != nil {
		return s.fail(notWritten, err)
	}
	return cli.OK
}

// answer answers --why.
func (s *session) answer(ctx context.Context, w io.Writer, module ir.Op) (err error) {
	source := &why.Source{Read: s.again, Options: s.compiling(module)}
	if s.arguments != "" {
		if source.Arguments, err = why.ReadArguments(s.arguments); err != nil {
			return &flagError{notTileIR, err}
		}
	}
	assembler, _ := ptxas.Find(s.ptxas) // without one the registers are an estimate
	return source.Answer(ctx, w, cli.TopicOf(s.why), assembler)
}

// explainPlan answers --print-plan.
func (s *session) explainPlan(ctx context.Context, w io.Writer, module ir.Op) error {
	return kernelplan.Write(ctx, w, module, s.compiling(module))
}
