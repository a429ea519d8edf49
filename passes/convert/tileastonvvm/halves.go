package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// Elements of half a byte lie in global memory two to a byte, the first in its lower half. A tiled access counts halves first, from its base on, as an i64, and then
// addresses bytes. Where it is known that pairs of a thread's registers make up bytes, bytes are moved. Elsewhere a load takes one element from each byte, and a store finds out at run time:
// a pair that is a byte is stored as one, and what remains are halves of bytes, which atomic operations change, since the other half may be written by any thread at the same time.

func (l *lowering) i8() ir.Type { return l.ctx.Int(8) }

func (l *lowering) constant8(v int64) ir.Value { return l.constAttr(l.ctx.IntAttr(l.i8(), v)) }

// toByte returns an element of less than a byte in the low bits of one.
func (l *lowering) toByte(v ir.Value) ir.Value { return l.create(arith.ExtUI, l.i8(), l.bits(v)) }

// lowest returns the low bits of a byte as an element of less than a byte.
func (l *lowering) lowest(b ir.Value, elem ir.Type) ir.Value {
	bits := ir.Type(l.ctx.Int(ir.BitWidth(elem)))
	v := l.create(arith.TruncI, bits, b)
	if elem == bits {
		return v
	}
	return l.create(arith.Bitcast, elem, v)
}

// splitByte returns the elements of less than a byte that make it up, the lowest first.
func (l *lowering) splitByte(b ir.Value, elem ir.Type) (out []ir.Value) {
	for shift := 0; shift < 8; shift += ir.BitWidth(elem) {
		v := b
		if shift > 0 {
			v = l.create(arith.ShRUI, l.i8(), b, l.constant8(int64(shift)))
		}
		out = append(out, l.lowest(v, elem))
	}
	return out
}

func (l *lowering) joinHalves(low, high ir.Value) ir.Value {
	return l.create(arith.OrI, l.i8(), l.toByte(low), l.create(arith.ShLI, l.i8(), l.toByte(high), l.constant8(4)))
}

// wholeBytes returns the address of register r's element, which begins a byte, as a pointer and a constant to add.
func (a *tiledAccess) wholeBytes(r int) (ir.Value, int64) {
	halves, k := a.addressOf(r)
	p, ok := a.pointers[halves]
	if !ok {
		p = a.l.advance(a.l.Value(a.acc.Base), halves)
		a.pointers[halves] = p
	}
	return p, k / 2
}

// byteOf returns the address of the byte of register r's element, and which half it is, as an i64.
func (a *tiledAccess) byteOf(r int) (addr, half ir.Value) {
	l := a.l
	at, k := a.addressOf(r)
	if k != 0 {
		at = l.create(arith.AddI, l.i64(), at, l.const64(k))
	}
	return l.advance(l.Value(a.acc.Base), at), l.create(arith.AndI, l.i64(), at, l.const64(1))
}

// advance moves a pointer by a number of halves.
func (l *lowering) advance(p, halves ir.Value) ir.Value {
	return l.create(nvvm.PtrAdd, p.Type(), p, l.create(arith.ShRSI, l.i64(), halves, l.const64(1)))
}

func (a *tiledAccess) loadHalves(t ir.Type, padding ir.Value) []ir.Value {
	l := a.l
	regs := make([]ir.Value, a.place.layout.Size(linear.Register))
	both := l.joinHalves(padding, padding)
	for r := 0; r < len(regs); r += a.vector {
		if a.vector == 1 {
			addr, half := a.byteOf(r)
			b := l.ld(addr, 0, a.maskOf(r), both, l.i8(), 1, a.order...)[0]
			shift := l.create(arith.ShLI, l.i8(), l.create(arith.TruncI, l.i8(), half), l.constant8(2))
			regs[r] = l.lowest(l.create(arith.ShRUI, l.i8(), b, shift), t)
			continue
		}
		addr, off := a.wholeBytes(r)
		for i, b := range l.ld(addr, off, a.maskOf(r), both, l.i8(), a.vector/2, a.order...) {
			copy(regs[r+2*i:], l.splitByte(b, t))
		}
	}
	return regs
}

// storeHalves stores the registers, but those that are in free copy others.
func (a *tiledAccess) storeHalves(regs []ir.Value, free int, owner ir.Value) {
	l := a.l
	step := a.vector
	pairs := a.vector == 1 && a.dim >= 0 && a.place.layout.Contiguity(a.dim) > 1
	if pairs {
		step = 2
	}
	for r := 0; r < len(regs); r += step {
		if r&free != 0 {
			continue
		}
		mask := l.both(a.maskOf(r), owner)
		switch {
		case pairs:
			a.storePair(r, regs, mask, l.both(a.maskOf(r+1), owner))
		case a.vector == 1:
			addr, half := a.byteOf(r)
			l.storeHalf(addr, half, regs[r], mask, a.order)
		default:
			a.storeBytes(r, regs, mask)
		}
	}
}

// storePair stores registers r and r+1, whose elements follow each other, where their masks, if any, hold.
func (a *tiledAccess) storePair(r int, regs []ir.Value, first, second ir.Value) {
	l := a.l
	addr, half := a.byteOf(r)
	odd := l.compare("ne", half, l.const64(0))
	whole := l.both(l.not(odd), l.both(first, second))
	l.st(addr, 0, []ir.Value{l.joinHalves(regs[r], regs[r+1])}, whole, a.order...)
	rest := l.not(whole)
	l.storeHalf(addr, half, regs[r], l.both(first, rest), a.order)
	addr, half = a.byteOf(r + 1)
	l.storeHalf(addr, half, regs[r+1], l.both(second, rest), a.order)
}

func (l *lowering) not(cond ir.Value) ir.Value {
	return l.create(arith.XOrI, cond.Type(), cond, l.constAttr(l.ctx.IntAttr(cond.Type(), 1)))
}

func (a *tiledAccess) storeBytes(r int, regs []ir.Value, mask ir.Value) {
	l := a.l
	bytes := make([]ir.Value, a.vector/2)
	for i := range bytes {
		bytes[i] = l.joinHalves(regs[r+2*i], regs[r+2*i+1])
	}
	addr, off := a.wholeBytes(r)
	l.st(addr, off, bytes, mask, a.order...)
}

// storeHalf changes half of a byte, as part of the word that the byte is in: its bits are cleared and then set, which leaves alone what others do with the other bits.
func (l *lowering) storeHalf(addr, half, v, mask ir.Value, order []ir.NamedAttr) {
	i64, i32 := l.i64(), l.i32()
	at := l.create(nvvm.PtrToInt, i64, addr)
	low := l.create(arith.AndI, i64, at, l.const64(3))
	word := l.create(nvvm.IntToPtr, addr.Type(), l.create(arith.XOrI, i64, at, low))
	shift := l.create(arith.OrI, i64, l.create(arith.ShLI, i64, low, l.const64(3)), l.create(arith.ShLI, i64, half, l.const64(2)))
	shift = l.create(arith.TruncI, i32, shift)
	field := l.create(arith.ShLI, i32, l.const32(15), shift)
	bits := l.create(arith.ShLI, i32, l.create(arith.ExtUI, i32, l.bits(v)), shift)
	l.updateWord("and", word, l.create(arith.XOrI, i32, field, l.const32(-1)), mask, order)
	l.updateWord("or", word, bits, mask, order)
}

// updateWord is atomic for all tile blocks, since another one may own the rest of the word.
func (l *lowering) updateWord(kind string, word, v, mask ir.Value, order []ir.NamedAttr) {
	st := l.NewState(nvvm.AtomicRMW, l.Loc)
	groups := [][]ir.Value{{word}, {v}, nil}
	if !mask.IsNil() {
		groups[2] = []ir.Value{mask}
	}
	st.OperandGroups(groups...)
	st.SetAttr(nvvm.AttrKind, l.ctx.String(kind))
	scope := "gpu"
	for _, a := range order {
		switch {
		case a.Name == nvvm.AttrOrdering:
			st.SetAttr(a.Name, a.Value)
		case a.Name == nvvm.AttrScope && a.Value == ir.Attribute(l.ctx.String("sys")):
			scope = "sys"
		}
	}
	st.SetAttr(nvvm.AttrScope, l.ctx.String(scope))
	st.Types = []ir.Type{v.Type()}
	l.Insert(st)
}

// loadLow loads through a pointer, which says a byte, its lower half.
func (l *lowering) loadLow(addr, mask, other ir.Value, t ir.Type, order []ir.NamedAttr) ir.Value {
	if !other.IsNil() {
		other = l.toByte(other)
	}
	return l.lowest(l.ld(addr, 0, mask, other, l.i8(), 1, order...)[0], t)
}

// packSmall is packBytes for elements several of which make up a byte.
func (l *lowering) packSmall(op ir.Op) error {
	if err := l.widened(op, op.Result(0), op.Operand(0)); err != nil {
		return err
	}
	width := ir.BitWidth(ir.ElementType(op.Operand(0).Type()))
	regs := l.Values(op.Operand(0))
	out := make([]ir.Value, len(regs)*width/8)
	for i, v := range regs {
		shift, b := i*width%8, l.toByte(v)
		if shift == 0 {
			out[i*width/8] = b
			continue
		}
		b = l.create(arith.ShLI, l.i8(), b, l.constant8(int64(shift)))
		out[i*width/8] = l.create(arith.OrI, l.i8(), out[i*width/8], b)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// unpackSmall is unpackBytes for elements several of which make up a byte.
func (l *lowering) unpackSmall(op ir.Op) error {
	if err := l.widened(op, op.Operand(0), op.Result(0)); err != nil {
		return err
	}
	elem := l.elem(op.Result(0).Type())
	var out []ir.Value
	for _, b := range l.Values(op.Operand(0)) {
		out = append(out, l.splitByte(b, elem)...)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// packedWords returns dense elements of half a byte as global memory has them, in whole words, as which stores may change them.
func packedWords(c *ir.Context, d *ir.DenseElementsAttr) *ir.DenseElementsAttr {
	t := d.Type().(*ir.TensorType)
	n := int(t.NumElements())
	data := make([]byte, (n+7)/8*4)
	for i := range n {
		data[i/2] |= byte(d.Bits(t.Elem, i)&15) << (i % 2 * 4)
	}
	return byteList(c, data)
}

// bytesOf returns dense elements of half a byte each in a byte.
func bytesOf(c *ir.Context, d *ir.DenseElementsAttr) *ir.DenseElementsAttr {
	t := d.Type().(*ir.TensorType)
	data := make([]byte, t.NumElements())
	for i := range data {
		data[i] = byte(d.Bits(t.Elem, i) & 15)
	}
	return byteList(c, data)
}

func byteList(c *ir.Context, data []byte) *ir.DenseElementsAttr {
	return c.Dense(c.Tensor([]int64{int64(len(data))}, c.Int(8), nil), data)
}

// isHalf reports whether a value's elements take half a byte.
func isHalf(v ir.Value) bool { return tile.IsHalf(ir.ElementType(v.Type())) }
