// Package divisibility computes which power of two divides each integer and address, and how the elements of a tile
// follow from each other. It finds along which dimensions elements are equal (constancy) or evenly spaced
// (contiguity), and in runs of what length. That decides how wide the memory accesses of a thread can be.
//
// # Facts
//
// A tile of 2^n elements has n index bits, numbered from the last dimension on, so that bit k of the row-major element
// number is index bit k. An index bit is linear when setting it, whatever the others are, changes every element by the
// same number, its step, modulo 2^width. A [Fact] is the step of each linear index bit, and the exponent of a power of
// two that divides all elements at which the linear bits are zero. So the numbers 0, 1, 2, ... have the steps 1, 2, 4,
// ... and start from an element that everything divides; equal elements have the steps 0. In these terms addition adds
// steps, multiplication by a constant multiplies them, and reshape, permute and broadcast only move bits. Runs as
// front ends state them (div_by every, same_elements) and as accesses need them ([Fact.Along]) are those of the lowest
// bits of a dimension.
//
// Everything holds modulo 2^width, and so despite wrapping. Wrapping matters for extension, division, right shift and
// comparison. They keep a step only if adding it provably does not wrap. The proof is the range of the value, or that
// the elements stay inside an aligned block.
//
// # Dialects
//
// Element-wise operations are known by constfold.Computes, others have the capability [Infer].
//
// # Source
//
// Contiguity, divisibility and constancy are those of Triton's axis analysis (triton-lang.org). As facts about index
// bits they follow Zhou et al., Linear Layouts (arXiv:2505.23819).
package divisibility
