package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// mbarrierRules are those of mbarriers and bulk copies. What is done once for the tile block the first thread does; all threads wait, so that each sees what was copied.
//
// All threads wait, and not one of them with a barrier behind it: the completion of a phase makes what was
// copied visible to the threads that observe it (PTX ISA, "mbarrier.test_wait, mbarrier.try_wait", which
// acquire unless told otherwise).
func mbarrierRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{
		tileas.MbarrierInit: (*lowering).mbarrierInit, tileas.MbarrierInval: (*lowering).mbarrierInval,
		tileas.MbarrierExpect: (*lowering).mbarrierExpect,
		tileas.MbarrierArrive: (*lowering).mbarrierArrive, tileas.MbarrierWait: (*lowering).mbarrierWait,
		tileas.BulkLoad: (*lowering).bulkLoad, tileas.BulkStore: (*lowering).bulkStore,
		// Every thread commits and waits: for those that started nothing both are empty.
		tileas.BulkCommit: becomes(nvvm.BulkCommit), tileas.BulkWait: (*lowering).bulkWait,
		tileas.FenceAsync:  becomes(nvvm.FenceAsync),
		tileas.FenceGlobal: func(l *lowering, op ir.Op) error { return l.acts(nvvm.FenceGlobal, nil) },
	}
}

// acts makes an operation that only the first thread does.
func (l *lowering) acts(def *ir.OpDef, operands []ir.Value, attrs ...ir.NamedAttr) error {
	first, err := l.actor()
	if err != nil {
		return err
	}
	l.Create(def, append(operands, first), nil, attrs...)
	return nil
}

func (l *lowering) attr32(name string, n int64) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: l.ctx.IntAttr(l.i32(), n)}
}

// mbarrierInit leaves it to the barrier behind it to let other threads see the object; copies see it by the fence.
func (l *lowering) mbarrierInit(op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrArrivals)
	if err := l.acts(nvvm.MbarrierInit, []ir.Value{l.pointer(op.Operand(0))}, l.attr32(nvvm.AttrCount, n)); err != nil {
		return err
	}
	if l.arch.Has(sm.FenceMbarrierInit) { // targets without it have no copies that report to an mbarrier by bytes
		l.Create(nvvm.FenceMbarrierInit, nil, nil)
	}
	return nil
}

func (l *lowering) mbarrierInval(op ir.Op) error {
	return l.acts(nvvm.MbarrierInval, []ir.Value{l.pointer(op.Operand(0))})
}

func (l *lowering) mbarrierExpect(op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrBytes)
	first, err := l.firstIf(op)
	if err != nil {
		return err
	}
	l.Create(nvvm.MbarrierArrive, []ir.Value{l.pointer(op.Operand(0)), first}, nil, l.attr32(nvvm.AttrSize, n))
	return nil
}

func (l *lowering) mbarrierArrive(op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrArrivals)
	at := []ir.Value{l.pointer(op.Operand(0))}
	if op.HasUnitAttr(tileas.AttrTensor) { // by each thread, whose arrival comes behind its warp's meeting
		l.Create(nvvm.Tcgen05FenceBefore, nil, nil)
	}
	if op.HasUnitAttr(tileas.AttrCluster) {
		return l.arriveEverywhere(op, at[0], n)
	}
	switch n {
	case 1:
		return l.acts(nvvm.MbarrierArrive, at)
	case int64(l.warps): // one of each warp, which speaks for the others behind a meeting of its lanes
		if before := op.Prev(); before.IsNil() || !before.Is(tileas.DotWait) { // which all lanes of a warp execute together
			l.Create(nvvm.WarpSync, nil, nil)
		}
		l.Create(nvvm.MbarrierArrive, append(at, l.oneOfWarp()), nil)
		return nil
	case int64(sm.WarpSize * l.warps):
		l.Create(nvvm.MbarrierArrive, at, nil)
		return nil
	default:
		return op.Errorf("makes %d arrivals, which no set of threads does: one thread makes 1, one of each warp make %d, and all of them make %d", n, l.warps, sm.WarpSize*l.warps)
	}
}

func (l *lowering) mbarrierWait(op ir.Op) error {
	var attrs []ir.NamedAttr
	if op.HasUnitAttr(tileas.AttrCluster) {
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrCluster, Value: l.ctx.Unit()})
	}
	if _, in := tileas.RoleOf(op); in { // which waits for another one, and would take issue slots from it
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrSuspend, Value: l.ctx.Unit()})
	}
	l.Create(nvvm.MbarrierWait, []ir.Value{l.pointer(op.Operand(0)), l.Value(op.Operand(1))}, nil, attrs...)
	if op.HasUnitAttr(tileas.AttrTensor) {
		l.Create(nvvm.Tcgen05FenceAfter, nil, nil)
	}
	return nil
}

// bulkSides returns the addresses of the buffer and of the global memory of a bulk copy.
func (l *lowering) bulkSides(op ir.Op, f sm.Feature) (buffer, global ir.Value, err error) {
	switch {
	case !l.arch.Has(f):
		return buffer, global, op.Errorf("needs %s, which %s does not have", f.Doc(), l.arch)
	case l.space != nvvm.Global:
		return buffer, global, op.Errorf("cannot be done: in a kernel with an alloca its other side may be in shared memory")
	}
	return l.pointer(op.Operand(0)), l.Value(op.Operand(1)), nil
}

func (l *lowering) bulkWait(op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrPending)
	attrs := []ir.NamedAttr{l.attr32(nvvm.AttrCount, n)}
	if op.HasUnitAttr(tileas.AttrRead) {
		attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrRead, Value: l.ctx.Unit()})
	}
	l.Create(nvvm.BulkWait, nil, nil, attrs...)
	return nil
}

func bulkBytes(op ir.Op) int64 { return op.Operand(0).Type().(*tileas.BufferType).TileBytes() }

func (l *lowering) bulkLoad(op ir.Op) error {
	to, from, err := l.bulkSides(op, sm.CpAsyncBulk)
	if err != nil {
		return err
	}
	return l.acts(nvvm.BulkLoad, []ir.Value{to, from, l.pointer(op.Operand(2))}, l.attr32(nvvm.AttrSize, bulkBytes(op)))
}

func (l *lowering) bulkStore(op ir.Op) error {
	from, to, err := l.bulkSides(op, sm.CpAsyncBulkStore)
	if err != nil {
		return err
	}
	return l.acts(nvvm.BulkStore, []ir.Value{to, from}, l.attr32(nvvm.AttrSize, bulkBytes(op)))
}
