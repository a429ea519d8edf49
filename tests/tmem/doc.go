// Package tmem tests TMEM: its operations at nv_tileas, operands and accumulators that the compiler places
// there.
//
// Results must be those of the interpreter on every engine, and a missing wait or a wrong column must be found.
package tmem
