// Package core is what the rules of convert-tileas-to-nvvm have in common: the state of one kernel's lowering, and the
// code that rules of several rooms write.
//
//	nv_tileas                                        what a rule asks for
//	%a : tensor<64xf32, #l>                          l.Values(%a): a register for each element of the thread
//	element numbers of the thread's registers        l.CoordinatesOf(#l)
//	alloc_shared {offset = 1024}                     l.Pointer(buffer): an address in shared memory
//	a constant, an address that loops share          l.Const32(k), l.Once(key, make): computed once, in the entry block
//
// # State
//
// A Lowering is one kernel. It embeds the state of every conversion: the registers of each value, and the
// builder. It also embeds the Kernel, which does not change, and the Scope, the code that the same warps run.
// What one room alone keeps is a Local of that room. Kernels are converted in parallel, so nothing else holds
// state.
//
// # Names
//
// Functions that write code are methods of Lowering, and return the register that they write. A zero ir.Value stands
// for a condition that always holds.
package core
