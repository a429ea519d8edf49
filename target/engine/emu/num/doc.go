// Package num has integers of n bits in 64-bit words, as registers keep them: masks, sign extension, saturation, and
// the 128 bits of the product of two words.
//
// The compiler has such functions too (ir/numeric). The emulator has its own, because a mistake that both share would
// cancel out.
package num
