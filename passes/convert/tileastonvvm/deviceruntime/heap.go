package deviceruntime

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// alloca: the memory is part of the kernel's shared memory.
func alloca(l *core.Lowering, op ir.Op) error {
	off, ok := op.IntAttr(tile.AttrOffset)
	if !ok {
		return op.Errorf("has no offset")
	}
	renew(l, op)
	if op.HasUnitAttr(tile.AttrGlobal) {
		return globalAlloca(l, op)
	}
	p := l.Make(nvvm.PtrAdd, nvvm.Ptr(l.Ctx, nvvm.Shared), l.SharedBase(), l.Const32(off))
	l.Bind(op.Result(0), l.ToSpace(p))
	return nil
}

// The functions of the device runtime that manage its heap (CUDA programming guide, dynamic global memory allocation).
const (
	mallocFunction = "malloc"
	freeFunction   = "free"
	mallocAlign    = 16 // of what malloc returns
)

// A globalMemory is what a global alloca allocates when control first comes to it, once however often it executes;
// the kernel frees it when it returns. So a version of code that is not taken costs no allocation.
//
// One allocation for a loop's alloca is enough because its lifetime ends with the iteration (renew); memory for
// each execution would grow without bound.
type globalMemory struct {
	op   ir.Op
	slot ir.Value // where in shared memory the first thread puts the address; 0: nothing is allocated
}

// memories are what a kernel takes from the heap of the device.
var memories core.Local[[]globalMemory]

// AllocateGlobal finds the global allocas of the kernel and says that nothing is allocated yet.
//
// The address is passed through shared memory, at the offset that tileas-allocate-shared keeps for it.
func AllocateGlobal(l *core.Lowering) error {
	var err error
	own := memories.Of(l)
	l.Source.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(tileas.Level.Alloca) || !op.HasUnitAttr(tile.AttrGlobal) {
			return ir.Advance
		}
		off, ok := op.IntAttr(tile.AttrOffset)
		if !ok {
			err = op.Errorf("has no offset")
			return ir.Interrupt
		}
		// malloc is called by one thread, and its result must reach the others. They may be in other warps, so it
		// goes through shared memory.
		slot := l.Make(nvvm.PtrAdd, nvvm.Ptr(l.Ctx, nvvm.Shared), l.SharedBase(), l.Const32(off))
		*own = append(*own, globalMemory{op: op, slot: slot})
		return ir.Advance
	})
	if err != nil || len(*own) == 0 {
		return err
	}
	// Each return frees, since a kernel may end in several places; what malloc gave lives as long as the context
	// otherwise (CUDA programming guide, dynamic global memory allocation).
	l.AtReturn(func() error { return releaseGlobal(l, *own) })
	first, err := l.FirstThread()
	if err != nil {
		return err
	}
	return l.OnlyIf(first, func() error {
		for _, m := range *own {
			l.St(m.slot, 0, []ir.Value{l.Const64(0)}, ir.Value{})
		}
		return nil
	})
}

// address loads what is in a slot.
func address(l *core.Lowering, slot ir.Value) ir.Value {
	return l.Ld(slot, 0, ir.Value{}, nil, l.I64(), 1)[0]
}

// allocate lets the first thread allocate a memory unless it has, and returns the address as each thread knows it; 0:
// there was not enough memory.
func allocate(l *core.Lowering, m globalMemory) (ir.Value, error) {
	first, err := l.FirstThread()
	if err != nil {
		return ir.Value{}, err
	}
	// The slot was written by that thread alone, so that only it may look before the barrier.
	if err := l.OnlyIf(first, func() error {
		return l.OnlyIf(l.Compare("eq", address(l, m.slot), l.Const64(0)), func() error {
			bytes, _ := m.op.IntAttr(tile.AttrBytes)
			align, _ := m.op.IntAttr(tile.AttrAlignment)
			// Room to move the start up to the alignment; a size of 0 may give a null pointer, which means failure
			// here.
			size := l.Const64(max(bytes+align-mallocAlign, bytes, 1))
			base := l.Create(nvvm.Call, []ir.Value{size}, []ir.Type{l.I64()}, ir.NamedAttr{Name: nvvm.AttrCallee, Value: l.Ctx.String(mallocFunction)}).Result(0)
			l.St(m.slot, 0, []ir.Value{base}, ir.Value{})
			return nil
		})
	}); err != nil {
		return ir.Value{}, err
	}
	l.Create(nvvm.Barrier, nil, nil)
	return address(l, m.slot), nil
}

// releaseGlobal frees what was allocated, once no thread uses it any more. To free a null pointer does nothing.
func releaseGlobal(l *core.Lowering, own []globalMemory) error {
	first, err := l.FirstThread()
	if err != nil {
		return err
	}
	l.Create(nvvm.Barrier, nil, nil)
	return l.OnlyIf(first, func() error {
		for _, m := range own {
			l.Create(nvvm.Call, []ir.Value{address(l, m.slot)}, nil, ir.NamedAttr{Name: nvvm.AttrCallee, Value: l.Ctx.String(freeFunction)})
		}
		return nil
	})
}

// renew ends the use of the memory that an alloca in a loop allocated in the previous iteration, and gets again.
// No token orders the two uses, so the barriers for tokens do not.
//
// The barrier is where the iteration's alloca is: threads that still read the memory of the last iteration
// have not passed it.
func renew(l *core.Lowering, op ir.Op) {
	for p := op.ParentOp(); p != l.Source; p = p.ParentOp() {
		if p.Is(scf.For) || p.Is(scf.Loop) {
			l.Create(nvvm.Barrier, nil, nil)
			return
		}
	}
}

// globalAlloca is an alloca of memory that other CTAs may access. The kernel traps when there is not enough.
func globalAlloca(l *core.Lowering, op ir.Op) error {
	own := *memories.Of(l)
	i := slices.IndexFunc(own, func(m globalMemory) bool { return m.op == op })
	if i < 0 {
		return op.Errorf("has no place for its address")
	}
	if role, in := tileas.RoleOf(op); in {
		return op.Errorf("allocates memory in role \"%s\", where the other roles do not come to the barriers of an allocation", role.Name)
	}
	base, err := allocate(l, own[i])
	if err != nil {
		return err
	}
	if err := l.OnlyIf(l.Compare("eq", base, l.Const64(0)), func() error {
		l.Create(nvvm.Trap, nil, nil)
		return nil
	}); err != nil {
		return err
	}
	if align, _ := op.IntAttr(tile.AttrAlignment); align > mallocAlign {
		// Rounded up inside the room that allocate asked for. free gets the address as malloc gave it, which is why
		// this is not done there.
		base = l.Make(arith.AndI, l.I64(), l.Make(arith.AddI, l.I64(), base, l.Const64(align-mallocAlign)), l.Const64(-align))
	}
	l.Bind(op.Result(0), l.Make(nvvm.IntToPtr, nvvm.Ptr(l.Ctx, l.Space), base))
	return nil
}
