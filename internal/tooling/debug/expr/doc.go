// Package expr is the language of conditions and watches of the debugger: a small part of Python's, over tiles and
// arrays.
//
//	block == (3, 0)
//	x[0, 5] > 1 and j == 2
//	any(isnan(scores))
//	q[16:20, :8]
//	picture(p)
//
// An expression is input from outside. Its length, its depth and the elements that it looks at are bounded, and it
// changes nothing.
package expr
