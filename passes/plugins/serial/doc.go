// Package serial is the example of a scheduler as a plugin. Copies run one iteration ahead, and everything else
// keeps program order, one operation after the other. Read it as a tutorial.
//
// # Steps
//
// A scheduler is a function from the dependence graph of a loop to a time for each of its operations. It registers
// itself from a package-level variable (serial.go):
//
//	var Scheduler = schedule.Register(&schedule.Scheduler{Name: "serial", ..., Schedule: place})
//
// One import line in passes/plugins/all.go links it into every tool, and then it is a choice:
//
//	tile-opt kernel.mlir --print-schedule --schedule=serial
//	tilec kernel.tileirbc --emit=ptx --schedule=serial
//	tile-opt --tileas-schedule-loops=scheduler=serial kernel.mlir
//
// # What a scheduler sees, and what it returns
//
// The graph (package ddg) has a node for each operation, with its time and a role:
//
//   - Ahead: copies and loads. They start at the head of an iteration, at time 0 here.
//   - Compute, and Floating operations that are not early. They run in the next iteration: with a prefetch
//     distance of 1, from II on.
//   - Floating operations that are early are rematerialized where they are needed, and Glue (commits and waits)
//     is created again. Their times mean nothing.
//
// A plan may count time in units of any number of cycles.
//
// An error says why a loop should be left unchanged; it becomes a remark. A plan need not be trusted. The
// property loops-scheduled checks each schedule against the graph, built from the current IR. It names the pass and
// the edge, unit or memory that is violated. So the worst that a plugin can do is to be slow, or to be reported.
//
// # What it is good for
//
// Only as a tutorial, and to measure what the search of other schedulers gains.
package serial
