// Package tileaaattachfacts is the pass tileaa-attach-facts: it computes which power of two divides each integer and address, and writes what concerns a tiled access
// onto it, so that later passes can choose vector widths and drop bounds checks without looking further.
//
// Facts come from constants, from nv_tileaa.assume, and through arithmetic. Only powers of two are tracked, because those survive wrapping.
package tileaaattachfacts
