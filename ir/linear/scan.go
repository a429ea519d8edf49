package linear

import "fmt"

// Sequential returns a layout for working along one dimension in order: the low bits of its coordinate are registers,
// in order, then come lanes, in order. The other dimensions take the lanes that are left, then the warps, then
// registers. Warps that they leave take the highest bits of the dimension if at least two registers of each thread
// remain to it; otherwise they hold copies.
func Sequential(shape []int, dim, lanes, warps int) (Layout, error) {
	log, err := logShape(shape)
	if err != nil {
		return Layout{}, err
	}
	laneBits, ok1 := log2(lanes)
	warpBits, ok2 := log2(warps)
	if !ok1 || !ok2 || dim < 0 || dim >= len(shape) {
		return Layout{}, fmt.Errorf("%d lanes and %d warps along dimension %d of %v", lanes, warps, dim, shape)
	}
	along := min(laneBits, int(log[dim]))
	others := -int(log[dim])
	for _, n := range log {
		others += int(n)
	}
	across := warpBits - min(warpBits, max(0, others-(laneBits-along)))
	// A thread with a single position would only take part in the exchange between warps, which costs barriers;
	// copies cost nothing.
	if int(log[dim])-along-across < 1 {
		across = 0
	}
	warpBits -= across
	b := newBuilder(log)
	b.take(Register, dim, int(log[dim])-along-across, false)
	b.take(Lane, dim, along, false)
	b.take(Warp, dim, across, false)
	laneBits -= along
	for d := len(shape) - 1; d >= 0; d-- {
		if d == dim {
			continue
		}
		n := min(laneBits, b.left(d))
		b.take(Lane, d, n, false)
		laneBits -= n
		n = min(warpBits, b.left(d))
		b.take(Warp, d, n, false)
		warpBits -= n
		b.take(Register, d, b.left(d), false)
	}
	b.take(Lane, dim, laneBits, false) // copies
	b.take(Warp, dim, warpBits, false)
	return b.layout()
}

// A Sequence says how a layout runs along a dimension. The bits of the coordinate, from the lowest on, are consecutive
// bits of the register, then of the lane, then of the warp.
type Sequence struct {
	FirstRegister, Registers int
	FirstLane, Lanes         int
	FirstWarp, Warps         int
}

// Sequence fails unless the bits of the coordinate are registers in order, then lanes in order, then warps in order,
// and no others move along it.
func (l Layout) Sequence(dim int) (Sequence, error) {
	if err := l.checkDim(dim); err != nil {
		return Sequence{}, err
	}
	next := 1
	run := func(a Axis) (first, n int, ok bool) {
		for i := range l.Bits(a) {
			base := l.Base(a, i)
			if base[dim] == 0 {
				continue
			}
			for d, c := range base {
				if d != dim && c != 0 {
					return 0, 0, false
				}
			}
			if base[dim] != next || n > 0 && i != first+n {
				return 0, 0, false
			}
			if n == 0 {
				first = i
			}
			n++
			next *= 2
		}
		return first, n, true
	}
	var s Sequence
	var ok1, ok2, ok3 bool
	s.FirstRegister, s.Registers, ok1 = run(Register)
	s.FirstLane, s.Lanes, ok2 = run(Lane)
	s.FirstWarp, s.Warps, ok3 = run(Warp)
	if !ok1 || !ok2 || !ok3 || next != 1<<l.shape[dim] || l.DimBits(Block, dim) != 0 {
		return Sequence{}, fmt.Errorf("layout does not run through registers, lanes and then warps along dimension %d", dim)
	}
	return s, nil
}
