// Package access has the instructions with which threads access memory for themselves: loads, stores, atomics,
// multimem, cp.async, stores to other CTAs, fences, and what asks about addresses and caches.
//
// Where bytes are, and whether a thread may touch them, is the machine's business; what an atomic computes is that of
// package arith; bulk and tensor copies, whose opcode starts like cp.async, are handed to package tma.
//
// Memory is sequentially consistent here, each access takes effect at once and in program order: the orders and
// scopes of ld, st, atom and fence are parsed and have no effect, but for what they tell of proxies (see
// machine/proxy.go), and for strong accesses, which are one atomic access of the host, so that the race detector of Go
// can tell them from weak ones. A program that is right under the PTX memory model is right here; the converse does
// not hold, which no interpreter on such a host can offer cheaply.
//
// Source: PTX ISA, "Data Movement and Conversion Instructions", "Data Movement and Conversion Instructions: cp.async,
// st.async", "Parallel Synchronization and Communication Instructions: atom, red, red.async, membar, fence,
// multimem", "Memory Consistency Model".
package access
