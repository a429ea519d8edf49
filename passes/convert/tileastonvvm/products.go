package tileastonvvm

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// productRules are those of products that run beside the threads.
func productRules() map[*ir.OpDef]rule {
	return map[*ir.OpDef]rule{tileas.DotAsync: (*lowering).dotAsync, tileas.DotWait: (*lowering).dotWait}
}

// A side is what an asynchronous product takes a factor from: registers, or a buffer by descriptors.
type side struct {
	words []ir.Value // of fragments
	size  int        // words of one

	base  ir.Value // the descriptor of the beginning of the buffer
	desc  linear.Descriptor
	place func(batch, row, depth int) int64 // in bytes from there
}

// Fields of a matrix descriptor (PTX ISA, wgmma, matrix descriptor): addresses and distances in units of 16 bytes.
const (
	descriptorUnit = 4 // log2 of the bytes
	leadField      = 16
	strideField    = 32
	swizzleField   = 62
)

var swizzleModes = map[int]int64{0: 0, 128: 1, 64: 2, 32: 3}

// dotAsync makes the instructions of a product and closes their group. Those of one step of the depth follow each other, as those of a dot do.
func (l *lowering) dotAsync(op ir.Op) error {
	row, err := matrix.RowOf(op)
	if err != nil {
		return err
	}
	if row.Family != sm.Wgmma {
		return op.Errorf("is computed by %s, which is no instruction of a group of warps", ir.AttrString(tileas.MMAOf(op)))
	}
	t, err := matrix.TileOf(op)
	if err != nil {
		return err
	}
	if got, err := l.layout(op.Operand(2)); err != nil || !got.Equal(t.C) {
		return op.Errorf("adds to a sum of the layout %s, but %s needs %s", got, ir.AttrString(tileas.MMAOf(op)), t.C)
	}
	var sides [2]side // by the instruction
	for i := range sides {
		if sides[matrix.Side(op, i)], err = l.side(op, i, t); err != nil {
			return err
		}
	}
	a, b := &sides[0], &sides[1]
	types, attr := matrix.InstructionTypes(op), tileas.MMAOf(op)
	attrs := []ir.NamedAttr{
		{Name: nvvm.AttrShape, Value: l.ctx.String(attr.Shape())}, {Name: nvvm.AttrTypeA, Value: l.ctx.String(types.A.String())},
		{Name: nvvm.AttrTypeB, Value: l.ctx.String(types.B.String())}, {Name: nvvm.AttrAccumulator, Value: l.ctx.String(types.D.String())},
	}
	for i, s := range sides {
		if s.desc.RowsTogether {
			attrs = append(attrs, ir.NamedAttr{Name: []string{nvvm.AttrTransA, nvvm.AttrTransB}[i], Value: l.ctx.Unit()})
		}
	}
	sums := l.sumWords(op.Operand(2))
	per := row.RegistersD(attr.N)
	l.Create(nvvm.WgmmaFence, nil, nil)
	for batch := range t.Batch {
		for k := range t.K {
			for i := range t.M {
				for j := range t.N {
					first := ((batch*t.M+i)*t.N + j) * per
					out := l.wgmma(sums, first, per, a, b, position{batch, i, j, k, t}, row, attr.N, attrs)
					copy(sums[first:first+per], out)
				}
			}
		}
	}
	l.Create(nvvm.WgmmaCommit, nil, nil)
	l.bindSums(op.Result(0), sums)
	return nil
}

// A position is that of an instruction in the product.
type position struct {
	batch, i, j, k int
	t              linear.MMATile
}

// wgmma makes one instruction, which adds to some words of the sum; those that are zero Values begin at zero.
func (l *lowering) wgmma(sums []ir.Value, first, n int, a, b *side, p position, row *sm.Matrix, cols int, attrs []ir.NamedAttr) []ir.Value {
	groups := make([][]ir.Value, 4)
	if a.words != nil {
		groups[0] = a.words[p.t.FirstA(p.batch, p.i, p.k)/p.t.SizeA*a.size:][:a.size]
	} else {
		groups[1] = []ir.Value{l.descriptor(a, p.batch, p.i*row.M, p.k*row.K)}
	}
	groups[2] = []ir.Value{l.descriptor(b, p.batch, p.j*cols, p.k*row.K)}
	c := sums[first : first+n]
	if !c[0].IsNil() {
		groups[3] = slices.Clone(c)
	}
	st := l.NewState(nvvm.WgmmaMma, l.Loc)
	st.OperandGroups(groups...)
	st.Attrs = append(st.Attrs, attrs...)
	word := ir.Type(l.i32())
	if row.D.Elems[0] == sm.F32 {
		word = l.ctx.F32()
	}
	for range n {
		st.Types = append(st.Types, word)
	}
	return l.Insert(st).Results()
}

// side finds a factor.
func (l *lowering) side(op ir.Op, which int, t linear.MMATile) (s side, err error) {
	v := op.Operand(which)
	buffer, ok := v.Type().(*tileas.BufferType)
	if !ok {
		got, err := l.layout(v)
		if err != nil {
			return s, err
		}
		if !got.Equal(t.A) || matrix.Side(op, which) != 0 {
			return s, op.Errorf("operand #%d has the layout %s, but %s needs %s", which, got, ir.AttrString(tileas.MMAOf(op)), t.A)
		}
		s.words = l.pack(l.Values(v))
		s.size = len(s.words) * t.SizeA / len(l.Values(v))
		return s, nil
	}
	if s.desc, err = matrix.Describe(op, which, buffer); err != nil {
		return s, op.Errorf("operand #%d cannot be read by %s: %v", which, ir.AttrString(tileas.MMAOf(op)), err)
	}
	layout, size := buffer.Layout.Shared, buffer.ElementBytes()
	rank := len(buffer.Shape)
	rows, depth := rank-2+which, rank-1-which
	flat := func(batch, row, step int) uint64 {
		at := [2]int{}
		at[rows-(rank-2)], at[depth-(rank-2)] = row, step
		return uint64((batch*int(buffer.Shape[rank-2])+at[0])*int(buffer.Shape[rank-1]) + at[1])
	}
	s.place = func(batch, row, step int) int64 { return int64(layout.Offset(flat(batch, row, step))) * size }
	s.base = l.descriptorBase(op, matrix.Side(op, which), v, s, t)
	return s, nil
}

// descriptorBase returns the descriptor of where the part of a group of warps begins in the buffer of a factor of the instruction.
func (l *lowering) descriptorBase(op ir.Op, which int, buffer ir.Value, s side, t linear.MMATile) ir.Value {
	attr := tileas.MMAOf(op)
	const together = 4 // warps
	var moved ir.Value // by the part, which does not change
	for _, part := range []struct {
		side, groups, extent int
		number               func() ir.Value
	}{
		{0, attr.WarpsM / together, t.M * attr.M, func() ir.Value { return l.warpBits(2, attr.WarpsM/together) }},
		{1, attr.WarpsN, t.N * attr.N, func() ir.Value { return l.warpBits(log2(attr.WarpsM), attr.WarpsN) }},
	} {
		if part.side != which || part.groups == 1 {
			continue
		}
		// Parts are at multiples of one distance but where their bits are apart in the layout, as beyond the width of a swizzle.
		number := part.number()
		for bit := 1; bit < part.groups; bit *= 2 {
			one := l.early(arith.AndI, l.early(arith.ShRUI, number, l.const32(int64(log2(bit)))), l.const32(1))
			part := l.early(arith.MulI, one, l.const32(s.place(0, bit*part.extent, 0)>>descriptorUnit))
			if moved.IsNil() {
				moved = part
			} else {
				moved = l.early(arith.AddI, moved, part)
			}
		}
	}
	low := l.units(buffer, int64(s.desc.Lead)>>descriptorUnit<<leadField, moved)
	fields := int64(s.desc.Stride)>>descriptorUnit<<strideField | swizzleModes[s.desc.Swizzle]<<swizzleField
	return l.create(arith.OrI, l.i64(), l.create(arith.ExtUI, l.i64(), low), l.const64(fields))
}

// descriptor returns the descriptor of a part of the buffer, which differs from that of the beginning by a constant: no field but the address changes, and that does not overflow.
func (l *lowering) descriptor(s *side, batch, row, step int) ir.Value {
	at := s.place(batch, row, step) >> descriptorUnit
	if at == 0 {
		return s.base
	}
	return l.create(arith.AddI, l.i64(), s.base, l.const64(at))
}

func log2(n int) (bits int) {
	for ; n > 1; n /= 2 {
		bits++
	}
	return bits
}

// uniformWarp returns the warp's number, which all lanes get from the first one.
func (l *lowering) uniformWarp() ir.Value {
	warp, zero := l.warp(), l.const32(0)
	return l.once(threadKey{"uniform warp"}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.Shuffle, []ir.Value{warp, zero}, []ir.Type{l.i32()}, ir.NamedAttr{Name: nvvm.AttrMode, Value: l.ctx.String("idx")}).Result(0)
	})
}

// warpBits returns some bits of the warp's number, from one on, as a number below n. All lanes get it from the first one, so that ptxas knows that a warp has one value of it: descriptors are uniform.
func (l *lowering) warpBits(from, n int) ir.Value {
	uniform := l.uniformWarp()
	if from > 0 {
		uniform = l.early(arith.ShRUI, uniform, l.const32(int64(from)))
	}
	return l.early(arith.AndI, uniform, l.const32(int64(n-1)))
}

// sumWords returns the registers of a sum as the machine has them; zero Values for one that is the constant zero.
//
// A sum under way has elements in pairs where they are of 16 bits; the words are kept beside the elements, which nothing may read.
func (l *lowering) sumWords(v ir.Value) []ir.Value {
	if words, ok := l.sums[v]; ok {
		return slices.Clone(words)
	}
	regs := l.Values(v)
	if dense, ok := ir.ConstantValue(v).(*ir.DenseElementsAttr); ok {
		if elem := ir.ElementType(v.Type()); dense.IsSplat(elem) && dense.Bits(elem, 0) == 0 {
			return make([]ir.Value, (len(regs)*ir.BitWidth(elem)+31)/32)
		}
	}
	return slices.Clone(l.pack(regs))
}

// bindSums notes the registers of a sum. Elements of 16 bits are two to a word, and may not be taken out while it is under way: a sum that goes to anything else than products and waits of the block, as through a loop, is
// waited for at once.
func (l *lowering) bindSums(v ir.Value, words []ir.Value) {
	elem := l.elem(v.Type())
	if ir.BitWidth(elem) == 32 {
		l.Bind(v, words...)
		return
	}
	if l.sums == nil {
		l.sums = make(map[ir.Value][]ir.Value)
	}
	if onlyProducts(v) { // nobody will ask for elements
		l.sums[v] = words
		zero := l.constAttr(arith.FromBits(elem, 0))
		l.Bind(v, slices.Repeat([]ir.Value{zero}, l.count(v.Type()))...)
		return
	}
	words = l.finished(words, 0)
	l.sums[v] = words
	l.Bind(v, l.elements(words, elem)...)
}

// finished waits for all but the latest groups, and returns the words of sums behind that.
func (l *lowering) finished(words []ir.Value, pending int64) []ir.Value {
	st := l.NewState(nvvm.WgmmaWait, l.Loc)
	st.Operands = words
	for _, w := range words {
		st.Types = append(st.Types, w.Type())
	}
	st.SetAttr(nvvm.AttrCount, l.ctx.IntAttr(l.i32(), pending))
	return l.Insert(st).Results()
}

// onlyProducts reports whether a sum goes to nothing but waits and products.
func onlyProducts(v ir.Value) bool {
	for u := range v.Uses() {
		if !u.Owner().Is(tileas.DotAsync) && !u.Owner().Is(tileas.DotWait) {
			return false
		}
	}
	return true
}

func (l *lowering) elements(words []ir.Value, elem ir.Type) (out []ir.Value) {
	for _, w := range words {
		out = append(out, l.split(w, elem)...)
	}
	return out
}

func (l *lowering) dotWait(op ir.Op) error {
	n, _ := op.IntAttr(tileas.AttrPending)
	var all []ir.Value
	var counts []int
	for _, v := range op.Operands() {
		words := l.sumWords(v)
		if len(words) > 0 && words[0].IsNil() { // nothing is under way
			words = l.pack(l.Values(v))
		}
		all, counts = append(all, words...), append(counts, len(words))
	}
	out := l.finished(all, n)
	for i, v := range op.Results() {
		l.Bind(v, l.elements(out[:counts[i]], l.elem(v.Type()))...)
		out = out[counts[i]:]
	}
	return nil
}
