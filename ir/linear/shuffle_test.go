package linear

import (
	"math/bits"
	"testing"
)

// simulate runs the plan on a warp-wide machine: src and the result are indexed
// by packed position, values are element numbers.
func (p ShufflePlan) simulate(src, dst Layout) map[Index]uint64 {
	out := map[Index]uint64{}
	threads := src.in
	threads[Register] = 0
	staged := func(reg, lane, warp, block uint32) uint64 {
		reg ^= p.Select.At(lane, warp, block)
		return src.Flat(Index{Register: reg, Lane: lane, Warp: warp, Block: block})
	}
	for v := range uint64(1) << threads.total() {
		th := threads.unpack(v)
		got := make([]uint64, len(p.Rounds))
		for t, round := range p.Rounds {
			from := round.Lane ^ p.Source.At(th[Lane], th[Warp], th[Block])
			if round.Local && from != th[Lane] {
				return nil
			}
			got[t] = staged(round.Register, from, th[Warp], th[Block])
		}
		for r := range dst.Size(Register) {
			to := th
			to[Register] = uint32(r)
			out[to] = got[p.Results[r]^int(p.Place.At(th[Lane], th[Warp], th[Block]))]
		}
	}
	return out
}

func checkShuffles(t *testing.T, src, dst Layout) ShufflePlan {
	t.Helper()
	c := must(Convert(src, dst))
	plan, err := c.Shuffles()
	if (err != nil) != (c.Class > LaneMove) {
		t.Fatalf("class %s: %v", c.Class, err)
	}
	if err != nil {
		return plan
	}
	got := plan.simulate(src, dst)
	positions(dst, func(p Index) {
		if e, ok := got[p]; !ok || e != dst.Flat(p) {
			t.Fatalf("%v received element %d, want %d\nfrom %s\nto   %s\nplan %+v", p, e, dst.Flat(p), src, dst, plan)
		}
	})
	if c.Class <= RegisterMove && plan.Shuffles() != 0 {
		t.Fatalf("class %s takes %d shuffles\nfrom %s\nto   %s\nplan %+v", c.Class, plan.Shuffles(), src, dst, plan)
	}
	return plan
}

func TestShufflesOfRandomLayouts(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	virtual, optimal, selects := 0, 0, 0
	for range 3000 {
		unit := r.IntN(2) == 0
		src := randomSurjective(r, []int{4, 16}, 1+r.IntN(3), 3+r.IntN(2), 1, 1, unit)
		if src.Bits(Register)+src.Bits(Lane) > 6 && r.IntN(2) == 0 {
			continue
		}
		dst := randomLayout(r, []int{4, 16}, r.IntN(4), src.Bits(Lane), 1, 1, unit)
		copy(dst.axisBases(Block), src.axisBases(Block))
		copy(dst.axisBases(Warp), src.axisBases(Warp))
		dst.axisBases(Warp)[0] ^= src.Flat(Index{Register: r.Uint32() & r.Uint32(), Lane: r.Uint32() & r.Uint32()})
		for _, a := range []Axis{Register, Lane} {
			for i := range dst.axisBases(a) {
				dst.axisBases(a)[i] = src.Flat(Index{Register: r.Uint32(), Lane: r.Uint32()})
				if r.IntN(4) == 0 {
					dst.axisBases(a)[i] = src.Flat(Index{Lane: 1 << r.IntN(3)})
				}
			}
		}
		plan := checkShuffles(t, src, dst)
		distinct := 1 << dst.CompactRegisters().Bits(Register)
		switch {
		case len(plan.Rounds) < distinct:
			t.Fatalf("%d rounds for %d different registers", len(plan.Rounds), distinct)
		case len(plan.Rounds) == distinct:
			optimal++
		default:
			virtual++
		}
		if !plan.Select.IsZero() {
			selects++
		}
	}
	if virtual == 0 || optimal < 1000 || selects == 0 {
		t.Errorf("%d plans with one round per register, %d with more, %d with selects", optimal, virtual, selects)
	}
}

func TestShufflesOfKnownConversions(t *testing.T) {
	t.Parallel()
	f16 := MMA{16, 8, 16, 16, 1}
	c := must(f16.Accumulator([]int{16, 16}, 1, 1))
	a := must(f16.OperandA([]int{16, 16}, 1, 1))
	if conv := must(Convert(c, a)); conv.Class != NoMove {
		// The chained products of attention rely on it: two accumulator fragments
		// side by side are an operand A.
		t.Errorf("accumulator to operand A is %s", conv.Class)
	}
	for _, tc := range []struct {
		name     string
		src, dst Layout
		shuffles int
	}{
		{"accumulator to 8-bit operand", must(f16.Accumulator([]int{16, 32}, 1, 1)), must(MMA{16, 8, 32, 8, 1}.OperandA([]int{16, 32}, 1, 1)), 16},
		{"transposed in a warp", must(Blocked([]int{32, 32}, []int{1, 32}, []int{32, 1}, []int{1, 1}, []int{1, 0})),
			must(Blocked([]int{32, 32}, []int{32, 1}, []int{1, 32}, []int{1, 1}, []int{0, 1})), 31},
		{"lanes reversed", must(New([]int{32}, Bases{Lane: {{1}, {2}, {4}, {8}, {16}}})),
			must(New([]int{32}, Bases{Lane: {{16}, {8}, {4}, {2}, {1}}})), 1},
		{"broadcast from lane 0's half", must(New([]int{2}, Bases{Lane: {{0}, {0}, {0}, {0}, {1}}})),
			must(New([]int{2}, Bases{Register: {{1}}, Lane: {{0}, {0}, {0}, {0}, {0}}})), 2},
		{"registers spread over idle lanes", must(New([]int{32}, Bases{Register: {{1}}, Lane: {{2}, {4}, {8}, {16}, {0}}})),
			must(New([]int{32}, Bases{Lane: {{1}, {2}, {4}, {8}, {16}}})), 1},
		{"one lane has it all", must(New([]int{4}, Bases{Register: {{1}, {2}}, Lane: {{0}, {0}}})),
			must(New([]int{4}, Bases{Lane: {{1}, {2}}})), 0},
	} {
		plan := checkShuffles(t, tc.src, tc.dst)
		if got := plan.Shuffles(); got != tc.shuffles {
			t.Errorf("%s: %d shuffles, want %d: %+v", tc.name, got, tc.shuffles, plan)
		}
	}
}

func TestShuffleErrors(t *testing.T) {
	t.Parallel()
	a := must(New([]int{4}, Bases{Register: {{1}}, Warp: {{2}}}))
	b := must(New([]int{4}, Bases{Register: {{2}}, Warp: {{1}}}))
	if _, err := must(Convert(a, b)).Shuffles(); err == nil {
		t.Error("shuffles across warps")
	}
	big := must(Identity1D(Register, 1<<17))
	if _, err := must(Convert(big, big)).Shuffles(); err == nil {
		t.Error("plan without bound")
	}
}

func TestThreadFnStages(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 200 {
		f := ThreadFn{Lane: make([]uint32, 5), Warp: make([]uint32, 2), Block: make([]uint32, 1)}
		for _, cols := range [][]uint32{f.Lane, f.Warp, f.Block} {
			for i := range cols {
				cols[i] = r.Uint32() & r.Uint32() & 63
			}
		}
		stages := f.Stages()
		for v := range uint32(256) {
			lane, warp, block := v&31, v>>5&3, v>>7
			var got uint32
			for _, s := range stages {
				if (bits.OnesCount32(lane&s.Lane)+bits.OnesCount32(warp&s.Warp)+bits.OnesCount32(block&s.Block))%2 == 1 {
					got ^= s.Xor
				}
			}
			if got != f.At(lane, warp, block) {
				t.Fatalf("stages %+v of %+v give %d at %d %d %d", stages, f, got, lane, warp, block)
			}
		}
		if len(stages) > 6 || f.IsZero() != (len(stages) == 0) {
			t.Fatalf("%d stages for a function to 6 bits", len(stages))
		}
	}
}
