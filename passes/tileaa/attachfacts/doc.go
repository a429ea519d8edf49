// Package attachfacts is the pass tileaa-attach-facts. It writes divisibility facts onto tiled accesses.
//
//	%p = nv_tileaa.assume %arg div_by<16> ; %n = nv_tileaa.assume %m div_by<64> ; tile of 16x64xf16, offsets 16*%x, 64*%y
//	tiled_load %p[...] {base_div = 16, offset_div = [16, 64], size_div = [64, 32], stride_div = [32, 1], ...}
//
// The facts are the powers of two that divide base, offsets, sizes and strides. Later passes choose vector widths and
// drop bounds checks by them. The base is divided in bytes, the rest in elements. Package divisibility computes them.
//
// An access through a tensor of pointers gets its runs: how many neighbouring elements are one aligned piece of
// memory. So rows that an index selects are accessed by vectors too, if the elements of a row are consecutive.
//
// The facts are attributes, and not computed when they are needed, because the next conversion drops the
// assumptions. A dump then also shows why an access is narrow.
package attachfacts
