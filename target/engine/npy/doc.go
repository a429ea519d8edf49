// Package npy reads and writes arrays in NumPy's .npy format, versions 1.0 to 3.0.
//
//	"\x93NUMPY" 1 0, header length, {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, 24 bytes
//
// A file is a magic string, a version, a header (a Python dictionary literal, padded with spaces and ended by a
// newline), and the elements. The package takes booleans, integers and floats of at most 8 bytes in little-endian
// order. It transposes arrays in Fortran order, so that an [Array] is always in C order. Formats that NumPy does not
// know (bf16, the 8-bit floats) are stored as unsigned integers; the caller knows what they are.
//
// Files are untrusted. The header is parsed, not evaluated, and nothing is allocated that the input does not fill.
// Errors name the byte where reading stopped.
//
// Source: NumPy Enhancement Proposal 1 and the documentation of numpy.lib.format.
package npy
