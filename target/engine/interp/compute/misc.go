package compute

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

func init() {
	core.Define(core.Table{
		cudatile.MakeToken: {Run: ordering}, cudatile.JoinTokens: {Run: ordering}, cudatile.MemoryFenceAlias: {Run: ordering},
		cudatile.GdcWait: {Run: ordering}, cudatile.GdcLaunchDependents: {Run: ordering},
		cudatile.Assert:      {Run: assert},
		cudatile.PreviewCall: {Run: missing("functions of the preview, which no specification describes")},
	})
}

// ordering decodes an operation that only orders others. It does nothing: execution is in program order, and no other
// kernel runs.
func ordering(*core.Decoder, ir.Op) (core.Action, error) { return core.Nothing, nil }

// missing decodes an operation that fails when it is executed.
func missing(what string) core.Rule {
	return func(_ *core.Decoder, op ir.Op) (core.Action, error) {
		return func(*core.Machine) error { return op.Errorf("needs %s, which the interpreter does not have", what) }, nil
	}
}

func assert(d *core.Decoder, op ir.Op) (core.Action, error) {
	cond, shape, message := d.Slot(op.Operand(0)), values.ShapeOf(op.Operand(0)), op.StringAttr("message")
	return func(m *core.Machine) error {
		if err := m.Defined(op, cond, shape, "condition"); err != nil {
			return err
		}
		for i, x := range m.Vals[cond].Data {
			if x&1 == 0 {
				return fault.Errorf(op, launch.AssertFails, "does not hold for %s: %q", values.Place(shape, i), message).At(shape, i)
			}
		}
		return nil
	}, nil
}
