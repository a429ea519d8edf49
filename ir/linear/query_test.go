package linear

import (
	"slices"
	"testing"
)

func TestApplyIsLinearAndInverts(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 200 {
		l := randomSurjective(r, []int{4, 2, 8}, 3, 3, 2, 1, r.IntN(2) == 0)
		inv := must(l.Inverse())
		for flat := range uint32(64) {
			p := inv.Apply(Index{Element: flat})
			if l.Flat(p) != uint64(flat) {
				t.Fatalf("element %d is not at %v in %s", flat, p, l)
			}
			c := l.Apply(p)
			if c[0]*16+c[1]*8+c[2] != int(flat) {
				t.Fatalf("coordinates %v of element %d", c, flat)
			}
		}
		a, b := r.Uint64()&511, r.Uint64()&511
		if l.Flat(l.in.unpack(a))^l.Flat(l.in.unpack(b)) != l.Flat(l.in.unpack(a^b)) {
			t.Fatalf("%s is not linear", l)
		}
	}
	bad := must(New([]int{4}, Bases{Register: {{1}}}))
	if _, err := bad.Inverse(); err == nil {
		t.Error("inverse of a layout that does not cover its tile")
	}
}

func TestLeftInverse(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	tried := 0
	for range 300 {
		l := randomLayout(r, []int{8, 32}, 2, 3, 1, 0, false)
		inv, err := l.LeftInverse()
		if (err == nil) != l.IsInjective() {
			t.Fatalf("left inverse of %s: %v", l, err)
		}
		if err != nil {
			continue
		}
		tried++
		positions(l, func(p Index) {
			if got := inv.Apply(Index{Element: uint32(l.Flat(p))}); got != p {
				t.Fatalf("%v came back as %v", p, got)
			}
		})
	}
	if tried < 50 {
		t.Errorf("only %d injective layouts", tried)
	}
}

// TestFreeMask counts, over all positions, how often each element occurs.
func TestFreeMask(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 200 {
		l := randomLayout(r, []int{4, 8}, 3, 3, 2, 1, r.IntN(2) == 0)
		all, once := map[uint64]int{}, map[uint64]int{}
		positions(l, func(p Index) {
			all[l.Flat(p)]++
			for a, v := range p {
				if v&l.FreeMask(Axis(a)) != 0 {
					return
				}
			}
			once[l.Flat(p)]++
		})
		if len(all) != len(once) || len(all) != 1<<l.MatrixRank() {
			t.Fatalf("%d elements, %d of them owned, rank %d in %s", len(all), len(once), l.MatrixRank(), l)
		}
		for e, n := range once {
			if n != 1 {
				t.Fatalf("element %d has %d owners in %s", e, n, l)
			}
		}
		k := l.Kernel()
		if len(k) != l.in.total()-l.MatrixRank() {
			t.Fatalf("kernel has %d vectors", len(k))
		}
		for _, p := range k {
			if l.Flat(p) != 0 {
				t.Fatalf("%v of the kernel is at %v", p, l.Apply(p))
			}
		}
	}
}

func TestContiguity(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		l    Layout
		dim  int
		want int
	}{
		{must(New([]int{4, 16}, Bases{Register: {{0, 1}, {0, 2}}, Lane: {{0, 4}, {0, 8}, {1, 0}, {2, 0}}})), 1, 4},
		{must(New([]int{4, 16}, Bases{Register: {{0, 1}, {0, 2}}, Lane: {{0, 4}, {0, 8}, {1, 0}, {2, 0}}})), 0, 1},
		{must(New([]int{4, 16}, Bases{Register: {{0, 1}, {0, 2}}, Lane: {{0, 6}, {0, 8}, {1, 0}, {2, 0}}})), 1, 2},
		{must(New([]int{4, 16}, Bases{Register: {{0, 1}, {0, 2}}, Lane: {{0, 5}, {0, 8}, {1, 0}, {2, 0}}})), 1, 1},
		{must(New([]int{16}, Bases{Register: {{2}, {1}}, Lane: {{4}, {8}}})), 0, 1},
		{must(New([]int{4, 4}, Bases{Register: {{1, 0}, {2, 0}, {0, 1}}, Lane: {{0, 2}}})), 0, 4},
		{must(New([]int{4}, Bases{})), 7, 1},
	} {
		if got := tc.l.Contiguity(tc.dim); got != tc.want {
			t.Errorf("contiguity of dimension %d is %d, want %d in %s", tc.dim, got, tc.want, tc.l)
		}
	}
	r := newRand(t)
	for range 300 {
		l := randomLayout(r, []int{2, 8}, 3, 2, 1, 0, r.IntN(3) > 0)
		// By definition: the largest n such that registers n*k+i hold, aligned,
		// consecutive elements.
		want := 1
		for n := 2; n <= min(8, l.Size(Register)); n *= 2 {
			ok := true
			positions(l, func(p Index) {
				base := p
				base[Register] &^= uint32(n - 1)
				first, here := l.Apply(base), l.Apply(p)
				if first[1]%n != 0 || here[0] != first[0] || here[1] != first[1]+int(p[Register])%n {
					ok = false
				}
			})
			if ok {
				want = n
			}
		}
		if got := l.Contiguity(1); got != want {
			t.Fatalf("contiguity %d, want %d in %s", got, want, l)
		}
	}
}

func TestPartsAndDisjoint(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	yes, no := 0, 0
	for range 300 {
		l := randomLayout(r, []int{8, 8}, 2, 2, 1, 1, r.IntN(2) == 0)
		disjoint := l.IsDisjoint()
		adds := true
		positions(l, func(p Index) {
			reg, thread := l.RegisterPart(p[Register]), l.ThreadPart(p[Lane], p[Warp], p[Block])
			if reg^thread != l.Flat(p) {
				t.Fatalf("parts of %v do not sum up", p)
			}
			adds = adds && reg+thread == l.Flat(p)
		})
		if disjoint != adds {
			t.Fatalf("IsDisjoint is %v, but addition %v in %s", disjoint, adds, l)
		}
		if disjoint {
			yes++
		} else {
			no++
		}
	}
	if yes == 0 || no == 0 {
		t.Errorf("%d disjoint layouts, %d others", yes, no)
	}
}

func TestMapComposeInverse(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 100 {
		src := randomSurjective(r, []int{4, 8}, 3, 2, 1, 0, false)
		inv := must(src.Inverse())
		round := must(inv.Compose(src.Map()))
		for e := range uint32(32) {
			if round.Apply(Index{Element: e}) != (Index{Element: e}) {
				t.Fatalf("inverse of %s", src)
			}
		}
		if round.Rank() != 5 {
			t.Fatalf("rank %d", round.Rank())
		}
		same := must(src.Compose(must(src.Map().Compose(inv))))
		positions(src, func(p Index) {
			if same.Flat(p) != src.Flat(p) {
				t.Fatalf("composition moved %v", p)
			}
		})
		if _, err := inv.Compose(inv); err == nil {
			t.Fatal("composition of maps that do not fit")
		}
	}
}

func TestDimBits(t *testing.T) {
	t.Parallel()
	c := must(MMA{16, 8, 16, 16, 1}.Accumulator([]int{16, 8}, 1, 1))
	got := []uint32{c.DimBits(Register, 0), c.DimBits(Lane, 0), c.DimBits(Register, 1), c.DimBits(Lane, 1), c.DimBits(Lane, 2)}
	if want := []uint32{2, 0b11100, 1, 0b00011, 0}; !slices.Equal(got, want) {
		t.Errorf("dimension bits %v, want %v", got, want)
	}
}
