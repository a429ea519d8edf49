// Package interp executes kernels without a GPU: cuda_tile by the public specification of Tile IR, and the levels
// nv_tileaa and nv_tileas.
//
//	engine := interp.New(module)
//	engine.Adversarial, engine.Seed, engine.Threads = true, 7, true
//	err := engine.Run(ctx, &launch.Request{Entry: "gemm", Grid: [3]uint32{16, 16, 1}, Args: args})
//
// It executes operation by operation and element by element. It is the reference that every lowering is compared with.
// Since it executes each level, each conversion can be checked alone.
//
// # Model
//
// An entry is decoded once: into a list of closures for each block, and a numbered slot for each value. A tile is a
// list of bit patterns in row-major order. Package ir/numeric defines what an operation does to an element. Hot loops
// compute the same bits faster. The lists are reference-counted and reused, so that a loop allocates nothing.
//
// A tile block runs from beginning to end on one goroutine. Tile blocks run in parallel and see each other through
// global memory only. A tile block that spins on memory lets another one start, so that every tile block of the grid
// makes progress. Memory is the buffers of the launch, the globals of the module (fresh for each launch) and allocas.
// Addresses have gaps between them, so that an access outside is found.
//
// The result of a launch, its output and its error do not depend on chance if its tile blocks share nothing but atomics
// that commute and whose results are unused. Float atomics, results of atomics, and locks depend on the order of the
// tile blocks. With OrderedAtomics they run one after another, and those that wait pass their turn on by a fixed rule.
// Races stay undetermined; Options.Races finds them. If several tile blocks fail, the error is that of the first.
//
// Accesses stronger than weak, and atomics, hold a lock chosen by address. They are sequentially consistent, whatever
// they ask for. Tokens carry no value: a tile block executes in program order, which every token order permits.
//
// # Rooms
//
// The package itself is a facade: [New] takes a module, [Engine.Run] runs a launch. Below it, a package imports only
// packages above its own line. internal/arch checks that.
//
//	vector     groups of elements with vector instructions
//	values     tiles, and the pool that they come from
//	kernel     element-wise operations on slices
//	fault      errors: which operation, element, tile block
//	sched      what runs next: tile blocks, CTAs, warp roles
//	memory     global memory of a launch
//	races      accesses that nothing orders
//	inflight   asynchronous operations that have not landed, mbarriers
//	onchip     shared and tensor memory of a CTA
//	core       decoder, machine, clusters and roles    knows no operation
//	compute    element-wise operations, changes of shape
//	control    ifs, loops, reductions
//	access     loads, stores, atomics
//	cluster    what CTAs do together
//	mma        matrix multiplications
//	async      cp.async, TMA, mbarriers, wgmma
//	tmem       tensor memory
//	warps      warp specialization, named barriers, ping-pong
//
// An operation has one row (core.Row), which the package that executes it defines.
//
// # Levels
//
// An operation of arith, or of the rows that nv_tileaa and nv_tileas share, is executed by the row of the cuda_tile
// operation that it stands for (twins). So each has one meaning. Only operations without a counterpart, such as tiled
// accesses, have rules of their own. An operation with neither is an error that names it.
//
// At nv_tileas a value with a layout is an entire tile: the layout says which thread holds an element, not what the
// element is. A buffer is a place in shared memory, and holds tiles too. A CTA executes as one, so that a barrier does
// nothing to its result. Missing barriers show with the option Threads, and in the adversarial emulator. Overlapping
// buffers do show: what one has stored is unspecified to another.
//
// # Undefined behaviour
//
// What the specification leaves undefined is an error. It names the operation, its location, the tile block and the
// element:
//
//   - accesses outside memory or not aligned, indices outside the index space, strides that are not positive
//   - division by zero, and of the most negative number by -1
//   - overflow where an operation promises that there is none
//   - assumptions that do not hold
//
// Elements loaded from outside a tensor without padding, or masked off, are unspecified. They are marked, and so is
// what is computed from them. It is an error to store one, or to use it for an address or a branch. Unspecified
// elements are taken to be finite numbers: attention kernels add -inf to them, or multiply them by zero.
//
// With Races, two accesses that conflict without an order are an error too. Tokens order those of one tile block,
// release and acquire those of two.
//
// # Choices
//
//   - Products of an MMA are exact. Accumulators are double precision, and rounded once.
//   - A reduce combines neighbours pairwise; a scan goes from one end to the other. The first argument of the body is
//     the value of the first elements.
//   - The dense indices of a gather_scatter_view count elements. Its sparse ones may be out of bounds, as tiles of
//     other views may.
//   - inbounds promises that the entire tile lies inside the tensor along that dimension.
//   - Shifts by the width or more shift everything out. Without saturation, floats that an integer cannot represent
//     become unspecified elements.
//   - A multicast pointer refers to one copy of the memory on each device: the replicas of the buffer, or its only
//     copy. Multimem loads combine them from the first device on, rounding each sum. Minimum and maximum of floats
//     leave out NaNs. Other operations access the copy of the first device.
//   - A pointer to elements of four bits refers to a byte, whose lower half is the element. An odd offset is an error.
//   - approx and full are computed as accurately as the rest.
//
// # Source
//
// Tile IR specification 13.1 to 13.5 (docs.nvidia.com/cuda/tile-ir): operations, memory model, views.
package interp
