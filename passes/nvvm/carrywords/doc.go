// Package carrywords is the pass nvvm-carry-words: what crosses blocks as parts of a register crosses them as the whole.
//
// A tensor of 16-bit elements becomes a value for each element, and matrix instructions, shared memory and packed arithmetic take two of them in a register. Within a block, splitting and joining
// cancel out. A loop that carries such a tensor, as one does whose operands are loaded a turn ahead, carries the elements, and joins them in each iteration: an instruction of ptxas (PRMT) for each
// register, since two values that merge at a block have a register each. Here the elements that all users join become one value of 32 bits.
//
// # How
//
// A group is the arguments of a block that a join takes, in its order. It stays one if all uses are that join, or pass the group on, as a whole and in order, to a group of another block; what is passed on to blocks
// is found backwards from there. It is the greatest solution of these conditions: groups that break one are taken away until none does.
package carrywords
