package exact_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/schedule/modulo/exact"
)

// possible tries all rows, and whole turns for each operation up to a few, without any of the solver's reasoning.
func possible(p *modulo.Problem, ii int) bool {
	s := &modulo.Schedule{II: ii, Cycle: make([]int, len(p.Ops))}
	var try func(i int) bool
	try = func(i int) bool {
		if i == len(p.Ops) {
			return modulo.Verify(p, s) == nil
		}
		for c := range 4 * ii {
			s.Cycle[i] = c
			if try(i + 1) {
				return true
			}
		}
		return false
	}
	return try(0)
}

// TestBruteForce compares the least II with that of an exhaustive search on bodies so small that four turns are
// enough for each.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := &modulo.Problem{Units: []string{"u", "v"}}
		n := 2 + r.IntN(2)
		for range n {
			p.Ops = append(p.Ops, modulo.Op{Name: "o", Uses: []modulo.Use{{Unit: r.IntN(2), At: r.IntN(2), Cycles: 1 + r.IntN(2)}}})
		}
		for i := 1; i < n; i++ {
			p.Edges = append(p.Edges, modulo.Edge{From: r.IntN(i), To: i, Latency: r.IntN(3)})
		}
		p.Edges = append(p.Edges, modulo.Edge{From: n - 1, To: r.IntN(n), Latency: r.IntN(3), Distance: 1})
		bound, err := modulo.LowerBound(p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var s *modulo.Schedule
		for ii := bound.MII(); s == nil && err == nil && ii <= 20; ii++ {
			s, err = exact.At(p, ii)
		}
		if err != nil || s == nil {
			t.Fatalf("seed %d: %v %v", seed, s, err)
		}
		if err := modulo.Verify(p, s); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if s.II > 1 && possible(p, s.II-1) {
			t.Errorf("seed %d: II %d, but %d is possible", seed, s.II, s.II-1)
		}
	}
}

// TestAtOnce solves several problems at once, as kernels that are compiled at once do. The solver's library shares a buffer
// among all solvers.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	for group := range uint64(4) {
		t.Run(fmt.Sprint(group), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(20) {
				r := rand.New(rand.NewPCG(seed, group))
				p := &modulo.Problem{Units: []string{"u", "v", "w"}}
				for i := range 14 {
					p.Ops = append(p.Ops, modulo.Op{Name: "o", Uses: []modulo.Use{{Unit: r.IntN(2), Cycles: 1 + r.IntN(4)}, {Unit: 2, At: r.IntN(3), Cycles: 1}}})
					if i > 0 {
						p.Edges = append(p.Edges, modulo.Edge{From: r.IntN(i), To: i, Latency: r.IntN(5)}, modulo.Edge{From: i, To: r.IntN(i), Latency: r.IntN(3), Distance: 2})
					}
				}
				bound, err := modulo.LowerBound(p)
				if err != nil {
					t.Fatal(err)
				}
				for ii := bound.MII(); ; ii++ {
					s, err := exact.At(p, ii)
					if err != nil {
						t.Fatal(err)
					}
					if s != nil {
						if err := modulo.Verify(p, s); err != nil {
							t.Fatalf("seed %d: %v", seed, err)
						}
						break
					}
				}
			}
		})
	}
}
