package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/ptx"
)

// A bf16 is the upper half of an f32. So each of the two in a word becomes one by one instruction:
//
//	shl.b32 %f1, %r1, 16;
//	and.b32 %f2, %r1, 0xffff0000;
//
// Of two cvt.f32.bf16 ptxas (13.5) makes three instructions: it moves the upper half down first.
const (
	bitsOfHalf = 16
	upperHalf  = 0xffff0000
)

// A halfOf is the place of a 16-bit value in a word.
type halfOf struct {
	word ptx.Reg
	high bool
}

// keepHalves remembers where the two bf16 of a word are, and reports whether nothing needs them by themselves. A word that
// an MMA computes in place is overwritten before they may be wanted.
func (e *emitter) keepHalves(w ptx.Reg, values []ir.Value) bool {
	def := values[0].DefiningOp()
	if len(values) != 2 || formatOf(values[0].Type()) != numeric.BF16 || def.Is(nvvm.Unpack) && e.place.has(def.Operand(0)) {
		return false
	}
	all := true
	for i, v := range values {
		e.halves[v] = halfOf{w, i == 1}
		for u := range v.Uses() {
			all = all && e.isWidened(u.Owner())
		}
	}
	return all
}

// isWidened reports whether an operation converts a bf16 in a word to f32. It is in the block of what takes the word
// apart: the word may be the register of an argument, which a branch overwrites.
func (e *emitter) isWidened(o ir.Op) bool {
	if !o.Is(arith.FToF) || formatOf(o.Result(0).Type()) != numeric.F32 {
		return false
	}
	_, ok := e.halves[o.Operand(0)]
	return ok && o.Operand(0).DefiningOp().Block() == o.Block()
}

// widenHalf writes the conversion of a bf16 in a word to f32, and reports whether o is one.
func (e *emitter) widenHalf(o ir.Op) bool {
	if !e.isWidened(o) {
		return false
	}
	half := e.halves[o.Operand(0)]
	op, by := ptx.OpShl, ptx.Int(bitsOfHalf)
	if half.high {
		op, by = ptx.OpAnd, ptx.Hex(upperHalf)
	}
	e.emit(op, mods(ptx.B32), ptx.R(e.def(o.Result(0))), ptx.R(half.word), by)
	return true
}
