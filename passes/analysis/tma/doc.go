// Package tma says which accesses of a kernel TMA can carry out, from the operands and facts of the accesses alone.
//
//	tiled_load %p[%i, %j] sizes [%m, %n] strides [%s, 1]     a map: base %p, extents %m x %n, stride %s
//
// TMA needs a tensor map of the memory object. The objects that no map describes have a reason each (Describable), and
// the facts that a promise could add (MissingForMap). Either the launcher makes a map or each CTA does (Site), which
// is worth it only for copies that run often enough (PaysForMap).
//
// An mbarrier has a phase for each copy, so that executions of the access must be counted (Uncounted).
//
// Nothing here knows a level or a layout. So passes of level 1 can forecast which loads will use TMA (Forecast), and
// the planner of copies at level 2 (passes/tileas/analysis/transfers) decides by the same tests.
package tma
