// Package keepmmainflight is the pass tileas-keep-mma-in-flight: it removes the wait between two MMAs that add to the
// same accumulator.
//
//	for { S1 = dot_async A, B, S0 ; S = dot_wait S1 ; continue S }
//
// becomes
//
//	for { S1 = dot_async A, B, S0 ; dot_wait ; continue S1 }
//	S = dot_wait S1
//
// tileas-make-async-mma puts a wait after each MMA, which is correct whatever uses the accumulator. But the next MMA
// of the same instruction may add to an accumulator that is in flight: tensor cores execute such MMAs in order. (PTX
// ISA: wgmma accesses to the same accumulator registers need no fence, and tcgen05.mma instructions of one shape and
// accumulator are pipelined.) So a chain of MMAs, in a block or through a loop-carried value, needs one wait after its
// end.
//
// The removed wait also said that the MMA has read its buffers. So a wait without accumulators stays in its place.
// tileas-schedule-loops moves it, since it decides when buffers are free.
//
// Chains through an scf.if and accumulators with several uses keep their waits.
package keepmmainflight
