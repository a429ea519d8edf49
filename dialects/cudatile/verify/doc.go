// Package verify has the rules of the operations of cuda_tile that a row does not express.
//
//	break outside of a loop; an mmaf whose shapes do not match; an atomic without a scope
//
// A hook runs after the checks that follow from the row, so it may rely on the number and kinds of operands, results
// and attributes. Diagnostics have the words of the reference tools, whose tests compare them.
package verify
