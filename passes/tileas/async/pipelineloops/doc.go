// Package pipelineloops is the pass tileas-pipeline-loops: it expands each loop with a modulo schedule into a
// prologue, a steady state and an epilogue.
//
//	for i { copy_async(i) ; wait_group 0 ; use(i) }
//
// with the copy two stages before its use becomes
//
//	copy_async(0) ; commit ; copy_async(1) ; commit
//	for i { wait_group 1 ; copy_async(i+2) if i+2 < n ; commit ; use(i) }
//
// # Iterations
//
// In steady-state iteration k, an operation works for source iteration k + p. Its prefetch distance p is how many
// stages of the schedule it stands before the last one. Copies have a large p, and the arithmetic that ends an
// iteration has 0. The prefetch distances and the order of the operations determine everything else:
//
//	iterations -max p .. -1   prologue: the operations that are prefetched for the first iterations
//	iterations 0 .. N-E-1     steady state; E is the prefetch distance of the first computation
//	iterations N-E .. N-1     epilogue: what is left of the last iterations
//
// A copy for an iteration past the last one (p > E) is predicated off. A load gets a size of 0 instead, so it reads
// nothing. With all computations in one stage (E = 0) there is no epilogue, and the code is correct for every trip
// count, including 0. With E > 0 the expansion is guarded by N >= E, and the unchanged loop serves smaller N. The
// guard is an scf.if, which yields finished accumulators only (accumulators.go).
//
// # Values
//
// A value that an operation of prefetch distance p defines and one of distance q < p uses crosses p - q iterations. It
// takes as many loop-carried values, which rotate. Values that depend on the counter alone are rematerialized for each
// distance instead.
//
// # Buffers
//
// A buffer gets a stage for each iteration whose data are in flight or in use, by the times of the schedule. Copies
// that start at the same time form a group.
//
// Where a group starts, threads synchronize. There is the wait for everything that is read until the next group
// starts, and tileas-insert-barriers adds a barrier after it. Other threads have copied what is read, and other
// threads have read what the copies overwrite. A wait leaves in flight all groups that are committed after the one
// that it needs. Every iteration commits all groups, so that number is a constant.
//
// If all copies start together, that is one wait and one barrier per iteration, at its head. The copies themselves
// stand further down, next to MMAs, because the stages that they fill were read in the previous iteration. Staggered
// copies stand where they start, and each buffer has one stage.
//
// A buffer that threads store to is not staged: all iterations use one place. If its data cross iterations, it is
// allocated once, before the loop.
//
// # Asynchronous MMAs
//
// Where threads synchronize, they also wait for the MMAs that have read the stages that the iteration fills. With one
// stage more than synchronous MMAs need, those are the MMAs of the iteration before the last, so the tensor cores have
// work during the wait. The copies stand after the first MMA of an iteration. Waits for accumulators stand where the
// schedule puts them. How many MMAs a wait leaves in flight is counted (inflight.go). A fence after the wait for
// copies lets MMAs see what cp.async has written.
//
// # What it does not do
//
// It makes no decision: a schedule that does not fit the loop is an error. docs/lowering/schedules.md explains how
// schedules are found.
package pipelineloops
