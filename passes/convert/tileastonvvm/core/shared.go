package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

type sharedKey struct{}

// SharedBase returns the start of the kernel's shared memory.
func (l *Lowering) SharedBase() ir.Value {
	return l.Once(sharedKey{}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.SharedBase, nil, []ir.Type{nvvm.Ptr(l.Ctx, nvvm.Shared)}).Result(0)
	})
}

// A SharedAddress is where a thread accesses a buffer: for each op of a plan a pointer and a constant to add. The
// op's offset is to be XORed with the thread's; where the two touch different bits that is an addition, which the
// instruction does.
//
// For a swizzled buffer of 64-byte rows, a lane's row r and column c as bits, and an op that adds the column k:
//
//	offset = 64 * r + ((c ^ k ^ (r >> 1 & 3)) << 4)         the layout: XOR on the bits of the 16-byte chunk
//	       = thread ^ (k << 4)                              the thread's part, computed once, and the op's, known here
//	       = thread + (k << 4)                              where thread has zeros in the bits of k: immediate
//
// Both parts are linear over GF(2), so what they contribute never carries from one into the other.
type SharedAddress struct {
	l       *Lowering
	thread  ir.Value // the thread's part of the offset, in bytes
	support int64    // the bits that it may set
	buffer  ir.Value // where the buffer starts
	size    int64
	moved   ir.Value // how many bytes further than the plan says the part begins, a value of the run; or a zero Value
	moves   int64    // the bits that it may set
}

// SharedAddress returns where a thread accesses a buffer, by the thread's part of a plan, which counts elements.
func (l *Lowering) SharedAddress(buf ir.Value, f linear.ThreadFn, size int64) SharedAddress {
	a := l.Offsets(f, size)
	a.buffer = l.Value(buf)
	return a
}

// Offsets returns the offsets alone, for Split.
func (l *Lowering) Offsets(f linear.ThreadFn, size int64) SharedAddress {
	a := SharedAddress{l: l, size: size}
	a.setThread(f)
	return a
}

// setThread sets the thread's part to a function that counts elements.
func (a *SharedAddress) setThread(f linear.ThreadFn) {
	scale := func(cols []uint32) []uint32 {
		out := make([]uint32, len(cols))
		for i, c := range cols {
			out[i] = c * uint32(a.size)
			a.support |= int64(out[i])
		}
		return out
	}
	a.thread = a.l.ThreadFn(linear.ThreadFn{Lane: scale(f.Lane), Warp: scale(f.Warp)})
}

type (
	sharedPtrKey struct{ off ir.Value }
	sharedXorKey struct {
		thread ir.Value
		bits   int64
	}
)

// At returns the address for the offset, in elements, of an op of the plan.
func (a SharedAddress) At(offset uint32) (ir.Value, int64) {
	l := a.l
	off, constant := a.Split(offset)
	base := l.SharedBase()
	sets := a.support | int64(offset)*a.size&^constant
	if !a.moved.IsNil() && sets&a.moves != 0 { // a swizzle: moving along one dimension changes bits of another
		ptr := l.Make(nvvm.PtrAdd, base.Type(), base, l.Make(arith.XOrI, l.I32(), off, a.moved))
		return l.inBuffer(a.buffer, ptr, constant)
	}
	ptr := l.Once(sharedPtrKey{off}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.PtrAdd, []ir.Value{base, off}, []ir.Type{base.Type()}).Result(0)
	})
	ptr, constant = l.inBuffer(a.buffer, ptr, constant)
	if !a.moved.IsNil() {
		ptr = l.Make(nvvm.PtrAdd, ptr.Type(), ptr, a.moved)
	}
	return ptr, constant
}

// Move makes a part begin further than the plan says, by a function of a number that counts elements.
func (a *SharedAddress) Move(v ir.Value, columns []uint32) {
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
			n = l.Make(arith.AndI, l.I32(), n, l.Const32(int64(t.mask)))
		}
		switch {
		case t.shift > 0:
			n = l.Make(arith.ShLI, l.I32(), n, l.Const32(int64(t.shift)))
		case t.shift < 0:
			n = l.Make(arith.ShRUI, l.I32(), n, l.Const32(int64(-t.shift)))
		}
		if a.moved.IsNil() {
			a.moved = n
		} else {
			a.moved = l.Make(arith.XOrI, l.I32(), a.moved, n)
		}
		a.moves |= int64(t.out())
	}
}

// Split returns the offset in bytes as an i32 that depends on the thread and a constant to add.
//
// mixed is what must be XORed, and the rest is added: bits of the op's offset that no lane or warp ever sets
// (support) pass into the instruction. Without the split each op of a plan would need its own address register.
func (a SharedAddress) Split(offset uint32) (ir.Value, int64) {
	l := a.l
	bytes := int64(offset) * a.size
	mixed := bytes & (a.support | a.moves)
	if mixed == 0 {
		return a.thread, bytes
	}
	k := l.Const32(mixed)
	return l.Once(sharedXorKey{a.thread, mixed}, func(*ir.Builder) ir.Value { return l.Early(arith.XOrI, a.thread, k) }), bytes &^ mixed
}

// CopyRegisters sets registers that hold what another one holds: a plan loads one of them and lists the others.
func CopyRegisters(regs []ir.Value, copies []int) {
	for r, s := range copies {
		if regs[r].IsNil() {
			regs[r] = regs[s]
		}
	}
}
