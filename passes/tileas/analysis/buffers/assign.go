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
	done   bool // it has its offset
}

// Assign gives every buffer the lowest offset that is free during its live range, large ones first, and returns
// the bytes in use. It gives up if these exceed a limit.
//
// First fit by decreasing size is not optimal: dynamic storage allocation is NP-hard (Garey and Johnson, 1979,
// problem SR2). Its time depends on how many buffers are live together, which the memory bounds, and not on how
// many there are.
func Assign(lives []*Life, limit int64) (assigned []*Assigned, total int64) {
	assigned = ir.Map(lives, func(l *Life) *Assigned { return &Assigned{Life: l} })
	x := newIndex(assigned)
	slices.SortStableFunc(assigned, func(a, b *Assigned) int { return cmp.Compare(b.Size, a.Size) })
	for _, l := range assigned {
		l.Offset = lowestFree(l, x.meeting(l))
		x.add(l)
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

// An index finds the placed buffers whose live ranges meet another one, without looking at all. It is an interval
// tree (Cormen et al., Introduction to Algorithms). Live ranges are in the order of their starts, as a balanced
// tree that knows the latest end in each part.
type index struct {
	starts []*Assigned // all lives, also those that are not placed yet
	latest []int       // of the part in whose middle the live range is; -1: none of it is placed
	at     map[*Assigned]int
}

func newIndex(lives []*Assigned) *index {
	x := &index{starts: slices.Clone(lives), latest: make([]int, len(lives)), at: make(map[*Assigned]int, len(lives))}
	slices.SortStableFunc(x.starts, func(a, b *Assigned) int { return cmp.Compare(a.Start, b.Start) })
	for i, l := range x.starts {
		x.latest[i] = -1
		x.at[l] = i
	}
	return x
}

// add notes that a buffer is placed.
func (x *index) add(l *Assigned) {
	l.done = true
	to := x.at[l]
	for lo, hi := 0, len(x.starts); ; {
		mid := (lo + hi) / 2
		x.latest[mid] = max(x.latest[mid], l.End)
		switch {
		case to < mid:
			hi = mid
		case to > mid:
			lo = mid + 1
		default:
			return
		}
	}
}

// meeting returns the placed buffers whose live ranges meet another one.
func (x *index) meeting(l *Assigned) (out []*Assigned) {
	var visit func(lo, hi int)
	visit = func(lo, hi int) {
		if lo >= hi {
			return
		}
		mid := (lo + hi) / 2
		// Everything in this part ends before l begins.
		if x.latest[mid] < l.Start {
			return
		}
		visit(lo, mid)
		if m := x.starts[mid]; m.Start <= l.End {
			if m.done && m.Meets(l.Life) {
				out = append(out, m)
			}
			visit(mid+1, hi)
		}
	}
	visit(0, len(x.starts))
	return out
}
