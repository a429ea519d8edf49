// Package emutest has what the tests of the emulator's packages share: kernels around a few lines of PTX, launches of
// one, and little-endian buffers. Tests see the emulator from outside, as text in and bytes out, wherever they can:
// they outlive changes inside.
package emutest
