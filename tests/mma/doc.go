// Package mma tests matrix multiply-accumulate for every instruction family: FMA loops, mma.sync, wgmma and tcgen05.
//
// Every element type, operand layout and scale must give the accumulator that the interpreter computes, bit for bit.
package mma
