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
const bytesOfWord = 4

// A byteWord is a word whose bytes are converted together, by the first of their conversions that is written.
type byteWord struct {
	word    ptx.Reg
	ops     []ir.Op
	written bool
}

// keepWord leaves a word as it is if nothing reads its bytes but conversions to f16.
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
	if !first.Is(arith.FToF) || e.pairedForm(first) == nil {
		return false
	}
	for i, o := range group.ops {
		// In the block of what loads them: the word may be the register of an argument, which a branch overwrites.
		alike := o.Def() == first.Def() && o.StringAttr(arith.AttrRounding) == first.StringAttr(arith.AttrRounding)
		if !alike || o.Block() != bytes[i].DefiningOp().Block() || formatOf(o.Result(0).Type()) != numeric.F16 || e.place.has(o.Result(0)) {
			return false
		}
	}
	for _, v := range bytes {
		e.byteWords[v] = group
	}
	return true
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
	halves := []ptx.Reg{e.tmp(&i16Kind), e.tmp(&i16Kind)}
	e.body.Ins(ptx.OpMov, ptx.B32).Vec(halves...).Regs(group.word)
	for i, half := range halves {
		values := e.tmp(&i32Kind)
		e.emit(ptx.OpCvt, append(mods(ptx.RN), e.pairedForm(o)...), ptx.R(values), ptx.R(half))
		e.body.Ins(ptx.OpMov, ptx.B32).Vec(e.def(group.ops[2*i].Result(0)), e.def(group.ops[2*i+1].Result(0))).Regs(values)
	}
	return true
}
