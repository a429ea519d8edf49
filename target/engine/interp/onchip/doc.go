// Package onchip is the memory of one CTA: shared memory, tensor memory, and which threads touched which bytes.
//
//	local_store %a, %buf     one extent: the tile %a, stored through %buf's allocation
//	local_load %buf          the same tile: nothing is copied
//	local_load %other        overlaps, but another allocation stored it: unspecified
//
// Shared memory is a list of extents. Most are entire tiles, so that a store and a load move nothing. An extent becomes
// bytes when it is read as another type or in part. Each extent has an owner, the allocation it was stored through.
package onchip
