// Package tileaa is nv_tileaa, the alias-aware tile level. On entering it from cuda_tile, views are dissolved into base, offsets, sizes and strides
// with explicit bounds; every memory operation names the tokens that order it and, where that is known, the memory object that it touches; and facts about integers
// (divisibility, ranges) stand as assume operations and, once attached, as attributes of the accesses.
//
// The rows that it shares with nv_tileas are in package tile. The names follow what is publicly known of the reference compiler's
// dialect of the same name.
package tileaa
