package linear

import "testing"

// runReduction counts, at each position of the result, how often each element
// went into it.
func runReduction(p Reduction, l Layout) map[Index]map[uint64]int {
	state := map[Index]map[uint64]int{}
	positions(p.Result, func(at Index) {
		count := map[uint64]int{}
		for _, r := range p.Registers[at[Register]] {
			from := at
			from[Register] = uint32(r)
			count[l.Flat(from)]++
		}
		state[at] = count
	})
	for _, level := range []struct {
		axis  Axis
		masks []uint32
	}{{Lane, p.Lanes}, {Warp, p.Warps}, {Block, p.Blocks}} {
		for _, mask := range level.masks {
			next := map[Index]map[uint64]int{}
			for at, count := range state {
				other := at
				other[level.axis] ^= mask
				sum := map[uint64]int{}
				for e, n := range count {
					sum[e] += n
				}
				for e, n := range state[other] {
					sum[e] += n
				}
				next[at] = sum
			}
			state = next
		}
	}
	return state
}

func TestPlanReduction(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	planned, rejected := 0, 0
	for range 400 {
		shape := []int{4, 8}
		l := randomSurjective(r, shape, 2+r.IntN(2), 3, 1+r.IntN(2), r.IntN(2), r.IntN(4) > 0)
		if r.IntN(3) == 0 {
			// A lane that holds what a register holds.
			l.axisBases(Lane)[r.IntN(3)] = l.axisBases(Register)[r.IntN(2)]
			if !l.IsSurjective() {
				continue
			}
		}
		for dim := range 2 {
			p, err := PlanReduction(l, dim)
			if err != nil {
				rejected++
				continue
			}
			planned++
			for at, count := range runReduction(p, l) {
				mine := p.Result.Flat(at)
				for e := range uint64(32) {
					c := l.coords(e)
					want := 0
					if uint64(c[1-dim]) == mine {
						want = 1
					}
					if count[e] != want {
						t.Fatalf("element %v went %d times into result %d at %v\nof %s\nplan %+v", c, count[e], mine, at, l, p)
					}
				}
			}
		}
	}
	if planned < 200 || rejected == 0 {
		t.Errorf("%d reductions planned, %d refused", planned, rejected)
	}
}

func TestPlanReductionKnown(t *testing.T) {
	t.Parallel()
	c := must(MMA{16, 8, 16, 16, 1}.Accumulator([]int{64, 64}, 2, 2))
	rows, cols := must(PlanReduction(c, 1)), must(PlanReduction(c, 0))
	if len(rows.Lanes) != 2 || len(rows.Warps) != 1 || len(rows.Registers) != 4 || len(rows.Registers[0]) != 8 {
		t.Errorf("reduction of rows: %+v", rows)
	}
	if len(cols.Lanes) != 3 || len(cols.Warps) != 1 || len(cols.Registers) != 8 || len(cols.Registers[0]) != 4 {
		t.Errorf("reduction of columns: %+v", cols)
	}
	for name, err := range map[string]error{
		"dimension": second(PlanReduction(c, 2)),
		"buffer":    second(PlanReduction(must(Identity1D(Offset, 8)), 0)),
		"large":     second(PlanReduction(must(Identity1D(Register, 1<<17)), 0)),
		"mixed":     second(PlanReduction(must(New([]int{2, 2}, Bases{Register: {{1, 1}}, Lane: {{1, 0}}})), 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
