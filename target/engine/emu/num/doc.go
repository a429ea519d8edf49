// Package num has integers of n bits that are kept in 64-bit words, as registers keep them: masks, sign extension,
// saturation, and the 128 bits that the product of two words needs.
//
// It knows nothing of PTX. The compiler has functions like these too (ir/numeric); the emulator has its own, because
// a mistake that both share would cancel out.
package num
