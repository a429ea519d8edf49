// Package deviceruntime lowers what functions of the device runtime do: assert, print, and memory of the heap.
//
//	assert %c, "message"     a branch to a call of __assertfail, by each thread with an element that is false
//	print "%d", %x           a call of vprintf by the first thread
//	alloca {global}          malloc by the first thread when control comes to it, free before each return
//
// The functions are those of the CUDA programming guide: formatted output, assertion, and dynamic global memory
// allocation.
package deviceruntime
