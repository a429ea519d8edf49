package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/tensormap"
)

// Tensor maps that tile blocks make, for launchers that pass nothing but the arguments of the program.
//
// A map is built in shared memory, which is free at the start of a kernel, and copied to global memory, where copies read it. There each tile block has a slot of its own, whatever launch it belongs to, so that no two with other
// arguments share one: the first thread takes a slot as the kernel begins and gives it back when it returns. There are as many as tile blocks can be resident on the largest device, so that none waits for another.
//
//	thread 0: slot = take ; st.shared [128], slot        barrier        slot = ld.shared [128]
//	warp 0: map in shared memory [0, 128) -> maps + slot * 128 * count + 128 * number        barrier ; fence.proxy.tensormap of each thread
//	thread 0, in front of each return: give slot

// mapSlots is where the maps of a tile block are.
type mapSlots struct {
	bits, slot ir.Value // zero Values: none is taken
	at         ir.Value // the first map
	made       int64
}

const (
	// mapScratch is how much shared memory the maps are made in: the map, and the number of the slot.
	mapScratch = 2 * tensormap.Bytes
	// The most that a device has (target/sm does not count SMs, of which parts of one architecture have different numbers), and an SM holds.
	mostSMs, mostBlocks, mostThreads = 256, 32, 2048
	slotWord                         = 32
)

// countMaps returns how many tensor maps tile blocks of a kernel make.
func countMaps(fn ir.Op, maps contract.TensorMaps) (n int64) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.MakeTensorMap) && maps == contract.TensorMapsDevice || op.Is(tileas.BuildTensorMap) {
			n++
		}
		return ir.Advance
	})
	return n
}

// deviceMap makes a map where it stands, which is at the start of the kernel, and returns its address.
func (l *lowering) deviceMap(op ir.Op, sizes, strides []ir.Value, box []int64) (ir.Value, error) {
	built := op.Is(tileas.BuildTensorMap)
	if !built && (op.Block() != l.source.Body() || !l.unused(op)) {
		return ir.Value{}, op.Errorf("must stand at the start of the kernel, in front of all that uses shared memory: it is made there")
	}
	if role, ok := tileas.RoleOf(op); ok {
		return ir.Value{}, op.Errorf("stands in role \"%s\": all warps of the tile block meet where a map is made", role.Name)
	}
	scratch := l.sharedBase()
	if l.slots.slot.IsNil() {
		if err := l.takeSlot(scratch); err != nil {
			return ir.Value{}, err
		}
	}
	if built {
		scratch = l.pointer(op.OperandNamed("scratch"))
	}
	to := l.create(nvvm.PtrAdd, l.slots.at.Type(), l.slots.at, l.const64(tensormap.Bytes*l.slots.made))
	l.slots.made++
	t := op.Result(0).Type().(*tileas.TensorMapType)
	size := int64(tile.ElementBytes(t.Elem))
	var extents, steps []ir.Value
	for _, n := range sizes {
		extents = append(extents, l.create(arith.TruncI, l.i32(), l.create(arith.MaxSI, l.i64(), n, l.const64(1))))
	}
	for _, n := range strides {
		steps = append(steps, l.create(arith.MulI, l.i64(), n, l.const64(size)))
	}
	err := l.onlyIf(l.compare("ult", l.sreg("tid.x"), l.const32(sm.WarpSize)), func() error {
		st := l.NewState(nvvm.MakeTensorMap, l.Loc)
		st.OperandGroups([]ir.Value{to}, []ir.Value{scratch}, []ir.Value{l.Value(op.OperandNamed("base"))}, extents, steps)
		st.SetAttr(nvvm.AttrElement, l.ctx.IntAttr(l.i32(), size))
		st.SetAttr(nvvm.AttrBox, l.ctx.DenseArray(l.i64(), box...))
		if t.Swizzle > 0 {
			st.SetAttr(nvvm.AttrSwizzle, l.ctx.IntAttr(l.i32(), t.Swizzle))
		}
		l.elementsOf(st, op)
		l.Insert(st)
		return nil
	})
	if err != nil {
		return ir.Value{}, err
	}
	l.Create(nvvm.Barrier, nil, nil)
	l.Create(nvvm.AcquireTensorMap, []ir.Value{to}, nil)
	return l.create(nvvm.ToGeneric, nvvm.Ptr(l.ctx, nvvm.Generic), to), nil
}

// unused reports whether nothing in front of an operation of the body uses shared memory.
func (l *lowering) unused(op ir.Op) bool {
	for o := range op.Block().Ops() {
		switch {
		case o == op:
			return true
		case !ir.IsPure(o) && !o.Is(tileas.AllocShared):
			return false
		}
	}
	return true
}

// takeSlot takes a slot for the tile block.
func (l *lowering) takeSlot(scratch ir.Value) error {
	n, count := l.mapSlots(), countMaps(l.source, l.maps)
	zeros := func(elements int64, t ir.Type) ir.Attribute {
		return l.ctx.Dense(l.ctx.Tensor([]int64{elements}, t, nil), make([]byte, ir.DenseElemBytes(t)))
	}
	const words = tensormap.Bytes / 8
	bits := l.variable("slots", zeros(n/slotWord, l.i32()))
	maps := l.variable("maps", zeros(n*count*words, l.i64()), ir.NamedAttr{Name: nvvm.AttrAlignment, Value: l.ctx.IntAttr(l.i64(), tensormap.Bytes)})
	first, err := l.firstThread()
	if err != nil {
		return err
	}
	l.slots.bits = l.addressOf(bits)
	told := l.create(nvvm.PtrAdd, scratch.Type(), scratch, l.const32(tensormap.Bytes))
	if err := l.onlyIf(first, func() error {
		slot := l.Create(nvvm.TakeSlot, []ir.Value{l.slots.bits}, []ir.Type{l.i32()}, l.attr32(nvvm.AttrCount, n)).Result(0)
		l.st(told, 0, []ir.Value{slot}, ir.Value{})
		return nil
	}); err != nil {
		return err
	}
	l.Create(nvvm.Barrier, nil, nil)
	l.slots.slot = l.ld(told, 0, ir.Value{}, nil, l.i32(), 1)[0]
	base := l.addressOf(maps)
	l.slots.at = l.create(nvvm.PtrAdd, base.Type(), base, l.create(arith.MulI, l.i64(), l.create(arith.ExtUI, l.i64(), l.slots.slot), l.const64(tensormap.Bytes*count)))
	return nil
}

// slotsForLoops takes the slot at the start of a kernel whose maps are made later, perhaps in a loop: a tile block takes one once. The barrier keeps what comes next in shared memory behind the reads of the number.
func (l *lowering) slotsForLoops() error {
	later := false
	l.source.Walk(func(op ir.Op) ir.WalkResult {
		later = later || op.Is(tileas.BuildTensorMap)
		return ir.Advance
	})
	if !later {
		return nil
	}
	l.Loc = l.source.Loc()
	if err := l.takeSlot(l.sharedBase()); err != nil {
		return err
	}
	l.Create(nvvm.Barrier, nil, nil)
	return nil
}

// mapSlots returns how many tile blocks of the kernel can be resident at once: a multiple of 32.
func (l *lowering) mapSlots() int64 {
	shared, _ := l.source.IntAttr(tileas.AttrSharedBytes)
	each := min(mostBlocks, mostThreads/(sm.WarpSize*l.warps), l.arch.Shared.PerSM/(max(int(shared), mapScratch)+l.arch.Shared.Reserved))
	return mostSMs * int64(max(each, 1))
}

// giveMaps gives the slot back in front of a return. The thread that starts copies does: it has waited for them, at least until they had read their sources and maps (PTX ISA, cp.async.bulk.wait_group), and who
// waits without having started any waits for nothing.
func (l *lowering) giveMaps() error {
	if l.slots.slot.IsNil() {
		return nil
	}
	first, err := l.actor()
	if err != nil {
		return err
	}
	l.Create(nvvm.GiveSlot, []ir.Value{l.slots.bits, l.slots.slot, first}, nil)
	return nil
}
