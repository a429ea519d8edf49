package access

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// wholeBytes returns the address of register r's element, which begins a byte, as a pointer and a constant to add.
func (a *Tile) wholeBytes(r int) (ir.Value, int64) {
	halves, k := a.Address(r)
	p, ok := a.pointers[halves]
	if !ok {
		p = advance(a.l, a.l.Value(a.Access.Base), halves)
		a.pointers[halves] = p
	}
	return p, k / 2
}

// advance moves a pointer by a number of elements of half a byte.
func advance(l *core.Lowering, p, halves ir.Value) ir.Value {
	return l.Make(nvvm.PtrAdd, p.Type(), p, l.Make(arith.ShRSI, l.I64(), halves, l.Const64(1)))
}

// LoadHalves loads elements of half a byte, two to a byte. The mask of the first is that of the vector (In).
func (a *Tile) LoadHalves(t ir.Type, padding ir.Value) []ir.Value {
	l := a.l
	regs := make([]ir.Value, a.Coordinates.Layout.Size(linear.Register))
	both := l.JoinHalves(padding, padding)
	for r := 0; r < len(regs); r += a.Vector {
		addr, off := a.wholeBytes(r)
		for i, b := range l.Ld(addr, off, a.Mask(r), slices.Repeat([]ir.Value{both}, a.Vector/2), l.I8(), a.Vector/2, a.Order...) {
			copy(regs[r+2*i:], l.SplitByte(b, t))
		}
	}
	return regs
}

// StoreHalves stores the registers but for those in free, which copy others.
func (a *Tile) StoreHalves(regs []ir.Value, free int, owner ir.Value) {
	l := a.l
	for r := 0; r < len(regs); r += a.Vector {
		if r&free == 0 {
			a.storeBytes(r, regs, l.And(a.Mask(r), owner))
		}
	}
}

func (a *Tile) storeBytes(r int, regs []ir.Value, mask ir.Value) {
	l := a.l
	bytes := make([]ir.Value, a.Vector/2)
	for i := range bytes {
		bytes[i] = l.JoinHalves(regs[r+2*i], regs[r+2*i+1])
	}
	addr, off := a.wholeBytes(r)
	l.St(addr, off, bytes, mask, a.Order...)
}
