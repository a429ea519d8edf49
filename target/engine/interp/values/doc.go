// Package values holds the tiles of a running kernel: lists of bit patterns, and which of their elements are
// unspecified.
//
//	a := pool.Alloc(4)                              // four elements, 64 bits each
//	b := pool.Gather(a, []int64{2}, 1, []int64{2})  // elements 1 and 3
//	pool.Release(a)                                 // the next Alloc of four elements reuses it
//
// Every change of shape is one gather: a base, and a step along each dimension. The package knows element types. It
// knows no operation and no memory.
package values
