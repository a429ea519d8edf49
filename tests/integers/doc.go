// Package integers holds what the analyses of integers (ranges, divisibility) say against what the interpreter
// computes: on random programs, and on the numeric cases of the corpus. A fact that some value contradicts is an
// error. The package has no code outside its tests.
package integers
