package nvvmtoptx

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/ptx"
)

// Floats of 8 bits are converted to f16 in pairs (PTX ISA, cvt), which the halves of a word of four are already:
//
//	mov.b32 {%rs1, %rs2}, %r1;
//	cvt.rn.f16x2.e4m3x2 %r2, %rs1;                   b1, b0
//
// Integers of 8 bits are read where they are in the word. I2F converts a byte of a register, which ptxas makes of this;
// the word taken apart is five instructions more (ptxas 13.5, sm_80 to sm_120):
//
//	bfe.s32 %r2, %r1, 8, 8;
//	cvt.rn.f32.s32 %f1, %r2;                         I2F.S8 R2, R1.B1
const bytesOfWord = 4

// A byteWord is a word whose bytes are converted together, by the first of their conversions that is written.
type byteWord struct {
	word    ptx.Reg
	ops     []ir.Op
	written bool
}

// keepWord leaves a word as it is if nothing reads its bytes but conversions: of floats to f16, or of integers to f32 or
// to 32 bits.
func (e *emitter) keepWord(a access, w ptx.Reg, bytes []ir.Value) bool {
	if a.value != &byteKind || len(bytes) != bytesOfWord {
		return false
	}
	if e.joinedAgain(w, bytes) {
		return true
	}
	group := &byteWord{word: w}
	for _, v := range bytes {
		if !v.HasOneUse() || e.place.has(v) {
			return false
		}
		for u := range v.Uses() {
			group.ops = append(group.ops, u.Owner())
		}
	}
	first := group.ops[0]
	if !e.convertsByte(first) {
		return false
	}
	want := first.Result(0).Type()
	for i, o := range group.ops {
		// In the block of what loads them: the word may be the register of an argument, which a branch overwrites.
		alike := o.Def() == first.Def() && o.StringAttr(arith.AttrRounding) == first.StringAttr(arith.AttrRounding)
		if !alike || o.Block() != bytes[i].DefiningOp().Block() || o.Result(0).Type() != want || e.place.has(o.Result(0)) {
			return false
		}
	}
	for _, v := range bytes {
		e.byteWords[v] = group
	}
	return true
}

// convertsByte reports whether convertWord has a form of a conversion.
func (e *emitter) convertsByte(o ir.Op) bool {
	switch {
	case o.Is(arith.FToF):
		return formatOf(o.Result(0).Type()) == numeric.F16 && e.pairedForm(o) != nil
	case o.Is(arith.SIToFP), o.Is(arith.UIToFP):
		return formatOf(o.Result(0).Type()) == numeric.F32 && roundings[o.StringAttr(arith.AttrRounding)] != 0
	}
	return (o.Is(arith.ExtSI) || o.Is(arith.ExtUI)) && kindOf(o.Result(0).Type()) == &i32Kind
}

// joinedAgain gives a loaded word to the pack that is the only reader of its bytes, as what a loop loads for its next
// iteration has. The word of an unpack may be the register of an argument, which a branch overwrites.
func (e *emitter) joinedAgain(w ptx.Reg, bytes []ir.Value) bool {
	if !bytes[0].DefiningOp().Is(nvvm.Ld) {
		return false
	}
	var pack ir.Op
	for _, v := range bytes {
		if !v.HasOneUse() {
			return false
		}
		for u := range v.Uses() {
			pack = u.Owner()
		}
	}
	if !pack.Is(nvvm.Pack) || !slices.Equal(pack.Operands(), bytes) || e.place.has(pack.Result(0)) || *e.values.At(pack.Result(0)) != 0 {
		return false
	}
	*e.values.At(pack.Result(0)) = w
	e.joined[pack] = true
	return true
}

// pairedForm returns the form of cvt that a conversion from a float of 8 bits has for two; nil if it has none.
func (e *emitter) pairedForm(o ir.Op) []ptx.Mod {
	form := cvtForms[formatPair{formatOf(o.Operand(0).Type()), numeric.F16}]
	if form.packed == nil || convertRoundings[o.StringAttr(arith.AttrRounding)] != ptx.RN || e.need(o, *form.feature) != nil {
		return nil
	}
	return form.packed
}

// convertWord writes the conversions of all bytes of a word that was kept, and reports whether o is one of them.
func (e *emitter) convertWord(o ir.Op) bool {
	group := e.byteWords[o.Operand(0)]
	if group == nil {
		return false
	}
	if group.written {
		return true
	}
	group.written = true
	if !o.Is(arith.FToF) {
		for i, op := range group.ops {
			e.convertByte(op, group.word, i)
		}
		return true
	}
	halves := []ptx.Reg{e.tmp(&i16Kind), e.tmp(&i16Kind)}
	e.body.Ins(ptx.OpMov, ptx.B32).Vec(halves...).Regs(group.word)
	for i, half := range halves {
		values := e.tmp(&i32Kind)
		e.emit(ptx.OpCvt, append(mods(ptx.RN), e.pairedForm(o)...), ptx.R(values), ptx.R(half))
		e.body.Ins(ptx.OpMov, ptx.B32).Vec(e.def(group.ops[2*i].Result(0)), e.def(group.ops[2*i+1].Result(0))).Regs(values)
	}
	return true
}

// convertByte writes the conversion of an integer that is byte i of a word.
func (e *emitter) convertByte(o ir.Op, word ptx.Reg, i int) {
	const bits = 8
	signed := o.Is(arith.SIToFP) || o.Is(arith.ExtSI)
	number := e.def(o.Result(0))
	extends := o.Is(arith.ExtSI) || o.Is(arith.ExtUI)
	if !extends {
		number = e.tmp(&i32Kind)
	}
	e.emit(ptx.OpBfe, mods(i32Kind.asInt(signed)), ptx.R(number), ptx.R(word), ptx.Int(int64(bits*i)), ptx.Int(bits))
	if !extends {
		e.emit(ptx.OpCvt, mods(roundings[o.StringAttr(arith.AttrRounding)], ptx.F32, i32Kind.asInt(signed)), ptx.R(e.def(o.Result(0))), ptx.R(number))
	}
}
