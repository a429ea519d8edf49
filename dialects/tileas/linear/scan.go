package linear

import "fmt"

// Sequential returns a layout for working along one dimension in order: the low bits of its coordinate are registers, in order, the high ones lanes, in order. The other
// dimensions take the lanes that are left, then the warps, then registers. No warp needs another one for the dimension.
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
	b := newBuilder(log)
	along := min(laneBits, int(log[dim]))
	b.take(Register, dim, int(log[dim])-along, false)
	b.take(Lane, dim, along, false)
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

// SequentialBits takes apart how a layout runs along a dimension: how many bits of the coordinate are register bits, from which register bit on, and how many lane bits,
// from which on. It fails unless the coordinate's bits are registers in order, then lanes in order, and no others move along it.
func (l Layout) SequentialBits(dim int) (firstRegister, registers, firstLane, lanes int, err error) {
	if err := l.checkDim(dim); err != nil {
		return 0, 0, 0, 0, err
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
	var ok1, ok2 bool
	firstRegister, registers, ok1 = run(Register)
	firstLane, lanes, ok2 = run(Lane)
	if !ok1 || !ok2 || next != 1<<l.shape[dim] || l.DimBits(Warp, dim) != 0 || l.DimBits(Block, dim) != 0 {
		return 0, 0, 0, 0, fmt.Errorf("layout does not run through registers and then lanes along dimension %d", dim)
	}
	return firstRegister, registers, firstLane, lanes, nil
}
