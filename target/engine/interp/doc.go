// Package interp executes cuda_tile IR by the public specification of Tile IR, operation by operation and element type by element type. It is the
// reference that every lowering is compared with, and runs a kernel where no GPU is at hand. It executes the levels nv_tileaa and nv_tileas as
// well, so that each conversion can be checked alone.
//
// # Model
//
// An entry is decoded once into a flat list of closures per block, with a numbered slot for every value. A tile is a list of
// bit patterns in row-major order; what an operation does to them is package numeric's, except for hot loops that compute the same
// bits faster. The lists are reference-counted and reused, so that a loop allocates nothing.
//
// A tile block runs from beginning to end on one goroutine; tile blocks run in parallel and see each other through global
// memory only. One that spins on memory gives its place to another, so every tile block of the grid makes progress. Memory is
// the buffers of the launch, the globals of the module (fresh for each launch) and what alloca makes, at made-up addresses with gaps
// between them, so that an access outside is found.
//
// What a launch computes, prints and reports does not depend on the number of processors or on chance, if its tile blocks share nothing but atomics
// that commute and whose results are not used. Float atomics, results of atomics and locks depend on the order of the tile blocks: with
// Engine.OrderedAtomics they run one after the other, in the order of their numbers, and those that wait for others take turns by a fixed rule.
// Races, which Engine.Races finds, are not made deterministic. Of the tile blocks that fail the first one counts.
//
// Accesses stronger than weak, and atomics, hold a lock that the address chooses: they are sequentially consistent, whatever
// they ask for. Tokens carry no value: a tile block executes in program order, which every token order admits.
//
// # Levels
//
// An operation of arith or of the shared rows of nv_tileaa and nv_tileas is executed as the operation of cuda_tile that it stands for (twins), so
// that there is one meaning of each; only what has no counterpart, such as tiled accesses, has rules of its own. What has neither is an error
// that names the operation.
//
// At nv_tileas a value with a layout is a whole tile: layouts say which thread holds an element, not what the element is. A buffer is a place in shared memory, which holds tiles,
// too, and a barrier does nothing, since a tile block executes as one. So this level is executed as its programs mean it when
// their barriers are right; that barriers are missing does not show here, but in the adversarial emulator. Buffers that overlap do show: what one has
// stored is unspecified to another.
//
// # Undefined behaviour
//
// What the specification leaves undefined is an error that names the operation, its location, the tile block and the element:
// accesses outside memory or not aligned, indices outside the index space, strides that are not positive, division by zero and of the most
// negative number by -1, overflow that an operation promises not to happen, assumptions that do not hold. Elements
// whose value is unspecified (loaded from outside a tensor without padding, or masked off) are marked, and so is what is computed
// from them; the error comes when one is stored, or decides an address or a branch. They are taken to be finite numbers, as attention
// kernels do that add -inf to them or multiply them by zero.
//
// With Engine.Races, tokens carry the accesses that are ordered before them, and two accesses of a tile block that conflict without
// an order are an error as well. So are two of different tile blocks, unless what one of them released and the other acquired orders them.
//
// # Choices
//
//   - Matrix products are exact, sums of them are rounded once, in double precision inside.
//   - A reduce combines neighbours pairwise; a scan goes from one end to the other. The first argument of the body is what comes first.
//   - The dense indices of a gather_scatter_view count elements; its sparse ones may be out of bounds, as tiles of other views may.
//   - inbounds promises that the whole tile lies inside the tensor along that dimension.
//   - Shifts by the width or more shift everything out. Floats that an integer cannot hold become unspecified elements, without saturating.
//   - Behind a multicast pointer is one copy of the memory on each device: the replicas of the buffer, or the one that there is. Multimem
//     loads combine them from the first device on, rounding each sum; minimum and maximum of floats leave out NaNs. Other
//     operations access the copy of the first device.
//   - A pointer to elements of four bits says a byte, the lower half of which is the element; an odd offset is an error.
//   - approx and full ask for no more than they get: functions are as accurate as package numeric's.
//
// # Source
//
// Tile IR specification 13.1 to 13.5 (docs.nvidia.com/cuda/tile-ir): operations, memory model, views.
package interp
