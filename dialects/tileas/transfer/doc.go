// Package transfer is how an operation says what it does with the layouts of its tensors, so that passes that choose, propagate and repair layouts name no operation. An
// operation of a plugin that has the capability gets layouts as those of our dialects do.
//
// # Signatures
//
// A [Signature] is an assignment of layouts to the operands and results of an operation under which it moves nothing between threads. Operations have many; [Transfer.From]
// returns the one that goes with, or comes closest to, a layout at one place. That is all that is needed: propagation forwards asks from an operand, backwards
// from a result, and a pass that decides for an operation asks from each of its tensors and takes the signature that costs the least to reach.
//
// [Cheap] is the capability of operations that cost nothing worth counting, so that their result is made again rather than converted; [Accesses] that of
// accesses to global memory, whose cost depends on the layout.
//
// Values that an operation must always have in one layout are [Transfer.Tied].
//
// The capabilities concern layouts, which there are from nv_tileas on. Package tileas attaches them to its rows and to those of arith; what lies above
// need not know of layouts.
package transfer
