// Package access has the instructions with which threads access memory themselves: loads, stores, atomics, multimem,
// cp.async, stores to other CTAs, fences, and queries about addresses and caches.
//
//	ld.global.v2.f32 {%f0, %f1}, [%rd0+8];   decodeLoad: space, type, vector, cache hints
//	                                         the machine: is it allocated, aligned, visible to this thread
//	                                         machine.Load of the bytes, once for each element
//
// The machine knows where bytes are and who may touch them. Package arith computes atomics. Bulk copies and TMA copies,
// whose opcode also starts with cp.async, belong to package tma.
//
// Memory is sequentially consistent here: each access takes effect at once and in program order. Orders and scopes of
// ld, st, atom and fence are parsed. They affect proxies only (machine/proxy.go). A strong access is one atomic access
// of the host, so that Go's race detector distinguishes it from weak ones. A program that is right under the PTX memory
// model is right here. The converse does not hold: no interpreter on such a host can offer it cheaply.
//
// Source: PTX ISA, "Data Movement and Conversion Instructions", "Data Movement and Conversion Instructions: cp.async,
// st.async", "Parallel Synchronization and Communication Instructions: atom, red, red.async, membar, fence, multimem",
// "Memory Consistency Model".
package access
