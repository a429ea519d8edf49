// Package splitkstep is the pass tileas-split-k-step. It splits the K step of a loop of MMAs if shared memory
// cannot hold the operands twice.
//
//	for %i = %lo to %hi step %s {                      for %j = 0 to 2 * trips {
//	  %a = tiled_load %p[%m, f(%i)]   128x64             %i = %lo + %j / 2 * %s ; %k = %j % 2 * 32
//	  %b = tiled_load %q[f(%i), %n]   64x128             %a = tiled_load %p[%m, f(%i) + %k]   128x32
//	  continue dot %a, %b, %acc                          %b = tiled_load %q[f(%i) + %k, %n]   32x128
//	}                                                    continue dot %a, %b, %acc
//
// The loop runs twice as often with half the K step, or four times as often with a quarter. Copies can be
// prefetched only if there is room for the operands in use and for the next ones. In f32, a tile of 128x64 and
// one of 64x128 take 64 KiB, of the 99 KiB that a CTA of sm_120 has. In halves they fit three times. The code has
// half the MMAs, and the accumulator has the same bits, since an MMA adds along K in order.
//
// Only loops that do nothing but MMAs are split: other arithmetic in the loop would run twice as often.
package splitkstep
