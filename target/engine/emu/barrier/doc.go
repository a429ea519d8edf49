// Package barrier has the instructions by which threads wait for each other and exchange values. They are barriers of
// the warp, the CTA and the cluster, mbarriers, collectives of a warp (shfl, vote, match, redux, elect), and launch
// control.
//
//	bar.sync 1, 128;                                    lanes block until 128 threads have arrived
//	mbarrier.try_wait.parity.shared.b64 p, [%r0], 0;    fails or succeeds; a failure ends the warp's time slice
//
// What they wait at is state of the machine (machine/barrier.go, mbarrier.go, clusterbarrier.go, collective.go).
// Waiting is a matter of scheduling, and asynchronous copies arrive at mbarriers too.
//
// Source: PTX ISA, "Parallel Synchronization and Communication Instructions", "Data Movement and Conversion
// Instructions: shfl.sync".
package barrier
