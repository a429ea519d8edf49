// Package attachfacts is the pass tileaa-attach-facts: it writes what concerns a tiled access onto it, the power of two that divides its base, offsets,
// sizes and strides, so that later passes can choose vector widths and drop bounds checks without looking further. Facts are those of package
// divisibility.
package attachfacts
