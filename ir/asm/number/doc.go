// Package number converts numbers between text and bits.
//
//	1.500000e+00 : f32   <->   0x3FC00000
//
// Reading rounds once, to nearest, ties to even. Printing chooses digits as the reference printer does, so that texts
// can be compared with its texts. decimal.go has those digits, float.go the choice between the forms of a number.
package number
