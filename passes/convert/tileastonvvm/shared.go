package tileastonvvm

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

type sharedKey struct{}

func (l *lowering) sharedBase() ir.Value {
	return l.once(sharedKey{}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.SharedBase, nil, []ir.Type{nvvm.Ptr(l.ctx, nvvm.Shared)}).Result(0)
	})
}

// A sharedAddress is where a thread accesses a buffer: for each op of a plan a pointer and a constant to add. The op's offset is to be XORed with the
// thread's; where the two touch different bits that is an addition, which the instruction does.
//
// For a swizzled buffer of 64-byte rows, a lane's row r and column c as bits, and an op that adds the column k:
//
//	offset = 64 * r + ((c ^ k ^ (r >> 1 & 3)) << 4)         the layout: XOR on the bits of the 16-byte chunk
//	       = thread ^ (k << 4)                              the thread's part, computed once, and the op's, known here
//	       = thread + (k << 4)                              where thread has zeros in the bits of k: then it is the immediate offset
//
// Both parts are linear over GF(2), so what they contribute never carries from one into the other.
type sharedAddress struct {
	l       *lowering
	thread  ir.Value // the thread's part of the offset, in bytes
	support int64    // the bits that it may set
	buffer  ir.Value // where the buffer starts
	size    int64
	moved   ir.Value // by how many bytes the part begins further than the plan says, which only the run tells; or a zero Value
	moves   int64    // the bits that it may set
}

func (l *lowering) sharedAddress(buf ir.Value, f linear.ThreadFn, size int64) sharedAddress {
	a := sharedAddress{l: l, buffer: l.Value(buf), size: size}
	a.setThread(f)
	return a
}

// setThread sets the thread's part to a function that counts elements.
func (a *sharedAddress) setThread(f linear.ThreadFn) {
	scale := func(cols []uint32) []uint32 {
		out := make([]uint32, len(cols))
		for i, c := range cols {
			out[i] = c * uint32(a.size)
			a.support |= int64(out[i])
		}
		return out
	}
	a.thread = a.l.threadFn(linear.ThreadFn{Lane: scale(f.Lane), Warp: scale(f.Warp)})
}

type (
	sharedPtrKey struct{ off ir.Value }
	sharedXorKey struct {
		thread ir.Value
		bits   int64
	}
)

// at returns the address for the offset, in elements, of an op of the plan.
func (a sharedAddress) at(offset uint32) (ir.Value, int64) {
	l := a.l
	off, constant := a.split(offset)
	base := l.sharedBase()
	sets := a.support | int64(offset)*a.size&^constant
	if !a.moved.IsNil() && sets&a.moves != 0 { // a swizzle: what is added along the one dimension changes what another one has set
		ptr := l.create(nvvm.PtrAdd, base.Type(), base, l.create(arith.XOrI, l.i32(), off, a.moved))
		return l.inBuffer(a.buffer, ptr, constant)
	}
	ptr := l.once(sharedPtrKey{off}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.PtrAdd, []ir.Value{base, off}, []ir.Type{base.Type()}).Result(0)
	})
	ptr, constant = l.inBuffer(a.buffer, ptr, constant)
	if !a.moved.IsNil() {
		ptr = l.create(nvvm.PtrAdd, ptr.Type(), ptr, a.moved)
	}
	return ptr, constant
}

// move makes a part begin further than the plan says, by a function of a number that counts elements.
func (a *sharedAddress) move(v ir.Value, columns []uint32) {
	l := a.l
	known := uint32(0) // the bits that the number may have
	for i, c := range columns {
		if columns[i] = c * uint32(a.size); c != 0 {
			known |= 1 << i
		}
	}
	for _, t := range terms(columns) {
		n := v
		if t.mask != known {
			n = l.create(arith.AndI, l.i32(), n, l.const32(int64(t.mask)))
		}
		switch {
		case t.shift > 0:
			n = l.create(arith.ShLI, l.i32(), n, l.const32(int64(t.shift)))
		case t.shift < 0:
			n = l.create(arith.ShRUI, l.i32(), n, l.const32(int64(-t.shift)))
		}
		if a.moved.IsNil() {
			a.moved = n
		} else {
			a.moved = l.create(arith.XOrI, l.i32(), a.moved, n)
		}
		a.moves |= int64(t.out())
	}
}

// split returns the offset in bytes as an i32 that depends on the thread and a constant to add.
//
// mixed is what must be XORed, and the rest is added: bits of the op's offset that no lane or warp ever sets
// (support) pass into the instruction. Without the split each op of a plan would need its own address register.
func (a sharedAddress) split(offset uint32) (ir.Value, int64) {
	l := a.l
	bytes := int64(offset) * a.size
	mixed := bytes & (a.support | a.moves)
	if mixed == 0 {
		return a.thread, bytes
	}
	k := l.const32(mixed)
	return l.once(sharedXorKey{a.thread, mixed}, func(*ir.Builder) ir.Value { return l.early(arith.XOrI, a.thread, k) }), bytes &^ mixed
}

func (l *lowering) localStore(op ir.Op) error {
	value, buf := op.Operand(0), op.Operand(1)
	t := buf.Type().(*tileas.BufferType)
	lay, err := l.layout(value)
	if err != nil {
		return err
	}
	size := tile.ElementBytes(t.Elem)
	if mode, _, err := linear.BestAccess(lay, t.Layout.Shared, 8*size, linear.AccessOptions{Matrix: l.storesMatrices(op, t)}); err == nil && mode != linear.Plain {
		return l.matrixStore(op, lay, t, mode == linear.MatrixTrans)
	}
	plan, err := linear.PlanAccess(lay, t.Layout.Shared, 8*size, 8*tile.MaxVectorBytes)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	regs := l.Values(value)
	addr := l.sharedAddress(buf, plan.Thread, int64(size))
	var owner ir.Value
	if op.HasUnitAttr(tileas.AttrOwner) {
		owner = l.owner(lay)
	}
	for _, a := range plan.Ops {
		vs := make([]ir.Value, len(a.Registers))
		for i, r := range a.Registers {
			vs[i] = regs[r]
		}
		p, off := addr.at(a.Offset)
		l.st(p, off, vs, owner)
	}
	return nil
}

// ldmatrix is chosen whenever the pair of layouts admits it, by the same function (linear.BestAccess) that
// assign-layouts counted costs with. An 8 x 8 matrix of 16-bit elements comes as
//
//	row i is at the address that lane i names; lane l gets elements 2(l%4), 2(l%4)+1 of row l/4 in one register, or with .trans of column l/4
//
// which is what the fragments of mma have (PTX ISA, "ldmatrix").
func (l *lowering) localLoad(op ir.Op) error {
	buf, result := op.Operand(0), op.Result(0)
	t := buf.Type().(*tileas.BufferType)
	lay, err := l.layout(result)
	if err != nil {
		return err
	}
	part, further, err := l.partOf(op, lay)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	size := tile.ElementBytes(t.Elem)
	regs := make([]ir.Value, part.Whole.Size(linear.Register))
	mode, _, err := linear.BestAccess(part.Whole, t.Layout.Shared, 8*size, linear.AccessOptions{Matrix: true})
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	if mode != linear.Plain {
		return l.matrixLoad(op, part, further, t, mode == linear.MatrixTrans, regs)
	}
	plan, err := part.Plan(t.Layout.Shared, 8*size)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	addr := l.sharedAddress(buf, plan.Thread, int64(size))
	further(&addr)
	for _, a := range plan.Ops {
		if in, err := part.Has(a.Registers); err != nil {
			return op.Errorf("has no plan: %v", err)
		} else if !in {
			continue
		}
		p, off := addr.at(a.Offset)
		for i, v := range l.ld(p, off, ir.Value{}, nil, l.elem(t.Elem), len(a.Registers)) {
			regs[a.Registers[i]] = v
		}
	}
	copyRegisters(regs, plan.Copies)
	l.Bind(result, regs[part.First:part.First+part.N]...)
	return nil
}

// partOf returns the part that a local_load loads as far as that is known, and what makes an address that of the part where only the run tells where it begins.
//
// The number and the coordinate that it is added to set different bits where the number is a multiple of a power of two above the coordinate, as in a loop over a dimension whose body takes several steps
// along it: the layout is linear, so each then contributes for itself. Else their sum is computed.
func (l *lowering) partOf(op ir.Op, lay linear.Layout) (part tileas.LocalPart, further func(*sharedAddress), err error) {
	v, along, ok := tileas.RunTimeStart(op)
	if !ok {
		part, err = tileas.PartOf(op, lay)
		return part, func(*sharedAddress) {}, err
	}
	b := op.Operand(0).Type().(*tileas.BufferType)
	from := slices.Clone(op.Attr(tileas.AttrFrom).(*ir.DenseArrayAttr).Values)
	number, divisor := l.Value(v), max(1, l.divisors().Of(v).Divisor())
	if from[along] >= divisor {
		number = l.create(arith.AddI, l.i32(), number, l.const32(from[along]))
		from[along], divisor = 0, int64(lay.Shape()[along])
	}
	part, err = tileas.PartAt(lay, b.Layout.Shared.Shape(), from)
	columns := b.Layout.Shared.Along(along)
	for i := range columns {
		if int64(1)<<i < divisor {
			columns[i] = 0
		}
	}
	return part, func(a *sharedAddress) { a.move(number, slices.Clone(columns)) }, err
}

// Registers whose bits are free hold what another holds: a plan loads one of them and lists the others.
func copyRegisters(regs []ir.Value, copies []int) {
	for r, s := range copies {
		if regs[r].IsNil() {
			regs[r] = regs[s]
		}
	}
}

func (l *lowering) matrixLoad(op ir.Op, part tileas.LocalPart, further func(*sharedAddress), t *tileas.BufferType, trans bool, regs []ir.Value) error {
	size := tile.ElementBytes(t.Elem)
	plan, err := linear.PlanMatrix(part.Whole, t.Layout.Shared, 8*size, trans)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	addr := l.sharedAddress(op.Operand(0), plan.Row, int64(size))
	further(&addr)
	elem := l.elem(t.Elem)
	for _, m := range plan.Ops {
		if in, err := part.Has(slices.Concat(m.Registers...)); err != nil {
			return op.Errorf("has no plan: %v", err)
		} else if !in {
			continue
		}
		p, off := addr.at(m.Offset)
		st := l.NewState(nvvm.LdMatrix, l.Loc)
		st.Operands = []ir.Value{p}
		l.offset(st, off)
		if trans {
			st.SetAttr(nvvm.AttrTrans, l.ctx.Unit())
		}
		for range m.Registers {
			st.Types = append(st.Types, l.i32())
		}
		for i, word := range l.Insert(st).Results() {
			for k, v := range l.unpack(word, elem) {
				regs[m.Registers[i][k]] = v
			}
		}
	}
	copyRegisters(regs, plan.Copies)
	l.Bind(op.Result(0), regs[part.First:part.First+part.N]...)
	return nil
}

// unpack splits a 32-bit word into elements, the lowest first.
func (l *lowering) unpack(word ir.Value, elem ir.Type) []ir.Value {
	width := max(8, ir.BitWidth(elem))
	if width == 32 {
		if elem == l.i32() {
			return []ir.Value{word}
		}
		return []ir.Value{l.create(arith.Bitcast, elem, word)}
	}
	stored := elem
	if ir.BitWidth(elem) < 8 { // a byte in memory
		stored = l.ctx.Int(8)
	}
	types := make([]ir.Type, 32/width)
	for i := range types {
		types[i] = stored
	}
	vs := l.Create(nvvm.Unpack, []ir.Value{word}, types).Results()
	if stored == elem {
		return vs
	}
	for i, v := range vs {
		vs[i] = l.lowest(v, elem)
	}
	return vs
}

// pack joins elements to 32-bit words, the first lowest.
func (l *lowering) pack(vs []ir.Value) []ir.Value {
	per := 32 / max(8, ir.BitWidth(vs[0].Type()))
	if per <= 1 {
		return vs
	}
	var out []ir.Value
	for i := 0; i < len(vs); i += per {
		out = append(out, l.create(nvvm.Pack, l.i32(), vs[i:i+per]...))
	}
	return out
}
