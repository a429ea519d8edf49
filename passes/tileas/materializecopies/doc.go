// Package materializecopies is the pass tileas-materialize-copies: loads that tileas-plan-copies sends by cp.async become a buffer, a copy that is started where the load stood, a group of
// its own, and, where the tile is first taken, a wait and a load from the buffer in the layout of the operand. The barrier behind the wait tileas-insert-barriers adds.
//
// The copy is waited for at once, when something needs it: nothing overlaps yet. Groups that are started before the same wait share it, so that a product waits once for both operands.
package materializecopies
