package linear

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"
)

// delinearize splits i over extents, the dimensions of order first to last.
func delinearize(i int, extent, order []int) []int {
	out := make([]int, len(extent))
	for _, d := range order {
		out[d] = i % extent[d]
		i /= extent[d]
	}
	return out
}

func TestBlockedMatchesArithmetic(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ shape, spt, tpw, wpc, order []int }{
		{[]int{64, 64}, []int{1, 4}, []int{4, 8}, []int{2, 2}, []int{1, 0}},
		{[]int{64, 64}, []int{4, 1}, []int{8, 4}, []int{1, 4}, []int{0, 1}},
		{[]int{128}, []int{2}, []int{32}, []int{4}, []int{0}},
		{[]int{16}, []int{4}, []int{32}, []int{4}, []int{0}}, // smaller than the grid
		{[]int{4, 256}, []int{2, 2}, []int{8, 4}, []int{2, 1}, []int{1, 0}},
		{[]int{2, 8, 16}, []int{1, 1, 2}, []int{2, 4, 4}, []int{1, 2, 2}, []int{2, 0, 1}},
		{[]int{1, 32}, []int{8, 1}, []int{1, 32}, []int{1, 1}, []int{1, 0}},
		{nil, nil, nil, nil, nil},
	} {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			t.Parallel()
			l := must(Blocked(tc.shape, tc.spt, tc.tpw, tc.wpc, tc.order))
			// Registers are the thread's own block, cut to the tile, then the
			// repetitions.
			own, rep := make([]int, len(tc.shape)), make([]int, len(tc.shape))
			ownSize := 1
			for d := range own {
				own[d] = min(tc.spt[d], tc.shape[d])
				rep[d] = max(1, tc.shape[d]/(tc.spt[d]*tc.tpw[d]*tc.wpc[d]))
				ownSize *= own[d]
			}
			positions(l, func(p Index) {
				r := delinearize(int(p[Register])%ownSize, own, tc.order)
				w := delinearize(int(p[Register])/ownSize, rep, tc.order)
				lane := delinearize(int(p[Lane]), tc.tpw, tc.order)
				warp := delinearize(int(p[Warp]), tc.wpc, tc.order)
				want := make([]int, len(tc.shape))
				for d := range want {
					want[d] = (r[d] + tc.spt[d]*(lane[d]+tc.tpw[d]*(warp[d]+tc.wpc[d]*w[d]))) % tc.shape[d]
				}
				if got := l.Apply(p); !slices.Equal(got, want) {
					t.Fatalf("%v at %v, want %v in %s", p, got, want, l)
				}
			})
			if !l.IsSurjective() {
				t.Errorf("%s does not cover the tile", l)
			}
			if c := l.CompactRegisters(); !c.Equal(l) {
				t.Errorf("%s has registers with copies", l)
			}
		})
	}
}

func TestCoalesced(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		shape, order []int
		elemBits     int
		lanes, warps int
		contiguity   int
	}{
		{[]int{64, 64}, []int{1, 0}, 16, 32, 4, 8},
		{[]int{64, 64}, []int{0, 1}, 16, 32, 4, 8},
		{[]int{1024}, []int{0}, 32, 32, 4, 4},
		{[]int{256}, []int{0}, 32, 32, 4, 2}, // 4 per thread would idle half the warps
		{[]int{32}, []int{0}, 32, 32, 4, 1},
		{[]int{64, 2}, []int{1, 0}, 8, 32, 1, 2},
		{[]int{4096}, []int{0}, 64, 32, 4, 2},
	} {
		l := must(Coalesced(tc.shape, tc.elemBits, 128, tc.lanes, tc.warps, tc.order))
		if got := l.Contiguity(tc.order[0]); got != tc.contiguity {
			t.Errorf("%v: contiguity %d, want %d in %s", tc, got, tc.contiguity, l)
		}
		if !l.IsSurjective() || l.Size(Lane) != tc.lanes || l.Size(Warp) != tc.warps {
			t.Errorf("%v: %s", tc, l)
		}
	}
	rank0 := must(Coalesced(nil, 32, 128, 32, 4, nil))
	if rank0.FreeMask(Lane) != 31 || rank0.FreeMask(Warp) != 3 {
		t.Errorf("a scalar is not held by all threads: %s", rank0)
	}
}

func TestEntireLines(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		shape []int
		dim   int
		own   int // elements of a line that a thread has
	}{
		{[]int{256, 64}, 1, 64},
		{[]int{64, 256}, 0, 64},
		{[]int{32, 64}, 1, 16}, // four threads have a line
		{[]int{8, 16, 32}, 1, 16},
		{[]int{1024}, 0, 8},
	} {
		l := must(EntireLines(tc.shape, 32, 4, tc.dim))
		if got := 1 << bits.OnesCount64(uint64(l.DimBits(Register, tc.dim))); got != tc.own || !l.IsSurjective() {
			t.Errorf("%v along %d: a thread has %d elements of a line, want %d in %s", tc.shape, tc.dim, got, tc.own, l)
		}
	}
	if _, err := EntireLines([]int{64, 64}, 32, 4, 2); err == nil {
		t.Error("a matrix has a third dimension")
	}
}

func TestIdentityZerosProduct(t *testing.T) {
	t.Parallel()
	reg, lane := must(Identity1D(Register, 4)), must(Identity1D(Lane, 32))
	l := must(Product(reg, lane))
	for r := range uint32(4) {
		for x := range uint32(32) {
			if got := l.Flat(Index{Register: r, Lane: x}); got != uint64(r+4*x) {
				t.Fatalf("register %d of lane %d at %d", r, x, got)
			}
		}
	}
	z := must(Product(l, must(Zeros1D(Warp, 4))))
	if z.FreeMask(Warp) != 3 || z.Size(Warp) != 4 || z.ElementBits() != 7 {
		t.Errorf("replicated product is %s", z)
	}
	if q, ok := z.DivideLeft(l); !ok || !q.Equal(must(Zeros1D(Warp, 4))) {
		t.Errorf("quotient is %s, %v", q, ok)
	}
	a := must(MMA{16, 8, 16, 16, 1}.OperandA([]int{16, 16}, 1, 1))
	grid := must(New([]int{2, 4}, Bases{Register: {{0, 1}, {1, 0}}, Warp: {{0, 2}}}))
	p := must(Product(a, grid))
	if q, ok := p.DivideLeft(a); !ok || !q.Equal(grid) {
		t.Errorf("quotient is %s, %v", q, ok)
	}
	if _, ok := p.DivideLeft(grid); ok {
		t.Errorf("%s divided by %s", p, grid)
	}
	for _, err := range []error{
		second(Identity1D(Register, 3)), second(Identity1D(Element, 4)), second(Zeros1D(Lane, 0)),
		second(Product(reg, a)), second(Product(reg, must(Identity1D(Offset, 4)))),
		second(Product(must(Identity1D(Register, 1<<20)), must(Identity1D(Lane, 1<<20)))),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
}

func TestNewErrors(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"extent":     second(New([]int{3}, Bases{})),
		"zero":       second(New([]int{0}, Bases{})),
		"range":      second(New([]int{4}, Bases{Register: {{4}}})),
		"negative":   second(New([]int{4}, Bases{Register: {{-1}}})),
		"dimensions": second(New([]int{4, 4}, Bases{Register: {{1}}})),
		"elements":   second(New([]int{1 << 16, 1 << 15}, Bases{})),
		"dims":       second(New(make([]int, 33), Bases{})),
		"inputs":     second(New([]int{2}, Bases{Register: make([][]int, 31)})),
		"mixed":      second(New([]int{2}, Bases{Register: {{1}}, Offset: {{1}}})),
		"order":      second(Blocked([]int{4, 4}, []int{1, 1}, []int{4, 4}, []int{1, 1}, []int{0, 0})),
		"grid":       second(Blocked([]int{4, 4}, []int{1, 1}, []int{4, 3}, []int{1, 1}, []int{0, 1})),
		"grid rank":  second(Blocked([]int{4, 4}, []int{1, 1}, []int{4}, []int{1, 1}, []int{0, 1})),
		"lanes":      second(Coalesced([]int{4}, 8, 128, 31, 1, []int{0})),
		"width":      second(Coalesced([]int{4}, 0, 128, 32, 1, []int{0})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
