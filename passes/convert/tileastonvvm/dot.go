package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// fragments returns how a dot is cut into instructions. Its operands must have the layouts that its attribute asks for.
//
// The layouts were assigned from the same table (passes/tileas/matrix); they are compared again because a dump
// may be edited, and passes in between move conversions around.
func (l *lowering) fragments(op ir.Op) (linear.MMATile, error) {
	t, err := matrix.TileOf(op)
	if err != nil {
		return t, err
	}
	for i, want := range []linear.Layout{t.A, t.B, t.C} {
		got, err := l.layout(op.Operand(i))
		if err != nil {
			return t, err
		}
		// Equal, not just convertible: the instruction fixes which register of which lane holds which element (PTX ISA, matrix fragments for mma), and a
		// difference would be wrong numbers, not an error.
		if !got.Equal(want) {
			return t, op.Errorf("operand #%d has the layout %s, but %s needs %s", i, got, ir.AttrString(tileas.MMAOf(op)), want)
		}
	}
	return t, nil
}

// For an accumulator of 64 x 64, operands of depth 32 and m16n8k16 in one warp there are K = 2 steps of M = 4
// by N = 8 instructions:
//
//	for k in 0..1   for m in 0..3   for n in 0..7     C[m][n] += A[m][k] * B[n][k]
//	32 independent instructions between two that use the same accumulator
//
// A fragment is SizeA (SizeB, SizeC) consecutive registers: the layouts in package linear are made so that the
// registers of one instruction are the low bits of the register's number.
func (l *lowering) dot(op ir.Op) error {
	row, err := matrix.RowOf(op)
	if err != nil {
		return err
	}
	if row.Family == sm.FMA {
		return l.fmaDot(op)
	}
	t, err := l.fragments(op)
	if err != nil {
		return err
	}
	types := matrix.Types(op)
	attrs := []ir.NamedAttr{
		{Name: nvvm.AttrShape, Value: l.ctx.String(tileas.MMAOf(op).Shape())},
		{Name: nvvm.AttrTypeA, Value: l.ctx.String(types.A.String())}, {Name: nvvm.AttrTypeB, Value: l.ctx.String(types.B.String())},
		{Name: nvvm.AttrAccumulator, Value: l.ctx.String(types.D.String())},
	}
	a, b := l.Values(op.Operand(0)), l.Values(op.Operand(1))
	acc := append([]ir.Value(nil), l.Values(op.Operand(2))...)
	// A row of A meets every column of B: without the map it would be packed once for each of them.
	packed := make(map[[2]int][]ir.Value) // fragments are used by several instructions
	fragment := func(which int, regs []ir.Value, first, n int) []ir.Value {
		key := [2]int{which, first}
		if packed[key] == nil {
			packed[key] = l.pack(regs[first : first+n])
		}
		return packed[key]
	}
	for batch := range t.Batch {
		// K is outside of M and N: consecutive instructions add to different accumulators, so that none waits for the one before. With K innermost each would
		// depend on the last.
		for k := range t.K {
			for m := range t.M {
				for n := range t.N {
					c := acc[t.FirstC(batch, m, n):][:t.SizeC]
					st := l.NewState(nvvm.MmaSync, l.Loc)
					words := l.pack(c)
					st.OperandGroups(fragment(0, a, t.FirstA(batch, m, k), t.SizeA),
						fragment(1, b, t.FirstB(batch, n, k), t.SizeB), words)
					st.Attrs = append(st.Attrs, attrs...)
					for _, w := range words {
						st.Types = append(st.Types, w.Type())
					}
					i := 0
					for _, w := range l.Insert(st).Results() {
						for _, v := range l.split(w, c[0].Type()) {
							// In place, so that the next step of K adds to what this one left.
							c[i] = v
							i++
						}
					}
				}
			}
		}
	}
	l.Bind(op.Result(0), acc...)
	return nil
}

// split undoes pack for one register.
func (l *lowering) split(w ir.Value, elem ir.Type) []ir.Value {
	if w.Type() == elem {
		return []ir.Value{w}
	}
	return l.unpack(w, elem)
}
