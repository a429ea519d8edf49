// Package debug runs kernels in the interpreter under the control of a debugger, forwards and backwards.
//
//	r := debug.NewRunner(kernels, debug.Options{})
//	r.SetBreakpoints(file, list)
//	r.Start(0)
//	stop := <-r.Events()            // where it stands, with the values there
//	r.Resume(debug.NextLine)
//	r.Back()
//
// # Model
//
// A [Kernel] is an entry with a launch. Its stops are the operations that a debugger may stop at: those that compute
// something, and one of each line that has nothing else. Tile blocks run one after another in a fixed order, so stop
// number n of a launch is the same one in each run. A step back to n-1 therefore runs the launch again from fresh
// memory, up to there. To go back to a breakpoint takes two runs: one finds the last hit before n, one goes there.
//
// The interpreter runs on a goroutine of its own. While it is stopped, it waits in a call of the debugger, and its state
// may be read. One goroutine controls a [Runner].
//
// Rooms: expr evaluates conditions and watches, names finds what Python calls a value, dapserver speaks the Debug
// Adapter Protocol.
package debug
