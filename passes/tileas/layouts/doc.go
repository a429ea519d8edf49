// Package layouts is what passes that choose or repair layouts have in common: what a layout costs, and how a cheap value is made again in another one.
//
// # Costs
//
// A cost is an estimate of the issue slots that a warp takes, in steps of one instruction. It only has to rank: a conversion that renames registers is free, one inside a
// warp is shuffles, one between warps a store, a load and barriers; an access to global memory is as dear as the lines of 128 bytes that its instructions
// touch, one of which the load/store unit looks up in a cycle (Jia et al., arXiv 1804.06826, find one tag lookup a cycle for each group of lanes in a line).
package layouts
