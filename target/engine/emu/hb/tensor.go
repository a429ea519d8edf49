package hb

import "math/bits"

// Tensor memory has 128 lanes of 512 columns. A granule is one column of 32 lanes.
const (
	tensorColumns  = 512
	tensorQuarters = 4
)

type tensorShadow [tensorQuarters * tensorColumns]uint32

func (c *Cluster) tensorHead(rank int, at uint64) *uint32 {
	if c.tensor[rank] == nil {
		c.tensor[rank] = new(tensorShadow)
	}
	return &c.tensor[rank][at%uint64(len(tensorShadow{}))]
}

// Cells reports a rectangle of the tensor memory of a CTA.
func (w *Warp) Cells(rank, row, rows, column, columns int, write bool) {
	if w.c.muted > 0 {
		return
	}
	var f flags
	if write {
		f = isWrite
	}
	for q := row / 32; q <= (row+rows-1)/32 && q < tensorQuarters; q++ {
		low, high := max(row-32*q, 0), min(row+rows-32*q, 32)
		mask := uint32((uint64(1)<<high - 1) &^ (uint64(1)<<low - 1))
		for x := column; x < column+columns && x < tensorColumns; x++ {
			w.cells(Tensor, rank, uint64(q*tensorColumns+x), mask, f)
		}
	}
	w.flush()
}

// extent is the first byte and the bytes of a place, or the first cell of tensor memory.
func (at where) extent() (uint64, int) {
	first := bits.TrailingZeros32(at.mask)
	if at.space == Tensor {
		q, x := at.at/tensorColumns, at.at%tensorColumns
		return (32*q+uint64(first))<<16 | x, 4
	}
	return at.at*granule + uint64(first), bits.Len32(at.mask) - first
}

// elsewhere reports whether an access of tensor memory is one of tcgen05 that another warp issued: the fences of
// tcgen05 are for those.
func (w *Warp) elsewhere(n *node) bool {
	info := w.c.agents[n.agent]
	return info.kind != thread && (info.warp != w.id || info.rank != w.rank)
}
