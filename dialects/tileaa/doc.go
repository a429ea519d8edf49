// Package tileaa is nv_tileaa, the alias-aware tile level. The conversion from cuda_tile makes three things explicit:
//
//   - Views become base, offsets, sizes and strides, with explicit bounds.
//   - A memory operation names the tokens that order it and, where that is known, the memory objects that it touches.
//   - Facts about integers (divisibility, ranges) are assume operations. Later they are attributes of the accesses.
//
// The rows that it shares with nv_tileas are in package tile. The names follow what is publicly known of the reference
// compiler's dialect of the same name.
package tileaa
