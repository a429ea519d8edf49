// Package conversion moves IR from one level to the next: every operation of a function is rebuilt by a rule, with
// values that become any number of values. It knows no dialect.
//
// # How it works
//
// Replace builds the replacements of a module's operations next to them. It first builds, in order, those in the
// module itself, and then the bodies of the new functions. Bodies are built in parallel, since each lives in an arena
// of its own. The old operations are erased only when all rules succeeded. So a failed conversion leaves the input
// unchanged, and nothing needs to be rolled back. Errors come in the order of the module, whatever the number of
// processors.
//
// A body is converted by one walk in the order of the text, in which definitions come before uses. Rules is the table
// that has a rule for each operation. State is what a rule works with: a builder at the end of the output, and the new
// values of the input's values. The state checks, not the rules, what must hold for each operation:
//
//   - It has a row, or a capability for which there is a rule. Else an error names the level and the operation.
//   - Each operand was converted before. Else an error names the operand.
//   - Each result becomes as many values, of such types, as Types says of its type. Else the error names the rule.
//
// So a rule asks for the values of operands without an error to handle, and a miss is never taken for a number.
//
// A rule converts the regions of its operation itself. It converts their blocks where it wants them (Ops), as often as
// it wants, since a reduction repeats its body. Or it converts them into an operation of the same shape (Recreate).
//
// # What it is not
//
// MLIR's dialect conversion (mlir.llvm.org/docs/DialectConversion) has legality per operation, competing patterns that
// convert each other's output, partial conversion, and casts between converted and unconverted operations. Levels here
// are converted completely, and each operation of a level has one meaning in the next, so none of this is needed. What
// remains of its vocabulary is the type conversion of one value to several.
package conversion
