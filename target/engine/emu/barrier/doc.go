// Package barrier has the instructions by which threads wait for each other and exchange what they know: barriers of
// the warp, the CTA and the cluster, mbarriers, the collectives of a warp (shfl, vote, match, redux, elect) and
// launch control.
//
// The state of what they wait at is the machine's (machine/barrier.go, mbarrier.go, clusterbarrier.go, collective.go),
// because waiting is a matter of scheduling and because asynchronous copies arrive at mbarriers too.
//
// Source: PTX ISA, "Parallel Synchronization and Communication Instructions", "Data Movement and Conversion
// Instructions: shfl.sync".
package barrier
