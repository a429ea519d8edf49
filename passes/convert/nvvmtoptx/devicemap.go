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
		nvvm.MakeTensorMap: (*emitter).makeTensorMap, nvvm.TakeSlot: (*emitter).takeSlot, nvvm.GiveSlot: (*emitter).giveSlot,
		nvvm.AcquireTensorMap: func(e *emitter, o ir.Op) error {
			return e.guarded(o, sm.FenceProxyTensorMap, ptx.OpFenceProxy, mods(ptx.TensorMapGeneric, ptx.Acquire, ptx.GPU), ptx.At(e.reg(o.Operand(0)), 0), ptx.Int(tensormap.Bytes))
		},
	})
}

// swizzleModes are the values of field swizzle_mode.
var swizzleModes = []int64{0, 32, 64, 128}

// elemTypeTF32 is the element type of which copies round what they load.
const elemTypeTF32 = 11

// floatElemTypes are the element types of which copies add elements.
var floatElemTypes = map[string]int64{"f16": 6, "f32": 7, "bf16": 10}

// makeTensorMap clears 128 bytes of shared memory, a word by each lane, has the first lane write the fields, and all
// lanes release the result to global memory.
//
// Fields that nothing is written to are zero: no interleaving, and zeros outside.
func (e *emitter) makeTensorMap(o ir.Op) error {
	for _, f := range []sm.Feature{sm.TensorMapReplace, sm.TensorMapCpFence} {
		if err := e.need(o, f); err != nil {
			return err
		}
	}
	lane, at, first := e.tmp(&i32Kind), e.tmp(&i32Kind), e.tmp(&predKind)
	scratch := e.reg(o.OperandNamed("scratch"))
	e.emit(ptx.OpMov, mods(ptx.U32), ptx.R(lane), ptx.Sreg(ptx.SregLaneID))
	e.emit(ptx.OpShl, mods(ptx.B32), ptx.R(at), ptx.R(lane), ptx.Int(2))
	e.emit(ptx.OpAdd, mods(ptx.U32), ptx.R(at), ptx.R(at), ptx.R(scratch))
	e.emit(ptx.OpSt, mods(ptx.Shared, ptx.B32), ptx.At(at, 0), ptx.Int(0))
	e.emit(ptx.OpSetP, mods(ptx.EQ, ptx.U32), ptx.R(first), ptx.R(lane), ptx.Int(0))
	e.emit(ptx.OpBarWarpSync, nil, ptx.Hex(allLanes))
	field := func(name, t ptx.Mod, args ...ptx.Operand) {
		args = append([]ptx.Operand{ptx.At(scratch, 0)}, args...)
		e.body.Ins(ptx.OpTensorMapReplace, ptx.Tile, name, ptx.SharedCTA, ptx.B1024, t).Args(args...).If(first)
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
	e.emit(ptx.OpBarWarpSync, nil, ptx.Hex(allLanes))
	e.emit(ptx.OpTensorMapCpFenceProxy, mods(ptx.Global, ptx.SharedCTA, ptx.TensorMapGeneric, ptx.Release, ptx.GPU, ptx.Sync, ptx.Aligned),
		ptx.At(e.reg(o.OperandNamed("to")), 0), ptx.At(scratch, 0), ptx.Int(tensormap.Bytes))
	return nil
}

// takeSlot sets the lowest free bit of some word. It begins with a word that depends on the number of the CTA, so
// that CTAs seldom try for the same.
//
//	$again:  m = *word ; low = ~m & (m + 1) ; old = atom.or(word, low) ; got = low & ~old
//	         if got: fence ; slot = 32 * word + popc(low - 1), done ; else word = (word + 1) mod words, again
//
// The fence orders what the last owner of the slot did before what this one does. It stands behind the loop, where it
// is executed once, and not at each attempt.
func (e *emitter) takeSlot(o ir.Op) error {
	n, _ := o.IntAttr(nvvm.AttrCount)
	words := n / 32
	r := func() ptx.Reg { return e.tmp(&i32Kind) }
	word, m, low, old, got, slot, next := r(), r(), r(), r(), r(), e.def(o.Result(0)), r()
	at, p := e.tmp(&i64Kind), e.tmp(&predKind)
	base := e.reg(o.Operand(0))
	e.emit(ptx.OpMov, mods(ptx.U32), ptx.R(word), ptx.Sreg(ptx.SregCtaIDX))
	e.emit(ptx.OpRem, mods(ptx.U32), ptx.R(word), ptx.R(word), ptx.Int(words))
	again, done := e.body.NewLabel(), e.body.NewLabel()
	e.body.Place(again)
	e.emit(ptx.OpMul, mods(ptx.Wide, ptx.U32), ptx.R(at), ptx.R(word), ptx.Int(4))
	e.emit(ptx.OpAdd, mods(ptx.U64), ptx.R(at), ptx.R(at), ptx.R(base))
	e.emit(ptx.OpLd, mods(ptx.Relaxed, ptx.GPU, ptx.Global, ptx.B32), ptx.R(m), ptx.At(at, 0))
	e.emit(ptx.OpAdd, mods(ptx.U32), ptx.R(low), ptx.R(m), ptx.Int(1))
	e.emit(ptx.OpNot, mods(ptx.B32), ptx.R(m), ptx.R(m))
	e.emit(ptx.OpAnd, mods(ptx.B32), ptx.R(low), ptx.R(low), ptx.R(m))
	e.emit(ptx.OpAtom, mods(ptx.Relaxed, ptx.GPU, ptx.Global, ptx.OrMod, ptx.B32), ptx.R(old), ptx.At(at, 0), ptx.R(low))
	e.emit(ptx.OpNot, mods(ptx.B32), ptx.R(old), ptx.R(old))
	e.emit(ptx.OpAnd, mods(ptx.B32), ptx.R(got), ptx.R(low), ptx.R(old))
	e.emit(ptx.OpSetP, mods(ptx.NE, ptx.U32), ptx.R(p), ptx.R(got), ptx.Int(0))
	e.body.Bra(done).If(p)
	e.emit(ptx.OpAdd, mods(ptx.U32), ptx.R(next), ptx.R(word), ptx.Int(1))
	e.emit(ptx.OpRem, mods(ptx.U32), ptx.R(word), ptx.R(next), ptx.Int(words))
	e.body.Bra(again)
	e.body.Place(done)
	e.emit(ptx.OpFence, mods(ptx.AcqRel, ptx.GPU))
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
