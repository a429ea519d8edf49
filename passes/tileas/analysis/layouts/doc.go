// Package layouts has what passes that choose or repair layouts share: the cost of a layout, and rematerialization of
// a cheap value in another layout.
//
//	rows per thread -> columns per thread, 32 x 32 f32 in one warp:
//	8 vector stores + 32 loads + barriers through shared memory
//
// # Costs
//
// A cost estimates the issue slots of a warp, in steps of one instruction. It only has to rank. A conversion that
// renames registers is free. One inside a warp takes shuffles, and one between warps a store, a load and barriers.
//
// An access to global memory costs the lines of 128 bytes that its instructions touch. The load/store unit looks up
// one line per cycle (Jia et al., arXiv 1804.06826, find one tag lookup per cycle for each group of lanes in a line).
package layouts
