// Package timing estimates how long a kernel takes on an architecture, from the trace of a CTA that the emulator executed. docs/profile.md describes the model and where it is off.
//
// Why a trace and not the code: what is executed, how many sectors and wavefronts each access takes and which phase of an mbarrier each wait needs is known then, for the PTX of any compiler, and
// nothing has to be guessed of branches, addresses or masks. Why not Accel-Sim's way of simulating caches and the network: their parameters are not published for what this compiler targets,
// and a ranking of variants of a kernel needs what they share least.
//
// The model has one SM. It holds as many copies of the CTA as fit; a warp issues in order, when the registers that it reads are there, its unit is free and nothing else was issued in its quarter
// of the SM. Units that threads do not wait for (cp.async, bulk copies, wgmma, tcgen05) have queues, and end phases of mbarriers or groups.
//
//	code.go       what each instruction costs
//	order.go      the order in which the assembler puts the instructions of a block
//	registers.go  how many registers a thread has, where the assembler does not say it
//	sm.go         the SM, its warps and units; run.go executes a trace on it
//	estimate.go   from an SM to the kernel: the result
//	text.go, pprof.go, chrome.go  its forms
package timing
