// Package judge gives one verdict on a kernel: the command tile judge, and what it does as a library.
//
//	$ tile judge --reference=plain --launches=3 --seed=1 softmax
//	compiles      ok  sm_90, sm_80, sm_100, sm_120
//	defined       ok  4 launches: in bounds, ordered accesses, and nothing is read that was not written; with other sizes too
//	expected      ok  the case's buffers, within its tolerances
//	reference     ok  3 launches equal 'plain', bit for bit; sizes: 2 for 7, 68 for 100; 2 for 7, 75 for 100
//	engines       ok  PTX of 4 targets equals the tiles, bit for bit
//	synchronised  ok  for all schedules
//	time          ok  0.6 us on sm_90, an estimate; bound by memory
//	softmax: right
//
// # Model
//
// A check is a question with the answer ok, wrong, or undecided with a reason. A kernel is right if no check is wrong or
// undecided.
//
// Launches are those of the case, and others that are drawn from a seed that the kernel's author does not know. Floats
// become small integers (package pipeline/check/exact), and for exact comparisons, in one launch in two, some become
// NaNs, infinities and zeros of either sign. Then each size becomes a smaller number, everywhere the same (sizes.go). The
// grid stays. So the last tile ends elsewhere, and tiles after it are empty. A launch whose numbers or sizes may be
// outside of what the kernel is for does not count.
//
// Kernel and reference in one module are compared without a tolerance. Both are made exact, so neither rounds, and each
// float must be the same bit for bit. Where a number could become too large to be exact, the comparison is undecided.
//
// A program's launches are recorded as cases by the Python package (program.go). What its reference computes is in float64,
// so the kernel may differ by what rounding can do: package pipeline/check/bound. Of a module alone, a launch is drawn
// from the signature (module.go).
package judge
