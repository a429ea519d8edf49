// Package legalizeatomics is the pass tileas-legalize-atomics: an atomic operation happens once for each element, in the thread that acts for it, so that no other
// thread knows its result. Where a layout has copies and the result is used, the owner puts it into shared memory and all threads that hold the element load
// it from there. A scalar is such a case: every thread holds it.
package legalizeatomics
