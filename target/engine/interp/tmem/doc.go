// Package tmem executes operations of tensor memory: its allocation, loads and stores, and the MMAs that accumulate
// there.
//
//	reserve_tmem 128; %d = alloc_tmem
//	tmem_dot %a, %b, %d, %bar       %d is unspecified while the MMA is in flight
//	mma_wait 0 for %bar, 0          lands the MMAs up to this one, in order
//	tmem_load %d                    the accumulators
//
// MMAs land in the order in which a warp role started them, when a wait for one of them needs it. Their operands in
// shared memory are read then under Adversarial, else when they start.
package tmem
