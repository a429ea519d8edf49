// Package property declares the properties of the IR that passes speak of: the levels of the lowering, and what is decided at each of them. It is the one
// place for them, and no pass owns it, so that a pass that needs a property does not import the one that establishes it.
//
// The levels are those of the design: each is a dialect that can be printed, parsed, verified and executed.
//
// Every property is a predicate that looks at the IR, and at nothing else. The pass manager asks it behind the pass that establishes the property and behind
// each one that is to keep it, so that a pass which breaks something is named itself, not the one that stumbles over it later. tile-opt asks the
// same of text that it reads. Checks therefore see IR that any editor may have written, as soon as the verifiers have accepted it: they believe no
// attribute, meet unknown operations with "no", and return a diagnostic at the operation that is to blame instead of a panic.
//
// A check is written from what the next passes rely on, not from what the pass before does: where both shared code, a mistake in it would hide. What they
// do share are analyses (passes/analysis), and what an operation or layout means (dialects).
//
// # Adding one
//
// A property is one variable here, with its check in the file of its subject. Name it in Establishes of the pass that makes it true, in Requires of those that
// need it, and in Destroys of every pass after which it may not hold; a plant in tests/plants shows that a pass that lies is named.
package property
