package linear

import "fmt"

// Patches returns the layout of the accumulator of an MMA that threads compute by multiply-adds. It also returns how
// many warps share its rows and its columns; warps that have batches of their own count as ones of other rows.
//
// A thread with r rows and c columns reads r + c elements for r*c multiply-adds, so its patch is as square as the tile
// allows. Rows and columns come in runs, and a run is one access where the operand is contiguous along it. Further
// runs are as far apart as the lanes of a warp reach, so that lanes that are served together read neighbours:
//
//	128 x 128 in four warps, runs of 4; lane (i, j) of 4 x 8 lanes has
//	rows       4i + {0..3}, 16 + 4i + {0..3}
//	columns    4j + {0..3}, 32 + ..., 64 + ..., 96 + ...
//
// The bits of the lane go to columns and rows alternately. Shared memory serves an access of 16 bytes in quarters of a
// warp. It serves half a warp at once where neighbouring lanes, or those two apart, ask for the same address. With
// alternate bits that happens for both operands.
func Patches(shape []int, runM, runN, warps int) (l Layout, warpsM, warpsN int, err error) {
	log, err := logShape(shape)
	if err != nil {
		return l, 0, 0, err
	}
	warpBits, ok := log2(warps)
	r := len(log)
	if !ok || r < 2 {
		return l, 0, 0, fmt.Errorf("%d warps cannot share a matrix of shape %v", warps, shape)
	}
	const laneBits = 5
	b := newBuilder(log)
	m, n := r-2, r-1
	// A warp with a batch of its own has the largest patches.
	free := warpBits
	for d := m - 1; d >= 0; d-- {
		k := min(free, b.left(d))
		b.take(Warp, d, k, false)
		free -= k
	}
	own := max(0, int(log[m]+log[n])-laneBits-free)
	ownN := min((own+1)/2, int(log[n]))
	ownM := min(own-ownN, int(log[m]))
	ownN = own - ownM
	lowM, lowN := min(ownM, logOf(runM)), min(ownN, logOf(runN))
	b.take(Register, n, lowN, false)
	b.take(Register, m, lowM, false)
	kept := map[int]int{m: ownM - lowM, n: ownN - lowN}
	for i := range laneBits {
		d, other := n, m
		if i%2 == 1 {
			d, other = m, n
		}
		if b.left(d) == kept[d] && b.left(other) > kept[other] {
			d = other
		}
		b.taken(Lane, d, kept[d])
	}
	b.take(Register, n, kept[n], false)
	b.take(Register, m, kept[m], false)
	warpsN = 1
	for range free {
		d := m
		if b.left(n) > b.left(m) {
			d, warpsN = n, 2*warpsN
		}
		b.taken(Warp, d, 0)
	}
	for d := r - 1; d >= 0; d-- {
		b.take(Register, d, b.left(d), false)
	}
	l, err = b.layout()
	return l, warps / warpsN, warpsN, err
}

// taken gives an axis the next bit of a dimension that has more than those that are kept for others, or else makes it
// hold copies.
func (b *builder) taken(a Axis, dim, kept int) {
	if b.left(dim) > kept {
		b.take(a, dim, 1, false)
	} else {
		b.bases[a] = append(b.bases[a], 0)
	}
}

func logOf(n int) int {
	k, _ := log2(n)
	return k
}
