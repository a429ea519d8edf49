package mma

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// accumulators has the words of accumulators of asynchronous MMAs whose elements are smaller than a word.
var accumulators core.Local[map[ir.Value][]ir.Value]

// accumulatorWords returns the registers of an accumulator as the machine has them; zero Values for the constant zero.
//
// An accumulator in flight has elements of 16 bits in pairs. The words are kept apart from the elements, which
// nothing may read.
func accumulatorWords(l *core.Lowering, v ir.Value) []ir.Value {
	if words, ok := (*accumulators.Of(l))[v]; ok {
		return slices.Clone(words)
	}
	regs := l.Values(v)
	if dense, ok := ir.ConstantValue(v).(*ir.DenseElementsAttr); ok {
		if elem := ir.ElementType(v.Type()); dense.IsSplat(elem) && dense.Bits(elem, 0) == 0 {
			return make([]ir.Value, (len(regs)*ir.BitWidth(elem)+31)/32)
		}
	}
	return slices.Clone(l.Pack(regs))
}

// bindAccumulator notes the registers of an accumulator. Elements of 16 bits are two to a word, and may not be taken
// out while the MMA is in flight. So an accumulator with other uses than MMAs and waits, for instance one that a loop
// carries, is waited for at once.
func bindAccumulator(l *core.Lowering, v ir.Value, words []ir.Value) {
	elem := l.Elem(v.Type())
	if ir.BitWidth(elem) == 32 {
		l.Bind(v, words...)
		return
	}
	known := accumulators.Of(l)
	if *known == nil {
		*known = make(map[ir.Value][]ir.Value)
	}
	if onlyMMAs(v) { // nobody will ask for elements
		(*known)[v] = words
		zero := l.Const(arith.FromBits(elem, 0))
		l.Bind(v, slices.Repeat([]ir.Value{zero}, l.Count(v.Type()))...)
		return
	}
	words = finished(l, words, 0)
	(*known)[v] = words
	l.Bind(v, elementsOf(l, words, elem)...)
}

// finished waits for all but the latest groups, and returns the words of accumulators after that.
func finished(l *core.Lowering, words []ir.Value, pending int64) []ir.Value {
	st := l.NewState(nvvm.WgmmaWait, l.Loc)
	st.Operands = words
	for _, w := range words {
		st.Types = append(st.Types, w.Type())
	}
	st.SetAttr(nvvm.AttrCount, l.Ctx.IntAttr(l.I32(), pending))
	return l.Insert(st).Results()
}

// onlyMMAs reports whether all uses of an accumulator are MMAs and waits.
func onlyMMAs(v ir.Value) bool {
	for u := range v.Uses() {
		if !u.Owner().Is(tileas.DotAsync) && !u.Owner().Is(tileas.DotWait) {
			return false
		}
	}
	return true
}

func elementsOf(l *core.Lowering, words []ir.Value, elem ir.Type) (out []ir.Value) {
	for _, w := range words {
		out = append(out, l.SplitWord(w, elem)...)
	}
	return out
}
