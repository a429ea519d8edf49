package linear

import "testing"

// classByDefinition finds the class by trying all positions.
func classByDefinition(src, dst Layout) Class {
	holders := map[uint64][]Index{}
	positions(src, func(p Index) { e := src.Flat(p); holders[e] = append(holders[e], p) })
	class := NoMove
	positions(dst, func(p Index) {
		best := ClusterMove
		for _, q := range holders[dst.Flat(p)] {
			switch {
			case q[Block] != p[Block]:
			case q[Warp] != p[Warp]:
				best = min(best, SharedMove)
			default:
				best = min(best, LaneMove)
			}
		}
		class = max(class, best)
	})
	if class > LaneMove {
		return class
	}
	// Renaming: one source register serves a register of the result in all threads.
	for r := range uint32(dst.Size(Register)) {
		found := false
		for s := range uint32(src.Size(Register)) {
			same := true
			positions(dst, func(p Index) {
				if p[Register] == r {
					q := p
					q[Register] = s
					same = same && src.Flat(q) == dst.Flat(p)
				}
			})
			found = found || same
		}
		if !found {
			return LaneMove
		}
	}
	if src.Equal(dst) {
		return NoMove
	}
	return RegisterMove
}

func TestConvert(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	var count [ClusterMove + 1]int
	for range 1500 {
		unit := r.IntN(2) == 0
		src := randomSurjective(r, []int{4, 8}, 2+r.IntN(2), 2, 2, 1, unit)
		dst := randomLayout(r, []int{4, 8}, r.IntN(4), 2, 2, 1, unit)
		// Random pairs hardly ever share threads, so make some that do.
		if keep := r.IntN(4); keep > 0 {
			for _, a := range []Axis{Block, Warp, Lane}[:keep] {
				copy(dst.axisBases(a), src.axisBases(a))
			}
			if r.IntN(2) == 0 {
				for i := range dst.in[Register] {
					dst.bases[i] = src.RegisterPart(r.Uint32())
				}
			}
			if r.IntN(3) == 0 {
				for i := range dst.axisBases(Lane) {
					dst.axisBases(Lane)[i] = src.Flat(Index{Register: r.Uint32(), Lane: r.Uint32()})
				}
			}
		}
		c := must(Convert(src, dst))
		positions(dst, func(p Index) {
			q := c.Map.Apply(p)
			if src.Flat(q) != dst.Flat(p) {
				t.Fatalf("%v wants element %d, %v holds %d", p, dst.Flat(p), q, src.Flat(q))
			}
			if c.Class <= LaneMove && q[Warp] != p[Warp] || c.Class <= SharedMove && q[Block] != p[Block] {
				t.Fatalf("class %s, but %v is read from %v", c.Class, p, q)
			}
		})
		if want := classByDefinition(src, dst); c.Class != want {
			t.Fatalf("class %s, want %s\nfrom %s\nto   %s", c.Class, want, src, dst)
		}
		count[c.Class]++
		regs, err := c.RegisterMap()
		if (err != nil) != (c.Class > RegisterMove) {
			t.Fatalf("class %s has register map %v, %v", c.Class, regs, err)
		}
		if err == nil {
			positions(dst, func(p Index) {
				q := p
				q[Register] = uint32(regs[p[Register]])
				if src.Flat(q) != dst.Flat(p) {
					t.Fatalf("register map %v from %s to %s", regs, src, dst)
				}
			})
		}
		if same := must(Convert(src, src)); same.Class != NoMove {
			t.Fatalf("conversion to itself is %s", same.Class)
		}
	}
	for class, n := range count {
		if Class(class) != NoMove && n < 20 {
			t.Errorf("only %d conversions of class %s", n, Class(class))
		}
	}
}

func TestConvertErrors(t *testing.T) {
	t.Parallel()
	a := must(New([]int{4, 4}, Bases{Register: {{0, 1}, {0, 2}}, Lane: {{1, 0}, {2, 0}}}))
	for name, dst := range map[string]Layout{
		"shape":  must(a.Reshape([]int{2, 8})),
		"lanes":  must(New([]int{4, 4}, Bases{Lane: {{1, 0}}})),
		"buffer": must(New([]int{4, 4}, Bases{Offset: {{1, 0}}})),
	} {
		if _, err := Convert(a, dst); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	big := must(Identity1D(Register, 1<<17))
	if _, err := must(Convert(big, big)).RegisterMap(); err == nil {
		t.Error("register map without bound")
	}
	part := must(New([]int{4, 4}, Bases{Register: {{0, 1}}, Lane: {{1, 0}, {2, 0}}}))
	if _, err := Convert(part, a); err == nil {
		t.Error("conversion from a layout that does not cover the tile")
	}
	if c, err := Convert(a, part); err != nil || c.Class != RegisterMove {
		t.Errorf("conversion to a part: %v, %v", c.Class, err)
	}
}
