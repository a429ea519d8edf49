package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// MatrixGroups is the queue of the MMAs of a group of warps: they complete in the order in which they were started,
// and each is a group of its own.
var MatrixGroups = &ir.AsyncQueue{Name: "matrix groups", Touches: []*ir.Resource{SharedMemory}}

// mmaOperand is what an asynchronous MMA can have as operand A or B.
var mmaOperand = ir.TypeConstraint{Desc: "tensor or shared-memory buffer of numbers", Check: func(t ir.Type) bool { return tile.Tensor.Check(t) || tiles.Check(t) }}

// asynchronous MMAs. The result is a tensor like any other, but for the time until a wait has left it
// finished: the registers are then the machine's. So nothing but the next MMA of a chain may take it, a wait, and
// loops that carry it.
var (
	// DotAsync starts an MMA.
	DotAsync = Dialect.Op(ir.OpDef{
		Name: "dot_async", Summary: "Starts an asynchronous MMA, d = a*b+c, as a group of its own (wgmma).",
		Doc: "The operands are matrices or batches of matrices. Until a wait has left the group finished, the result " +
			"is undetermined, and the buffers may not be written. Before that, the result may be the accumulator of " +
			"another dot_async of the same instruction, an operand of a dot_wait, or loop-carried. One operand may be " +
			"a tensor in registers: a, or b if the instruction multiplies the transposes. With scales, each scale " +
			"multiplies several consecutive elements of a or b along K. Stores of threads and cp.async copies to the " +
			"buffers are seen after a fence_async and a barrier only.",
		Operands: []ir.Field{{Name: "a", Type: mmaOperand}, {Name: "b", Type: mmaOperand}, {Name: "c", Type: tile.Tensor}, {Name: "scales", Type: tile.Tensor, Arity: ir.Variadic}},
		Attrs: []ir.Field{{Name: tile.AttrUnsignedA, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrUnsignedB, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrPairs, Arity: ir.Optional, Kind: ir.UnitKind},
			{Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind},
			{Name: AttrMMA, Kind: mmaKind, Doc: "MMA instruction and warp tiling"}},
		Results:    []ir.Field{{Name: "d", Type: tile.Tensor}},
		Syntax:     "$a `,` $b `,` $c (`scaled` $scales^)? attr-dict `:` type($a) `,` type($b) (`,` type($scales)^)? `->` type($c)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[2].Type()}, nil },
		Verify: func(op ir.Op) error {
			for i, v := range op.Operands()[:2] {
				b, ok := v.Type().(*BufferType)
				if ok && b.Stages != 1 {
					return op.Errorf("multiplies one stage, but the buffer is '%s'", ir.TypeString(b))
				}
				if a := MMAOf(op); !ok && a != nil && (i == 1) != a.Transposed {
					return op.Errorf("takes operand #%d from registers, but its instruction only operand #%d", i, 1-i)
				}
			}
			if c, d := op.Operand(2).Type(), op.Result(0).Type(); c != d {
				return op.Errorf("result must have the type '%s' of the accumulator, but got '%s'", ir.TypeString(c), ir.TypeString(d))
			}
			return verifyMMAOperands(op, op.Operands()[3:])
		},
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			for _, v := range op.Operands()[:2] {
				if IsBuffer(v) {
					add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: MatrixGroups, Access: ir.Effect{Kind: ir.Read, Value: v, Resource: SharedMemory}})
				}
			}
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: MatrixGroups})
		})},
	})
	// DotWait waits for MMAs.
	DotWait = Dialect.Op(ir.OpDef{
		Name: "dot_wait", Summary: "Waits until at most the latest `pending` MMAs are in flight.",
		Doc: "The results are the finished operands. It is an error if the MMA of an operand may still be in flight " +
			"after the wait. A value that no dot_async has made is always finished. Other MMAs may complete too; of " +
			"those the program knows only that their buffers are free.",
		Operands: []ir.Field{{Name: "accumulators", Type: tile.Tensor, Arity: ir.Variadic}}, Attrs: []ir.Field{{Name: AttrPending, Kind: ir.I32Kind}},
		Results: []ir.Field{{Name: "results", Type: tile.Tensor, Arity: ir.Variadic}},
		Syntax:  "($accumulators^)? attr-dict (`:` type($accumulators)^)?",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) {
			return ir.TypesOf(st.Operands), nil
		},
		Verify: func(op ir.Op) error {
			if err := WaitGroup.Verify(op); err != nil {
				return err
			}
			if op.NumOperands() != op.NumResults() {
				return op.Errorf("has a result for each MMA, but got %d for %d", op.NumResults(), op.NumOperands())
			}
			for i, v := range op.Operands() {
				if r := op.Result(i); r.Type() != v.Type() {
					return op.Errorf("result #%d must have the type '%s' of the MMA, but got '%s'", i, ir.TypeString(v.Type()), ir.TypeString(r.Type()))
				}
			}
			return nil
		},
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			n, _ := op.IntAttr(AttrPending)
			add(ir.AsyncStep{Kind: ir.AsyncWait, Queue: MatrixGroups, Pending: int(n)})
		})},
	})
)

// IsAccumulator reports whether a use is what an MMA adds to.
func IsAccumulator(u ir.Use) bool {
	return u.Index() == 2 && (IsMMA(u.Owner()) || u.Owner().Is(DotAsync))
}

// Buffers returns the operands of an operation that are buffers.
func Buffers(op ir.Op) []ir.Value {
	return slices.DeleteFunc(op.Operands(), func(v ir.Value) bool { _, ok := v.Type().(*BufferType); return !ok })
}

// verifyMMAOperands checks the shapes of an MMA by itself or into TMEM, with scales or without.
func verifyMMAOperands(op ir.Op, scales []ir.Value) error {
	a, b := tile.HeldType(op.Operand(0)), tile.HeldType(op.Operand(1))
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		if len(scales) > 0 {
			return op.Errorf("of '%s' has no scales", tile.AttrTwoCTAs)
		}
		if err := verifyClustered(op, tile.AttrTwoCTAs); err != nil {
			return err
		}
	}
	if err := tile.VerifyMMA(op, a, b, tile.HeldType(op.Operand(2))); err != nil {
		return err
	}
	switch len(scales) {
	case 0:
		return nil
	case 2:
		a, b = tile.Operands(op, a, b)
		return tile.VerifyScales(op, a, b, tile.HeldType(scales[0]), tile.HeldType(scales[1]))
	}
	return op.Errorf("has scales of both operands or of none, but got %d", len(scales))
}

// MostMMAsPending is the most that a wait leaves in flight of MMAs of groups of warps: as much as one of wgmma
// can say (PTX ISA, wgmma.wait_group).
const MostMMAsPending = 7
