// Package cudatile has the words of the cuda_tile dialect, the input of the compiler: types, attributes, enums and the
// names of its operations.
//
//	cudatile.Tile(c, []int64{64, 32}, c.Float(numeric.F16))     the type tile<64x32xf16>
//	op.Is(cudatile.LoadView)                                    asks what an operation is
//	cudatile.RoundingOf(op)                                     reads an attribute
//	ir.NewContext(ops.Dialect)                                  a context that knows the dialect
//
// # Rooms
//
//	cudatile     types, attributes, enums, names of operations: imports nothing of the dialect
//	wire         how the bytecode encodes types and attributes
//	syntax       parsing and printing of operations that a declarative format cannot express, names of results
//	facts        what analyses ask: effects, control flow, ranges, divisibility
//	verify       the rules of each operation
//	canonical    folds and canonicalization patterns
//	ops          the table: one row an operation, made of all the above; ops.Dialect is the complete dialect
//
// Rows name hooks, and hooks name rows: the verifier of break looks for the loop around it. So rows.go declares the
// rows with name, number and version, and package ops defines them.
//
// # Types
//
//	tile                                          a value: static power-of-two shape, number or pointer elements
//	ptr                                           an address of a number in global memory
//	tensor_view                                   base pointer, sizes and strides, some of them dynamic
//	partition_view, strided_view, gather_scatter_view
//	                                              a tensor_view split into tiles that load and store by index
//	token                                         orders memory operations
//
// Building a type checks nothing. [VerifyType] applies the rules; readers of untrusted input call it.
//
// # Source
//
// The operations, their rules and their diagnostics follow the public Tile IR specification and NVIDIA/cuda-tile 13.3.
// What versions 13.4 and 13.5 added follows the behavior of the released tools.
package cudatile
