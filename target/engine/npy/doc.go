// Package npy reads and writes arrays in NumPy's .npy format, versions 1.0 to 3.0.
//
// A file is a magic string, a version, a header (a Python dictionary literal with the keys 'descr', 'fortran_order' and
// 'shape', padded with spaces and ended by a newline) and the elements. The package takes booleans, integers and floats of
// at most 8 bytes in little-endian order; arrays in Fortran order are transposed, so an [Array] is always in C order.
// Formats that NumPy does not know (bf16, the 8-bit floats) travel as unsigned integers, and saying what they are is
// the caller's business.
//
// Files are untrusted: the header is parsed, not evaluated, and nothing is allocated that the input does not fill.
// Errors name the byte where reading stopped.
//
// Source: NumPy Enhancement Proposal 1 and the documentation of numpy.lib.format.
package npy
