// Package emutest has what the tests of the emulator's packages share: kernels around a few lines of PTX, launches of
// one, and little-endian buffers. Tests use the emulator from outside where they can, as text in and bytes out, so that
// they outlive changes inside.
package emutest
