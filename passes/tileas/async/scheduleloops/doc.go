// Package scheduleloops is the pass tileas-schedule-loops: it finds a modulo schedule for each innermost loop with
// copies or loads to prefetch, and writes it on the loop.
//
//	scf.for { copy_async ; wait_group ; local_load ; dot }
//
// becomes
//
//	scf.for { ... } {nv_tileas.schedule = #nv_tileas.schedule<ii = 48, unit = 22, at = [...]>}
//
// `ii` is the initiation interval in units of time, `unit` the cycles of a unit, and `at` the start of each operation
// (Rau, "Iterative Modulo Scheduling", 1994). The operations stay where they are. tileas-pipeline-loops expands the
// loop, and the property loops-scheduled verifies the schedule; so a schedule can be printed, drawn, or edited by
// hand.
//
// A loop that gains nothing gets no schedule, and a remark says why. A loop that contains one with a schedule may get
// nv_tileas.fill_ahead instead (fill.go): the inner loop's prologue then overlaps the outer loop's epilogue.
//
// The algorithms are in passes/schedule, the dependence graph in passes/schedule/ddg. docs/lowering/schedules.md has
// an example.
package scheduleloops
