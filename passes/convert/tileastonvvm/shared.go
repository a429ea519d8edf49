package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

func (l *lowering) allocShared(op ir.Op) error {
	off, ok := op.IntAttr(tileas.AttrOffset)
	if !ok {
		return op.Errorf("has no offset")
	}
	l.buffers[op.Result(0)] = off
	return nil
}

type sharedKey struct{}

func (l *lowering) sharedBase() ir.Value {
	return l.once(sharedKey{}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.SharedBase, nil, []ir.Type{nvvm.Ptr(l.ctx, nvvm.Shared)}).Result(0)
	})
}

// A sharedAddress is where a thread accesses a buffer: for each op of a plan a pointer and a constant to add.
type sharedAddress struct {
	l        *lowering
	thread   ir.Value // the thread's part of the offset in bytes
	base     ir.Value // the address of that, when constants may be added to it
	buffer   int64
	size     int64
	disjoint bool
}

func (l *lowering) sharedAddress(buf ir.Value, f linear.ThreadFn, size int64, disjoint bool) sharedAddress {
	scaled := linear.ThreadFn{Lane: make([]uint32, len(f.Lane)), Warp: make([]uint32, len(f.Warp))}
	for i, c := range f.Lane {
		scaled.Lane[i] = c * uint32(size)
	}
	for i, c := range f.Warp {
		scaled.Warp[i] = c * uint32(size)
	}
	a := sharedAddress{l: l, thread: l.threadFn(scaled), buffer: l.buffers[buf], size: size, disjoint: disjoint}
	if disjoint {
		a.base = a.pointer(a.thread)
	}
	return a
}

type sharedPtrKey struct{ off ir.Value }

func (a sharedAddress) pointer(off ir.Value) ir.Value {
	base := a.l.sharedBase()
	return a.l.once(sharedPtrKey{off}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.PtrAdd, []ir.Value{base, off}, []ir.Type{base.Type()}).Result(0)
	})
}

// at returns the address of the offset (in elements) that an op of the plan adds to, or XORs with, the thread's.
func (a sharedAddress) at(offset uint32) (ir.Value, int64) {
	bytes := int64(offset) * a.size
	if a.disjoint {
		return a.base, a.buffer + bytes
	}
	off := a.thread
	if bytes != 0 {
		k := a.l.const32(bytes)
		type xorKey struct {
			v ir.Value
			k int64
		}
		off = a.l.once(xorKey{off, bytes}, func(*ir.Builder) ir.Value { return a.l.early(arith.XOrI, a.thread, k) })
	}
	return a.pointer(off), a.buffer
}

func (l *lowering) localStore(op ir.Op) error {
	value, buf := op.Operand(0), op.Operand(1)
	t := buf.Type().(*tileas.BufferType)
	lay, err := l.layout(value)
	if err != nil {
		return err
	}
	size := tile.ElementBytes(t.Elem)
	plan, err := linear.PlanAccess(lay, t.Layout.Shared, 8*size, 8*tile.MaxVectorBytes)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	regs := l.values[value]
	addr := l.sharedAddress(buf, plan.Thread, int64(size), plan.Disjoint)
	for _, a := range plan.Ops {
		vs := make([]ir.Value, len(a.Registers))
		for i, r := range a.Registers {
			vs[i] = regs[r]
		}
		p, off := addr.at(a.Offset)
		l.st(p, off, vs, ir.Value{})
	}
	return nil
}

func (l *lowering) localLoad(op ir.Op) error {
	buf, result := op.Operand(0), op.Result(0)
	t := buf.Type().(*tileas.BufferType)
	lay, err := l.layout(result)
	if err != nil {
		return err
	}
	size := tile.ElementBytes(t.Elem)
	regs := make([]ir.Value, lay.Size(linear.Register))
	l.values[result] = regs
	mode, _, err := linear.BestAccess(lay, t.Layout.Shared, 8*size, linear.AccessOptions{Matrix: true})
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	if mode != linear.Plain {
		return l.matrixLoad(op, lay, t, mode == linear.MatrixTrans, regs)
	}
	plan, err := linear.PlanAccess(lay, t.Layout.Shared, 8*size, 8*tile.MaxVectorBytes)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	addr := l.sharedAddress(buf, plan.Thread, int64(size), plan.Disjoint)
	for _, a := range plan.Ops {
		p, off := addr.at(a.Offset)
		for i, v := range l.ld(p, off, ir.Value{}, ir.Value{}, l.elem(t.Elem), len(a.Registers)) {
			regs[a.Registers[i]] = v
		}
	}
	copyRegisters(regs, plan.Copies)
	return nil
}

func copyRegisters(regs []ir.Value, copies []int) {
	for r, s := range copies {
		if regs[r].IsNil() {
			regs[r] = regs[s]
		}
	}
}

func (l *lowering) matrixLoad(op ir.Op, lay linear.Layout, t *tileas.BufferType, trans bool, regs []ir.Value) error {
	size := tile.ElementBytes(t.Elem)
	plan, err := linear.PlanMatrix(lay, t.Layout.Shared, 8*size, trans)
	if err != nil {
		return op.Errorf("has no plan: %v", err)
	}
	addr := l.sharedAddress(op.Operand(0), plan.Row, int64(size), plan.Disjoint)
	elem := l.elem(t.Elem)
	for _, m := range plan.Ops {
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
	types := make([]ir.Type, 32/width)
	for i := range types {
		types[i] = elem
	}
	return l.Create(nvvm.Unpack, []ir.Value{word}, types).Results()
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
