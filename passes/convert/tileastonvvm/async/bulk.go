package async

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
)

// bulkSides returns the addresses of the buffer and of the global memory of a bulk copy.
func bulkSides(l *core.Lowering, op ir.Op, f sm.Feature) (buffer, global ir.Value, err error) {
	switch {
	case !l.Arch.Has(f):
		return buffer, global, op.Errorf("needs %s, which %s does not have", f.Doc(), l.Arch)
	case l.Space != nvvm.Global:
		return buffer, global, op.Errorf("cannot be done: in a kernel with an alloca its other side may be in shared memory")
	}
	return l.Pointer(op.Operand(0)), l.Value(op.Operand(1)), nil
}

// bulkWait lowers a wait for bulk groups.
//
// The PTX ISA promises order to later bulk copies only after a wait without .read. The machine has one wait: ptxas makes
// the same instructions of both, and adds CCTL.IVALL to the one without .read. That invalidates L1, which bulk copies
// pass by (tests/tma, TestBulkWaits). tileiras 13.5 too has .read alone between two stores of one tile.
func bulkWait(l *core.Lowering, op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrPending)
	reads := op.HasUnitAttr(tileas.AttrRead) || op.HasUnitAttr(tileas.AttrStores)
	l.Create(nvvm.BulkWait, nil, nil, append(l.Ctx.UnitIf(reads, nvvm.AttrRead), l.Attr32(nvvm.AttrCount, n))...)
	return nil
}

func bulkBytes(op ir.Op) int64 { return op.Operand(0).Type().(*tileas.BufferType).TileBytes() }

func bulkLoad(l *core.Lowering, op ir.Op) error {
	to, from, err := bulkSides(l, op, sm.CpAsyncBulk)
	if err != nil {
		return err
	}
	return acts(l, nvvm.BulkLoad, []ir.Value{to, from, l.Pointer(op.Operand(2))}, l.Attr32(nvvm.AttrSize, bulkBytes(op)))
}

func bulkStore(l *core.Lowering, op ir.Op) error {
	from, to, err := bulkSides(l, op, sm.CpAsyncBulkStore)
	if err != nil {
		return err
	}
	return acts(l, nvvm.BulkStore, []ir.Value{to, from}, l.Attr32(nvvm.AttrSize, bulkBytes(op)))
}
