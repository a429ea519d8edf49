// Package conversion converts IR from one set of dialects to another: operations that a Target declares illegal are rebuilt by patterns, with
// types converted by a TypeConverter, one value to one or to several. It knows no dialect.
//
// # How it works
//
// The input is not changed while it is converted: the output is built beside it, region by region, in an order in which definitions come
// before uses, and takes its place only if all went well. A failed conversion leaves the input as it was, a pattern can rely on what an
// analysis found out about the input, and nothing needs to be rolled back.
//
// Regions of isolated operations do not share values with anything, so they are converted in parallel, after the operations
// around them have been built.
//
// Where an operation that is not converted meets one that is, a value is needed in its old and in its new type. The TypeConverter's hooks
// make the one from the other; without a hook an unrealized cast stands for the step, which a later conversion resolves. A full conversion
// leaves none.
//
// # Source
//
// The vocabulary (legality, adaptor, signature conversion, source and target materialisation) is that of MLIR's dialect conversion
// (mlir.llvm.org/docs/DialectConversion).
package conversion
