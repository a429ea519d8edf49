// Package strip is how an operation says what it does to parts of its tensors, so that a pass that turns operations on large tiles into loops over small ones names none
// of them. An operation of a plugin that has the capability is cut as those of our dialects are.
//
// # Axes
//
// Tensors are cut along one dimension at a time, into parts of the same size, whose number is what all of them have in common. An [Axis] lists the dimensions of operands and results
// of an operation that are cut together: part i of a result needs part i of each operand that the axis names, and all of the others. Parts are counted and not measured in elements, so that a
// reshape needs no more: where [4096] becomes [64, 64], part i of n of the one is part i of n of dimension 0 of the other, for n up to 64.
//
// A dimension in no axis cannot be cut, nor can any of an operation without the capability: about that nothing is known.
//
// Along an axis that is Reduced the results are those of all parts together, which [Row.Combine] joins; along one that is Scanned each part needs what comes before it, and parts are made
// in order. The model is MLIR's TilingInterface; what it does by offsets and sizes for each dimension, an axis and a number do here, since all extents are powers of two.
package strip
