// Package timing estimates how long a kernel takes on an architecture, from the trace of a CTA that the emulator
// executed. docs/profile.md describes the model and where it is off.
//
//	trace of one CTA          what each warp executed, sectors and wavefronts, mbarrier phases
//	one SM with such CTAs     issue slots, units and their queues: cycles, and what warps waited for
//	the grid                  waves of CTAs over all SMs: the time of the kernel
//
// A trace says what is executed, how many sectors and wavefronts each access takes, and which phase of an mbarrier each
// wait needs. It exists for the PTX of any compiler. An analysis of the code would have to guess branches, addresses
// and masks. The model does not simulate caches and the network as Accel-Sim does: their parameters are not published
// for these targets, and a ranking of kernel variants needs them least.
//
// The model has one SM, which holds as many copies of the CTA as fit. A warp issues in order, when the registers that
// it reads are there, its unit is free, and nothing else was issued in its quarter of the SM. Units that threads do not
// wait for (cp.async, bulk copies, wgmma, tcgen05) have queues, and end phases of mbarriers or groups.
//
//	code.go       what each instruction costs
//	order.go      the order in which the assembler puts the instructions of a block
//	registers.go  how many registers a thread has, where the assembler does not say it
//	sm.go         the SM, its warps and units; run.go executes a trace on it
//	estimate.go   from an SM to the kernel: the result
//	text.go, pprof.go, chrome.go  its forms
package timing
