package main

import (
	"fmt"
	"math"

	"github.com/tilewright/tilewright/internal/tooling/tune"
	"github.com/tilewright/tilewright/target/sm"
)

// closedForm chooses tiles of a GEMM of 16-bit floats by a formula, as tritonBLAS does (arXiv 2512.04226, section on
// the latency model). It knows the tiles and the shape, and never sees code. ok is false for other kernels.
//
// A tile takes its first loads, then the longer of loads and MMA for each step of K, then its store. Waves of tiles
// follow each other. Loads come from L2 for what another tile of the wave has asked for, else from memory; the wave is a
// rectangle of tiles in the order of the grid. Figures are those of the device table; latencies are those that the
// model of the emulator has. Of equal ones the tile with most operations for a byte is taken.
func closedForm(device *tune.Device, configs []*tune.Config, shape string) (best int, ok bool) {
	var m, n, k float64
	if c, err := fmt.Sscanf(shape, "%gx%gx%g", &m, &n, &k); c != 3 || err != nil {
		return 0, false
	}
	least, most := math.Inf(1), 0.0
	for i, c := range configs {
		var bm, bn, bk float64
		if got, err := fmt.Sscanf(c.Name, "BM=%g BN=%g BK=%g", &bm, &bn, &bk); got != 3 || err != nil {
			return 0, false
		}
		t, intensity := latency(device, m, n, k, bm, bn, bk), bm*bn/(bm+bn)
		if t < least || t == least && intensity > most {
			best, least, most = i, t, intensity
		}
	}
	return best, true
}

// Cycles of the closed form: of memory and of L2, as target/sm has them for Hopper, and operations of a cycle of an SM.
const (
	memoryLatency = 480.0
	l2Latency     = 260.0
	l2Bytes       = 37.0 // a cycle of an SM
	share         = sm.MemoryShare
	flopsPerCycle = 4096.0 // f16 with f32 accumulators, dense, of an SM (NVIDIA H100 white paper)
)

// latency is the cycles of a GEMM.
func latency(device *tune.Device, m, n, k, bm, bn, bk float64) float64 {
	sms := float64(device.Chip.SMs)
	gridM, gridN := math.Ceil(m/bm), math.Ceil(n/bn)
	tiles := gridM * gridN
	active := math.Min(sms, tiles)
	waves := math.Ceil(tiles / sms)
	// The grid goes along M first.
	rows := math.Min(gridM, active)
	columns := math.Ceil(active / rows)
	bytes := 2 * bk * (bm + bn)
	fresh := 2 * bk * (rows*bm + columns*bn) / active // of a tile, that come from memory
	loads := math.Max(bytes/l2Bytes, fresh/(share*device.Chip.MemoryBytes()*sms/active))
	compute := 2 * bm * bn * bk / flopsPerCycle
	steps := math.Ceil(k / bk)
	store := 2 * bm * bn / device.Chip.MemoryBytes()
	return waves * (memoryLatency + l2Latency + loads + steps*math.Max(loads, compute) + store)
}
