// Package gathers finds accesses through pointers that are rows of a matrix, each of a number that a list has, and consecutive from there on: what the machine gathers four at a time (cp.async.bulk.tensor with tile::gather4).
//
// Such accesses come from views of Tile IR that gather (gather_scatter_view), and from programs that add up the pointers themselves. In both cases the addresses are sums of values along one dimension each:
//
//	%p = base + numbers[i] * stride + (column + j)        tile of rows x columns; %m = numbers[i] < height and column + j < width
//
// Accesses keep no such structure of their own, since all else that is done to them looks at pointers alone. So it is found again where it is wanted: at nv_tileaa for what divides its parts, and at nv_tileas for the copy.
package gathers
