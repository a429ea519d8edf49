// Package property declares the properties of the IR that more than one pass speaks of: the levels of the lowering, and what is
// decided at each of them. A property that concerns two passes only may be declared by the pass that establishes it.
//
// The levels are those of the design: each is a dialect that can be printed, parsed, verified and executed.
package property

import "github.com/tilewright/tilewright/passes"

// The levels, from the input to the output.
var (
	CudaTile = passes.NewLevel("cuda_tile", "cuda_tile", 0, "is at the level of the input: tiles, views and tokens").WithUnit("cuda_tile.entry")
	TileAA   = passes.NewLevel("tileaa", "nv_tileaa", 1, "has views dissolved and memory objects, aliases and effects explicit").WithUnit("nv_tileaa.func")
	TileAS   = passes.NewLevel("tileas", "nv_tileas", 2, "has layouts, memory spaces, asynchronous copies and schedules").WithUnit("nv_tileas.func")
	NVVM     = passes.NewLevel("nvvm", "nvvm", 3, "is code of one thread: scalars, control flow, address spaces").WithUnit("nvvm.func")
	PTX      = passes.NewLevel("ptx", "", 4, "was emitted as a PTX module")
)

// Levels lists the levels in order.
var Levels = []*passes.Property{CudaTile, TileAA, TileAS, NVVM, PTX}

// What passes decide at a level.
var (
	// Canonical: folded, in canonical operand order, without dead operations.
	Canonical = passes.NewProperty("canonical", "is in canonical form: folded and without dead operations")
	// LayoutsAssigned: every distributed tile has a layout.
	LayoutsAssigned = passes.NewProperty("layouts-assigned", "has a layout on every distributed tile")
	// Scheduled: loops to be pipelined carry a modulo schedule.
	Scheduled = passes.NewProperty("scheduled", "has a modulo schedule on every loop that is to be pipelined")
	// Pipelined: schedules are materialised.
	Pipelined = passes.NewProperty("pipelined", "has its modulo schedules materialised as prologue, kernel and epilogue")
	// SharedAllocated: every shared-memory buffer has an offset.
	SharedAllocated = passes.NewProperty("shared-allocated", "has an offset for every buffer in shared memory")
)
