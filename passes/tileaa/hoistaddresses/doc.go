// Package hoistaddresses is the pass tileaa-hoist-addresses. An address is a pointer plus a sum; the pass moves
// the loop-invariant terms of the sum out of the loop.
//
//	%first = muli %row, %stride                                %first = muli %row, %stride
//	for %i {                                                   %rows = addptr %base, %first
//	  %at = addi %first, %column                               for %i {
//	  %ptrs = addptr %base, %at                                  %ptrs = addptr %rows, %column
//	}                                                          }
//
// Front ends first add up the index of an element, as source languages do. For each vector of each thread, that
// leaves in the loop an addition of 64 bits, a multiplication by the element's size and an addition to the base.
// The pass `licm` finds nothing to move, since each operation has an operand that changes.
//
// The sum of a row and a column is taken apart too where it is extended or multiplied:
//
//	extsi (row + column) * stride                              extsi row * stride + extsi column * stride
//
// That is so only if the sum provably does not wrap, and if both are the same along a dimension. Then a thread keeps a
// product for each of its rows, and computes one for each of its columns. If they differ in each element, each would be
// a register more.
//
// Sums are split into terms as far as they go. Addresses count modulo 2^64, and so do offsets of 64 bits, so the
// order of additions is free. Offsets of fewer bits are left: they wrap before they are extended.
package hoistaddresses
