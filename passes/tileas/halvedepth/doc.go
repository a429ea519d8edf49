// Package halvedepth is the pass tileas-halve-depth: a loop that adds up products whose operands shared memory does not hold twice runs twice as often, with half the depth each time, or four times with a quarter.
//
// Copies run ahead of products only where there is room for what is multiplied and for what comes next. A tile of 128x64 and one of 64x128 in f32 are 64 KiB, and a tile block of sm_120 has 99: in halves
// they fit three times. The code is that of half the depth, and the sum is what it was, bit by bit, since a product adds along its depth in order.
//
//	for %i = %lo to %hi step %s {                      for %j = 0 to 2 * trips {
//	  %a = tiled_load %p[%m, f(%i)]   128x64             %i = %lo + %j / 2 * %s ; %k = %j % 2 * 32
//	  %b = tiled_load %q[f(%i), %n]   64x128             %a = tiled_load %p[%m, f(%i) + %k]   128x32
//	  continue dot %a, %b, %acc                          %b = tiled_load %q[f(%i) + %k, %n]   32x128
//	}                                                    continue dot %a, %b, %acc
//
// It takes loops that do nothing else: a loop with arithmetic beside its product would do that twice as often.
package halvedepth
