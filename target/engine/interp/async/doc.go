// Package async executes the asynchronous operations of a CTA: cp.async, bulk copies and TMA, mbarriers, and wgmma.
//
//	tma_load %buf, %bar     checks both sides; the flight reads global memory, now or when it lands
//	mbarrier_wait %bar, 0   lands the flights that signal %bar, until its phase ends
//	local_load %buf         before the wait: unspecified; after it: the tile
//
// Each operation starts a flight (package inflight), which a wait lands. Under Adversarial a flight reads its operands
// when it lands, as late as is legal, so that a store that comes too early shows in the result.
package async
