// Package interp executes cuda_tile IR by the public specification of Tile IR, operation by operation and element type by element type. It is the
// reference that every lowering is compared with, and runs a kernel where no GPU is at hand.
//
// # Model
//
// A tile is a list of bit patterns in row-major order; what an operation does to them is package numeric's. A tile block runs from
// beginning to end on one goroutine; tile blocks run in parallel, and see each other through global memory only. Memory is the buffers of the launch at made-up
// addresses with gaps between them, so that an access outside is found and reported with the operation and its location.
//
// Tokens carry no value: a tile block executes in program order, which every token order admits. Matrix products are exact, sums of them are
// rounded once.
//
// # Source
//
// Tile IR specification (docs.nvidia.com/cuda/tile-ir): operations, memory model, views.
package interp
