package core

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

type threadFnKey struct{ text string }

// ThreadFn returns the value of a linear function of the thread's number, as an i32. Bits that move by the same
// distance move together: one mask and one shift.
func (l *Lowering) ThreadFn(f linear.ThreadFn) ir.Value {
	return l.Once(threadFnKey{fmt.Sprint(f.Lane, f.Warp)}, func(*ir.Builder) ir.Value { return l.threadTerms(f) })
}

// For a coordinate with columns lane = [2, 4, 8, 0, 0], warp = [16]:
//
//	(lane & 7) << 1 | warp << 4          and not (lane & 1) << 1 | (lane & 2) << 1 | (lane & 4) << 1 | ...
//
// If lane and warp move by the same distances, as in most blocked layouts, it is one function of the thread's number:
//
//	lane = [1, 2, 4, 8, 16], warp = [32, 64]          %tid.x and not (%tid.x & 31) | (%tid.x >> 5) << 5
func (l *Lowering) threadTerms(f linear.ThreadFn) ir.Value {
	var sum ir.Value
	// The function is linear over GF(2): each set bit of the thread's number contributes a column, and columns are
	// combined by exclusive or. Most layouts move runs of bits together, so that a coordinate is a mask and a shift
	// or two, not one of each for every bit.
	covered := uint32(0)
	parts := []threadPart{{f.Lane, l.Lane}, {f.Warp, l.Warp}}
	if whole := slices.Concat(f.Lane, f.Warp); len(f.Lane) == laneBits && len(terms(whole)) < len(terms(f.Lane))+len(terms(f.Warp)) {
		parts = []threadPart{{whole, l.thread}}
	}
	for _, part := range parts {
		for _, t := range terms(part.cols) {
			v := l.term(part.number(), t, len(part.cols))
			switch {
			case sum.IsNil():
				sum = v
			// Where no bit is contributed twice, or says the same as exclusive or, and also that nothing cancels.
			case covered&t.out() == 0:
				sum = l.Early(arith.OrI, sum, v)
			default:
				sum = l.Early(arith.XOrI, sum, v)
			}
			covered |= t.out()
		}
	}
	if sum.IsNil() {
		sum = l.Const32(0)
	}
	return sum
}

// A threadPart is a number of the thread, and what each bit of it contributes.
type threadPart struct {
	cols   []uint32
	number func() ir.Value
}

// laneBits is how many bits the number of a lane has.
var laneBits = bits.TrailingZeros(sm.WarpSize)

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
				// By distance and not by run of bits: bits that are apart but move alike are still one mask and one
				// shift.
				out = append(out, term{1 << in, bit - in})
			}
		}
	}
	return out
}

func (l *Lowering) term(number ir.Value, t term, width int) ir.Value {
	// The mask is left out where it has all bits that the number can have.
	if t.mask != 1<<width-1 {
		number = l.Early(arith.AndI, number, l.Const32(int64(t.mask)))
	}
	switch {
	case t.shift > 0:
		number = l.Early(arith.ShLI, number, l.Const32(int64(t.shift)))
	case t.shift < 0:
		number = l.Early(arith.ShRUI, number, l.Const32(int64(-t.shift)))
	}
	return number
}
