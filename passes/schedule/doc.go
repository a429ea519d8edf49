// Package schedule finds modulo schedules for loops at nv_tileas.
//
//	for { copy_async#0 ; wait ; local_load#1 ; dot#2 }     dependence graph (package ddg)
//	II = 48 units of 22 cycles, at = [0, 96, 97]           the schedule: when each operation starts
//
// The dependence graph and the time of each operation (package cost) become a [modulo.Problem]. Package modulo solves
// it. The attribute #nv_tileas.schedule holds the result. problem.go states the problem, search.go chooses II and
// overlap, prefetch.go the prefetch distance, and staggered.go copies that start one after the other.
//
// A scheduler is a function with a name. Registering one makes it a choice of tileas-schedule-loops:
//
//	--pass-pipeline='...(tileas-schedule-loops{scheduler=NAME})'
//
// passes/plugins has an example. The property that tileas-schedule-loops establishes verifies its schedules, so a
// wrong one is reported and never expanded.
//
// The package changes no IR. tileas-pipeline-loops expands a schedule.
package schedule
