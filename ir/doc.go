// Package ir is a generic intermediate representation with SSA values and regions, in the manner of MLIR. A Context
// uniques types and attributes. Operations have operands, results, attributes, successors and nested regions of
// blocks. The package knows no dialect. A dialect describes each of its operations by one OpDef row. Every reader of
// the IR (parser, printer, verifier, bytecode, interpreters, generic passes) works from that row.
//
// # Storage
//
// Operations, values, blocks and regions live in an Arena: pages of pointer-free records that refer to each other by
// 32-bit index. So the garbage collector skips them, and a module of a million operations costs it nothing. Op, Value,
// Block and Region are 16-byte handles (arena pointer and index): comparable values that read like objects. A zero
// handle is "none" (IsNil). docs/measurements/ir-storage.md has the benchmark that decided this.
//
// Each operation that is isolated from above (a module, a kernel entry) owns one child arena that holds its regions.
// Nothing inside refers out, so two entries can be transformed in parallel, and a discarded entry is freed in one
// step.
//
// Types and attributes are found by their keys without a lock, by as many goroutines as there are. The location of an
// operation that was read from a text is a number until it is asked for (see textloc.go).
//
// # Invariants
//
//	use u in v.Uses()        <=>  u.Owner().Operand(u.Index()) == v
//	op in block b            <=>  op.Block() == b and op is on the list b.First() .. b.Last()
//	v is result i of op      <=>  op.Result(i) == v
//	types, attributes, locations of one Context are equal exactly when their Go interface values are ==
//
// What cannot be built wrong is not checked by the verifier; what a front end can get wrong is (see verify.go).
//
// # Source
//
// The model and its vocabulary follow the MLIR Language Reference (mlir.llvm.org/docs/LangRef).
package ir
