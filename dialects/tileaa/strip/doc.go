// Package strip is the capability by which an operation says how it can be split into subtiles. A pass that turns
// operations on large tiles into loops over small ones then names no operation. An operation of a plugin that has the
// capability is split as those of our dialects are.
//
// # Axes
//
// Tensors are split along one dimension at a time, into a number of parts of the same size. All tensors of an
// operation have the same number of parts. An [Axis] lists the dimensions of operands and results of an operation that
// are split together. Part i of a result needs part i of each operand that the axis names, and all of the others.
// Parts are counted and not measured in elements, which suits a reshape. Where [4096] becomes [64, 64], part i of n of
// the one is part i of n of dimension 0 of the other, for n up to 64.
//
// A dimension in no axis cannot be split, nor can any of an operation without the capability: about that nothing is
// known.
//
// Along an axis that is Reduced each part gives partial results, which [Row.Combine] joins. Along one that is Scanned
// each part needs what comes before it, and parts are made in order. The model is MLIR's TilingInterface, which has
// offsets and sizes for each dimension. Here an axis and a number are enough, since all extents are powers of two.
package strip
