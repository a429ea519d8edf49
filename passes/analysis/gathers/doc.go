// Package gathers finds accesses through pointers that gather rows of a matrix by a list of row numbers. TMA loads
// such rows four at a time (PTX ISA, cp.async.bulk.tensor with tile::gather4).
//
//	%p = base + numbers[i] * stride + (column + j)        a tile of rows x columns
//	%m = numbers[i] < height and column + j < width
//
// Such accesses come from gather views of Tile IR (gather_scatter_view), and from programs that compute the pointers
// themselves. In both cases the addresses are sums of values along one dimension each.
//
// Accesses keep no such structure of their own, since everything else works on pointers alone. So it is found again
// where it is needed: at nv_tileaa for splitting, and at nv_tileas for the copy. An access that does not match stays
// an access through pointers.
package gathers
