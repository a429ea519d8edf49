// Package budget says what a kernel may take of an SM, and for which purpose.
//
//	k := budget.Of(fn, arch)                // 4 warps, as many CTAs on an SM as the kernel asks for
//	k.Registers(budget.ForLoops)            // of a thread, for the tensors of a loop: 255 - 60
//	k.Shared(budget.ForOperands)            // bytes of a CTA, for operands of MMAs: three quarters
//	k.CTAs(registers, shared)               // that an SM holds, if each takes as much
//
// A purpose is a row: what it leaves to everything else, and why. No pass has a limit of its own, so that two passes
// which share a resource never plan with the same part of it twice.
//
// # Registers
//
// ptxas allocates registers, after all passes. A pass at tile level counts the elements of tensors. What it does not
// see are addresses, counters, predicates, and fragments on their way into an instruction. A row of Registers is an
// estimate of these.
//
// # Shared memory
//
// What is allocated first must leave room for what cannot wait: layout conversions, reductions, operands that threads
// compute, and mbarriers. A row of Shared is the part that its purpose may take.
//
// # Occupancy
//
// A kernel may ask for several CTAs on an SM (the hint occupancy). Then every CTA has its part of the registers and of
// the shared memory, whatever the purpose.
package budget
