// Package schedule finds modulo schedules for loops at nv_tileas: from the dependence graph (package ddg) and the time that operations take (package cost) to a schedule that package modulo
// searches and that the attribute #nv_tileas.schedule holds.
//
// A scheduler is a function with a name. Registering one makes it a choice of tileas-schedule-loops, as in --pass-pipeline='...(tileas-schedule-loops{scheduler=NAME})'; passes/plugins has an
// example. What it returns is verified by the property that tileas-schedule-loops establishes, so that a wrong one is named and does no harm.
package schedule
