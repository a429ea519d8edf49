package warps

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
)

func init() { core.Define(core.Table{tileas.WarpSpecialize: {Nest: warpSpecialize}}) }

func warpSpecialize(d *core.Decoder, op ir.Op) (core.Nested, error) {
	d.InRole = true
	defer func() { d.InRole = false }()
	bodies := make([]*core.Code, op.NumRegions())
	for i := range bodies {
		var err error
		if bodies[i], err = d.Block(op.Region(i).First(), core.Frame{}); err != nil {
			return nil, err
		}
	}
	return func(m *core.Machine) (core.Exit, error) { return core.ExitNone, m.RunRoles(op, bodies) }, nil
}

func init() {
	core.Define(core.Table{tileas.Barrier: {Run: barrier}, tileas.BarrierArrive: {Run: barrierArrive}})
}
