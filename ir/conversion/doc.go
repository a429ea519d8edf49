// Package conversion moves IR from one level to the next: every operation of a function is rebuilt by a rule, with values that become any number of
// values. It knows no dialect.
//
// # How it works
//
// Replace builds what takes the place of the operations of a module beside them: first, in order, what stands in the module itself, then the bodies of the
// new functions, in parallel, since each lives in an arena of its own. The old operations go only when all went well, so a failed conversion leaves
// the input as it was, and nothing needs to be rolled back. Errors come in the order of the module, whatever the number of processors.
//
// A body is converted by one walk in the order of the text, in which definitions come before uses. Rules is the table of what to do with each
// operation, and State what a rule works with: a builder at the place where the output grows, and the values that those of the input became. The state checks, not
// the rules, what must hold for each operation:
//
//   - it has a row, or a capability for which there is a rule; else it is an error that names the level and the operation;
//   - each operand became something before; else it is an error that names the operand;
//   - each result becomes as many values, of such types, as Types says of its type; else the rule is to blame, and named.
//
// So a rule asks for the values of operands without an error to handle, and a miss is never taken for a number.
//
// A rule decides itself what becomes of regions: it converts their blocks where it wants them (Ops), as often as it wants (a reduction repeats its body), or into
// an operation of the same shape (Recreate).
//
// # What it is not
//
// MLIR's dialect conversion (mlir.llvm.org/docs/DialectConversion) has legality per operation, patterns that compete by benefit and convert each other's output, partial conversion, and
// casts where an operation that was converted meets one that was not. Levels here are converted whole, and each operation of a level has one meaning in the next, so none of this has a
// use: a first version of this package had it all, and served a rename. What remains of its vocabulary is the type conversion of one value to several.
package conversion
