// Package scalar builds and rewrites scalar arithmetic. It has a builder with one method for each shape of arith
// operation, and a driver that replaces operations by what rules build for them. The passes that expand and
// legalize arithmetic share it.
//
// # Why a driver of its own
//
// IR is rewritten in two ways elsewhere. ir/conversion builds one level from another. ir/rewrite applies patterns
// that simplify the IR until nothing changes. Legalization is neither. It stays within a level, so no values are
// converted. It is one walk, in order, over operations none of which may remain. A rule may fail, with an error
// that names the operation. It may also split its block, to insert a loop or a branch.
//
// Patterns of the greedy driver cannot fail, and see single operations in any order. That driver also folds and
// erases on the way, which would hide from a test what a rule builds. Rewrite is what is needed instead: a loop
// of thirty lines.
package scalar
