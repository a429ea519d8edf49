// Package kernelplan prints the plan of each kernel: what each pass that decides was told, what it decided, and what
// the alternatives would cost.
//
//	kernel @matmul {
//	  // k.py:9:51: TMA Load instruction (64x128)
//	  tileas-plan-copies{synchronous=false anything=false short=false}
//	  // k.py:8:5: the kernel is warp-specialized
//	  tileas-specialize-warps{roles=auto stages=0 no-mma-warp=false late=true}
//	}
//	// as it is                                 133,120 cycles of unit tensor
//	// tileas-specialize-warps{roles=none}      140,000 cycles of unit tensor
//
// The text is a plan itself: `tilec --plan` reads it, and compiles to the same code. An edited one compiles to what it
// says, or is an error with its place (pipeline.ParseKernelPlans).
package kernelplan
