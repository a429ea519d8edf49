// Package inflight holds asynchronous operations that have started and not landed.
//
//	copy_async A; copy_async B; commit_group     flights A and B, batch 1 of the queue
//	copy_async C; commit_group                   flight C, batch 2
//	wait_group {pending = 1}                     lands A and B; C stays in flight
//
// Each operation is a [Flight] with a function that lands it. A wait lands it: the wait for its batch in a [Queue], or
// the wait for the phase of the [Mbarrier] that it signals. Without a wait its effect never shows.
package inflight
