// Package attachfacts is the pass tileaa-attach-facts: it writes what concerns a tiled access onto it, the
// power of two that divides its base, offsets, sizes and strides, so that later passes can choose vector widths
// and drop bounds checks without looking further. Facts are those of package divisibility.
//
//	%p = nv_tileaa.assume %arg div_by<16> ; %n = nv_tileaa.assume %m div_by<64> ; tile of 16x64xf16, offsets 16*%x, 64*%y
//	tiled_load %p[...] {base_div = 16, offset_div = [16, 64], size_div = [64, 32], stride_div = [32, 1], ...}
//
// The base is divided in bytes, the rest in elements.
//
// Of an access through a tensor of pointers it writes which elements are one aligned piece of memory (runs), so that rows which an index
// names, and which are consecutive from there on, are accessed by vectors too.
//
// They are written down, and not asked for when they are needed, because the next conversion drops the
// assumptions, and because a dump then shows why an access is narrow.
package attachfacts
