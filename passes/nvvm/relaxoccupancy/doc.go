// Package relaxoccupancy is the pass nvvm-relax-occupancy. It gives a thread more registers than the hint of occupancy
// leaves it, where it would spill.
//
//	occupancy = 12, 128 threads: 40 registers each; 86 words are live at once in a block
//	occupancy = 6:               80
//
// The hint is a wish: an SM that holds fewer CTAs loses less than threads that store registers to memory and load them
// back. A kernel keeps the most CTAs for which its registers suffice, and a warning says so.
//
// Where one occupancy is as good as another for tiles, tileaa-plan-kernel has decided; this pass sees what a thread
// computes.
package relaxoccupancy
