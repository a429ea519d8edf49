// Package cluster executes what the CTAs of a cluster do together: cluster barriers, all_gather, loads of another CTA's
// shared memory, and the exchange of B for two-CTA MMAs.
//
//	CTA 0: local_store %a, %buf; cluster_barrier; remote_load %buf of CTA 1
//	CTA 1: local_store %b, %buf; cluster_barrier; ...; cluster_barrier       ends only after CTA 0 has loaded
//
// CTAs are coroutines (package core). Each operation here hands over, so that the order of CTAs can differ by the seed.
package cluster
