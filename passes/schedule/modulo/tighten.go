package modulo

import (
	"math"
	"slices"
)

// tightenRounds bounds the local search; on all bodies tried it ends earlier.
const tightenRounds = 16

// Tighten moves operations within their slack, at the same II, while that shortens lifetimes weighted by size. Every
// move keeps all edges and units, so the schedule is valid after each.
func Tighten(p *Problem, s *Schedule) {
	t := newTable(p, s.II)
	for op, c := range s.Cycle {
		t.add(op, c)
	}
	touching := make([][]int, len(p.Ops)) // values that an operation defines or reads
	for i, v := range p.Values {
		touching[v.Def] = append(touching[v.Def], i)
		for _, r := range v.Readers {
			touching[r.Op] = append(touching[r.Op], i)
		}
	}
	for range tightenRounds {
		moved := false
		for op := len(p.Ops) - 1; op >= 0; op-- { // late ones first, so that their producers can move later too
			if len(touching[op]) > 0 && improve(p, s, t, op, touching[op]) {
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	// The moves may have left cycle 0 empty, and a schedule starts there.
	if len(s.Cycle) > 0 {
		first := slices.Min(s.Cycle)
		for i := range s.Cycle {
			s.Cycle[i] -= first
		}
	}
}

// improve moves one operation to the best cycle of its slack.
func improve(p *Problem, s *Schedule, t *table, op int, values []int) bool {
	now := s.Cycle[op]
	lo, hi := slack(p, s, op)
	// A move of more than one iteration is also several moves, and the bound keeps the window small.
	lo, hi = max(lo, now-s.II), min(hi, now+s.II)
	if lo >= hi {
		return false
	}
	t.add(op, now)
	best, bestCost := now, cost(p, s, values)
	for c := lo; c <= hi; c++ {
		if c == now || !t.free(op, c) {
			continue
		}
		s.Cycle[op] = c
		if k := cost(p, s, values); k < bestCost {
			best, bestCost = c, k
		}
	}
	s.Cycle[op] = best
	t.add(op, best)
	return best != now
}

// slack returns the first and last cycle to which an operation may move alone.
func slack(p *Problem, s *Schedule, op int) (lo, hi int) {
	lo, hi = 0, math.MaxInt
	for i := range p.Edges {
		e := &p.Edges[i]
		switch {
		case e.From == op && e.To == op:
		case e.To == op:
			lo = max(lo, s.Cycle[e.From]+e.Latency-s.II*e.Distance)
		case e.From == op:
			hi = min(hi, s.Cycle[e.To]-e.Latency+s.II*e.Distance)
		}
	}
	return lo, hi
}

func cost(p *Problem, s *Schedule, values []int) int {
	sum := 0
	for _, i := range values {
		v := &p.Values[i]
		from, to := s.life(v)
		if p.Classes[v.Class].Buffered {
			sum += v.Size * s.Instances(v) * s.II
			continue
		}
		sum += v.Size * (to - from)
	}
	return sum
}
