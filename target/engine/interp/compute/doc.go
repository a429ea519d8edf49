// Package compute executes operations that compute tiles from tiles, element by element or by a change of shape.
//
//	arith.addi %a, %b   row of cuda_tile.addi (twins.go), checked for overflow (overflow.go),
//	                    addI on the elements, UnionUndef for the unspecified ones
//
// Package kernel computes the elements. This package decides which results are unspecified, and checks what an
// operation promises: no overflow, divisors, bounds. Operations of arith and of the levels below cuda_tile are executed
// by the rows of cuda_tile, so that each has one meaning.
package compute
