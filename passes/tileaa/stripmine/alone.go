package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// One MMA can be split along K without the rest of its chain. Only loads that it alone takes are split with it. Any
// other operand stays whole, and each part of the loop extracts its part.
//
//	%k = tiled_load ... : 128x512            for %i in 0 to 4 {
//	%s = dot %k, %q, %z                        %k = tiled_load ... + %i * 128 : 128x128
//	                                           %b = extract %q[%i, 0]         : 128x16
//	                                           continue dot %k, %b, %acc

// chooseAlone returns the plan for an MMA of the chain whose own loads do not fit, and into how many parts; nil if
// there is none. An asynchronous MMA reads its operands from shared memory, and its loads have other rules
// (tileas-plan-copies). One without a matrix instruction has loops over K anyway (tileas-tile-mma-k).
func (c *chain) chooseAlone(why reason) (*plan, int64) {
	for _, op := range c.ops {
		if !tile.IsMMA(op) || op.NumOperands() > 3 || c.instruction(op) == nil || mma.Asynchronous(c.arch, op, pressure.MostWarps) {
			continue
		}
		if only := c.alone(op); only != nil && !why.well(only, cut{}) {
			if p, parts := only.chooseK(why); p != nil {
				return p, parts
			}
		}
	}
	return nil, 0
}

// instruction returns the matrix instruction of the target for an MMA, or nil. Floats of 8 bits are multiplied as f16
// if there is none for them (tileas-legalize-dot).
func (m *miner) instruction(op ir.Op) *sm.Matrix {
	types := mma.Types(op)
	row := mma.Choose(m.arch, types, mma.KExtent(op))
	if f, ok := ir.ElementType(op.Operand(0).Type()).(*ir.FloatType); row == nil && ok && f.Format.Bits() <= 8 {
		types.A, types.B = sm.F16, sm.F16
		row = mma.Choose(m.arch, types, mma.KExtent(op))
	}
	return row
}

// staggers reports whether there is room for copies of one stage each, which a loop without another one inside can
// stagger (tileas-plan-copies, tileas-schedule-loops).
func (c *chain) staggers() bool {
	inside, _ := c.staged(cut{})
	loops := slices.ContainsFunc(c.ops, func(op ir.Op) bool { _, is := ir.LoopLike.Of(op); return is })
	return !loops && c.fitsShared(cut{}, 1) && inside <= int64(budget.Of(c.kernel, c.arch).Shared(budget.ForOperands))
}

// alone returns the chain of one MMA and its own loads; nil if it has none.
func (c *chain) alone(op ir.Op) *chain {
	only := &chain{miner: c.miner, block: c.block, ops: []ir.Op{op}, extracted: make(map[ir.Value]bool)}
	for _, v := range op.Operands()[:2] {
		if loads := c.ownLoad(v); loads != nil {
			only.ops = append(only.ops, loads...)
		} else {
			only.extracted[v] = true
		}
	}
	if len(only.ops) == 1 {
		return nil
	}
	slices.SortFunc(only.ops, ir.Op.CompareInBlock)
	only.member = make(map[ir.Op]bool)
	for _, x := range only.ops {
		only.member[x] = true
	}
	only.classify()
	return only
}

// ownLoad returns the operations from a load to a value, if nothing else uses any of them; else nil.
func (c *chain) ownLoad(v ir.Value) (ops []ir.Op) {
	for v.HasOneUse() {
		def := v.DefiningOp()
		if def.IsNil() || !c.member[def] || !c.lazy(def) {
			return nil
		}
		ops = append(ops, def)
		if tokens.Access(def) {
			return ops
		}
		if def.NumOperands() != 1 || !ir.IsTensor(def.Operand(0)) {
			return nil
		}
		v = def.Operand(0)
	}
	return nil
}

// extract takes the part of a value that is made whole.
func (in *body) extract(v ir.Value, dim int) ir.Value {
	indices := []ir.Value{v}
	for d := range tile.Shape(v.Type()) {
		if d == dim {
			indices = append(indices, in.number)
		} else {
			indices = append(indices, arith.NewInt(in.Builder, in.number.Type(), 0))
		}
	}
	return in.Create(tileaa.Level.Extract, indices, []ir.Type{strip.Cut(v.Type(), dim, in.parts)}).Result(0)
}
