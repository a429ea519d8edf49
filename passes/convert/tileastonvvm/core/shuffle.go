package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Shuffle moves a value of any width between lanes: 32 bits at a time.
//
// redux.sync, which combines a warp in one instruction, is not used. It has a few operations on integers of 32
// bits (on f32 only for sm_100a; PTX ISA, "redux.sync"), while a reduction has a body.
func (l *Lowering) Shuffle(mode string, v, offset ir.Value, attrs ...ir.NamedAttr) ir.Value {
	t := v.Type()
	if _, isPtr := t.(*nvvm.PtrType); isPtr {
		return l.Make(nvvm.IntToPtr, t, l.Shuffle(mode, l.Make(nvvm.PtrToInt, l.I64(), v), offset, attrs...))
	}
	// shfl.sync exists for .b32 alone. Narrower values are moved in the low bits, wider ones in two halves.
	width := ir.BitWidth(t)
	attrs = append(attrs, ir.NamedAttr{Name: nvvm.AttrMode, Value: l.Ctx.String(mode)})
	shfl := func(w ir.Value) ir.Value {
		return l.Create(nvvm.Shuffle, []ir.Value{w, offset}, []ir.Type{w.Type()}, attrs...).Result(0)
	}
	if width == 32 {
		return shfl(v)
	}
	bits := v
	intType := ir.Type(l.Ctx.Int(width))
	if t != intType {
		bits = l.Make(arith.Bitcast, intType, v)
	}
	if width < 32 {
		bits = l.Make(arith.TruncI, intType, shfl(l.Make(arith.ExtUI, l.I32(), bits)))
	} else {
		halves := l.Create(nvvm.Unpack, []ir.Value{bits}, []ir.Type{l.I32(), l.I32()}).Results()
		bits = l.Make(nvvm.Pack, l.I64(), shfl(halves[0]), shfl(halves[1]))
	}
	if t != intType {
		return l.Make(arith.Bitcast, t, bits)
	}
	return bits
}

// Of returns the value of the lane whose number agrees with a given one in the bits of a mask, and with the own one in the
// others.
func (l *Lowering) Of(v ir.Value, lane, mask uint32) ir.Value {
	return l.Shuffle("idx", v, l.Const32(int64(lane)), l.Attr32(nvvm.AttrSegment, int64((sm.WarpSize-1)&^mask)))
}
