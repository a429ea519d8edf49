// Package tileaatotileas is the pass convert-tileaa-to-tileas: it lowers tiles to distributed tiles.
//
//	nv_tileaa.func @k {num_warps unknown}          nv_tileas.func @k {num_warps = 4}
//	  %p = nv_tileaa.assume %arg div_by<16>          nv_tileas.tiled_load %arg[...] {base_div = 16, ...}
//	  nv_tileaa.tiled_load %p[...] {base_div = 16}
//
// It fixes the number of warps, from the kernel's hint or else so many that what is live at once fits the registers,
// and renames the operations. Tensors get their layouts from the passes that follow. Accesses already have what
// nv_tileaa.assume promised, so it is dropped.
//
// The step is thin on purpose. Layouts need the number of warps, which follows from what is live, and no layout
// changes that. So the count comes first, from the words of tensors alone. The two levels share their rows
// (dialects/tile), so a row that is added there needs no line here.
package tileaatotileas
