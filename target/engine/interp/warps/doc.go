// Package warps executes warp specialization, named barriers and ping-pong.
//
//	warp_specialize
//	  role "load" (1 warp):      expect bytes; TMA load; ...          both run as coroutines
//	  role "compute" (8 warps):  mbarrier_wait; local_load; barrier 1 of 8 warps
//
// A clock per role finds accesses of shared memory that nothing orders (core.Role). Each barrier says how many warps it
// takes, so that a wrong count is an error, not a hang.
package warps
