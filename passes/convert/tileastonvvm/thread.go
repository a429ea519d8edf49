package tileastonvvm

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Reading a special register is an instruction with a latency of its own, not an operand, and %tid does not change; so each is read once, in front.
type sregKey struct{ name string }

func (l *lowering) sreg(name string) ir.Value {
	return l.once(sregKey{name}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.Sreg[name], nil, []ir.Type{l.i32()}).Result(0)
	})
}

type threadKey struct{ what string }

// thread returns the number of the thread among those that run the code together.
func (l *lowering) thread() ir.Value {
	tid := l.sreg("tid.x")
	if l.first == 0 {
		return tid
	}
	before := l.const32(int64(sm.WarpSize * l.first))
	return l.once(threadKey{"thread"}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.SubI, []ir.Value{tid, before}, []ir.Type{l.i32()}).Result(0)
	})
}

// The number of the warp is computed from %tid and not read from %warpid, which the PTX ISA calls volatile: it tells where a thread runs at the moment, and may change when the thread
// is rescheduled. Blocks are one-dimensional (reqntid is 32 x warps, 1, 1), so that the low five bits of %tid.x are the lane.
// lane and warp return the number of the thread in its warp and of the warp in its block.
func (l *lowering) lane() ir.Value {
	tid, mask := l.sreg("tid.x"), l.const32(31)
	return l.once(threadKey{"lane"}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.AndI, []ir.Value{tid, mask}, []ir.Type{l.i32()}).Result(0)
	})
}

// In a role both count from its own first warp.
func (l *lowering) warp() ir.Value {
	if l.first > 0 && l.warps == 1 {
		return l.const32(0)
	}
	tid, five := l.thread(), l.const32(5)
	return l.once(threadKey{"warp"}, func(b *ir.Builder) ir.Value {
		return b.Create(arith.ShRUI, []ir.Value{tid, five}, []ir.Type{l.i32()}).Result(0)
	})
}

type threadFnKey struct{ text string }

// threadFn returns the value of a linear function of the thread's number, as an i32. Bits that move by the same distance
// move together: one mask and one shift.
func (l *lowering) threadFn(f linear.ThreadFn) ir.Value {
	return l.once(threadFnKey{fmt.Sprint(f.Lane, f.Warp)}, func(*ir.Builder) ir.Value { return l.threadTerms(f) })
}

// For a coordinate with columns lane = [2, 4, 8, 0, 0], warp = [16]:
//
//	(lane & 7) << 1 | warp << 4          and not (lane & 1) << 1 | (lane & 2) << 1 | (lane & 4) << 1 | ...
func (l *lowering) threadTerms(f linear.ThreadFn) ir.Value {
	var sum ir.Value
	// The function is linear over GF(2): each set bit of the thread's number contributes a column, and columns are combined by exclusive or. Most layouts move runs of bits together, so
	// that a coordinate is a mask and a shift or two, not one of each for every bit.
	covered := uint32(0)
	for _, part := range []struct {
		cols   []uint32
		number func() ir.Value
	}{{f.Lane, l.lane}, {f.Warp, l.warp}} {
		for _, t := range terms(part.cols) {
			v := l.term(part.number(), t, len(part.cols))
			switch {
			case sum.IsNil():
				sum = v
			// Where no bit is contributed twice, or says the same as exclusive or, and also that nothing cancels.
			case covered&t.out() == 0:
				sum = l.early(arith.OrI, sum, v)
			default:
				sum = l.early(arith.XOrI, sum, v)
			}
			covered |= t.out()
		}
	}
	if sum.IsNil() {
		sum = l.const32(0)
	}
	return sum
}

// A term is the set of input bits that a linear function moves by the same distance.
type term struct {
	mask  uint32
	shift int // to the left when positive
}

func (t term) out() uint32 {
	if t.shift >= 0 {
		return t.mask << t.shift
	}
	return t.mask >> -t.shift
}

// Linear in the set bits of cols; a column with two bits is in two terms.
func terms(cols []uint32) []term {
	var out []term
	for in, col := range cols {
		for bit := range 32 {
			if col>>bit&1 == 0 {
				continue
			}
			found := false
			for i := range out {
				if out[i].shift == bit-in {
					out[i].mask |= 1 << in
					found = true
				}
			}
			if !found {
				// By distance and not by run of bits: bits that are apart but move alike are still one mask and one shift.
				out = append(out, term{1 << in, bit - in})
			}
		}
	}
	return out
}

func (l *lowering) term(number ir.Value, t term, bits int) ir.Value {
	// The mask is left out where it has all bits that the number can have.
	if t.mask != 1<<bits-1 {
		number = l.early(arith.AndI, number, l.const32(int64(t.mask)))
	}
	switch {
	case t.shift > 0:
		number = l.early(arith.ShLI, number, l.const32(int64(t.shift)))
	case t.shift < 0:
		number = l.early(arith.ShRUI, number, l.const32(int64(-t.shift)))
	}
	return number
}

// A place gives the coordinates of the registers of a layout.
//
// The coordinate along d of register r in thread t is known(r)[d] + thread[d] where register and thread set
// different bits (add), else known(r)[d] ^ thread[d]. In most layouts it is the sum, since bases of a layout of
// distinct elements are distinct powers of two.
type place struct {
	l      *lowering
	layout linear.Layout
	thread []ir.Value // what the thread contributes to each coordinate, as i32
	add    bool       // register and thread contribute to different bits
}

func (l *lowering) place(lay linear.Layout) *place {
	p := &place{l: l, layout: lay, add: lay.IsDisjoint()}
	for d := range lay.Dims() {
		var f linear.ThreadFn
		for i := range lay.Bits(linear.Lane) {
			f.Lane = append(f.Lane, uint32(lay.Base(linear.Lane, i)[d]))
		}
		for i := range lay.Bits(linear.Warp) {
			f.Warp = append(f.Warp, uint32(lay.Base(linear.Warp, i)[d]))
		}
		// What the thread contributes is the same for all registers and for all tiles of this layout, which is why it is computed in front and found by its
		// bases.
		p.thread = append(p.thread, l.threadFn(f))
	}
	return p
}

// known returns what register r contributes to each coordinate.
func (p *place) known(r int) []int { return p.layout.Apply(linear.Index{linear.Register: uint32(r)}) }

// split returns coordinate d of register r as the sum of an i32 and a constant.
func (p *place) split(r, d int) (ir.Value, int64) {
	k := int64(p.known(r)[d])
	if p.add || k == 0 {
		return p.thread[d], k
	}
	type xorKey struct {
		v ir.Value
		k int64
	}
	// k is known here and the rest depends on the thread only, so the combination belongs in front too, and registers with the same k share it.
	c := p.l.const32(k)
	return p.l.once(xorKey{p.thread[d], k}, func(*ir.Builder) ir.Value { return p.l.early(arith.XOrI, p.thread[d], c) }), 0
}

// owner returns the condition that this thread, rather than one that holds copies, acts for the elements of a layout; a zero Value when there are
// no copies in other threads.
func (l *lowering) owner(lay linear.Layout) ir.Value {
	// A bit of the thread's number that moves no coordinate tells copies apart. The one for which all such bits are 0 acts.
	lane, warp := lay.FreeMask(linear.Lane), lay.FreeMask(linear.Warp)
	if lane == 0 && warp == 0 {
		return ir.Value{}
	}
	type ownerKey struct{ lane, warp uint32 }
	return l.once(ownerKey{lane, warp}, func(front *ir.Builder) ir.Value {
		// The lane is the low five bits of the thread's number, so one mask tests both.
		mask := l.const32(int64(warp<<5 | lane))
		bits := l.early(arith.AndI, l.thread(), mask)
		return arith.NewCmpI(front, "eq", bits, l.const32(0))
	})
}
