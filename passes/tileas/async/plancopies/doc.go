// Package plancopies is the pass tileas-plan-copies: it chooses TMA, cp.async or registers for each load from global
// memory, and writes the choice on the load.
//
//	%a, %t = nv_tileas.tiled_load %p[...]
//	%f = nv_tileas.convert_layout %a
//	dot %f, ...
//
// becomes
//
//	%a, %t = nv_tileas.tiled_load %p[...] {nv_tileas.transfer = "tma"}
//
// A load that stays in registers also gets the reason, as nv_tileas.rejected. Nothing else changes.
// tileas-materialize-copies carries the plan out, so a plan can be edited in the text between the two passes.
//
// Package transfers knows what each kind of transfer requires. This package weighs them:
//
//   - MMA operands (pass.go) prefer TMA, then cp.async. A synchronous MMA takes TMA only if a producer warp can start
//     the loads (threads.go).
//   - Tiles that threads compute with (tiles.go) and stores (stores.go) take TMA where the cost model says that it is
//     profitable.
//
// All buffers together take at most what budget.ForOperands says. They live from the copy to the last read, longer
// than those of layout conversions, and a kernel that fitted without copies must still fit.
//
// The pass neither creates buffers nor overlaps anything. docs/lowering/tma.md has examples and measurements.
//
// [docs/lowering/tma.md]: https://github.com/tilewright/tilewright/blob/main/docs/lowering/tma.md
package plancopies
