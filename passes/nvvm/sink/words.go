package sink

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// join makes words of two conversions where the later one is, if a store takes them after a wait:
//
//	%a = ftof %p ; %b = ftof %q ; mbarrier_wait ; if { tcgen05.ld ; ... } ; tcgen05.st (pack %a, %b)
//	%a = ftof %p ; %b = ftof %q ; mbarrier_wait ; st %a, %b
//
// One instruction converts both halves (nvvmtoptx, pack.go), and frees a register. Where the halves are exponentials, as in
// attention, `ptxas` issues it while the special function units compute the next ones: 11.2 instead of 11.8 cycles for
// each exponential of attention_fmha_kernel on sm_100. It does not move conversions before a wait.
func (s *sinker) join(b ir.Block) {
	wait := ir.Op{}
	for op := b.First(); !op.IsNil(); {
		next := op.Next()
		switch {
		case op.Is(nvvm.MbarrierWait):
			wait = op
		case op.Is(nvvm.St):
			if !wait.IsNil() && s.may("join", op) {
				s.storeWords(op, wait)
			}
		default:
			if at := last(op); !at.IsNil() && at.Next() != op && s.may("join", op) {
				op.MoveBefore(at.Next())
				s.moved++
			}
		}
		op = next
	}
}

// last returns the later of the two conversions that a word for TMEM is made of; a zero Op if it is not.
func last(op ir.Op) ir.Op {
	if !op.Is(nvvm.Pack) || op.NumOperands() != 2 || !op.Result(0).HasOneUse() || !op.Result(0).FirstUse().Owner().Is(nvvm.Tcgen05St) {
		return ir.Op{}
	}
	return later(op.Operands())
}

// later returns the later of two conversions in a block that have no other use; a zero Op if values are something else.
func later(values []ir.Value) (at ir.Op) {
	for _, v := range values {
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

// storeWords lets a store take words instead of halves that were all converted before a wait in its block.
func (s *sinker) storeWords(st, wait ir.Op) {
	values := st.OperandsNamed("values")
	if len(values)%2 != 0 || ir.BitWidth(values[0].Type()) != 16 {
		return
	}
	for i := 0; i < len(values); i += 2 {
		if at := later(values[i : i+2]); at.IsNil() || at.Block() != st.Block() || wait.IsBeforeInBlock(at) {
			return
		}
	}
	words := make([]ir.Value, len(values)/2)
	for i := range words {
		pair := values[2*i : 2*i+2]
		b := ir.BuilderBefore(later(pair).Next()).WithLoc(st.Loc())
		words[i] = b.Create(nvvm.Pack, pair, []ir.Type{b.Context().Int(32)}).Result(0)
	}
	nvvm.StoreInstead(st, words)
	s.moved++
}
