// Package materializeconvertlayout is the pass tileas-materialize-convert-layout: conversions that exchange elements between warps, or so many between
// lanes that shuffles would cost more, become a store to and a load from a buffer in shared memory. Its swizzle is computed for the two
// layouts, so that both sides are free of bank conflicts where that is possible and matrix operands can be read with ldmatrix.
//
// Conversions inside a thread or a few shuffles away stay convert_layout; the lowering to nvvm does them.
package materializeconvertlayout
