package nvvmtoptx

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/tensormap"
)

// Tensor maps that CTAs make (PTX ISA, tensormap.replace, tensormap.cp_fenceproxy, fence.proxy.tensormap).

func init() {
	add(map[*ir.OpDef]rule{
		nvvm.MakeTensorMap: (*emitter).makeTensorMap, nvvm.ReleaseTensorMap: (*emitter).releaseTensorMap, nvvm.TakeSlot: (*emitter).takeSlot, nvvm.GiveSlot: (*emitter).giveSlot,
		nvvm.AcquireTensorMap: (*emitter).acquireTensorMap,
	})
}

// swizzleModes are the values of field swizzle_mode.
var swizzleModes = []int64{0, 32, 64, 128}

// elemTypeTF32 is the element type of which copies round what they load.
const elemTypeTF32 = 11

// floatElemTypes are the element types of which copies add elements.
var floatElemTypes = map[string]int64{"f16": 6, "f32": 7, "bf16": 10}

// makeTensorMap has the first lane clear 128 bytes of shared memory and write the fields. That is one branch: ptxas would
// branch at every few fields if each had the predicate. With a word cleared by each lane the warp would have to meet, for
// which ptxas 13.5 takes 12 instructions here, and what releases the map meets anyway.
func (e *emitter) makeTensorMap(o ir.Op) error {
	if err := e.need(o, sm.TensorMapReplace); err != nil {
		return err
	}
	lane, zero, others := e.tmp(&i32Kind), e.tmp(&i32Kind), e.tmp(&predKind)
	scratch := e.reg(o.OperandNamed("scratch"))
	e.emit(ptx.OpMov, mods(ptx.U32), ptx.R(lane), ptx.Sreg(ptx.SregLaneID))
	e.emit(ptx.OpSetP, mods(ptx.NE, ptx.U32), ptx.R(others), ptx.R(lane), ptx.Int(0))
	made := e.body.NewLabel()
	e.body.Bra(made).If(others)
	e.body.Mov(zero, ptx.Int(0))
	for at := int32(0); at < tensormap.Bytes; at += 16 {
		e.body.Ins(ptx.OpSt, ptx.Shared, ptx.V4, ptx.B32).Args(ptx.At(scratch, at)).Vec(zero, zero, zero, zero)
	}
	field := func(name, t ptx.Mod, args ...ptx.Operand) {
		args = append([]ptx.Operand{ptx.At(scratch, 0)}, args...)
		e.body.Ins(ptx.OpTensorMapReplace, ptx.Tile, name, ptx.SharedCTA, ptx.B1024, t).Args(args...)
	}
	element, _ := o.IntAttr(nvvm.AttrElement)
	swizzle, _ := o.IntAttr(nvvm.AttrSwizzle)
	sizes, strides, box := o.OperandsNamed("sizes"), o.OperandsNamed("strides"), ints(o, nvvm.AttrBox)
	field(ptx.FieldGlobalAddress, ptx.B64, ptx.R(e.reg(o.OperandNamed("base"))))
	field(ptx.FieldRank, ptx.B32, ptx.Int(int64(len(sizes)-1)))
	for i, n := range sizes {
		field(ptx.FieldBoxDim, ptx.B32, ptx.Int(int64(i)), ptx.Int(int64(box[i])))
		field(ptx.FieldGlobalDim, ptx.B32, ptx.Int(int64(i)), e.use(n))
		field(ptx.FieldElementStride, ptx.B32, ptx.Int(int64(i)), ptx.Int(1))
	}
	for i, n := range strides {
		field(ptx.FieldGlobalStride, ptx.B64, ptx.Int(int64(i)), e.use(n))
	}
	elemType := map[int64]int64{1: 0, 2: 1, 4: 2, 8: 4}[element] // unsigned integers
	if o.HasUnitAttr(nvvm.AttrRounded) {
		elemType = elemTypeTF32
	} else if float := o.StringAttr(nvvm.AttrFloat); float != "" {
		elemType = floatElemTypes[float]
	}
	field(ptx.FieldElemType, ptx.B32, ptx.Int(elemType))
	field(ptx.FieldInterleave, ptx.B32, ptx.Int(0))
	field(ptx.FieldSwizzle, ptx.B32, ptx.Int(int64(slices.Index(swizzleModes, swizzle))))
	field(ptx.FieldFill, ptx.B32, ptx.Int(0))
	e.body.Place(made)
	return nil
}

func (e *emitter) releaseTensorMap(o ir.Op) error {
	return e.guarded(o, sm.TensorMapCpFence, ptx.OpTensorMapCpFenceProxy, mods(ptx.Global, ptx.SharedCTA, ptx.TensorMapGeneric, ptx.Release, ptx.GPU, ptx.Sync, ptx.Aligned),
		ptx.At(e.reg(o.OperandNamed("to")), 0), ptx.At(e.reg(o.OperandNamed("scratch")), 0), ptx.Int(tensormap.Bytes))
}

func (e *emitter) acquireTensorMap(o ir.Op) error {
	if err := e.need(o, sm.FenceProxyTensorMap); err != nil {
		return err
	}
	at, p := ptx.At(e.reg(o.Operand(0)), 0), e.predicate(o) // before the instruction, since a constant takes one
	i := e.body.Ins(ptx.OpFenceProxy, ptx.TensorMapGeneric, ptx.Acquire, ptx.GPU).Args(at, ptx.Int(tensormap.Bytes))
	if p != 0 {
		i.If(p)
	}
	return nil
}

// takeSlot sets a free bit of some word. It begins at the first slot of the CTA's SM, whose other CTAs alone are likely
// to want it: the CTAs of a launch begin at the same time. %smid may change, but then only the CTA tries more slots.
//
//	         slot = %smid * per_sm mod count ; word = slot / 32 ; low = 1 << slot mod 32
//	         old = atom.acquire.or(word, low) ; if !(low & old): done
//	$again:  low = ~old & (old + low), the next free bit ; if !low: word = (word + 1) mod words, low = 1
//	         old = atom.relaxed.or(word, low) ; if low & old: again
//	         fence
//	$done:   slot = 32 * word + popc(low - 1)
//
// The acquire, or the fence, orders what the last owner of the slot did before what this one does. The loop is one basic
// block: after one with branches inside, ptxas keeps what warps have in common in registers of threads (13.5: 125
// instructions, not 79, in the loop of a grouped GEMM).
func (e *emitter) takeSlot(o ir.Op) error {
	n, _ := o.IntAttr(nvvm.AttrCount)
	perSM, _ := o.IntAttr(nvvm.AttrPerSM)
	r := func() ptx.Reg { return e.tmp(&i32Kind) }
	word, low, old, next, slot := r(), r(), r(), r(), e.def(o.Result(0))
	at, p := e.tmp(&i64Kind), e.tmp(&predKind)
	base := e.reg(o.Operand(0))
	try := func(order, taken ptx.Mod) { // p says whether the bit was taken, or was not
		e.emit(ptx.OpMul, mods(ptx.Wide, ptx.U32), ptx.R(at), ptx.R(word), ptx.Int(4))
		e.emit(ptx.OpAdd, mods(ptx.U64), ptx.R(at), ptx.R(at), ptx.R(base))
		e.emit(ptx.OpAtom, mods(order, ptx.GPU, ptx.Global, ptx.OrMod, ptx.B32), ptx.R(old), ptx.At(at, 0), ptx.R(low))
		e.emit(ptx.OpAnd, mods(ptx.B32), ptx.R(next), ptx.R(low), ptx.R(old))
		e.emit(ptx.OpSetP, mods(taken, ptx.U32), ptx.R(p), ptx.R(next), ptx.Int(0))
	}
	e.emit(ptx.OpMov, mods(ptx.U32), ptx.R(word), ptx.Sreg(ptx.SregSmID))
	e.emit(ptx.OpMul, mods(ptx.Lo, ptx.U32), ptx.R(word), ptx.R(word), ptx.Int(perSM))
	e.emit(ptx.OpRem, mods(ptx.U32), ptx.R(word), ptx.R(word), ptx.Int(n))
	e.emit(ptx.OpAnd, mods(ptx.B32), ptx.R(next), ptx.R(word), ptx.Int(31))
	e.body.Mov(low, ptx.Int(1))
	e.emit(ptx.OpShl, mods(ptx.B32), ptx.R(low), ptx.R(low), ptx.R(next))
	e.emit(ptx.OpShr, mods(ptx.U32), ptx.R(word), ptx.R(word), ptx.Int(5))
	again, done := e.body.NewLabel(), e.body.NewLabel()
	try(ptx.Acquire, ptx.EQ)
	e.body.Bra(done).If(p)
	e.body.Place(again)
	e.emit(ptx.OpAdd, mods(ptx.U32), ptx.R(next), ptx.R(old), ptx.R(low))
	e.emit(ptx.OpNot, mods(ptx.B32), ptx.R(old), ptx.R(old))
	e.emit(ptx.OpAnd, mods(ptx.B32), ptx.R(low), ptx.R(next), ptx.R(old))
	e.emit(ptx.OpSetP, mods(ptx.EQ, ptx.U32), ptx.R(p), ptx.R(low), ptx.Int(0))
	e.emit(ptx.OpAdd, mods(ptx.U32), ptx.R(next), ptx.R(word), ptx.Int(1))
	e.emit(ptx.OpRem, mods(ptx.U32), ptx.R(next), ptx.R(next), ptx.Int(n/32))
	e.emit(ptx.OpSelP, mods(ptx.U32), ptx.R(word), ptx.R(next), ptx.R(word), ptx.R(p))
	e.emit(ptx.OpSelP, mods(ptx.U32), ptx.R(low), ptx.Int(1), ptx.R(low), ptx.R(p))
	try(ptx.Relaxed, ptx.NE)
	e.body.Bra(again).If(p)
	e.emit(ptx.OpFence, mods(ptx.AcqRel, ptx.GPU))
	e.body.Place(done)
	e.emit(ptx.OpSub, mods(ptx.U32), ptx.R(low), ptx.R(low), ptx.Int(1))
	e.emit(ptx.OpPopc, mods(ptx.B32), ptx.R(low), ptx.R(low))
	e.emit(ptx.OpShl, mods(ptx.B32), ptx.R(word), ptx.R(word), ptx.Int(5))
	e.emit(ptx.OpAdd, mods(ptx.U32), ptx.R(slot), ptx.R(word), ptx.R(low))
	return nil
}

// giveSlot clears the bit of a slot, after all accesses of the thread to what is in it.
func (e *emitter) giveSlot(o ir.Op) error {
	word, bit, at := e.tmp(&i32Kind), e.tmp(&i32Kind), e.tmp(&i64Kind)
	base, slot := e.reg(o.Operand(0)), e.reg(o.Operand(1))
	e.emit(ptx.OpShr, mods(ptx.U32), ptx.R(word), ptx.R(slot), ptx.Int(5))
	e.emit(ptx.OpMul, mods(ptx.Wide, ptx.U32), ptx.R(at), ptx.R(word), ptx.Int(4))
	e.emit(ptx.OpAdd, mods(ptx.U64), ptx.R(at), ptx.R(at), ptx.R(base))
	e.emit(ptx.OpAnd, mods(ptx.B32), ptx.R(word), ptx.R(slot), ptx.Int(31))
	one := e.tmp(&i32Kind)
	e.body.Mov(one, ptx.Int(1))
	e.emit(ptx.OpShl, mods(ptx.B32), ptx.R(bit), ptx.R(one), ptx.R(word))
	e.emit(ptx.OpNot, mods(ptx.B32), ptx.R(bit), ptx.R(bit))
	i := e.body.Ins(ptx.OpRed, ptx.Release, ptx.GPU, ptx.Global, ptx.AndMod, ptx.B32).Args(ptx.At(at, 0), ptx.R(bit))
	if pred := e.predicate(o); pred != 0 {
		i.If(pred)
	}
	return nil
}
