package sm

import "testing"

// TestMachine: every architecture has a cost for each class and a memory, with their sources; what is slower in the guide's table takes longer.
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
