package cases

import (
	"testing"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// TestTMACounters: products and attention whose tiles travel by bulk tensor copies read each tile once, meet no
// bank conflict in any swizzle, load whole sectors, and wait for few mbarriers.
func TestTMACounters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, gpu string
		read      uint64 // bytes of global memory, the least
		ctas      uint64
		waits     uint64 // for mbarriers, of all warps of a CTA, the most: those that succeed
	}{
		// Two steps of the depth, for which each warp waits once: four that compute and one that loads.
		{"matmul_f16_big_tile", "sm_90", reads(256, 256, 128, 128, 128, 2), 4, 10},
		// Pairs of CTAs, each with half of B: five warps, of which one loads, one multiplies, and all wait for the sum.
		{"matmul_f16_big_tile", "sm_100", reads(256, 256, 128, 128, 128, 2), 8, 22},
		// Two tiles of keys and of values, and that of queries, for four warps.
		{"fmha_full_f16", "sm_90", 2 * (128*64*2 + 2*2*128*64*2), 4, 24}, // and a warp that loads waits for four slots
		// Four warps wait twice for a tile, and before and after all of them. One loads (4 waits). One multiplies: it waits
		// for Q, four times for a tile, and for its last MMAs (11).
		{"fmha_full_f16", "sm_100", 2 * (128*64*2 + 2*2*128*64*2), 4, 4*6 + 4 + 11},
	} {
		t.Run(tt.name+" "+tt.gpu, func(t *testing.T) {
			t.Parallel()
			r := countersOf(t, tt.name, tt.gpu)
			c := &r.Total.Counters
			if got := c[machine.BulkLoad+3]; got != tt.read {
				t.Errorf("bulk tensor copies read %d bytes, the least is %d", got, tt.read)
			}
			if got := c[machine.GlobalLoad+3] + c[machine.GlobalCopy+3]; got != 0 {
				t.Errorf("threads read %d bytes besides", got)
			}
			if m := measure(r); m.wavefronts != m.idealWavefronts || c[machine.BulkLoad+1] != c[machine.BulkLoad+2] {
				t.Errorf("%d passes through shared memory, copies load %d sectors; without conflicts and parts of sectors %d and %d", m.wavefronts, c[machine.BulkLoad+1], m.idealWavefronts, c[machine.BulkLoad+2])
			}
			if got := c[machine.MbarrierWaits] - c[machine.MbarrierRetries]; got > tt.ctas*tt.waits || got == 0 {
				t.Errorf("warps wait for mbarriers %d times, at most %d was seen", got, tt.ctas*tt.waits)
			}
		})
	}
}
