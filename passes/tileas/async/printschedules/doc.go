// Package printschedules holds the passes test-print-ddg and test-print-schedule, which print the dependence graphs of
// loops and their modulo schedules.
//
//	tile-opt k.mlir --print-ddg
//	tile-opt k.mlir --print-schedule=svg
//
// These flags lower a kernel as far as needed and run the passes there. passes/schedule/show formats the output.
package printschedules
