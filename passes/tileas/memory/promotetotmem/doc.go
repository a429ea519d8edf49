// Package promotetotmem is the pass tileas-promote-to-tmem. It moves the accumulators of tcgen05 MMAs from tensor
// values to buffers in TMEM.
//
//	%d = dot_async %a, %b, %c        %acc = alloc_tmem ; tmem_store %c, %acc
//	%e = dot_wait %d                 tmem_dot %a, %b, %acc, mbarrier
//	store %e                         tmem_wait mbarrier ; %e = tmem_load %acc ; store %e
//
// Up to here such MMAs look like those with accumulators in registers: a dot_async whose result is a tensor, and
// dot_waits, placed by the schedule. An accumulator that only MMAs and waits use, also across iterations of a
// loop, becomes a buffer (webs.go). Any other use gets the value that is loaded after the wait. The initial value
// is stored before the MMA. So the safe form of one MMA is store, MMA, wait and load, and the accumulator of a
// loop stays in TMEM.
//
// Threads may change a loop-carried accumulator in each iteration, as attention scales it. They load it before
// the next MMA, and store the result back to the same place. An operand A that threads compute is stored to TMEM
// before its MMA (operands.go).
//
// MMAs complete through a circular buffer of mbarriers. They are counted as the kernel runs, by a number that
// loops and ifs carry (count.go). MMA n signals mbarrier n mod stages, and completes its phase n / stages. A wait
// that leaves the latest k in flight waits for the phase of the MMA k+1 before the next. No more MMAs are in
// flight than there are stages (flight.go).
package promotetotmem
