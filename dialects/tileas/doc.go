// Package tileas is nv_tileas, the scheduled tile level. Once layouts are assigned, a tensor has one as its encoding,
// which says which thread holds which element in which register. Shared memory is visible as buffers with layouts of
// their own, and the launch shape is fixed.
//
// A layout is a linear map over GF(2) (package linear): from the bits of (register, lane, warp, block) to the bits of
// the element's coordinates. Scalars are held by every thread. The rows that it shares with nv_tileaa are in package
// tile.
package tileas
