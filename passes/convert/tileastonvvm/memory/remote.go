package memory

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// remoteLoad: the place of a thread in the buffer is the same in all CTAs, so that only the beginning of shared
// memory is another. A matrix instruction reads none but its own.
func remoteLoad(l *core.Lowering, op ir.Op) error {
	buf, result := op.Operand(0), op.Result(0)
	t := buf.Type().(*tileas.BufferType)
	lay, err := l.Layout(result)
	if err != nil {
		return err
	}
	size := tile.ElementBytes(t.Elem)
	plan, err := linear.PlanAccess(lay, t.Layout.Shared, 8*size, 8*tile.MaxVectorBytes)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	addr := l.SharedAddress(buf, plan.Thread, int64(size))
	remote := nvvm.Ptr(l.Ctx, nvvm.Cluster)
	mapped := make(map[ir.Value]ir.Value)
	regs := make([]ir.Value, lay.Size(linear.Register))
	for _, a := range plan.Ops {
		p, off := addr.At(a.Offset)
		if mapped[p].IsNil() {
			mapped[p] = l.Make(nvvm.MapShared, remote, p, l.Value(op.Operand(1)))
		}
		for i, v := range l.Ld(mapped[p], off, ir.Value{}, nil, l.Elem(t.Elem), len(a.Registers)) {
			regs[a.Registers[i]] = v
		}
	}
	core.CopyRegisters(regs, plan.Copies)
	l.Bind(result, regs...)
	return nil
}
