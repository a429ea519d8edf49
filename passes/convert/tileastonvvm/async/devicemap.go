package async

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/tensormap"
)

// Tensor maps that CTAs make, for launchers that pass only the arguments of the program.
//
// A map is built in shared memory, which is free at the start of a kernel, and copied to global memory, where TMA
// reads it. There each CTA has a slot, whatever launch it belongs to, so CTAs of launches with other arguments never
// share one. The first thread takes a slot when the kernel begins and gives it back when it returns. There are as
// many slots as CTAs can be resident on the largest device, so no CTA waits for another.
//
//	thread 0: slot = take ; st.shared [128], slot        barrier        slot = ld.shared [128]
//	warp 0: map in shared memory [0, 128) -> maps + slot * 128 * count + 128 * number ; fence.proxy.async
//	all: barrier ; fence.proxy.tensormap
//	thread 0, before each return: give slot

// mapSlots is where the maps of a CTA are.
type mapSlots struct {
	bits, slot ir.Value // zero Values: none is taken
	at         ir.Value // the first map
	made       int64
}

// slots says where the maps of a kernel's CTAs are.
var slots core.Local[mapSlots]

const (
	// MapScratch is how much shared memory the maps are made in: the map, and the number of the slot.
	MapScratch = 2 * tensormap.Bytes
	// The most that a device has (target/sm does not count SMs, of which parts of one architecture have different
	// numbers), and an SM holds.
	mostSMs, mostBlocks, mostThreads = 256, 32, 2048
	slotWord                         = 32
)

// CountMaps returns how many tensor maps the CTAs of a kernel make.
func CountMaps(fn ir.Op, maps contract.TensorMaps) (n int64) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.MakeTensorMap) && maps == contract.TensorMapsDevice || op.Is(tileas.BuildTensorMap) {
			n++
		}
		return ir.Advance
	})
	return n
}

// deviceMap makes a map and returns its address.
func deviceMap(l *core.Lowering, op ir.Op, sizes, strides []ir.Value, box []int64) (ir.Value, error) {
	built := op.Is(tileas.BuildTensorMap)
	if !built && (op.Block() != l.Source.Body() || !unused(l, op)) {
		return ir.Value{}, op.Errorf("must be at the start of the kernel, before all that uses shared memory: the map is made there")
	}
	if role, ok := tileas.RoleOf(op); ok {
		return ir.Value{}, op.Errorf("is in role \"%s\": all warps of the CTA meet where a map is made", role.Name)
	}
	scratch, own := l.SharedBase(), slots.Of(l)
	if own.slot.IsNil() {
		if err := takeSlot(l, scratch); err != nil {
			return ir.Value{}, err
		}
	}
	if built {
		scratch = l.Pointer(op.OperandNamed("scratch"))
	}
	to := l.Make(nvvm.PtrAdd, own.at.Type(), own.at, l.Const64(tensormap.Bytes*own.made))
	own.made++
	t := op.Result(0).Type().(*tileas.TensorMapType)
	size := int64(tile.ElementBytes(t.Elem))
	var extents, steps []ir.Value
	for _, n := range sizes {
		extents = append(extents, l.Make(arith.TruncI, l.I32(), l.Make(arith.MaxSI, l.I64(), n, l.Const64(1))))
	}
	for _, n := range strides {
		steps = append(steps, l.Make(arith.MulI, l.I64(), n, l.Const64(size)))
	}
	err := l.OnlyIf(l.Compare("ult", l.Sreg("tid.x"), l.Const32(sm.WarpSize)), func() error {
		st := l.NewState(nvvm.MakeTensorMap, l.Loc)
		st.OperandGroups([]ir.Value{to}, []ir.Value{scratch}, []ir.Value{l.Value(op.OperandNamed("base"))}, extents, steps)
		st.SetAttr(nvvm.AttrElement, l.Ctx.IntAttr(l.I32(), size))
		st.SetAttr(nvvm.AttrBox, l.Ctx.DenseArray(l.I64(), box...))
		if t.Swizzle > 0 {
			st.SetAttr(nvvm.AttrSwizzle, l.Ctx.IntAttr(l.I32(), t.Swizzle))
		}
		elementsOf(l, st, op)
		l.Insert(st)
		l.Create(nvvm.FenceAsync, nil, nil) // copies may write to this memory next
		return nil
	})
	if err != nil {
		return ir.Value{}, err
	}
	l.Create(nvvm.Barrier, nil, nil)
	l.Create(nvvm.AcquireTensorMap, []ir.Value{to}, nil)
	return l.Make(nvvm.ToGeneric, nvvm.Ptr(l.Ctx, nvvm.Generic), to), nil
}

// unused reports whether nothing before an operation of the body uses shared memory.
func unused(l *core.Lowering, op ir.Op) bool {
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

// takeSlot takes a slot for the CTA.
func takeSlot(l *core.Lowering, scratch ir.Value) error {
	n, count := countSlots(l), CountMaps(l.Source, l.TensorMaps)
	zeros := func(elements int64, t ir.Type) ir.Attribute {
		return l.Ctx.Dense(l.Ctx.Tensor([]int64{elements}, t, nil), make([]byte, ir.DenseElemBytes(t)))
	}
	const words = tensormap.Bytes / 8
	bits := l.Variable("slots", zeros(n/slotWord, l.I32()))
	maps := l.Variable("maps", zeros(n*count*words, l.I64()), ir.NamedAttr{Name: nvvm.AttrAlignment, Value: l.Ctx.IntAttr(l.I64(), tensormap.Bytes)})
	first, err := l.FirstThread()
	if err != nil {
		return err
	}
	own := slots.Of(l)
	own.bits = l.AddressOf(bits)
	number := l.Make(nvvm.PtrAdd, scratch.Type(), scratch, l.Const32(tensormap.Bytes))
	if err := l.OnlyIf(first, func() error {
		slot := l.Create(nvvm.TakeSlot, []ir.Value{own.bits}, []ir.Type{l.I32()}, l.Attr32(nvvm.AttrCount, n)).Result(0)
		l.St(number, 0, []ir.Value{slot}, ir.Value{})
		return nil
	}); err != nil {
		return err
	}
	l.Create(nvvm.Barrier, nil, nil)
	own.slot = l.Ld(number, 0, ir.Value{}, nil, l.I32(), 1)[0]
	base := l.AddressOf(maps)
	own.at = l.Make(nvvm.PtrAdd, base.Type(), base, l.Make(arith.MulI, l.I64(), l.Make(arith.ExtUI, l.I64(), own.slot), l.Const64(tensormap.Bytes*count)))
	l.AtReturn(func() error { return giveMaps(l, own) })
	return nil
}

// SlotsForLoops takes the slot at the start of a kernel whose maps are made later, perhaps in a loop: a CTA takes a
// slot once. The barrier keeps later writes to shared memory after the reads of the number.
func SlotsForLoops(l *core.Lowering) error {
	later := false
	l.Source.Walk(func(op ir.Op) ir.WalkResult {
		later = later || op.Is(tileas.BuildTensorMap)
		return ir.Advance
	})
	if !later {
		return nil
	}
	l.Loc = l.Source.Loc()
	if err := takeSlot(l, l.SharedBase()); err != nil {
		return err
	}
	l.Create(nvvm.FenceAsync, nil, nil)
	l.Create(nvvm.Barrier, nil, nil)
	return nil
}

// countSlots returns how many CTAs of the kernel can be resident at once: a multiple of 32.
func countSlots(l *core.Lowering) int64 {
	shared, _ := l.Source.IntAttr(tileas.AttrSharedBytes)
	each := min(mostBlocks, mostThreads/(sm.WarpSize*l.Warps), l.Arch.Shared.PerSM/(max(int(shared), MapScratch)+l.Arch.Shared.Reserved))
	return mostSMs * int64(max(each, 1))
}

// giveMaps gives the slot back before a return. The thread that starts copies does it: it has waited until they had
// read their sources and maps (PTX ISA, cp.async.bulk.wait_group). A thread that started none waits for nothing.
func giveMaps(l *core.Lowering, own *mapSlots) error {
	first, err := l.Elected()
	if err != nil {
		return err
	}
	l.Create(nvvm.GiveSlot, []ir.Value{own.bits, own.slot, first}, nil)
	return nil
}
