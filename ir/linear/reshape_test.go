package linear

import (
	"slices"
	"testing"
)

func TestPermuteReshapeExpand(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 50 {
		l := randomLayout(r, []int{2, 8, 4}, 2, 3, 1, 0, false)
		p := must(l.Permute([]int{2, 0, 1}))
		s := must(l.Reshape([]int{4, 16}))
		e := must(l.ExpandDim(1))
		if !slices.Equal(p.Shape(), []int{4, 2, 8}) || !slices.Equal(e.Shape(), []int{2, 1, 8, 4}) {
			t.Fatalf("shapes %v and %v", p.Shape(), e.Shape())
		}
		positions(l, func(i Index) {
			c := l.Apply(i)
			if got := p.Apply(i); !slices.Equal(got, []int{c[2], c[0], c[1]}) {
				t.Fatalf("permuted %v to %v", c, got)
			}
			flat := c[0]*32 + c[1]*4 + c[2]
			if got := s.Apply(i); !slices.Equal(got, []int{flat / 16, flat % 16}) {
				t.Fatalf("reshaped %v to %v", c, got)
			}
			if got := e.Apply(i); !slices.Equal(got, []int{c[0], 0, c[1], c[2]}) {
				t.Fatalf("expanded %v to %v", c, got)
			}
		})
		if back := must(must(s.Reshape([]int{2, 8, 4})).Permute([]int{0, 1, 2})); !back.Equal(l) {
			t.Fatalf("%s came back as %s", l, back)
		}
	}
	l := must(New([]int{4, 4}, Bases{}))
	for _, err := range []error{
		second(l.Permute([]int{0})), second(l.Permute([]int{0, 2})), second(l.Reshape([]int{8})),
		second(l.Reshape([]int{-16})), second(l.ExpandDim(3)), second(l.ExpandDim(-1)), second(l.RemoveDim(2)), second(l.Slice(-1)),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
}

func TestSlice(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 100 {
		l := randomSurjective(r, []int{2, 8, 4}, 3, 3, 2, 0, r.IntN(2) == 0)
		for dim := range 3 {
			full, s := must(l.RemoveDim(dim)), must(l.Slice(dim))
			positions(l, func(i Index) {
				if want := slices.Delete(l.Apply(i), dim, dim+1); !slices.Equal(full.Apply(i), want) {
					t.Fatalf("slice of dimension %d at %v, want %v", dim, full.Apply(i), want)
				}
			})
			c := must(Convert(s, full))
			if c.Class > RegisterMove {
				t.Fatalf("the sliced layout is %s away", c.Class)
			}
			if !s.Equivalent(full) || !s.IsSurjective() {
				t.Fatalf("%s sliced to %s", l, s)
			}
			seen := map[uint64]bool{}
			for reg := range uint32(s.Size(Register)) {
				if e := s.Flat(Index{Register: reg}); seen[e] {
					t.Fatalf("a thread holds element %d twice in %s", e, s)
				} else {
					seen[e] = true
				}
			}
		}
	}
}

func TestBroadcast(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	for range 100 {
		l := randomSurjective(r, []int{4, 8, 2}, 3, 3, 1, 0, r.IntN(2) == 0)
		source := []int{4, 1, 2}
		if r.IntN(2) == 0 {
			source = []int{1, 8, 1}
		}
		s, regs := must(l.BroadcastSource(source)), must(l.BroadcastRegisters(source))
		positions(l, func(i Index) {
			want := l.Apply(i)
			for d := range want {
				if source[d] == 1 {
					want[d] = 0
				}
			}
			from := i
			from[Register] = uint32(regs[i[Register]])
			if got := s.Apply(from); !slices.Equal(got, want) {
				t.Fatalf("register %d of the source is %v, want %v", from[Register], got, want)
			}
		})
		back := must(s.BroadcastTo([]int{4, 8, 2}))
		if !back.IsSurjective() || !must(back.BroadcastSource(source)).Equal(s) {
			t.Fatalf("%s grew to %s", s, back)
		}
	}
	l := must(New([]int{4, 1}, Bases{}))
	for _, err := range []error{
		second(l.BroadcastSource([]int{4})), second(l.BroadcastSource([]int{2, 1})), second(l.BroadcastRegisters([]int{3, 1})),
		second(l.BroadcastTo([]int{8, 2})), second(l.BroadcastTo([]int{4})), second(l.BroadcastTo([]int{4, 1 << 30})),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
}
