package tileastonvvm

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// The functions of the device runtime that manage its heap (CUDA programming guide, dynamic global memory allocation).
const (
	mallocFunction = "malloc"
	freeFunction   = "free"
	mallocAlign    = 16 // of what malloc returns
)

// A globalMemory is what a global alloca allocates when control first comes to it, once however often it executes; the kernel frees it when it returns. So a version of
// code that is not taken costs no allocation.
//
// One allocation for a loop's alloca is enough because its lifetime ends with the iteration (renew); memory for
// each execution would grow without bound.
type globalMemory struct {
	op   ir.Op
	slot ir.Value // where in shared memory the first thread puts the address; 0: nothing is allocated
}

// A heap is the memory that a kernel takes from the device's.
type heap struct{ memories []globalMemory }

// firstThread returns the condition that this is the thread that acts for the tile block.
func (l *lowering) firstThread() (ir.Value, error) {
	lay, err := l.scalarLayout()
	return l.owner(lay), err
}

// actor returns the condition that this is the thread that starts copies and tells mbarriers: of the first warp one that is elected where there is such a thing. ptxas gives what it passes registers of the
// warp then; for a thread that a comparison chooses it makes a loop over the lanes of each copy (13.5: 99 instead of 119 instructions in the loop of batch_matmul_f16_128x128x64, 26 instead of 41 issue cycles per 64 K multiply-adds).
func (l *lowering) actor() (ir.Value, error) {
	if !l.arch.Has(sm.ElectSync) {
		return l.firstThread()
	}
	warp := l.uniformWarp()
	zero := l.const32(0)
	return l.once(threadKey{"actor"}, func(b *ir.Builder) ir.Value {
		i1 := l.ctx.Int(1)
		elected := b.Create(nvvm.ElectSync, nil, []ir.Type{i1}).Result(0)
		return b.Create(arith.AndI, []ir.Value{arith.NewCmpI(b, "eq", warp, zero), elected}, []ir.Type{i1}).Result(0)
	}), nil
}

// oneOfWarp returns a condition that holds for one lane of each warp.
func (l *lowering) oneOfWarp() ir.Value {
	lane, zero := l.lane(), l.const32(0)
	return l.once(threadKey{"one of each warp"}, func(b *ir.Builder) ir.Value {
		if l.arch.Has(sm.ElectSync) {
			return b.Create(nvvm.ElectSync, nil, []ir.Type{l.ctx.Int(1)}).Result(0)
		}
		return arith.NewCmpI(b, "eq", lane, zero)
	})
}

// allocateGlobal finds the global allocas of the kernel and says that nothing is allocated yet.
//
// The address travels through shared memory, at the offset that tileas-allocate-shared keeps for it.
func (l *lowering) allocateGlobal() error {
	var err error
	l.source.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(tileas.Level.Alloca) || !op.HasUnitAttr(tile.AttrGlobal) {
			return ir.Advance
		}
		off, ok := op.IntAttr(tile.AttrOffset)
		if !ok {
			err = op.Errorf("has no offset")
			return ir.Interrupt
		}
		// malloc is called by one thread, and its result must reach the others. They may be in other warps, so it goes through shared memory.
		slot := l.create(nvvm.PtrAdd, nvvm.Ptr(l.ctx, nvvm.Shared), l.sharedBase(), l.const32(off))
		l.memories = append(l.memories, globalMemory{op: op, slot: slot})
		return ir.Advance
	})
	if err != nil || len(l.memories) == 0 {
		return err
	}
	first, err := l.firstThread()
	if err != nil {
		return err
	}
	return l.onlyIf(first, func() error {
		for _, m := range l.memories {
			l.st(m.slot, 0, []ir.Value{l.const64(0)}, ir.Value{})
		}
		return nil
	})
}

// address loads what is in a slot.
func (l *lowering) address(slot ir.Value) ir.Value {
	return l.ld(slot, 0, ir.Value{}, nil, l.i64(), 1)[0]
}

// allocate lets the first thread allocate a memory unless it has, and returns the address as each thread knows it; 0: there was not enough memory.
func (l *lowering) allocate(m globalMemory) (ir.Value, error) {
	first, err := l.firstThread()
	if err != nil {
		return ir.Value{}, err
	}
	// The slot was written by that thread alone, so that only it may look before the barrier.
	if err := l.onlyIf(first, func() error {
		return l.onlyIf(l.compare("eq", l.address(m.slot), l.const64(0)), func() error {
			bytes, _ := m.op.IntAttr(tile.AttrBytes)
			align, _ := m.op.IntAttr(tile.AttrAlignment)
			// Room to move the start up to the alignment; a size of 0 may give a null pointer, which means failure here.
			size := l.const64(max(bytes+align-mallocAlign, bytes, 1))
			base := l.Create(nvvm.Call, []ir.Value{size}, []ir.Type{l.i64()}, ir.NamedAttr{Name: nvvm.AttrCallee, Value: l.ctx.String(mallocFunction)}).Result(0)
			l.st(m.slot, 0, []ir.Value{base}, ir.Value{})
			return nil
		})
	}); err != nil {
		return ir.Value{}, err
	}
	l.Create(nvvm.Barrier, nil, nil)
	return l.address(m.slot), nil
}

// releaseGlobal frees what was allocated, once no thread uses it any more. To free a null pointer does nothing.
func (l *lowering) releaseGlobal() error {
	if len(l.memories) == 0 {
		return nil
	}
	first, err := l.firstThread()
	if err != nil {
		return err
	}
	l.Create(nvvm.Barrier, nil, nil)
	return l.onlyIf(first, func() error {
		for _, m := range l.memories {
			l.Create(nvvm.Call, []ir.Value{l.address(m.slot)}, nil, ir.NamedAttr{Name: nvvm.AttrCallee, Value: l.ctx.String(freeFunction)})
		}
		return nil
	})
}

// renew ends the use of what an alloca in a loop allocated in the iteration before, whose memory the next one gets: no token orders the two, so the
// barriers for those do not.
//
// The barrier stands where the iteration's alloca is: threads that still read the memory of the last iteration
// have not passed it.
func (l *lowering) renew(op ir.Op) {
	for p := op.ParentOp(); p != l.source; p = p.ParentOp() {
		if p.Is(scf.For) || p.Is(scf.Loop) {
			l.Create(nvvm.Barrier, nil, nil)
			return
		}
	}
}

// globalAlloca is an alloca of memory that other tile blocks may access: it traps when there was not enough.
func (l *lowering) globalAlloca(op ir.Op) error {
	i := slices.IndexFunc(l.memories, func(m globalMemory) bool { return m.op == op })
	if i < 0 {
		return op.Errorf("has no place for its address")
	}
	if role, in := tileas.RoleOf(op); in {
		return op.Errorf("allocates memory in role \"%s\", where the other roles do not come to the barriers of an allocation", role.Name)
	}
	base, err := l.allocate(l.memories[i])
	if err != nil {
		return err
	}
	if err := l.onlyIf(l.compare("eq", base, l.const64(0)), func() error {
		l.Create(nvvm.Trap, nil, nil)
		return nil
	}); err != nil {
		return err
	}
	if align, _ := op.IntAttr(tile.AttrAlignment); align > mallocAlign {
		// Rounded up inside the room that allocate asked for. free gets the address as malloc gave it, which is why this is not done there.
		base = l.create(arith.AndI, l.i64(), l.create(arith.AddI, l.i64(), base, l.const64(align-mallocAlign)), l.const64(-align))
	}
	l.Bind(op.Result(0), l.create(nvvm.IntToPtr, nvvm.Ptr(l.ctx, l.space), base))
	return nil
}
