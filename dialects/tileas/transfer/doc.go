// Package transfer is the capability by which an operation says how it relates the layouts of its tensors. So passes
// that choose, propagate and repair layouts name no operation. An operation of a plugin that has the capability gets
// layouts as those of our dialects do.
//
// # Signatures
//
// A [Signature] is an assignment of layouts to the operands and results of an operation under which it moves nothing
// between threads. Operations have many signatures. [Transfer.From] returns the one that has, or comes closest to, a
// layout at one place. Forward propagation asks from an operand, and backward propagation from a result. A pass that
// decides for an operation asks from each of its tensors and takes the signature that costs the least to reach.
//
// [Cheap] is the capability of operations whose cost can be neglected, so that their result is rematerialized rather
// than converted. [Accesses] is the capability of accesses to global memory, whose cost depends on the layout.
//
// Values that an operation must always have in one layout are [Transfer.Tied].
//
// The capabilities concern layouts, which there are from nv_tileas on. Package tileas attaches them to its rows and to
// those of arith; the levels above need not know of layouts.
package transfer
