// Package serial is the example of a scheduler as a plugin: copies run one turn ahead, and everything else keeps the order of the text, one operation after the other. Read it as a tutorial.
//
// # Steps
//
// A scheduler is a function from the dependence graph of a loop to a time for each of its operations. It registers itself from a package-level variable (serial.go):
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
// The graph (package ddg) has a node for each operation, with the time that it takes and a role. Those of role Ahead, copies and loads, start at the head of an iteration, at time 0 here. Those of role
// Compute, and Floating ones that are not early, stand in the turns behind it: with a lead of 1, from II on. Early ones are made again wherever they are wanted, and Glue (commits and waits) is made
// anew, so their times say nothing. Time is counted in units of as many cycles as one likes.
//
// An error says why a loop is better left as it is; it becomes a remark. What is returned need not be believed: the property loops-scheduled holds each schedule to the graph, made anew, and names
// the pass with the edge, the unit or the memory that is not kept. So the worst that a plugin can do is to be slow, or to be told so.
//
// # What it is good for
//
// Nothing but to read, and as the measure of what the search of the others wins.
package serial
