package modulo

import "fmt"

// Verify reports the first edge, unit or class that a schedule violates. It lays out iterations in time and counts, so
// a mistake in a scheduler's modular arithmetic cannot hide here too.
func Verify(p *Problem, s *Schedule) error {
	if err := p.Check(); err != nil {
		return err
	}
	if s.II < 1 || len(s.Cycle) != len(p.Ops) {
		return fmt.Errorf("a schedule of %d operations at II %d, but the body has %d", len(s.Cycle), s.II, len(p.Ops))
	}
	for i, c := range s.Cycle {
		if c < 0 || c > MaxCycles {
			return fmt.Errorf("%s is at cycle %d", p.Ops[i].Name, c)
		}
	}
	for _, e := range p.Edges {
		ready := s.Cycle[e.From] + e.Latency
		if start := s.Cycle[e.To] + e.Distance*s.II; start < ready {
			return fmt.Errorf("%s edge from %s to %s (latency %d, distance %d): starts at cycle %d, ready at %d",
				e.Kind, p.Ops[e.From].Name, p.Ops[e.To].Name, e.Latency, e.Distance, start, ready)
		}
	}
	if err := verifyUnits(p, s); err != nil {
		return err
	}
	if c, ok := s.fits(p); !ok {
		return fmt.Errorf("takes %d of %s, of which there are %d", s.Pressure(p)[c], p.Classes[c].Name, p.Classes[c].Limit)
	}
	return nil
}

// verifyUnits starts as many iterations as can overlap, and checks the cycles after the last one's start.
func verifyUnits(p *Problem, s *Schedule) error {
	span := s.Length() + 1
	for _, op := range p.Ops {
		for _, u := range op.Uses {
			span = max(span, s.Length()+u.At+u.Cycles+1)
		}
	}
	iterations := span/s.II + 2
	window := (iterations - 1) * s.II // the last iteration starts here, while all earlier ones that still run do
	for unit, name := range p.Units {
		busy := make([]int, s.II)
		for i, op := range p.Ops {
			for _, use := range op.Uses {
				if use.Unit != unit {
					continue
				}
				for n := range iterations {
					start := n*s.II + s.Cycle[i] + use.At
					for c := max(start, window); c < min(start+use.Cycles, window+s.II); c++ {
						busy[c-window]++
					}
				}
			}
		}
		for row, n := range busy {
			if n > 1 {
				return fmt.Errorf("%d operations are in unit %s on row %d", n, name, row)
			}
		}
	}
	return nil
}
