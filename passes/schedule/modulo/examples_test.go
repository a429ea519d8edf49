package modulo_test

import (
	"strings"
	"testing"

	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// flow is an edge to the next reader in the same iteration.
func flow(from, to, latency int) modulo.Edge {
	return modulo.Edge{From: from, To: to, Latency: latency}
}

func on(name string, unit int) modulo.Op {
	return modulo.Op{Name: name, Uses: []modulo.Use{{Unit: unit, Cycles: 1}}}
}

var examples = []struct {
	name   string
	p      modulo.Problem
	res    int
	rec    int
	ii     int
	stages int
	bound  string
}{
	{
		// D[i] = A[i]*B[i] + c on a machine with a load unit, a store unit and an arithmetic unit, all results after
		// two clocks: the first example of software pipelining in Aho, Lam, Sethi and Ullman, "Compilers", section
		// 10.5, which produces a result every two clocks.
		name: "do-all loop",
		p: modulo.Problem{
			Units: []string{"load", "store", "arith"},
			Ops:   []modulo.Op{on("ld A", 0), on("ld B", 0), on("mul", 2), on("add", 2), on("st D", 1)},
			Edges: []modulo.Edge{flow(0, 2, 2), flow(1, 2, 2), flow(2, 3, 2), flow(3, 4, 2)},
		},
		res: 2, rec: 1, ii: 2, stages: 5, bound: "unit load is busy for 2 cycles",
	},
	{
		// x = a*x + b: nothing overlaps the multiplication and the addition of the iteration before.
		name: "first-order recurrence",
		p: modulo.Problem{
			Units: []string{"fma"},
			Ops:   []modulo.Op{on("mul", 0), on("add", 0)},
			Edges: []modulo.Edge{flow(0, 1, 4), {From: 1, To: 0, Latency: 4, Distance: 1}},
		},
		res: 2, rec: 8, ii: 8, stages: 1, bound: "the recurrence mul -> add -> mul takes 8 cycles in 1 iterations",
	},
	{
		// The same with four partial accumulators: a quarter of the recurrence for each iteration, rounded up.
		name: "recurrence over four iterations",
		p: modulo.Problem{
			Units: []string{"fma"},
			Ops:   []modulo.Op{on("mul", 0), on("add", 0)},
			Edges: []modulo.Edge{flow(0, 1, 5), {From: 1, To: 0, Latency: 4, Distance: 4}},
		},
		res: 2, rec: 3, ii: 3, stages: 2, bound: "the recurrence mul -> add -> mul takes 9 cycles in 4 iterations",
	},
	{
		// A MMA with copies that take 500 cycles: the tensor core bounds it, and the copies run as many iterations
		// ahead as their latency takes.
		name: "copies ahead of products",
		p: modulo.Problem{
			Units: []string{"copy", "tensor"},
			Ops:   []modulo.Op{{Name: "copy", Uses: []modulo.Use{{Unit: 0, Cycles: 40}}}, {Name: "dot", Uses: []modulo.Use{{Unit: 1, Cycles: 256}}}},
			Edges: []modulo.Edge{{From: 0, To: 1, Latency: 500, Kind: modulo.Async}, {From: 1, To: 1, Latency: 33, Distance: 1}},
		},
		res: 256, rec: 33, ii: 256, stages: 2, bound: "unit tensor is busy for 256 cycles",
	},
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for _, e := range examples {
		res, err := iterative(&e.p)
		if err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		b := res.bound
		if b.ResMII != e.res || b.Recurrence.MII() != e.rec || b.Describe(&e.p) != e.bound {
			t.Errorf("%s: ResMII %d, RecMII %d, %q; want %d, %d, %q", e.name, b.ResMII, b.Recurrence.MII(), b.Describe(&e.p), e.res, e.rec, e.bound)
		}
		s := res.Schedule
		if s == nil || s.II != e.ii || s.Length()/s.II+1 != e.stages {
			t.Errorf("%s: %+v, want II %d and %d stages", e.name, s, e.ii, e.stages)
			continue
		}
		if err := modulo.Verify(&e.p, s); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}

// TestLimits: lives that take too much room need a larger II.
func TestLimits(t *testing.T) {
	t.Parallel()
	p := examples[3].p
	p.Classes = []modulo.Class{{Name: "shared memory", Limit: 2 * 1024, Buffered: true}}
	p.Values = []modulo.Value{{Def: 0, Size: 1024, Readers: []modulo.Reader{{Op: 1, Hold: 256}}}}
	res, err := iterative(&p)
	if err != nil {
		t.Fatal(err)
	}
	// A stage is taken for 500 cycles of copying and 256 of multiplying.
	if s := res.Schedule; s == nil || s.II != 378 || s.Instances(&p.Values[0]) != 2 {
		t.Errorf("%+v, want II 378, which lets two slots be enough", s)
	}
	if why := res.why[0]; why != "too much shared memory" {
		t.Errorf("the first attempt fails with %q", why)
	}
}

// TestSerialArcs: two values that both could begin at once fit one after the other, at the same II.
func TestSerialArcs(t *testing.T) {
	t.Parallel()
	p := modulo.Problem{
		Units:   []string{"load", "use"},
		Ops:     []modulo.Op{on("first", 0), on("use of the first", 1), on("second", 0), on("use of the second", 1), on("sum", 1)},
		Edges:   []modulo.Edge{flow(0, 1, 10), flow(2, 3, 2), flow(1, 4, 1), flow(3, 4, 1)},
		Values:  []modulo.Value{{Def: 0, Size: 64, Readers: []modulo.Reader{{Op: 1}}}, {Def: 2, Size: 48, Readers: []modulo.Reader{{Op: 3}}}},
		Classes: []modulo.Class{{Name: "registers", Limit: 64}},
	}
	const ii = 20
	s, why, err := modulo.At(&p, ii)
	if err != nil || s == nil {
		t.Fatalf("no schedule: %s, %v", why, err)
	}
	if err := modulo.Verify(&p, s); err != nil {
		t.Error(err)
	}
	if got := s.Pressure(&p)[0]; got != 64 {
		t.Errorf("takes %d registers, want 64", got)
	}
	p.Classes[0].Limit = 63 // one value alone is larger
	if s, why, err = modulo.At(&p, ii); s != nil || why != "too much registers" || err != nil {
		t.Errorf("got %v, %q, %v, want none: too much registers", s, why, err)
	}
}

func TestVerifyRefuses(t *testing.T) {
	t.Parallel()
	p := examples[0].p
	res, err := iterative(&p)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		change func(s *modulo.Schedule)
		want   string
	}{
		{func(s *modulo.Schedule) { s.Cycle[2]-- }, "edge from"},
		{func(s *modulo.Schedule) { s.Cycle[4] = s.Cycle[3] }, "flow edge from add to st D"},
		{func(s *modulo.Schedule) { s.Cycle[3]++; s.Cycle[4]++ }, "unit arith"},
		{func(s *modulo.Schedule) { s.II = 1 }, "unit load"},
		{func(s *modulo.Schedule) { s.Cycle = s.Cycle[1:] }, "the body has 5"},
		{func(s *modulo.Schedule) { s.Cycle[0] = -1 }, "ld A is at cycle -1"},
	} {
		s := &modulo.Schedule{II: res.II, Cycle: append([]int(nil), res.Cycle...)}
		test.change(s)
		if err := modulo.Verify(&p, s); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}

func TestReportsImpossibleSchedules(t *testing.T) {
	t.Parallel()
	p := modulo.Problem{Ops: []modulo.Op{{Name: "a"}, {Name: "b"}}, Edges: []modulo.Edge{flow(0, 1, 1), flow(1, 0, 1)}}
	if _, err := iterative(&p); err == nil || !strings.Contains(err.Error(), "waits for itself in one iteration") {
		t.Error(err)
	}
	p = modulo.Problem{Units: []string{"u"}, Ops: []modulo.Op{{Name: "a", Uses: []modulo.Use{{0, 0, 2}, {0, 1, 1}}}}}
	if _, err := modulo.LowerBound(&p); err == nil || !strings.Contains(err.Error(), "uses unit u twice") {
		t.Error(err)
	}
}
