// Package makeasyncmma is the pass tileas-make-async-mma: it lowers each dot that has an asynchronous instruction
// (wgmma, tcgen05.mma) to a dot_async and a dot_wait.
//
//	%a = local_load %bufA ; %b = convert_layout %y
//	%d = dot %a, %b, %c
//
// becomes
//
//	%bufB = alloc_shared ; local_store %y, %bufB ; fence_async
//	%s = dot_async %bufA, %bufB, %c
//	%d = dot_wait %s
//
// Where the instruction takes an operand from decides how it gets there:
//
//   - An operand that a copy has brought to shared memory is read in place.
//   - An operand in registers stays there if the instruction reads A from registers. Its layout is then that of the
//     fragments.
//   - Any other operand is stored to a buffer of its own, or A to TMEM.
//
// The asynchronous proxy does not see what threads have stored, nor what cp.async has copied, before a fence_async of
// those threads and a barrier (PTX ISA, Async proxy). The fence is created here, where package hazards finds that one is
// missing: before a loop that only reads what was written, otherwise before the MMA. tileas-insert-barriers creates the
// barrier.
//
// Nothing overlaps yet: tileas-keep-mma-in-flight and tileas-schedule-loops decide what does.
package makeasyncmma
