package allocateshared

import "sort"

// An index finds the placed buffers whose live ranges meet another one, without looking at all. It is an interval
// tree (Cormen et al., Introduction to Algorithms). Live ranges are in the order of their starts, as a balanced
// tree that knows the latest end in each part.
type index struct {
	starts []*placed // all lives, also those that are not placed yet
	latest []int     // of the part in whose middle the live range is; -1: none of it is placed
	at     map[*placed]int
}

func newIndex(lives []*placed) *index {
	x := &index{starts: append([]*placed(nil), lives...), latest: make([]int, len(lives)), at: make(map[*placed]int, len(lives))}
	sort.SliceStable(x.starts, func(i, j int) bool { return x.starts[i].Start < x.starts[j].Start })
	for i, l := range x.starts {
		x.latest[i] = -1
		x.at[l] = i
	}
	return x
}

// add notes that a buffer is placed.
func (x *index) add(l *placed) {
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
func (x *index) meeting(l *placed) (out []*placed) {
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
