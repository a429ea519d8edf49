// Package shrink makes IR smaller while a property of it holds: the kernel that trips a bug becomes the few operations
// that do.
//
// # Model
//
// A candidate is text. Each attempt parses the best candidate so far again and changes it. It keeps the change if the
// result verifies and the caller's test still finds it interesting. So nothing that an attempt does has to be undone,
// and what is kept is what a user can feed to any tool. The changes are tried from large to small until none is kept
// any more:
//
//   - Symbols are removed (entries, globals, functions).
//   - Operations are removed, in chunks that get smaller, as in delta debugging (Zeller and Hildebrandt, "Simplifying
//     and isolating failure-inducing input", 2002). Their results are replaced by an operand, an earlier value, or a
//     zero of the same type.
//   - An operation with regions is replaced by what is in one of them.
//   - Operands are replaced by earlier values, so that what computed them becomes superfluous.
//   - Locations are removed.
//
// The changes know no dialect. What they make may compute something else, or nothing; only the test decides.
package shrink
