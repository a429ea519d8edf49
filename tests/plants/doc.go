// Package plants plants bugs in passes and sees whether the compiler names the pass. A plant is a real pass of the default pipeline with something done to the IR
// behind it: what a mistake in the pass could have done. It is registered in the place of the real pass, in a registry of its own, and a kernel of the corpus
// is lowered to PTX. The checks behind each pass (passes/property, the verifiers), or an execution after each pass, must name that very pass,
// and not a later one that stumbles over what it left.
//
// A test of a pass's own package shows that the pass is right; a plant shows that somebody would notice if it were not. Whoever adds a pass or a property adds
// plants to the file of its level.
package plants
