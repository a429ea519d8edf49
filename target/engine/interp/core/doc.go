// Package core is the machine of the interpreter: decoded programs, the values of their slots, and who runs.
//
//	core.Define(core.Table{cudatile.Iota: {Run: iotaOp}})   // a row: iotaOp decodes the operation
//	run, err := iotaOp(decoder, op)                         // once for a kernel: look up slots, types, attributes
//	err = run(machine)                                      // for each execution: only the work that differs
//
// A [Decoder] turns an entry into a [Program]: blocks of closures, and a numbered slot for each value. A [Machine]
// executes it, one CTA after another. The state of a machine is one struct for each subject, which packages memory,
// onchip, inflight and races define.
//
// The package executes no operation: each has a [Row], which the package that executes it defines in an init function.
// Clusters and warp roles are here, because every operation that waits must let others run.
package core
