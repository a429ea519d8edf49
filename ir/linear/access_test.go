package linear

import (
	"slices"
	"testing"
)

// checkAccess runs the plan on a buffer that holds element numbers, and on an
// empty one, and counts its bank conflicts.
func checkAccess(t *testing.T, a Access, dist Layout, sh Shared, elemBits int) {
	t.Helper()
	written := map[uint64]uint64{}
	threads := dist.in
	threads[Register] = 0
	for v := range uint64(1) << threads.total() {
		th := threads.unpack(v)
		seen := map[int]bool{}
		for _, op := range a.Ops {
			at := uint64(op.Offset ^ a.Thread.At(th[Lane], th[Warp], th[Block]))
			if a.Disjoint && at != uint64(op.Offset+a.Thread.At(th[Lane], th[Warp], th[Block])) {
				t.Fatalf("offset %d of %+v is not a sum", at, th)
			}
			if at%(1<<a.VecBits) != 0 || len(op.Registers) != 1<<a.VecBits {
				t.Fatalf("vector of %d elements at offset %d", len(op.Registers), at)
			}
			for i, r := range op.Registers {
				p := th
				p[Register] = uint32(r)
				e := dist.Flat(p)
				if sh.Offset(e) != at+uint64(i) {
					t.Fatalf("register %d of %+v is at offset %d, the plan says %d+%d", r, th, sh.Offset(e), at, i)
				}
				written[at+uint64(i)] = e
				seen[r] = true
			}
		}
		for r, c := range a.Copies {
			p, q := th, th
			p[Register], q[Register] = uint32(r), uint32(c)
			if !seen[c] || dist.Flat(p) != dist.Flat(q) {
				t.Fatalf("register %d is said to be a copy of %d", r, c)
			}
		}
	}
	if len(written) != 1<<dist.MatrixRank() {
		t.Fatalf("%d elements written, the layout holds %d", len(written), 1<<dist.MatrixRank())
	}
	if a.Instructions != len(a.Ops) {
		t.Fatalf("%d ops cost %d instructions", len(a.Ops), a.Instructions)
	}
	bytes := elemBits << a.VecBits / 8
	group := 32
	if bytes > 4 {
		group = 128 / bytes
	}
	group = min(group, dist.Size(Lane))
	total := 0
	for _, op := range a.Ops {
		for first := 0; first < dist.Size(Lane); first += group {
			var at []int
			for lane := range group {
				at = append(at, int(op.Offset^a.Thread.At(uint32(first+lane), 0, 0))*elemBits/8)
			}
			ways := countConflicts(at, bytes)
			total += ways
			if ways != a.Ways {
				t.Fatalf("%d ways, the plan says %d: bytes %v of %d each", ways, a.Ways, at, bytes)
			}
		}
	}
	if total != a.Wavefronts {
		t.Fatalf("%d wavefronts, the plan says %d", total, a.Wavefronts)
	}
}

// countConflicts returns the most different words that some bank has to deliver.
func countConflicts(addresses []int, bytes int) int {
	banks := map[int]map[int]bool{}
	most := 0
	for _, at := range addresses {
		for b := at; b < at+bytes; b++ {
			word := b / 4
			if banks[word%32] == nil {
				banks[word%32] = map[int]bool{}
			}
			banks[word%32][word] = true
			most = max(most, len(banks[word%32]))
		}
	}
	return most
}

// widestVector is the definition that PlanAccess's vector width is held against.
func widestVector(dist Layout, sh Shared, limit int) int {
	m := must(sh.Offsets(dist))
	threads := dist.in
	threads[Register] = 0
	regs := dist.Size(Register)
	offset := func(r int, th Index) uint32 {
		th[Register] = uint32(r)
		return m.Apply(th)[Offset]
	}
	always := func(f func(th Index) bool) bool {
		for v := range uint64(1) << threads.total() {
			if !f(threads.unpack(v)) {
				return false
			}
		}
		return true
	}
	best := 0
	for v := 1; v <= limit; v++ {
		mask := uint32(1)<<v - 1
		for r := range regs {
			for j := range mask + 1 {
				if !slices.ContainsFunc(gather(0, unit(dist.Bits(Register))), func(other int) bool {
					return always(func(th Index) bool { return offset(other, th) == offset(r, th)&^mask|j })
				}) {
					return best
				}
			}
		}
		best = v
	}
	return best
}

func TestPlanAccess(t *testing.T) {
	t.Parallel()
	r := newRand(t)
	var widths [5]int
	for range 400 {
		unit := r.IntN(3) > 0
		shape := []int{8, 32}
		dist := randomLayout(r, shape, 1+r.IntN(3), 5, 1, r.IntN(2), unit)
		sh := randomShared(r, shape, r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			sh = must(SharedSwizzled(shape, 1<<r.IntN(4), 1<<r.IntN(2), 1<<r.IntN(3), []int{1, 0}))
		}
		if unit && r.IntN(2) == 0 {
			// Make the registers contiguous, in some order.
			across := 1 << r.IntN(6)
			dist = must(Blocked(shape, []int{1, 1 << r.IntN(4)}, []int{32 / across, across}, []int{2, 1}, []int{1, 0}))
			r.Shuffle(dist.Bits(Register), func(i, j int) { dist.bases[i], dist.bases[j] = dist.bases[j], dist.bases[i] })
		}
		elemBits := 8 << r.IntN(4)
		a := must(PlanAccess(dist, sh, elemBits, 128))
		checkAccess(t, a, dist, sh, elemBits)
		limit := 0
		for elemBits<<(limit+1) <= 128 {
			limit++
		}
		if want := widestVector(dist, sh, limit); a.VecBits != want {
			t.Fatalf("vectors of 2^%d elements, want 2^%d\nof %s\nin %s", a.VecBits, want, dist, sh)
		}
		widths[a.VecBits]++
	}
	for v, n := range widths[:4] {
		if n == 0 {
			t.Errorf("no vector of 2^%d elements was seen", v)
		}
	}
}

func TestPlanAccessKnown(t *testing.T) {
	t.Parallel()
	shape := []int{64, 64}
	row := must(SharedRowMajor(shape, []int{1, 0}))
	blocked := must(Blocked(shape, []int{1, 8}, []int{4, 8}, []int{4, 1}, []int{1, 0}))
	column := must(Blocked(shape, []int{1, 1}, []int{32, 1}, []int{1, 4}, []int{1, 0}))
	for _, tc := range []struct {
		name      string
		dist      Layout
		sh        Shared
		elemBits  int
		vec, ways int
	}{
		{"16-byte rows", blocked, row, 16, 3, 1},
		{"limited by 128 bits", blocked, row, 32, 2, 2}, // 8 lanes with 16 of each 32 bytes
		{"lanes down a column of 256-byte rows", column, row, 32, 0, 32},
		{"lanes down a column of 128-byte rows", column, row, 16, 0, 32},
		{"the same, swizzled", column, must(SharedSwizzled(shape, 1, 1, 32, []int{1, 0})), 32, 0, 1},
	} {
		a := must(PlanAccess(tc.dist, tc.sh, tc.elemBits, 128))
		checkAccess(t, a, tc.dist, tc.sh, tc.elemBits)
		if a.VecBits != tc.vec || a.Ways != tc.ways {
			t.Errorf("%s: vector 2^%d, %d ways; want 2^%d, %d", tc.name, a.VecBits, a.Ways, tc.vec, tc.ways)
		}
	}
	for name, err := range map[string]error{
		"element": second(PlanAccess(blocked, row, 12, 128)),
		"bits":    second(PlanAccess(column, row, 4, 128)),
		"shape":   second(PlanAccess(blocked, must(row.Reshape([]int{4096})), 16, 128)),
		"buffer":  second(PlanAccess(row.Layout(), row, 16, 128)),
		"large":   second(PlanAccess(must(Identity1D(Register, 1<<20)), must(SharedRowMajor([]int{1 << 20}, []int{0})), 16, 128)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
