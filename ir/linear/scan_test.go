package linear

import "testing"

func TestSequential(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		shape                   []int
		dim                     int
		registers, lanes, warps int
	}{
		{[]int{8, 64}, 1, 1, 5, 0}, {[]int{8, 64}, 0, 0, 3, 0}, {[]int{256}, 0, 1, 5, 2}, {[]int{4, 2, 128}, 1, 0, 1, 0}, {[]int{1, 16}, 0, 0, 0, 0},
		{[]int{128}, 0, 2, 5, 0}, {[]int{2, 512}, 1, 3, 5, 1}, {[]int{1024, 1}, 0, 3, 5, 2},
	} {
		l, err := Sequential(tt.shape, tt.dim, 32, 4)
		if err != nil {
			t.Fatal(err)
		}
		if !l.IsSurjective() || l.Bits(Lane) != 5 || l.Bits(Warp) != 2 {
			t.Errorf("%v along %d: %s does not hold all elements in 32 lanes of 4 warps", tt.shape, tt.dim, l)
		}
		s, err := l.Sequence(tt.dim)
		if err != nil || s.Registers != tt.registers || s.Lanes != tt.lanes || s.Warps != tt.warps {
			t.Errorf("%v along %d: %+v, %v, want %d, %d and %d bits", tt.shape, tt.dim, s, err, tt.registers, tt.lanes, tt.warps)
		}
		for k := range 1 << s.Registers {
			for lane := range 1 << s.Lanes {
				for warp := range 1 << s.Warps {
					at := Index{Register: uint32(k << s.FirstRegister), Lane: uint32(lane << s.FirstLane), Warp: uint32(warp << s.FirstWarp)}
					if got := l.Apply(at)[tt.dim]; got != (warp<<s.Lanes+lane)<<s.Registers+k {
						t.Errorf("%v along %d: register %d of lane %d of warp %d is at %d", tt.shape, tt.dim, k, lane, warp, got)
					}
				}
			}
		}
	}
	if _, err := Sequential([]int{8}, 1, 32, 4); err == nil {
		t.Error("a dimension outside the shape is accepted")
	}
	l, err := Coalesced([]int{8, 1024}, 32, 128, 32, 4, []int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Sequence(1); err == nil {
		t.Error("registers above the warps are accepted")
	}
}
