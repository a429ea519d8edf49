// Package tile defines the rows and types that the two tile levels below cuda_tile have in common. nv_tileaa (package
// tileaa) and nv_tileas (package tileas) each call Define. So an operation such as reduce is described once and exists
// in both dialects; what only one level has, its package adds.
//
// A value of these levels is a scalar, a builtin tensor (at level nv_tileas with a layout as its encoding), a pointer,
// or a memory token. A tile of rank 0 is a scalar: all threads of the kernel hold it, so that branches and loop bounds
// are uniform.
//
// Views are dissolved: tiled_load and tiled_store name a base pointer and three numbers for each dimension of the
// tile. These are an offset (the first element of the tile), the size of the memory object, and its stride. They are
// signed 64-bit integers and count elements.
//
//	element i of the tile is at     base + sum((offset_d + i_d) * stride_d)
//	it is inside the object if      0 <= offset_d + i_d < size_d for every d whose bounds are checked
//
// Elements outside load as the padding value (undetermined without one) and are not stored.
package tile
