// Package cost is the model of an SM: how long work keeps its units busy, and when results are there.
//
// # Model
//
// One CTA runs on the SM, and its warps are spread evenly over the four partitions. Figures are cycles of one
// partition, as in the machine model of target/sm. Instructions are counted for one warp, times the warps of a
// partition. What the partitions share (shared memory, the bandwidth of the L2 cache) counts once for the CTA.
//
//	64 fma of each of 8 warps: 2 warps in a partition, so 128 cycles of its issue port and of its f32 unit
//
// Every instruction takes an issue slot too, so the issue port is a unit like any other. It bounds most loops that
// are not made for the machine.
//
// A latency is the time from the first instruction until a dependent operation can begin.
//
// # Limits
//
// The model knows entire tiles and no caches. All times are estimates: none is a measurement.
//
// The package knows no operation but loops, so that passes of every level compare alternatives in one unit. What the
// operations of nv_tileas cost is in passes/tileas/machine/price.
package cost
