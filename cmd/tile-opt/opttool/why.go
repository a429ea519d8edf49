package opttool

import (
	"context"
	"errors"
	"io"

	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/why"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/ptxas"
)

// answer answers --why.
func (k *chunk) answer(out io.Writer) error {
	c := k.config
	source := &why.Source{Read: func() (ir.Op, error) { return k.read(k.newContext()) },
		Options: compile.Options{GPU: c.gpu, OptLevel: c.optLevel, AnyOptLevel: !c.flags.Changed("opt-level"), TensorMaps: c.tensorMaps, PassOptions: c.options()}}
	assembler, _ := ptxas.Find("") // without one the registers are an estimate
	err := source.Answer(context.Background(), out, cli.TopicOf(c.why), assembler)
	var said *ir.Diagnostic
	if errors.As(err, &said) {
		k.ctx.Diag.Emit(said)
		return errors.New("there is no code to speak of")
	}
	return err
}
