package mma

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
)

// Instructions are the matrix multiplications in registers and shared memory.
var Instructions = decode.Merge(matrixOps, wgmmaOps, wmmaOps)
