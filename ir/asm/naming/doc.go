// Package naming decides what values and blocks are called in the printed text.
//
// The text %x = addi %x, %x names values by hand; other values get the hint of their row, or a number, as the reference
// printer gives them. [Names] holds the names of one arena. All names of an arena are chosen before it is printed, so
// the text does not depend on the order in which workers print it.
package naming
