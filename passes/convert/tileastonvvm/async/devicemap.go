package async

import (
	"maps"
	"slices"

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
// many slots as CTAs can be resident on the largest device, so no CTA waits for another. For n maps:
//
//	thread 0: slot = take ; st.shared [128 n], slot
//	warp i + 1: map i in shared memory [128 i, 128 i + 128)
//	all: barrier ; slot = ld.shared [128 n]
//	warp i + 1: [128 i, 128 i + 128) -> maps + 128 (slot * n + i) ; fence.proxy.async
//	all: barrier
//	warps that start copies: fence.proxy.tensormap of each map
//	thread 0, before each return: give slot
//
// Building a map is a chain of accesses to shared memory, so warps build side by side, and while the slot is taken.

// mapSlots is where the maps of a CTA are.
type mapSlots struct {
	bits, slot ir.Value // zero Values: none is taken, and its number is not read
	at         ir.Value // the first map
	released   int
	started    []startMap
}

// startMap is a map of the kernel's start that a warp has built.
type startMap struct {
	builds, scratch ir.Value // which warp does, and where
	empty           ir.Value // whether a size is 0
}

// slots says where the maps of a kernel's CTAs are.
var slots core.Local[mapSlots]

const (
	// The most that a device has (target/sm does not count SMs, of which parts of one architecture have different
	// numbers), and an SM holds.
	mostSMs, mostBlocks, mostThreads = 256, 32, 2048
	slotWord                         = 32
)

// mapsOf returns the operations of a kernel whose maps its CTAs make: at its start, and where they stand.
func mapsOf(fn ir.Op, maps contract.TensorMaps) (first, later []ir.Op) {
	fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.MakeTensorMap) && maps == contract.TensorMapsDevice:
			first = append(first, op)
		case op.Is(tileas.BuildTensorMap):
			later = append(later, op)
		}
		return ir.Advance
	})
	return first, later
}

// MapScratch returns how many bytes of shared memory the CTAs of a kernel make their maps in: the maps of its start,
// and the number of the slot.
func MapScratch(fn ir.Op, maps contract.TensorMaps) int64 {
	first, later := mapsOf(fn, maps)
	if len(first)+len(later) == 0 {
		return 0
	}
	return tensormap.Bytes * int64(len(first)+1)
}

// A mapShape is what a map says of an array: extents, strides in elements, and a box.
type mapShape struct {
	sizes, strides []ir.Value
	box            []int64
	empty          ir.Value // whether a size is 0
}

// mapAtStart builds a map of the kernel's start. With the last of them it releases all.
func mapAtStart(l *core.Lowering, op ir.Op, m mapShape) error {
	if op.Block() != l.Source.Body() || !unused(l, op) {
		return op.Errorf("must be at the start of the kernel, before all that uses shared memory: the map is made there")
	}
	own := slots.Of(l)
	if own.bits.IsNil() {
		if err := takeSlot(l); err != nil {
			return err
		}
	}
	i := len(own.started)
	builds, scratch := ofWarp(l, (i+1)%l.Warps), scratchAt(l, i)
	own.started = append(own.started, startMap{builds, scratch, m.empty})
	l.Bind(op.Result(0), generic(l, own.at), m.empty) // until the slot is known; nothing uses the map before
	if err := l.OnlyIf(builds, func() error { build(l, op, scratch, m); return nil }); err != nil {
		return err
	}
	first, _ := mapsOf(l.Source, l.TensorMaps)
	if i+1 < len(first) {
		return nil
	}
	if own.slot.IsNil() {
		readSlot(l) // with a barrier
	} else {
		l.Create(nvvm.WarpSync, nil, nil)
	}
	for _, s := range own.started {
		if err := l.OnlyIf(s.builds, func() error { release(l, s.scratch); return nil }); err != nil {
			return err
		}
		own.released++
	}
	acquire(l, first, func(i int, at ir.Value) { l.Bind(first[i].Result(0), at, own.started[i].empty) })
	return nil
}

// mapInPlace makes a map where it stands. In a role of one warp, that warp makes it for itself.
func mapInPlace(l *core.Lowering, op ir.Op, m mapShape) error {
	scratch := l.Pointer(op.OperandNamed("scratch"))
	if role, ok := tileas.RoleOf(op); ok {
		if role.Warps > 1 {
			return op.Errorf("is in role \"%s\": all warps of the CTA meet where a map is made", role.Name)
		}
		at := mapAt(l, slots.Of(l).released)
		build(l, op, scratch, m)
		l.Create(nvvm.WarpSync, nil, nil)
		release(l, scratch)
		slots.Of(l).released++
		l.Create(nvvm.WarpSync, nil, nil)
		l.Create(nvvm.AcquireTensorMap, []ir.Value{at}, nil)
		l.Bind(op.Result(0), generic(l, at), m.empty)
		return nil
	}
	if err := l.OnlyIf(ofWarp(l, 0), func() error {
		build(l, op, scratch, m)
		l.Create(nvvm.WarpSync, nil, nil)
		release(l, scratch)
		return nil
	}); err != nil {
		return err
	}
	slots.Of(l).released++
	acquire(l, []ir.Op{op}, func(_ int, at ir.Value) { l.Bind(op.Result(0), at, m.empty) })
	return nil
}

// build has a warp compose a map in shared memory.
func build(l *core.Lowering, op ir.Op, scratch ir.Value, m mapShape) {
	t := op.Result(0).Type().(*tileas.TensorMapType)
	size := int64(tile.ElementBytes(t.Elem))
	var extents, steps []ir.Value
	for _, n := range m.sizes {
		extents = append(extents, l.Make(arith.TruncI, l.I32(), l.Make(arith.MaxSI, l.I64(), n, l.Const64(1))))
	}
	for _, n := range m.strides {
		steps = append(steps, l.Make(arith.MulI, l.I64(), n, l.Const64(size)))
	}
	st := l.NewState(nvvm.MakeTensorMap, l.Loc)
	st.OperandGroups([]ir.Value{scratch}, []ir.Value{l.Value(op.OperandNamed("base"))}, extents, steps)
	st.SetAttr(nvvm.AttrElement, l.Ctx.IntAttr(l.I32(), size))
	st.SetAttr(nvvm.AttrBox, l.Ctx.DenseArray(l.I64(), m.box...))
	if t.Swizzle > 0 {
		st.SetAttr(nvvm.AttrSwizzle, l.Ctx.IntAttr(l.I32(), t.Swizzle))
	}
	elementsOf(l, st, op)
	l.Insert(st)
}

// release has a warp copy a map, the next one of the CTA, to where TMA reads it.
func release(l *core.Lowering, scratch ir.Value) {
	own := slots.Of(l)
	l.Create(nvvm.ReleaseTensorMap, []ir.Value{mapAt(l, own.released), scratch}, nil)
	l.Create(nvvm.FenceAsync, nil, nil) // copies may write to this memory next
}

// mapAt returns where a map of the CTA is.
func mapAt(l *core.Lowering, i int) ir.Value {
	at := slots.Of(l).at
	return l.Make(nvvm.PtrAdd, at.Type(), at, l.Const64(int64(tensormap.Bytes*i)))
}

// scratchAt returns where a map of the kernel's start is composed; the one after the last has the number of the slot.
func scratchAt(l *core.Lowering, i int) ir.Value {
	base := l.SharedBase()
	return l.Make(nvvm.PtrAdd, base.Type(), base, l.Const32(int64(tensormap.Bytes*i)))
}

func generic(l *core.Lowering, at ir.Value) ir.Value {
	return l.Make(nvvm.ToGeneric, nvvm.Ptr(l.Ctx, nvvm.Generic), at)
}

// ofWarp returns the condition that this is the warp of a number.
func ofWarp(l *core.Lowering, n int) ir.Value {
	return l.Compare("eq", l.Warp(), l.Const32(int64(n)))
}

// acquire lets the warps that start copies see the maps of some operations, the last that were released, and tells
// where each is. An acquire drops a map from what the SM has cached, so no other warp executes it.
func acquire(l *core.Lowering, makers []ir.Op, tell func(i int, at ir.Value)) {
	l.Create(nvvm.Barrier, nil, nil)
	readers := make(map[int]bool)
	for _, op := range makers {
		for u := range op.Result(0).Uses() {
			role, _ := tileas.RoleOf(u.Owner())
			readers[role.FirstWarp()] = true
		}
	}
	reads := l.Const(l.Ctx.IntAttr(l.Ctx.Int(1), 0))
	for _, warp := range slices.Sorted(maps.Keys(readers)) {
		reads = l.Make(arith.OrI, l.Ctx.Int(1), reads, ofWarp(l, warp))
	}
	for i := range makers {
		at := mapAt(l, slots.Of(l).released-len(makers)+i)
		l.Create(nvvm.AcquireTensorMap, []ir.Value{at, reads}, nil)
		tell(i, generic(l, at))
	}
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

// takeSlot has the first thread take a slot for the CTA, and write its number to shared memory.
func takeSlot(l *core.Lowering) error {
	first, later := mapsOf(l.Source, l.TensorMaps)
	perSM, count := slotsPerSM(l), int64(len(first)+len(later))
	n := mostSMs * perSM
	zeros := func(elements int64, t ir.Type) ir.Attribute {
		return l.Ctx.Dense(l.Ctx.Tensor([]int64{elements}, t, nil), make([]byte, ir.DenseElemBytes(t)))
	}
	const words = tensormap.Bytes / 8
	bits := l.Variable("slots", zeros(n/slotWord, l.I32()))
	room := l.Variable("maps", zeros(n*count*words, l.I64()), ir.NamedAttr{Name: nvvm.AttrAlignment, Value: l.Ctx.IntAttr(l.I64(), tensormap.Bytes)})
	thread, err := l.FirstThread()
	if err != nil {
		return err
	}
	own := slots.Of(l)
	own.bits, own.at = l.AddressOf(bits), l.AddressOf(room)
	return l.OnlyIf(thread, func() error {
		slot := l.Create(nvvm.TakeSlot, []ir.Value{own.bits}, []ir.Type{l.I32()}, l.Attr32(nvvm.AttrCount, n), l.Attr32(nvvm.AttrPerSM, perSM)).Result(0)
		l.St(scratchAt(l, len(first)), 0, []ir.Value{slot}, ir.Value{})
		return nil
	})
}

// readSlot tells all threads the slot.
func readSlot(l *core.Lowering) {
	first, later := mapsOf(l.Source, l.TensorMaps)
	own := slots.Of(l)
	l.Create(nvvm.Barrier, nil, nil)
	own.slot = l.Ld(scratchAt(l, len(first)), 0, ir.Value{}, nil, l.I32(), 1)[0]
	bytes := l.Const64(int64(tensormap.Bytes * (len(first) + len(later))))
	own.at = l.Make(nvvm.PtrAdd, own.at.Type(), own.at, l.Make(arith.MulI, l.I64(), l.Make(arith.ExtUI, l.I64(), own.slot), bytes))
	l.AtReturn(func() error { return giveMaps(l, own) })
}

// SlotsForLoops takes the slot at the start of a kernel whose maps are made later, perhaps in a loop: a CTA takes a
// slot once. The barrier keeps later writes to shared memory after the reads of the number.
func SlotsForLoops(l *core.Lowering) error {
	if _, later := mapsOf(l.Source, l.TensorMaps); len(later) == 0 {
		return nil
	}
	l.Loc = l.Source.Loc()
	if err := takeSlot(l); err != nil {
		return err
	}
	readSlot(l)
	l.Create(nvvm.FenceAsync, nil, nil)
	l.Create(nvvm.Barrier, nil, nil)
	return nil
}

// slotsPerSM returns how many CTAs of the kernel an SM can hold.
func slotsPerSM(l *core.Lowering) int64 {
	shared, _ := l.Source.IntAttr(tileas.AttrSharedBytes)
	used := max(int(shared), int(MapScratch(l.Source, l.TensorMaps)))
	return int64(max(1, min(mostBlocks, mostThreads/(sm.WarpSize*l.Warps), l.Arch.Shared.PerSM/(used+l.Arch.Shared.Reserved))))
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
