// Package shrink makes IR smaller while a property of it holds: the kernel that trips a bug becomes the few operations that do.
//
// # Model
//
// A candidate is text. Each attempt parses the best candidate so far anew, changes it, and keeps the change if the result verifies and
// the caller's test still finds it interesting; so nothing that an attempt does has to be undone, and what is kept is what a user can
// feed to any tool. The changes are tried from large to small until none is kept any more:
//
//   - symbols go (entries, globals, functions);
//   - operations go, in chunks that get smaller, as in delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
//     input", 2002): their results are replaced by an operand, an earlier value, or a zero of the same type;
//   - an operation with regions is replaced by what is in one of them;
//   - operands are replaced by earlier values, so that what computed them becomes superfluous;
//   - locations go.
//
// The changes know no dialect. What they make may compute something else, or nothing; only the test decides.
package shrink
