package machine

import (
	"math/bits"
)

// FirstLane is the lowest lane of a mask, to name in a fault or to take a warp-uniform value from.
func FirstLane(m uint32) int                { return bits.TrailingZeros32(m) & 31 }
func (w *Warp) SetCarry(lane int, c uint64) { w.Carry = w.Carry&^(1<<lane) | uint32(c)<<lane }

// Next iterates over the lanes of a mask: `for m != 0 { i := next(&m) }`.
//
// The mask with 31 tells the compiler that the result indexes an array of 32 without a check.
func Next(m *uint32) int {
	i := bits.TrailingZeros32(*m) & 31
	*m &= *m - 1
	return i
}

// Reg is the register in a slot; lanes is the value of a source.
func (w *Warp) Reg(i int32) *Lanes { return &w.Regs[i] }

// A constant is a vector of equal lanes: 256 bytes each, and no case distinction in any instruction.
func (w *Warp) Lanes(s Src) *Lanes {
	if s >= 0 {
		return &w.Regs[s]
	}
	return &w.consts[^s]
}

// Pred is the lanes in which a predicate holds.
func (w *Warp) Pred(p PredSrc) uint32 {
	v := w.Preds[p.Slot]
	if p.Not {
		return ^v
	}
	return v
}

// SetPred writes the lanes of a mask; the others keep their values, as in any register.
func (w *Warp) SetPred(i int32, v, m uint32) { w.Preds[i] = w.Preds[i]&^m | v&m }

// Full is the mask of a warp that has not diverged, whose loops need no mask.
const Full = ^uint32(0)
