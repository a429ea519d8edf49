package modulo_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/passes/schedule/modulo/exact"
)

// random makes a body of n operations on a machine of a few units. Edges within an iteration lead downwards; some
// lead back over iterations.
func random(r *rand.Rand, n int) *modulo.Problem {
	p := &modulo.Problem{Classes: []modulo.Class{{Name: "registers"}, {Name: "slots", Buffered: true}}}
	for u := range 1 + r.IntN(4) {
		p.Units = append(p.Units, fmt.Sprintf("u%d", u))
	}
	for i := range n {
		op := modulo.Op{Name: fmt.Sprintf("o%d", i)}
		for _, u := range r.Perm(len(p.Units))[:r.IntN(min(3, len(p.Units)+1))] {
			op.Uses = append(op.Uses, modulo.Use{Unit: u, At: r.IntN(3), Cycles: 1 + r.IntN(3)})
		}
		p.Ops = append(p.Ops, op)
	}
	for to := range n {
		for range r.IntN(3) {
			if to == 0 {
				break
			}
			from := r.IntN(to)
			p.Edges = append(p.Edges, modulo.Edge{From: from, To: to, Latency: r.IntN(8)})
			p.Values = append(p.Values, modulo.Value{Def: from, Size: 1 + r.IntN(4), Class: r.IntN(2), Readers: []modulo.Reader{{Op: to}}})
		}
	}
	for range r.IntN(1 + n/4) {
		from, d := r.IntN(n), 1+r.IntN(3)
		p.Edges = append(p.Edges, modulo.Edge{From: from, To: r.IntN(from + 1), Latency: r.IntN(8), Distance: d})
	}
	return p
}

// found is a schedule of the first II from the lower bound on that has one.
type found struct {
	*modulo.Schedule
	bound modulo.Bound
	why   []string // there is none at smaller IIs
}

// iterative searches for it from both ends, up to the II at which iterations no longer overlap.
func iterative(p *modulo.Problem) (res found, err error) {
	if res.bound, err = modulo.LowerBound(p); err != nil {
		return res, err
	}
	for ii := res.bound.MII(); ii <= max(res.bound.MII(), serialLength(p)); ii++ {
		s, why, err := modulo.At(p, ii)
		if s == nil && err == nil {
			back := *p
			back.Backwards = true
			s, _, err = modulo.At(&back, ii)
		}
		if res.Schedule = s; s != nil || err != nil {
			return res, err
		}
		res.why = append(res.why, why)
	}
	return res, fmt.Errorf("no schedule up to the serial one; attempts %v", res.why)
}

// serialLength returns enough cycles for one iteration alone, so that a schedule with that II exists.
func serialLength(p *modulo.Problem) int {
	longest := make([]int, len(p.Ops))
	for _, e := range p.Edges {
		longest[e.From] = max(longest[e.From], e.Latency)
	}
	n := 1
	for i, op := range p.Ops {
		end := longest[i]
		for _, u := range op.Uses {
			end = max(end, u.At+u.Cycles)
		}
		n += max(1, end)
	}
	return n
}

// TestRandom has every schedule judged by Verify.
func TestRandom(t *testing.T) {
	t.Parallel()
	graphs := tier.Count(2_000, 10_000)
	atBound := 0
	for seed := range graphs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		p := random(r, 1+r.IntN(40))
		res, err := iterative(p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := modulo.Verify(p, res.Schedule); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if res.II == res.bound.MII() {
			atBound++
		}
	}
	t.Logf("%d of %d schedules reach the lower bound", atBound, graphs)
	if atBound < graphs*85/100 { // 8,779 of 10,000 do; one copy of each unit makes many bounds unreachable
		t.Errorf("only %d of %d schedules reach the lower bound", atBound, graphs)
	}
}

// TestExact compares the II with the least one there is.
func TestExact(t *testing.T) {
	t.Parallel()
	graphs := tier.Count(300, 2_000)
	var sum, worst float64
	compared, worstSeed := 0, 0
	start := time.Now()
	for seed := range graphs {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		p := random(r, 1+r.IntN(22))
		res, err := iterative(p)
		if err != nil {
			t.Fatal(err)
		}
		best := res.Schedule
		if best.II > res.bound.MII() { // else it is the least already
			var s *modulo.Schedule
			var err error
			for ii := res.bound.MII(); s == nil && err == nil && ii <= res.II; ii++ {
				s, err = exact.At(p, ii)
			}
			if errors.Is(err, exact.ErrTooLarge) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if s == nil {
				t.Fatalf("seed %d: the solver finds no schedule of II %d, but there is one", seed, res.II)
			}
			if err := modulo.Verify(p, s); err != nil {
				t.Fatalf("seed %d: the solver's schedule: %v", seed, err)
			}
			best = s
		}
		ratio := float64(res.II)/float64(best.II) - 1
		sum += ratio
		if ratio > worst {
			worst, worstSeed = ratio, seed
		}
		compared++
	}
	t.Logf("%d graphs: II is %.2f%% above the least on the mean, %.0f%% at worst (seed %d; %v)", compared, 100*sum/float64(compared), 100*worst, worstSeed, time.Since(start))
	if compared < graphs*9/10 || sum/float64(compared) > 0.01 {
		t.Errorf("mean of %d is %.2f%% above the least II", compared, 100*sum/float64(compared))
	}
}
