package mma

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// fragments returns how a dot is cut into instructions. Its operands must have the layouts that its attribute asks for.
//
// The layouts were assigned from the same table (passes/tileas/machine/instr); they are compared again because a dump
// may be edited, and passes in between move conversions around.
func fragments(l *core.Lowering, op ir.Op) (linear.MMATile, error) {
	wanted, t, err := instr.LayoutsOf(op)
	if err != nil {
		return t, err
	}
	for i, want := range wanted {
		got, err := l.Layout(op.Operand(i))
		if err != nil {
			return t, err
		}
		// Layouts must be equal, not just convertible. The instruction fixes which register of which lane holds
		// which element (PTX ISA, matrix fragments for mma). A difference would give wrong numbers, not an error.
		if !got.Equal(want) {
			return t, op.Errorf("operand #%d has the layout %s, but %s needs %s", i, got, ir.AttrString(tileas.MMAOf(op)), want)
		}
	}
	return t, nil
}

// dot makes the instructions of a synchronous MMA. For an accumulator of 64 x 64, K = 32 and m16n8k16 in one warp
// there are 2 steps of K, each with 4 by 8 instructions:
//
//	for k in 0..1   for m in 0..3   for n in 0..7     C[m][n] += A[m][k] * B[n][k]
//	32 independent instructions between two that use the same accumulator
//
// A fragment is SizeA (SizeB, SizeC) consecutive registers: the layouts in package linear are made so that the
// registers of one instruction are the low bits of the register's number.
func dot(l *core.Lowering, op ir.Op) error {
	row, err := instr.RowOf(op)
	if err != nil {
		return err
	}
	if row.Family == sm.FMA {
		return fmaDot(l, op)
	}
	if instr.Async(op) {
		return op.Errorf("is computed by %s, an asynchronous instruction, which tileas-make-async-mma must have started before", ir.AttrString(tileas.MMAOf(op)))
	}
	t, err := fragments(l, op)
	if err != nil {
		return err
	}
	m := newMultiplier(l, op, row)
	scales, err := scales(l, op, row, t)
	if err != nil {
		return err
	}
	a, b := l.Values(op.Operand(0)), l.Values(op.Operand(1))
	acc := append([]ir.Value(nil), l.Values(op.Operand(2))...)
	for batch := range t.Batch {
		// K is outside of M and N: consecutive instructions add to different accumulators, so that none waits for the
		// one before. With K innermost each would depend on the last.
		for k := range t.K {
			for i := range t.M {
				for j := range t.N {
					// In place, so that the next step of K adds to what this one left.
					m.scale = scales.at(batch, i, j, k)
					m.multiply(m.fragment(0, a, t.FirstA(batch, i, k), t.SizeA), m.fragment(1, b, t.FirstB(batch, j, k), t.SizeB), acc[t.FirstC(batch, i, j):][:t.SizeC])
				}
			}
		}
	}
	l.Bind(op.Result(0), acc...)
	return nil
}

// A multiplier makes the instructions of a dot.
type multiplier struct {
	*core.Lowering
	attrs []ir.NamedAttr
	row   *sm.Matrix
	scale scalePair // of the next instruction, where it scales
	// widened has the names of the 8-bit floats that are multiplied as f16, for each of A and B.
	widened [2]string
	// packed has the words of fragments, which are used by several instructions: a row of A meets every column of B,
	// and would be packed once for each of them.
	packed map[[2]int][]ir.Value
	wide   map[ir.Value][]ir.Value // words of 8-bit floats as f16
}

func newMultiplier(l *core.Lowering, op ir.Op, row *sm.Matrix) *multiplier {
	m := &multiplier{Lowering: l, row: row, packed: make(map[[2]int][]ir.Value), wide: make(map[ir.Value][]ir.Value)}
	types, shape := mma.Types(op), tileas.MMAOf(op).Shape()
	if !row.Native(l.Arch) {
		m.widened = [2]string{types.A.String(), types.B.String()}
		types.A, types.B = sm.F16, sm.F16
		shape = sm.MatrixShape{M: row.M, N: row.N.Max, K: halfK}.String()
	}
	m.attrs = []ir.NamedAttr{
		{Name: nvvm.AttrShape, Value: l.Ctx.String(shape)},
		{Name: nvvm.AttrTypeA, Value: l.Ctx.String(types.A.String())}, {Name: nvvm.AttrTypeB, Value: l.Ctx.String(types.B.String())},
		{Name: nvvm.AttrAccumulator, Value: l.Ctx.String(types.D.String())},
	}
	return m
}

// halfK is the K of the instruction for f16 that stands for one of 8-bit floats.
const halfK = 16

// fragment returns the words of a fragment of A or B.
func (m *multiplier) fragment(which int, regs []ir.Value, first, n int) []ir.Value {
	key := [2]int{which, first}
	if m.packed[key] == nil {
		m.packed[key] = m.words(regs[first : first+n])
	}
	return m.packed[key]
}

// multiply multiplies two fragments and adds to the accumulators c.
func (m *multiplier) multiply(a, b, c []ir.Value) {
	if m.widened[0] == "" {
		m.mma(a, b, c)
		return
	}
	// The machine has no instruction for these types. ptxas multiplies into temporary accumulators and adds those
	// to C: 512 additions in each step of matmul_e4m3_128x256x128, and registers for them. All values are exact
	// in f16, so f16 is multiplied. K has the order of the fragments of bytes, in A as in B. Of four elements,
	// two adjacent ones are the low half of K and the others the high half.
	for len(b) > 0 {
		m.mma(m.widen(0, a[:2]), m.widen(1, b[:1]), c)
		a, b = a[2:], b[1:]
	}
}

// widen converts words of 8-bit floats to f16: the low halves of all, then the high ones.
func (m *multiplier) widen(which int, words []ir.Value) []ir.Value {
	out := make([]ir.Value, 2*len(words))
	for i, w := range words {
		if m.wide[w] == nil {
			m.wide[w] = m.Create(nvvm.CvtF16x2, []ir.Value{w}, []ir.Type{m.I32(), m.I32()}, ir.NamedAttr{Name: nvvm.AttrType, Value: m.Ctx.String(m.widened[which])}).Results()
		}
		out[i], out[len(words)+i] = m.wide[w][0], m.wide[w][1]
	}
	return out
}

// words returns the registers of a fragment. Elements of half a byte are two to a byte, or in the middle of one
// if the other operand has bytes.
func (m *multiplier) words(regs []ir.Value) []ir.Value {
	if ir.BitWidth(regs[0].Type()) >= 8 {
		return m.Pack(regs)
	}
	bytes := make([]ir.Value, 0, len(regs))
	if m.row.A.Cell < 8 {
		for i := 0; i < len(regs); i += 2 {
			bytes = append(bytes, m.JoinHalves(regs[i], regs[i+1]))
		}
		return m.Pack(bytes)
	}
	for _, r := range regs {
		bytes = append(bytes, m.ToByte(r))
	}
	words := m.Pack(bytes)
	for i, w := range words {
		words[i] = m.Make(arith.ShLI, m.I32(), w, m.Const32(2)) // PTX ISA, mma: two bits of padding on both sides
	}
	return words
}

// mma makes one instruction.
func (m *multiplier) mma(a, b, c []ir.Value) {
	def, words := nvvm.MmaSync, m.Pack(c)
	groups := [][]ir.Value{a, b, words}
	attrs := m.attrs
	if s := m.row.Scale; s.Block != 0 {
		def = nvvm.MmaBlockScale
		groups = append(groups, []ir.Value{m.scale.a.word}, []ir.Value{m.scale.b.word})
		attrs = append(slices.Clip(attrs), m.scaleAttrs(s)...)
	}
	st := m.NewState(def, m.Loc)
	st.OperandGroups(groups...)
	st.Attrs = append(st.Attrs, attrs...)
	for _, w := range words {
		st.Types = append(st.Types, w.Type())
	}
	i := 0
	for _, w := range m.Insert(st).Results() {
		for _, v := range m.SplitWord(w, c[0].Type()) {
			c[i] = v
			i++
		}
	}
}
