package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// Coordinates are those of the registers of a layout.
//
// The coordinate along d of register r in thread t is Known(r)[d] + Thread[d] if register and thread set different
// bits (Additive), else Known(r)[d] ^ Thread[d]. In most layouts it is the sum: bases of a layout of distinct
// elements are distinct powers of two.
type Coordinates struct {
	l        *Lowering
	Layout   linear.Layout
	Thread   []ir.Value // what the thread contributes to each coordinate, as i32
	Additive bool       // register and thread contribute to different bits
}

// CoordinatesOf returns the coordinates of the registers of a layout.
func (l *Lowering) CoordinatesOf(lay linear.Layout) *Coordinates {
	p := &Coordinates{l: l, Layout: lay, Additive: lay.IsDisjoint()}
	for d := range lay.Dims() {
		var f linear.ThreadFn
		for i := range lay.Bits(linear.Lane) {
			f.Lane = append(f.Lane, uint32(lay.Base(linear.Lane, i)[d]))
		}
		for i := range lay.Bits(linear.Warp) {
			f.Warp = append(f.Warp, uint32(lay.Base(linear.Warp, i)[d]))
		}
		// What the thread contributes is the same for all registers and for all tiles of this layout, so it is
		// computed in the entry block and found by its bases.
		p.Thread = append(p.Thread, l.ThreadFn(f))
	}
	return p
}

// Known returns what register r contributes to each coordinate.
func (p *Coordinates) Known(r int) []int {
	return p.Layout.Apply(linear.Index{linear.Register: uint32(r)})
}

// Split returns coordinate d of register r as the sum of an i32 and a constant.
func (p *Coordinates) Split(r, d int) (ir.Value, int64) {
	k := int64(p.Known(r)[d])
	if p.Additive || k == 0 {
		return p.Thread[d], k
	}
	type xorKey struct {
		v ir.Value
		k int64
	}
	// k is known here and the rest depends on the thread only, so the entry block combines them too, and registers
	// with the same k share the result.
	c := p.l.Const32(k)
	return p.l.Once(xorKey{p.Thread[d], k}, func(*ir.Builder) ir.Value { return p.l.Early(arith.XOrI, p.Thread[d], c) }), 0
}

// Owner returns the condition that this thread acts for the elements of a layout, rather than one that holds
// copies. It is a zero Value if no other thread holds copies.
func (l *Lowering) Owner(lay linear.Layout) ir.Value {
	// A bit of the thread's number that moves no coordinate distinguishes copies. The one for which all such bits are 0
	// acts.
	lane, warp := lay.FreeMask(linear.Lane), lay.FreeMask(linear.Warp)
	if lane == 0 && warp == 0 {
		return ir.Value{}
	}
	type ownerKey struct{ lane, warp uint32 }
	return l.Once(ownerKey{lane, warp}, func(front *ir.Builder) ir.Value {
		// The lane is the low five bits of the thread's number, so one mask tests both.
		mask := l.Const32(int64(warp<<5 | lane))
		bits := l.Early(arith.AndI, l.thread(), mask)
		return arith.NewCmpI(front, "eq", bits, l.Const32(0))
	})
}

// Storer returns the condition that this thread stores the elements of a layout in global memory; none if all threads do.
// Copies that only lanes of the same warp hold are all stored, which takes no predicate. Whichever lane writes last, the
// bits are the same (CUDA C++ Programming Guide, SIMT architecture). An ordered access is made by the owner alone.
func (l *Lowering) Storer(lay linear.Layout, order []ir.NamedAttr) ir.Value {
	if lay.FreeMask(linear.Warp) == 0 && len(order) == 0 {
		return ir.Value{}
	}
	return l.Owner(lay)
}
