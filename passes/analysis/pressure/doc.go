// Package pressure estimates the registers and shared memory that the tensors of a kernel take before they have
// layouts, and how many warps hold them. It works on nv_tileaa and nv_tileas.
//
//	%a = load : 64x128xf32     8,192 words are live
//	%b = exp %a                8,192 words: %a ends where %b begins
//	%c = addf %b, %d           16,384 words with %d: 128 registers in each of 128 threads
//
// Passes that choose warps, split tiles or stage loads use it. It allocates nothing: ptxas does.
package pressure
