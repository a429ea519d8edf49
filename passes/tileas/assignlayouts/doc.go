// Package assignlayouts is the pass tileas-assign-layouts: it gives every distributed tensor a layout and inserts
// convert_layout where an operation needs its operand elsewhere.
//
// # Method
//
// Values that element-wise operations and control flow tie together form a class with one layout (union-find). A class gets its layout from the
// strongest of what is in it: a matrix multiplication (its accumulator), else the access to global memory that moves most bytes (coalesced, with the
// vector width that the attached facts allow), else what a neighbouring class derives through a shape operation (a reduce yields the slice of its operand's
// layout, a broadcast wants the projection of its result's), else a row-major default. Constants, splats and ranges belong to no class: they are made
// again in whatever layout a use wants.
//
// Operands of a matrix multiplication are converted to its fragments, and accesses to memory in a class with a fragment layout are converted from and to a
// coalesced one. The pass tileas-remove-layout-conversions cleans up.
package assignlayouts
