// Package packblockargs is the pass nvvm-pack-block-args. It packs sub-word block arguments into 32-bit
// registers, and makes numbers of predicates.
//
//	br ^loop(%a, %b : f16, f16)                    %w = pack %a, %b ; br ^loop(%w : i32)
//	^loop(%x : f16, %y : f16):                     ^loop(%v : i32):
//	  %v = pack %x, %y ; ... uses %v                 ... uses %v
//
// A tensor of 16-bit elements is one value per element, but matrix instructions, shared memory and packed
// arithmetic take two elements in a register. Within a block, splitting and packing cancel out. A loop may carry
// such a tensor, for instance operands that are loaded an iteration ahead. It would pack them in each iteration,
// by one instruction (PRMT) for each register. So arguments that all users pack together become one argument.
//
// # How
//
// A group is the block arguments that one pack takes, in order. It stays a group if every use is that pack, or
// passes the group, complete and in order, to a group of another block. Groups of predecessors are found
// backwards from there. The result is the greatest solution of these conditions: groups that violate one are
// removed until none does.
//
// Bytes of loaded words are the second kind of group. Each would take a register of 16 bits through the loop, so a word
// of four takes one instead of four. Users may take it apart, in the block where they are. The bytes of a load come to
// the branch complete and in order, and nothing else reads them, so that nobody takes the word apart before.
//
// Code after a loop may use the halves that the loop packs one by one, as the end of a GEMM uses sums of 16 bits. It
// splits the register there.
//
// A thread holds seven predicates. Where a block takes more, each becomes a number in a register (predicates.go).
//
// Other values that no pack combines stay separate: the pass only follows packs that are in the code.
package packblockargs
