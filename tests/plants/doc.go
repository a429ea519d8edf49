// Package plants plants bugs in passes and expects the compiler to find them.
//
// A plant is one row: a kernel, a pass, and damage to the IR that the pass leaves, as a mistake in the pass could have
// done. The row says what must find it. For most that is a check after the pass: a property (passes/property), a
// verifier, or an execution (--verify-each=exec). The check must name that very pass. Other rows stand for mistakes in
// what is asynchronous: an execution in several orders must find them.
//
// Files testdata/tileas/*.plants have plants whose damage is an edit of a kernel of nv_tileas:
//
//	kernel: bulk_load.mlir
//	arg: i32[128]
//
//	plant: wrong parity
//	@@
//	- nv_tileas.mbarrier_wait %bar, %c0 : !mbarrier, i32
//	+ nv_tileas.mbarrier_wait %bar, %c1 : !mbarrier, i32
//	finds: waits for parity 1, but the current phase is 0
//
// The interpreter runs the kernel in some orders of its threads (orders: N), with what is asynchronous early and late.
// In each order it must give one of the messages of the finds lines, or run where a line says nothing.
//
// A test of a pass's own package shows that the pass is right. A plant shows that somebody would notice if it were not.
// Whoever adds a pass or a property adds rows to the file of its subject.
package plants
