package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.MakeToken: ordering, cudatile.JoinTokens: ordering, cudatile.MemoryFenceAlias: ordering,
		cudatile.GdcWait: ordering, cudatile.GdcLaunchDependents: ordering,
		cudatile.Assert:      (*decoder).assert,
		cudatile.PreviewCall: missing("functions of the preview, which no specification describes"),
	})
}

// ordering decodes what only orders: execution is in program order, and no other kernel runs.
func ordering(*decoder, ir.Op) (func(*machine) error, error) { return nothing, nil }

// missing decodes an operation that fails when it is reached.
func missing(what string) rule {
	return func(_ *decoder, op ir.Op) (func(*machine) error, error) {
		return func(*machine) error { return op.Errorf("needs %s, which the interpreter does not have", what) }, nil
	}
}

func (d *decoder) assert(op ir.Op) (func(*machine) error, error) {
	cond, shape, message := d.slot(op.Operand(0)), shapeOf(op.Operand(0)), op.StringAttr("message")
	return func(m *machine) error {
		if err := m.defined(op, cond, shape, "condition"); err != nil {
			return err
		}
		for i, x := range m.vals[cond].data {
			if x&1 == 0 {
				return failf(op, launch.AssertFails, "does not hold for %s: %q", place(shape, i), message).at(shape, i)
			}
		}
		return nil
	}, nil
}
