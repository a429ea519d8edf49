// Package clusters tests kernels whose CTAs form clusters: exchanges through distributed shared memory, multicast,
// two-CTA MMA.
//
// Results must be those of the interpreter, whatever order the CTAs run in.
package clusters
