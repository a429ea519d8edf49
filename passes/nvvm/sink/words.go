package sink

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// join moves the pack of two conversions up to the later one, if a store to TMEM takes the word:
//
//	%a = ftof %p ; %b = ftof %q ; mbarrier_wait ; if { tcgen05.ld ; ... } ; tcgen05.st (pack %a, %b)
//
// One instruction converts both halves (nvvmtoptx, pack.go), and frees a register. Where the halves are exponentials, as in
// attention, `ptxas` issues it while the special function units compute the next ones: 11.2 instead of 11.8 cycles for
// each exponential of attention_fmha_kernel on sm_100.
func (s *sinker) join(b ir.Block) {
	for op := b.First(); !op.IsNil(); {
		next := op.Next()
		if at := last(op); !at.IsNil() && at.Next() != op && s.may("join", op) {
			op.MoveBefore(at.Next())
			s.moved++
		}
		op = next
	}
}

// last returns the later of the two conversions that a word for TMEM is made of; a zero Op if it is not.
func last(op ir.Op) (at ir.Op) {
	if !op.Is(nvvm.Pack) || op.NumOperands() != 2 || !op.Result(0).HasOneUse() || !op.Result(0).FirstUse().Owner().Is(nvvm.Tcgen05St) {
		return ir.Op{}
	}
	for _, v := range op.Operands() {
		def := v.DefiningOp()
		if def.IsNil() || !def.Is(arith.FToF) || !v.HasOneUse() || !at.IsNil() && at.Block() != def.Block() {
			return ir.Op{}
		}
		if at.IsNil() || at.IsBeforeInBlock(def) {
			at = def
		}
	}
	return at
}
