// Package materializeconvertlayout is the pass tileas-materialize-convert-layout. It replaces layout conversions
// between warps by a store to shared memory and a load.
//
//	%y = convert_layout %x : A -> B      ->      %b = alloc_shared #swizzled ; local_store %x, %b
//	                                             %y = local_load %b : B
//
// Conversions inside warps go through shared memory too if shuffles would be more instructions (max-shuffles).
// The buffer's swizzle is computed for the two layouts (Zhou et al., Linear Layouts, arXiv 2505.23819). So both
// sides are free of bank conflicts where that is possible, and MMA operands can be read by ldmatrix.
//
// A conversion may not fit next to the buffers that are live where it is. Then it is split into subtiles, which
// go one after the other through a buffer of the size of a subtile (subtiles.go). A conversion outside of loops
// is also split if an SM would run fewer CTAs because of it. A subtile consists of entire registers on both
// sides; for the accumulators of an MMA on the way to a store, it is rows.
//
// What a loop does not change is loaded before it, or in each iteration if the loop otherwise works on more than a
// thread has registers for.
//
// Conversions inside a thread, or with few shuffles, stay convert_layout. The lowering to nvvm does them (package
// exchange).
package materializeconvertlayout
