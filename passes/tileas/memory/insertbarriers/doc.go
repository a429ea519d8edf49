// Package insertbarriers is the pass tileas-insert-barriers. It inserts a CTA barrier before each access that
// conflicts with an access of another thread since the last barrier.
//
//	local_store %x, %b            local_store %x, %b
//	%y = local_load %b            barrier
//	                              %y = local_load %b
//
// Package hazards finds these accesses. If nothing in a loop conflicts with an access there, the barrier is before the
// loop. Accesses of other proxies, such as TMA, also get a fence (fence_async).
//
// Stores that tokens do not order after a barrier move up before it, if fewer barriers are left then (gather.go).
//
// An access that conflicts with an asynchronous access in flight is an error. No barrier can help, and where to
// wait is decided by whoever started that access.
package insertbarriers
