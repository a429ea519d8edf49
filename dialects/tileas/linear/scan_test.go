package linear

import "testing"

func TestSequential(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape            []int
		dim              int
		registers, lanes int
	}{
		{[]int{8, 64}, 1, 1, 5}, {[]int{8, 64}, 0, 0, 3}, {[]int{256}, 0, 3, 5}, {[]int{4, 2, 128}, 1, 0, 1}, {[]int{1, 16}, 0, 0, 0},
	} {
		l, err := Sequential(tt.shape, tt.dim, 32, 4)
		if err != nil {
			t.Fatal(err)
		}
		if !l.IsSurjective() || l.Bits(Lane) != 5 || l.Bits(Warp) != 2 {
			t.Errorf("%v along %d: %s does not hold all elements in 32 lanes of 4 warps", tt.shape, tt.dim, l)
		}
		first, registers, firstLane, lanes, err := l.SequentialBits(tt.dim)
		if err != nil || registers != tt.registers || lanes != tt.lanes {
			t.Errorf("%v along %d: %d register and %d lane bits, %v, want %d and %d", tt.shape, tt.dim, registers, lanes, err, tt.registers, tt.lanes)
		}
		for k := range 1 << registers {
			for lane := range 1 << lanes {
				at := Index{Register: uint32(k << first), Lane: uint32(lane << firstLane)}
				if got := l.Apply(at)[tt.dim]; got != lane<<registers+k {
					t.Errorf("%v along %d: register %d of lane %d is at %d", tt.shape, tt.dim, k, lane, got)
				}
			}
		}
	}
	if _, err := Sequential([]int{8}, 1, 32, 4); err == nil {
		t.Error("a dimension outside the shape is accepted")
	}
	l, err := Coalesced([]int{8, 512}, 32, 128, 32, 4, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, _, err := l.SequentialBits(1); err == nil {
		t.Error("warps along the dimension are accepted")
	}
}
