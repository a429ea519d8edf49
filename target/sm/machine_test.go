package sm

import "testing"

// TestMachine: every architecture has a cost for each class and a memory, with their sources; what is slower in the
// guide's table takes longer.
func TestMachine(t *testing.T) {
	t.Parallel()
	for _, a := range All() {
		for c := range numClasses {
			cost := a.Cost(c)
			if cost.Cycles < 1 || cost.Latency < 1 || cost.Unit >= NumUnits || cost.Source == "" {
				t.Errorf("%s, class %d: %+v", a, c, cost)
			}
		}
		m := a.Memory()
		if m.Shared < 1 || m.L1 < m.Shared || m.L2 < m.L1 || m.Global < m.L2 || m.SharedBytes < m.L2Bytes || m.Barrier < 1 || m.Source == "" {
			t.Errorf("%s: %+v", a, m)
		}
	}
	for _, want := range []struct {
		arch   string
		class  Class
		cycles int // 32 threads on a quarter of the guide's results per clock
	}{
		{"sm_80", F32Arith, 2}, {"sm_86", F32Arith, 1}, {"sm_80", Special, 8}, {"sm_90", F64Arith, 2}, {"sm_89", F64Arith, 64}, {"sm_120", IntAdd, 1}, {"sm_120", Convert, 8},
	} {
		a, err := Lookup(want.arch)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Cost(want.class); got.Cycles != want.cycles {
			t.Errorf("%s, class %d: %d cycles, want %d", a, want.class, got.Cycles, want.cycles)
		}
	}
}

// TestChips: every architecture has a chip, on which memory is slower than the L2 cache, and a CTA of one warp and
// one of everything fit.
func TestChips(t *testing.T) {
	t.Parallel()
	for _, a := range All() {
		c := a.Chip()
		if c.SMs < 1 || c.MHz < 1000 || c.Source == "" || c.MemoryBytes() <= 0 || c.MemoryBytes() > a.Memory().L2Bytes {
			t.Errorf("%s: %+v, %g bytes", a, c, c.MemoryBytes())
		}
		if n, why := a.ResidentCTAs(1, 16, 0); n != a.CTAs || why != "tile blocks" {
			t.Errorf("%s: %d CTAs of one warp, by %s", a, n, why)
		}
		if n, _ := a.ResidentCTAs(4, 255, a.Shared.PerCTA); n != 1 {
			t.Errorf("%s: %d CTAs with all shared memory", a, n)
		}
	}
	h, _ := Lookup("sm_90")
	for _, x := range []struct {
		warps, registers, shared, want int
		limit                          string
	}{{4, 128, 0, 4, "registers"}, {8, 32, 0, 8, "warps"}, {4, 64, 100 << 10, 2, "shared memory"}, {4, 168, 0, 3, "registers"}} {
		if n, limit := h.ResidentCTAs(x.warps, x.registers, x.shared); n != x.want || limit != x.limit {
			t.Errorf("%+v: %d by %s", x, n, limit)
		}
	}
}

// TestChipNamed: names of products are found however they are written, each row has an architecture and a cache, and
// the first row of an architecture stands for it.
func TestChipNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"H100 NVL": "H100 NVL", "h100-nvl": "H100 NVL", "geforcertx5090": "GeForce RTX 5090", "H101": "", unnamed: ""} {
		c := ChipNamed(name)
		if c == nil && want != "" || c != nil && c.Name != want {
			t.Errorf("%q: got %+v, want %q", name, c, want)
		}
	}
	for _, c := range Chips() {
		a, err := Lookup(c.Archs()[0])
		if err != nil || !c.Has(a) || c.L2 < 1<<20 || c.SMs < 1 || c.GBytes <= 0 || c.Source == "" {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if h, _ := Lookup("sm_90"); h.Chip().Name != "H100 SXM5" {
		t.Errorf("%s stands for sm_90", h.Chip().Name)
	}
}
