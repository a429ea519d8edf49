package timing_test

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/timing"
)

// gemm is the traffic of a product of 4096^3 halves in tiles of 128 x 256, of which a wave of 132 shares A by a and B
// by b CTAs.
func gemm(a, b, l2 float64, warm bool) timing.Traffic {
	const n = 2 * 4096 * 4096
	return timing.NewTraffic([]timing.Buffer{
		{Base: 0, Size: n, Each: 128 * 4096 * 2, Degree: a}, {Base: n, Size: n, Each: 256 * 4096 * 2, Degree: b}, {Base: 2 * n, Size: n, Each: 128 * 256 * 2, Degree: 1},
	}, 512, 132, l2, warm)
}

// TestTraffic: what fits in L2 is asked of memory once, or not at all if it is there; without sharing every byte is;
// more sharing never costs more; a larger cache never costs more.
func TestTraffic(t *testing.T) {
	t.Parallel()
	const all = 3 * 2 * 4096 * 4096
	if x := gemm(8, 16, 1<<30, false); x.Memory != all || x.Unique != all {
		t.Errorf("all of it fits, and %g bytes come from memory, of %g different ones, want %d", x.Memory, x.Unique, all)
	}
	if x := gemm(8, 16, 1<<30, true); x.Memory != 0 {
		t.Errorf("all of it is there, and %g bytes come from memory", x.Memory)
	}
	if x := gemm(1, 1, 1<<20, false); x.Memory != x.Asked {
		t.Errorf("nothing is shared, and %g bytes come from memory of %g", x.Memory, x.Asked)
	}
	last := gemm(1, 1, 1<<20, false).Memory
	for d := 2.0; d <= 16; d *= 2 {
		x := gemm(d, d, 1<<20, false)
		if x.Memory > last || x.Memory < all {
			t.Errorf("shared by %g: %g bytes come from memory, and %g with half of it", d, x.Memory, last)
		}
		last = x.Memory
	}
	for l2 := float64(1 << 20); l2 < 1<<30; l2 *= 4 {
		if small, large := gemm(8, 4, l2, false).Memory, gemm(8, 4, 4*l2, false).Memory; large > small {
			t.Errorf("L2 of %g bytes: %g from memory, and with four times as much %g", l2, small, large)
		}
	}
}

// TestShare: two CTAs that touch the same sector of one buffer and different ones of the other.
func TestShare(t *testing.T) {
	t.Parallel()
	buffers := []timing.Buffer{{Base: 0, Size: 1024}, {Base: 4096, Size: 1024}}
	var first, second timing.Wave
	for _, s := range []uint64{0, 0, 4096 / emu.SectorBytes, 4096/emu.SectorBytes + 1, 1 << 40} {
		first.Add(s)
	}
	second.Add(0)
	second.Add(1)
	timing.Share(buffers, &first, &second)
	if buffers[0].Degree != 2 || buffers[0].Again != 0.5 || buffers[1].Degree != 1 || buffers[1].Again != 0 {
		t.Errorf("got %+v", buffers)
	}
}
