// Package hoistaddresses is the pass tileaa-hoist-addresses: of an address that a loop computes as a pointer plus a sum, it computes the part that does not change in front of the loop.
//
//	%first = muli %row, %stride                                %first = muli %row, %stride
//	for %i {                                                   %rows = addptr %base, %first
//	  %at = addi %first, %column                               for %i {
//	  %ptrs = addptr %base, %at                                  %ptrs = addptr %rows, %column
//	}                                                          }
//
// Front ends add up the index of an element first, as the language has it: what is left in the loop is then a sum of 64 bits, a product by the element's size and a sum with the base for each piece of memory of
// each thread. Licm sees nothing in that, since only a part of each operation's operands changes. Sums are taken apart as far as they go; an address counts modulo 2^64, and so do offsets of 64 bits, so that
// the order of additions is free. Offsets of fewer bits are left: they wrap before they are extended.
package hoistaddresses
