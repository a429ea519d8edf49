package tileaatotileas

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

const (
	// roomy is how many registers of a thread a dot may take before the kernel gets more warps. A thread has 255, and addresses and operands need some too.
	roomy = 160
	// maxWarps is the most that a kernel gets without asking for more, as with a hint.
	maxWarps = 8
)

// numWarps returns the number of warps for a kernel without a hint: the default, or more when a dot would not fit the registers of its threads.
func numWarps(fn ir.Op, warps int) int {
	need := int64(0)
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.Dot) || op.Is(tileas.Level.DotScaled) {
			need = max(need, words(op))
		}
		return ir.Advance
	})
	for warps < maxWarps && need > int64(roomy*32*warps) {
		warps *= 2
	}
	return warps
}

// words returns how many registers all threads together need for a dot: those of the accumulator, and with scales those of the operands, and of
// the sum of a block before it is scaled.
func words(op ir.Op) int64 {
	size := func(v ir.Value, bytes int64) int64 { return v.Type().(*ir.TensorType).NumElements() * bytes / 4 }
	acc := op.Result(0)
	n := size(acc, int64(tile.ElementBytes(ir.ElementType(acc.Type()))))
	if op.Is(tileas.Level.DotScaled) {
		n += n + size(op.Operand(0), 2) + size(op.Operand(1), 2)
	}
	return n
}
