package compiletool

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/why"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/ptxas"
)

// answer answers --why on standard output.
func (s *session) answer(ctx context.Context, stdout io.Writer) int {
	s.ctx = tileir.NewContext()
	s.ctx.Diag.Push(s.handler(s.ctx, s.stderr))
	module, err := s.parseModule()
	if err != nil {
		return s.fail(notTileIR, nil)
	}
	source := &why.Source{Read: s.again, Options: s.compiling(module)}
	if s.arguments != "" {
		if source.Arguments, err = why.ReadArguments(s.arguments); err != nil {
			return s.fail(notTileIR, err)
		}
	}
	assembler, _ := ptxas.Find(s.ptxas) // without one the registers are an estimate
	var buf bytes.Buffer
	if err := source.Answer(ctx, &buf, cli.TopicOf(s.why), assembler); err != nil {
		var said *ir.Diagnostic
		if errors.As(err, &said) {
			s.ctx.Diag.Emit(said)
			err = nil
		}
		return s.fail(notCompiled, err)
	}
	if err := cli.Write("-", buf.Bytes(), stdout); err != nil {
		return s.fail(notWritten, err)
	}
	return cli.OK
}
