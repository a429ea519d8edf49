package modulo

import (
	"cmp"
	"slices"
)

// A schedule that needs too much room can often do with less if one value begins only when another one has ended:
//
//	exp2#19 (64 registers) is read by ftof#30; dot_async#10 (64 registers) of the next iteration begins meanwhile
//	one more edge, ftof#30 -> dot_async#10 in the next iteration: both take 64
//
// Such serial arcs are those of Touati ("Register saturation in instruction level parallelism", IJPP 33, 2005), here
// one at a time, where a schedule takes the most.

// Limits of the search for serial arcs: how many a problem gets at one II, and how many are tried for each.
const (
	mostArcs  = 4
	mostTried = 6
)

// serialized searches for a schedule like s, which takes too much of a class, within the limits of all classes. Values
// with places of their own share nothing, so arcs between them gain nothing.
func serialized(p *Problem, s *Schedule, class int) *Schedule {
	if p.Classes[class].Buffered {
		return nil
	}
	for range mostArcs {
		better, most := (*Schedule)(nil), s.Pressure(p)[class]
		var next *Problem
		for _, e := range arcs(p, s, class) {
			q := *p
			q.Edges = append(slices.Clip(p.Edges), e)
			if positiveCycle(&q, s.II, 1) != nil {
				continue
			}
			found := placed(&q, s.II)
			if found == nil {
				continue
			}
			if _, ok := found.fits(p); ok {
				return found
			}
			if n := found.Pressure(p)[class]; n < most {
				better, most, next = found, n, &q
			}
		}
		if better == nil {
			return nil
		}
		p, s = next, better
	}
	return nil
}

// An instance is a value of an iteration that is live on some row.
type instance struct {
	value     *Value
	iteration int // counted from that of the row
}

// arcs returns edges that let a value begin when another one has ended, for pairs that are live where a schedule takes
// the most of a class, the largest values first.
func arcs(p *Problem, s *Schedule, class int) (edges []Edge) {
	room := s.room(p, class)
	live := liveAt(p, s, class, slices.Index(room, slices.Max(room)))
	slices.SortStableFunc(live, func(a, b instance) int { return cmp.Compare(b.value.Size, a.value.Size) })
	for _, later := range live {
		for _, first := range live {
			e, ok := s.arc(first, later)
			if ok && !slices.Contains(edges, e) {
				edges = append(edges, e)
			}
			if len(edges) == mostTried {
				return edges
			}
		}
	}
	return edges
}

// arc returns the edge that lets a value begin when another one has ended.
func (s *Schedule) arc(first, later instance) (Edge, bool) {
	_, end := s.life(first.value)
	for _, r := range first.value.Readers {
		if s.Cycle[r.Op]+r.Distance*s.II+r.Hold != end || r.Op == later.value.Def {
			continue
		}
		e := Edge{From: r.Op, To: later.value.Def, Latency: r.Hold, Distance: later.iteration - first.iteration - r.Distance, Kind: Output}
		if e.Distance < 0 { // at a fixed II an earlier iteration is so many cycles
			e.Latency, e.Distance = e.Latency-e.Distance*s.II, 0
		}
		return e, first != later
	}
	return Edge{}, false
}

// liveAt returns what is live of a class on a row.
func liveAt(p *Problem, s *Schedule, class, row int) (live []instance) {
	for i := range p.Values {
		v := &p.Values[i]
		if v.Class != class {
			continue
		}
		from, to := s.life(v)
		for at := from + Mod(row-from, s.II); at < to; at += s.II {
			live = append(live, instance{v, (row - at) / s.II})
		}
	}
	return live
}
