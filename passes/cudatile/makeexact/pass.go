package makeexact

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numHashed    = passes.NewStatistic("num-functions-hashed", "elementary functions, divisions and roots replaced by a hash")
	numConstants = passes.NewStatistic("num-constants", "constants replaced by small integers")
	numReduced   = passes.NewStatistic("num-operands-hashed", "operands that are hashed because they could become too large")
	numAsserts   = passes.NewStatistic("num-assertions", "assertions dropped")
)

// Options are the options of the pass.
type Options struct {
	FunctionBits int `opt:"function-bits" help:"bits of the hash that replaces a function, 1 to 4: it is not zero, and up to 2^(bits-1). 0: 1 in loops, 4 outside of them"`
}

// Pass is the pass. It has no step in the default pipelines: it changes what a kernel computes.
var Pass = passes.Register(&passes.Pass{
	Name:    "make-exact",
	Summary: "make all floats small integers, so that sums are exact in any order",
	Doc: `Replaces elementary functions, divisions and roots by a hash of the bits of their operands, constants by small
integers, and hashes what could become too large for its format. If inputs are integers from -2 to 2, no operation
rounds. So two engines must agree bit for bit on what the kernel computes, which is something else than before.`,
	Options: func() any { return new(Options) },
	Prepare: func(_ *ir.Context, options any) (any, error) {
		if n := options.(*Options).FunctionBits; n < 0 || n > bitsOutside {
			return nil, fmt.Errorf("option 'function-bits' must be 0 to %d, but got %d", bitsOutside, n)
		}
		return nil, nil
	},
	Requires:   []*passes.Property{property.CudaTile},
	Destroys:   []*passes.Property{property.Canonical},
	Statistics: []*passes.Statistic{numHashed, numConstants, numReduced, numAsserts},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	var constants, asserts, functions []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(cudatile.Constant) && !small(op):
			constants = append(constants, op)
		case op.Is(cudatile.Assert):
			asserts = append(asserts, op)
		case opaque[op.Def()]:
			functions = append(functions, op)
		}
		return ir.Advance
	})
	for _, op := range functions {
		if around := op.ParentOp(); around.Is(cudatile.Reduce) || around.Is(cudatile.Scan) {
			return around.Errorf("combines elements by '%s'; a hash in its place would not be associative", op.Name())
		}
	}
	for _, op := range constants {
		shrink(op)
	}
	for _, op := range asserts {
		op.Erase()
	}
	ranges := integers.Ranges.Get(r)
	b := &bounds{functions: passes.OptionsOf[Options](r).FunctionBits, ranges: ranges, of: make(map[ir.Value]float64), hashed: make(map[use]int), memory: memoryOf(r.Op)}
	b.settleMemory()
	b.block(r.Op.Body())
	for u, bits := range b.hashed {
		hashOperand(u.op, u.index, bits)
	}
	for _, op := range functions {
		hashResult(op, b.resultBits(op))
	}
	r.Add(numHashed, len(functions))
	r.Add(numConstants, len(constants))
	r.Add(numReduced, len(b.hashed))
	r.Add(numAsserts, len(asserts))
	return nil
}

// opaque are the operations that a hash replaces: those that round, or that engines compute with different errors.
var opaque = map[*ir.OpDef]bool{
	cudatile.DivF: true, cudatile.Sqrt: true, cudatile.Rsqrt: true, cudatile.RemF: true,
	cudatile.Exp: true, cudatile.Exp2: true, cudatile.Log: true, cudatile.Log2: true, cudatile.Pow: true, cudatile.FPowI: true,
	cudatile.Sin: true, cudatile.Cos: true, cudatile.Tan: true, cudatile.Atan2: true,
	cudatile.SinH: true, cudatile.CosH: true, cudatile.TanH: true,
}

// Bits of hashes. A hash of n bits is not zero, and of magnitude up to 2^(n-1).
const (
	bitsInLoop  = 1 // so that what it is multiplied with does not grow
	bitsOutside = 4 // all formats of arithmetic have numbers that small
	bitsOperand = 2 // as large as inputs
	bitsPower   = 0 // 1 or 2, which a format of powers of two has as well
)

// resultBits are the bits of the hash that replaces a function.
func (b *bounds) resultBits(op ir.Op) int {
	if b.functions > 0 {
		return b.functions
	}
	if ir.InLoop(op) {
		return bitsInLoop
	}
	return bitsOutside
}

// largest is the largest magnitude of a hash.
func largest(bits int) float64 {
	if bits == bitsPower {
		return 2
	}
	return float64(int(1) << (bits - 1))
}
