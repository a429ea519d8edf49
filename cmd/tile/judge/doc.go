// Package judge gives one verdict on a kernel: the command tile judge, and what it does as a library.
//
//	$ tile judge --reference=plain --sizes --launches=3 --seed=1 softmax
//	compiles      ok  sm_90, sm_80, sm_100, sm_120
//	defined       ok  4 launches: in bounds, ordered accesses
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
// Launches are those of the case, and others that are drawn from a seed that the kernel's author does not know. A
// launch is drawn in two steps. Floats become small integers, and in one launch in two, some become NaNs, infinities
// and zeros of either sign (package pipeline/check/exact). Then, if asked for, each size becomes a smaller number,
// everywhere the same: an integer argument that is an extent of a buffer. The grid stays. So the last tile ends
// elsewhere, and tiles after it are empty. A multiple of 16 stays one, since kernels may rely on that. Kernels
// that count their CTAs or tiles cannot be asked so.
//
// Kernel and reference are compared without a tolerance. Both are made exact, so neither rounds, and each float must be
// the same bit for bit. This needs no bound of errors. Where a number could become too large to be exact, the comparison
// is undecided.
package judge
