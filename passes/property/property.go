package property

import "github.com/tilewright/tilewright/passes"

// The levels, from the input to the output.
var (
	CudaTile = passes.NewLevel("cuda_tile", "cuda_tile", 0, "is at the level of the input: tiles, views and tokens").WithUnit("cuda_tile.entry")
	TileAA   = passes.NewLevel("tileaa", "nv_tileaa", 1, "has views dissolved and memory objects, aliases and effects explicit").WithUnit("nv_tileaa.func")
	TileAS   = passes.NewLevel("tileas", "nv_tileas", 2, "has a launch shape, and layouts and memory spaces as they are decided").WithUnit("nv_tileas.func")
	NVVM     = passes.NewLevel("nvvm", "nvvm", 3, "is code of one thread: scalars, control flow, address spaces").WithUnit("nvvm.func")
	PTX      = passes.NewLevel("ptx", "", 4, "was emitted as a PTX module")
)

// Levels lists the levels in order.
//
// A level is a property with a number: a pass that establishes one destroys the one before, and whatever
// belongs to that.
var Levels = []*passes.Property{CudaTile, TileAA, TileAS, NVVM, PTX}

// Canonical: without operations that are dead.
//
// This is the part of canonical form that can be told at the price of a walk. Whether something would still fold is what running the pass finds out, and
// costs as much; and no pass needs more than this for its result to be right.
var Canonical = passes.NewProperty("canonical", "has no dead operations", nil, passes.Check{Ops: noDeadOps})

// At level tileaa.
var (
	// ObjectsAttached: accesses say which memory they are about.
	ObjectsAttached = passes.NewProperty("objects-attached", "names the memory objects that every access may touch", TileAA, passes.Check{Unit: objectsAttached})
	// FactsAttached: what is known of addresses stands on the accesses.
	FactsAttached = passes.NewProperty("facts-attached", "has divisibility facts on every tiled access", TileAA, passes.Check{Ops: factsAttached})
)

// At level tileas, in the order in which the default pipeline establishes them.
//
// What breaks if one does not hold, and nobody said so:
//
//	layouts-assigned      registers of different elements are combined
//	instructions-chosen   a product of fragments that hold other elements
//	warp-reduces          a warp's part of a sum passes for the sum
//	atomics-once          a counter goes up by the number of threads
//	local-conversions     elements that other warps have are missing
//	fenced                products and bulk copies read what was in shared memory before threads wrote there
//	shared-allocated      buffers overwrite each other
//	tensor-allocated      sums overwrite each other, or the next kernel waits for columns for ever
//	synchronised          a thread reads what another one is still to write
var (
	// LayoutsAssigned: every distributed tensor has a layout, and layouts differ only as operations change them.
	LayoutsAssigned = passes.NewProperty("layouts-assigned", "has a fitting layout on every distributed tensor", TileAS,
		passes.Check{Unit: threadsFixed, Ops: layoutsAssigned})
	// InstructionsChosen: every product says how it is computed, and the target can.
	InstructionsChosen = passes.NewProperty("instructions-chosen", "has an instruction of the target for every product of matrices", TileAS,
		passes.Check{Ops: instructionsChosen})
	// WarpReduces: no reduce combines elements of several warps.
	WarpReduces = passes.NewProperty("warp-reduces", "has no reduce or scan across warps", TileAS, passes.Check{Ops: warpReduces})
	// AtomicsOnce: the result of an atomic operation is used only by threads that have it.
	AtomicsOnce = passes.NewProperty("atomics-once", "has atomic operations whose results all threads that use them hold", TileAS,
		passes.Check{Ops: atomicsOnce})
	// LoopsScheduled: what loops say about when their operations start can be done.
	LoopsScheduled = passes.NewProperty("loops-scheduled", "has schedules on loops that keep dependences, units and shared memory", TileAS,
		passes.Check{Ops: loopsScheduled})
	// LocalConversions: no convert_layout crosses warps.
	LocalConversions = passes.NewProperty("local-conversions", "has no convert_layout that needs shared memory", TileAS,
		passes.Check{Ops: localConversions})
	// Fenced: fences separate what threads do to a buffer from what products that run beside them and bulk copies do. It speaks of buffers, so that the pass is named that has lost a fence; where one has the place of another, synchronised does.
	Fenced = passes.NewProperty("fenced", "has fences between accesses of threads and asynchronous ones of the same buffer", TileAS, passes.Check{Unit: fenced})
	// SharedAllocated: every buffer has its place in shared memory.
	SharedAllocated = passes.NewProperty("shared-allocated", "has an offset for every buffer in shared memory, which no other has while it lives", TileAS,
		passes.Check{Unit: sharedAllocated})
	// TensorAllocated: sums are in tensor memory where instructions leave them there, in columns that the kernel has.
	TensorAllocated = passes.NewProperty("tensor-allocated", "has a place for every buffer in tensor memory, which the kernel reserves and gives back", TileAS,
		passes.Check{Unit: tensorAllocated})
	// Synchronised: barriers separate what conflicts.
	Synchronised = passes.NewProperty("synchronised", "has barriers between conflicting accesses of different threads, and fences between threads and asynchronous accesses", TileAS,
		passes.Check{Unit: synchronised})
)

// At level nvvm.
var (
	// MathExpanded: elementary functions are arithmetic.
	MathExpanded = passes.NewProperty("math-expanded", "has elementary functions written as arithmetic", NVVM, passes.Check{Ops: mathExpanded})
	// LegalArith: the target has an instruction for each arithmetic operation.
	LegalArith = passes.NewProperty("legal-arith", "has only arithmetic that the target has instructions for", NVVM, passes.Check{Ops: legalArith})
)
