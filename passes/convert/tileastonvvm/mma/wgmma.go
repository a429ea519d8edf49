package mma

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// dotAsync makes the instructions of an asynchronous MMA and closes their group. Those of one step of K follow each
// other, as those of a dot do.
func dotAsync(l *core.Lowering, op ir.Op) error {
	row, err := instr.RowOf(op)
	if err != nil {
		return err
	}
	if row.Family != sm.Wgmma {
		return op.Errorf("is computed by %s, which is no instruction of a group of warps", ir.AttrString(tileas.MMAOf(op)))
	}
	t, err := instr.TileOf(op)
	if err != nil {
		return err
	}
	if got, err := l.Layout(op.Operand(2)); err != nil || !got.Equal(t.C) {
		return op.Errorf("has an accumulator of the layout %s, but %s needs %s", got, ir.AttrString(tileas.MMAOf(op)), t.C)
	}
	var sides [2]operand // by the instruction
	for i := range sides {
		if sides[instr.Side(op, i)], err = operandOf(l, op, i, t); err != nil {
			return err
		}
	}
	a, b := &sides[0], &sides[1]
	types, attr := instr.InstructionTypes(op), tileas.MMAOf(op)
	attrs := []ir.NamedAttr{
		{Name: nvvm.AttrShape, Value: l.Ctx.String(attr.Shape())}, {Name: nvvm.AttrTypeA, Value: l.Ctx.String(types.A.String())},
		{Name: nvvm.AttrTypeB, Value: l.Ctx.String(types.B.String())}, {Name: nvvm.AttrAccumulator, Value: l.Ctx.String(types.D.String())},
	}
	for i, s := range sides {
		if s.desc.RowsTogether {
			attrs = append(attrs, ir.NamedAttr{Name: []string{nvvm.AttrTransA, nvvm.AttrTransB}[i], Value: l.Ctx.Unit()})
		}
	}
	acc := accumulatorWords(l, op.Operand(2))
	per := row.RegistersD(attr.N)
	l.Create(nvvm.WgmmaFence, nil, nil)
	for batch := range t.Batch {
		for k := range t.K {
			for i := range t.M {
				for j := range t.N {
					first := ((batch*t.M+i)*t.N + j) * per
					out := wgmma(l, acc, first, per, a, b, position{batch, i, j, k, t}, row, attr.N, attrs)
					copy(acc[first:first+per], out)
				}
			}
		}
	}
	l.Create(nvvm.WgmmaCommit, nil, nil)
	bindAccumulator(l, op.Result(0), acc)
	return nil
}

// A position is that of an instruction in the MMA.
type position struct {
	batch, i, j, k int
	t              linear.MMATile
}

// wgmma makes one instruction, which adds to some words of the accumulator; those that are zero Values begin at zero.
func wgmma(l *core.Lowering, acc []ir.Value, first, n int, a, b *operand, p position, row *sm.Matrix, cols int, attrs []ir.NamedAttr) []ir.Value {
	groups := make([][]ir.Value, 4)
	if a.words != nil {
		groups[0] = a.words[p.t.FirstA(p.batch, p.i, p.k)/p.t.SizeA*a.size:][:a.size]
	} else {
		groups[1] = []ir.Value{descriptor(l, a, p.batch, p.i*row.M, p.k*row.K)}
	}
	groups[2] = []ir.Value{descriptor(l, b, p.batch, p.j*cols, p.k*row.K)}
	c := acc[first : first+n]
	if !c[0].IsNil() {
		groups[3] = slices.Clone(c)
	}
	st := l.NewState(nvvm.WgmmaMma, l.Loc)
	st.OperandGroups(groups...)
	st.Attrs = append(st.Attrs, attrs...)
	word := ir.Type(l.I32())
	if row.D.Elems[0] == sm.F32 {
		word = l.Ctx.F32()
	}
	for range n {
		st.Types = append(st.Types, word)
	}
	return l.Insert(st).Results()
}

func dotWait(l *core.Lowering, op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrPending)
	var all []ir.Value
	var counts []int
	for _, v := range op.Operands() {
		words := accumulatorWords(l, v)
		if len(words) > 0 && words[0].IsNil() { // nothing is in flight
			words = l.Pack(l.Values(v))
		}
		all, counts = append(all, words...), append(counts, len(words))
	}
	out := finished(l, all, n)
	for i, v := range op.Results() {
		l.Bind(v, elementsOf(l, out[:counts[i]], l.Elem(v.Type()))...)
		out = out[counts[i]:]
	}
	return nil
}
