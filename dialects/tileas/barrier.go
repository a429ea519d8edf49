package tileas

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Attributes of a barrier that not all warps meet at.
const (
	AttrID           = "id"           // i32: which of the named barriers
	AttrParticipants = "participants" // i32: how many warps meet at it
)

// NamedBarriers is the largest id of a named barrier. The hardware has 16; number 0 is the barrier of the CTA.
const NamedBarriers = 15

// Barrier makes threads wait for each other.
var Barrier = Dialect.Op(ir.OpDef{
	Name: "barrier", Summary: "Waits for all threads of the CTA, or of some warps, and makes their memory accesses visible.",
	Doc: "With an id it is a named barrier, and `warps` says how many warps meet there. The warps that execute it " +
		"count; warps that execute a `barrier_arrive` with the same id make up the rest. Without an id all warps " +
		"of the CTA meet, so each group of specialized warps must execute one.",
	Attrs: []ir.Field{{Name: AttrID, Arity: ir.Optional, Kind: ir.I32Kind}, {Name: AttrParticipants, Arity: ir.Optional, Kind: ir.I32Kind}},
	// Two groups and not one, so that each attribute can be missed by name.
	Syntax: "(`id` $id^)? (`warps` $participants^)? attr-dict", Verify: verifyBarrier,
	Caps: []ir.CapImpl{tile.OneLane.Is(func(op ir.Op) bool { // one warp's lanes need not meet
		n, named := op.IntAttr(AttrParticipants)
		return named && n == 1
	})},
})

// BarrierArrive is what comes to a named barrier and goes on.
var BarrierArrive = Dialect.Op(ir.OpDef{
	Name: "barrier_arrive", Summary: "Arrives at a named barrier without waiting there.",
	Doc: "A warp that waits at the barrier sees the memory accesses before this operation. The warps that only " +
		"arrive see nothing of the others. For example, a producer arrives to say that a buffer is full, and a " +
		"consumer arrives to say that it is empty.",
	Attrs:  []ir.Field{{Name: AttrID, Kind: ir.I32Kind}, {Name: AttrParticipants, Kind: ir.I32Kind}},
	Syntax: "`id` $id `warps` $participants attr-dict", Verify: verifyBarrier,
})

func verifyBarrier(op ir.Op) error {
	id, named := op.IntAttr(AttrID)
	warps, counted := op.IntAttr(AttrParticipants)
	switch {
	case named != counted:
		return op.Errorf("must have both an id and the number of warps that meet there, or neither")
	case !named:
		return nil
	case id < 1 || id > NamedBarriers:
		return op.Errorf("id must be from 1 to %d, but got %d", NamedBarriers, id)
	}
	all, known := warpsOfKernel(op)
	if r, ok := RoleOf(op); ok {
		if warps < r.Warps || known && warps > all {
			return op.Errorf("is met by from %d warps, which role \"%s\" has, to the %d of the kernel, but got %d", r.Warps, r.Name, all, warps)
		}
		return nil
	}
	if warps < 1 || known && warps != all {
		return op.Errorf("stands in no role, so all %d warps meet there, but got %d", all, warps)
	}
	return nil
}

// warpsOfKernel returns how many warps the kernel around an operation has, if it says so.
func warpsOfKernel(op ir.Op) (int64, bool) {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if n := contract.KernelSpecOf(p).NumWarps; n > 0 {
			return int64(n), true
		}
	}
	return 0, false
}
