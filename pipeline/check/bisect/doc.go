// Package bisect leads from "a case gives another result" to the rewrite that is to blame: the first pass, the first rewrite in it, and a small module that shows it.
//
// # Model
//
// The case is executed after every pass (package eachpass), which names the first pass that changes its result. The pipeline then runs again up to that pass, which is
// stopped after some number of its rewrites (passes.Rewrites), and the case is executed on what that leaves. With none of its rewrites the pass does no harm, with all of
// them it does; a binary search finds two numbers next to each other of which the first is right and the second wrong, and the rewrite between them is named, with what it
// changed. It need not be the only wrong one, nor wrong alone: it is the first on the way that the search took behind which the result is wrong.
//
// In the end the IR in front of the pass is made smaller (package shrink) as long as the pass changes what it computes, as seen from the arguments of the case.
//
// A pass that has no rewrites that may be left out, a conversion for instance, is named as a whole; then the small module tells the operation.
//
// # Source
//
// LLVM's -opt-bisect-limit and debug counters (llvm.org/docs/OptBisect.html), driven by execution instead of by a script; Zeller, "Yesterday, my program worked. Today, it
// does not. Why?" (ESEC/FSE 1999) for the search over changes.
package bisect
