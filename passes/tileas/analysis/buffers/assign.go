package buffers

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// An Assigned is a buffer with its place.
type Assigned struct {
	*Life
	Offset int64
}

// blockLength is how many positions of the text are one block. Buffers that are live in none of the blocks of another one
// are not compared with it.
const blockLength = 64

// Assign gives every buffer the lowest offset that is free during its live range, large ones first, and returns
// the bytes in use. It gives up if these exceed a limit.
//
// First fit by decreasing size is not optimal: dynamic storage allocation is NP-hard (Garey and Johnson, 1979,
// problem SR2). Its time depends on how many buffers are live together, which the memory bounds, and not on how
// many there are.
func Assign(lives []*Life, limit int64) (assigned []*Assigned, total int64) {
	assigned = ir.Map(lives, func(l *Life) *Assigned { return &Assigned{Life: l} })
	slices.SortStableFunc(assigned, func(a, b *Assigned) int { return cmp.Compare(b.Size, a.Size) })
	blocks := make(map[int][]*Assigned) // the placed buffers that are live in each
	for _, l := range assigned {
		var busy []*Assigned
		for i := l.Start / blockLength; i <= l.End/blockLength; i++ {
			for _, o := range blocks[i] {
				if o.Meets(l.Life) && i == max(o.Start, l.Start)/blockLength { // where both are live for the first time
					busy = append(busy, o)
				}
			}
			blocks[i] = append(blocks[i], l)
		}
		l.Offset = lowestFree(l, busy)
		if total = max(total, l.Offset+l.Size); total > limit {
			break
		}
	}
	return assigned, total
}

// lowestFree returns the lowest offset at which l overlaps none of the others, which are live with it. Busy
// places are sorted by offset, so the first gap that is wide enough is the lowest. Places may overlap each other
// if their own live ranges are disjoint, which is why at only grows.
func lowestFree(l *Assigned, busy []*Assigned) int64 {
	slices.SortStableFunc(busy, func(a, b *Assigned) int { return cmp.Compare(a.Offset, b.Offset) })
	at := int64(0)
	for _, p := range busy {
		if at+l.Size <= p.Offset {
			break
		}
		at = max(at, (p.Offset+p.Size+l.Align-1)/l.Align*l.Align)
	}
	return at
}
