// Package tileasprop declares the properties of level tileas, each with its check.
package tileasprop

import (
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
)

// At level tileas, in the order in which the default pipeline establishes them.
//
// What goes wrong without a message if one does not hold:
//
//	layouts-assigned      registers of different elements are combined
//	instructions-chosen   an MMA of fragments that hold other elements
//	warp-reduces          a warp's part of an accumulator passes for the accumulator
//	atomics-once          a counter goes up by the number of threads
//	pipes-lowered         nobody waits for who fills a stage
//	local-conversions     elements that other warps have are missing
//	fenced                MMAs and TMA copies read what was in shared memory before threads wrote there
//	shared-allocated      buffers overwrite each other
//	tmem-allocated      accumulators overwrite each other, or the next kernel waits for columns for ever
//	synchronised          a thread reads what another one is still to write
var (
	// LayoutsAssigned: every distributed tensor has a layout, and layouts differ only as operations change them.
	LayoutsAssigned = passes.NewProperty("layouts-assigned", "has a fitting layout on every distributed tensor", property.TileAS,
		passes.Check{Unit: threadsFixed, Ops: layoutsAssigned})
	// InstructionsChosen: every MMA says how it is computed, and the target can.
	InstructionsChosen = passes.NewProperty("instructions-chosen", "has an instruction of the target for every MMA", property.TileAS,
		passes.Check{Ops: instructionsChosen})
	// WarpReduces: no reduce combines elements of several warps.
	WarpReduces = passes.NewProperty("warp-reduces", "has no reduce or scan across warps", property.TileAS, passes.Check{Ops: warpReduces})
	// AtomicsOnce: the result of an atomic operation is used only by threads that have it.
	AtomicsOnce = passes.NewProperty("atomics-once", "has atomic operations whose results all threads that use them hold", property.TileAS,
		passes.Check{Ops: atomicsOnce})
	// LoopsScheduled: what loops say about when their operations start can be done.
	LoopsScheduled = passes.NewProperty("loops-scheduled", "has schedules on loops that keep dependences, units and shared memory", property.TileAS,
		passes.Check{Ops: loopsScheduled})
	// PipesLowered: mbarriers say how roles wait for each other.
	PipesLowered = passes.NewProperty("pipes-lowered", "has mbarriers in the place of pipes", property.TileAS, passes.Check{Ops: pipesLowered})
	// LocalConversions: no convert_layout crosses warps.
	LocalConversions = passes.NewProperty("local-conversions", "has no convert_layout that needs shared memory", property.TileAS,
		passes.Check{Ops: localConversions})
	// Fenced: fences separate what threads do to a buffer from what asynchronous MMAs and TMA copies do. It is
	// about one buffer, so that the pass that lost a fence is named. If one buffer has the memory of another,
	// synchronised checks the fence.
	Fenced = passes.NewProperty("fenced", "has fences between accesses of threads and asynchronous ones of the same buffer", property.TileAS, passes.Check{Unit: fenced})
	// SharedAllocated: every buffer has its place in shared memory.
	SharedAllocated = passes.NewProperty("shared-allocated", "has an offset for every buffer in shared memory, which no other has while it lives", property.TileAS,
		passes.Check{Unit: sharedAllocated})
	// TMEMAllocated: accumulators are in TMEM if instructions leave them there, in columns that the kernel has
	// allocated.
	TMEMAllocated = passes.NewProperty("tmem-allocated", "has a place for every buffer in TMEM, which the kernel reserves and gives back", property.TileAS,
		passes.Check{Unit: tmemAllocated})
	// Synchronised: barriers separate what conflicts.
	Synchronised = passes.NewProperty("synchronised", "has barriers between conflicting accesses of different threads, and fences between threads and asynchronous accesses", property.TileAS,
		passes.Check{Unit: synchronised})
)
