// Package materializeconvertlayout is the pass tileas-materialize-convert-layout: conversions that exchange elements between warps, or so many between
// lanes that shuffles would cost more, become a store to and a load from a buffer in shared memory. Its swizzle is computed for the two
// layouts, so that both sides are free of bank conflicts where that is possible and matrix operands can be read with ldmatrix.
//
// A conversion that has no room beside the buffers that live where it stands is cut into pieces, which go one after the other through one buffer of the size of a piece; so is one outside of loops because of which an SM would run
// fewer tile blocks. A piece is what registers alone tell from others on both sides: for the sums of a matrix product on their way to a store, rows.
//
// Conversions inside a thread or a few shuffles away stay convert_layout; the lowering to nvvm does them.
package materializeconvertlayout
