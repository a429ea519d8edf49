// Package bisect leads from "a case gives another result" to the rewrite that is to blame. It finds the first pass,
// the first rewrite in it, and a small module that shows the mistake.
//
// # Model
//
// The case is executed after every pass (package eachpass), which names the first pass that changes its result. The
// pipeline then runs again up to that pass, which is stopped after some number of its rewrites (passes.Rewrites), and
// the case is executed on the result. With none of its rewrites the pass does no harm, and with all of them it does. A
// binary search finds two neighbouring numbers of which the first is right and the second wrong. The rewrite between
// them is named, with what it changed. It need not be the only wrong one, nor wrong alone. It is the first one, on the
// path of the search, after which the result is wrong.
//
// In the end the IR before the pass is made smaller (package shrink) as long as the pass changes what it computes, as
// seen from the arguments of the case.
//
// A pass that has no rewrites that may be left out, such as a conversion, is named without one; then the small module
// tells the operation.
//
// # Source
//
// LLVM's -opt-bisect-limit and debug counters (llvm.org/docs/OptBisect.html), driven by execution instead of by a
// script. The search over changes is that of Zeller, "Yesterday, my program worked. Today, it does not. Why?"
// (ESEC/FSE 1999).
package bisect
