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

// Levels lists the levels in order. A level is a property with a number: a pass that establishes one destroys the
// previous one, and everything that belongs to it.
var Levels = []*passes.Property{CudaTile, TileAA, TileAS, NVVM, PTX}

// Canonical: without dead operations. This is the part of canonical form that one walk can check. Whether
// something would still fold is known only after running the pass, which costs as much. No pass needs more than
// this to be correct.
var Canonical = passes.NewProperty("canonical", "has no dead operations", nil, passes.Check{Ops: noDeadOps})
