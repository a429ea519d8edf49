package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// MatrixGroups is the queue of the products of a group of warps: they complete in the order in which they were started, and each is a group of its own.
var MatrixGroups = &ir.AsyncQueue{Name: "matrix groups", Touches: []*ir.Resource{SharedMemory}}

// factor is a place from which an asynchronous product takes what it multiplies.
var factor = ir.TypeConstraint{Desc: "tensor or shared-memory buffer of numbers", Check: func(t ir.Type) bool { return tile.Tensor.Check(t) || tiles.Check(t) }}

// Products that run beside the threads. The result is a tensor like any other, but for the time until a wait has left it finished: the registers are then the machine's. So nothing but the next product of
// a chain may take it, a wait, and loops that carry it.
var (
	// DotAsync starts a product.
	DotAsync = Dialect.Op(ir.OpDef{
		Name: "dot_async", Summary: "Starts a*b+c of matrices, or of a batch of them, as a group of its own.",
		Doc: "Until a wait has left the group finished, the result holds nothing, and the buffers may not be written. It may be what another dot_async of the same instruction adds to, an operand of a " +
			"dot_wait, and carried by loops. One factor may be a tensor: a, or b where the instruction multiplies the transposes. With scales, those of a and of b, elements are multiplied by them first, one for " +
			"several along K. What threads, and copies in groups, have stored to the buffers it sees behind a fence_async and a barrier only.",
		Operands: []ir.Field{{Name: "a", Type: factor}, {Name: "b", Type: factor}, {Name: "c", Type: tile.Tensor}, {Name: "scales", Type: tile.Tensor, Arity: ir.Variadic}},
		Attrs: []ir.Field{{Name: tile.AttrUnsignedA, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrUnsignedB, Arity: ir.Optional, Kind: ir.UnitKind}, {Name: tile.AttrPairs, Arity: ir.Optional, Kind: ir.UnitKind},
			{Name: tile.AttrTwoCTAs, Arity: ir.Optional, Kind: ir.UnitKind},
			{Name: AttrMMA, Kind: mmaKind, Doc: "how it is computed"}},
		Results:    []ir.Field{{Name: "d", Type: tile.Tensor}},
		Syntax:     "$a `,` $b `,` $c (`scaled` $scales^)? attr-dict `:` type($a) `,` type($b) (`,` type($scales)^)? `->` type($c)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[2].Type()}, nil },
		Verify: func(op ir.Op) error {
			for i, v := range op.Operands()[:2] {
				b, ok := v.Type().(*BufferType)
				if ok && b.Slots != 1 {
					return op.Errorf("multiplies one slot, but the buffer is '%s'", ir.TypeString(b))
				}
				if a := MMAOf(op); !ok && a != nil && (i == 1) != a.Transposed {
					return op.Errorf("takes operand #%d from registers, but its instruction only operand #%d", i, 1-i)
				}
			}
			if c, d := op.Operand(2).Type(), op.Result(0).Type(); c != d {
				return op.Errorf("result must have the type '%s' of the accumulator, but got '%s'", ir.TypeString(c), ir.TypeString(d))
			}
			return verifyFactors(op, op.Operands()[3:])
		},
		Caps: []ir.CapImpl{ir.Asynchrony.Is(func(op ir.Op, add func(ir.AsyncStep)) {
			for _, v := range op.Operands()[:2] {
				if _, ok := v.Type().(*BufferType); ok {
					add(ir.AsyncStep{Kind: ir.AsyncStart, Queue: MatrixGroups, Access: ir.Effect{Kind: ir.Read, Value: v, Resource: SharedMemory}})
				}
			}
			add(ir.AsyncStep{Kind: ir.AsyncCommit, Queue: MatrixGroups})
		})},
	})
	// DotWait waits for products.
	DotWait = Dialect.Op(ir.OpDef{
		Name: "dot_wait", Summary: "Waits until at most the latest pending products are under way.",
		Doc: "The results are the operands, finished: it is an error if one of them may still be under way then. A value that no dot_async has made is finished. " +
			"Other products may complete too, of which the program then knows only that their buffers are free.",
		Operands: []ir.Field{{Name: "products", Type: tile.Tensor, Arity: ir.Variadic}}, Attrs: []ir.Field{{Name: AttrPending, Kind: ir.I32Kind}},
		Results: []ir.Field{{Name: "results", Type: tile.Tensor, Arity: ir.Variadic}},
		Syntax:  "($products^)? attr-dict (`:` type($products)^)?",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) {
			out := make([]ir.Type, len(st.Operands))
			for i, v := range st.Operands {
				out[i] = v.Type()
			}
			return out, nil
		},
		Verify: func(op ir.Op) error {
			if err := WaitGroup.Verify(op); err != nil {
				return err
			}
			if op.NumOperands() != op.NumResults() {
				return op.Errorf("has a result for each product, but got %d for %d", op.NumResults(), op.NumOperands())
			}
			for i, v := range op.Operands() {
				if r := op.Result(i); r.Type() != v.Type() {
					return op.Errorf("result #%d must have the type '%s' of the product, but got '%s'", i, ir.TypeString(v.Type()), ir.TypeString(r.Type()))
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

// HeldType returns the tensor type of what an operand is or, if it is a buffer of one slot, holds.
func HeldType(v ir.Value) ir.Type {
	if b, ok := v.Type().(*BufferType); ok {
		return b.HeldTile()
	}
	return v.Type()
}

// FactorType returns the type of what a product multiplies of a factor: of bytes that are pairs of f4E2M1FN that of those.
func FactorType(op ir.Op, i int) *ir.TensorType {
	a, b := HeldType(op.Operand(0)), HeldType(op.Operand(1))
	a, b = tile.Factors(op, a, b)
	return [2]ir.Type{a, b}[i].(*ir.TensorType)
}

// PerElement returns how many elements of what a product multiplies one of its factors holds.
func PerElement(op ir.Op) int {
	if op.HasUnitAttr(tile.AttrPairs) {
		return 2
	}
	return 1
}

// IsAccumulator reports whether a use is what a product adds to.
func IsAccumulator(u ir.Use) bool {
	return u.Index() == 2 && (IsProduct(u.Owner()) || u.Owner().Is(DotAsync))
}

// Buffers returns the operands of an operation that are buffers.
func Buffers(op ir.Op) []ir.Value {
	return slices.DeleteFunc(op.Operands(), func(v ir.Value) bool { _, ok := v.Type().(*BufferType); return !ok })
}

// verifyFactors checks the shapes of a product by itself or into tensor memory, with scales or without.
func verifyFactors(op ir.Op, scales []ir.Value) error {
	a, b := HeldType(op.Operand(0)), HeldType(op.Operand(1))
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		if len(scales) > 0 {
			return op.Errorf("of '%s' has no scales", tile.AttrTwoCTAs)
		}
		if err := verifyClustered(op, tile.AttrTwoCTAs); err != nil {
			return err
		}
	}
	if err := tile.VerifyProduct(op, a, b, HeldType(op.Operand(2))); err != nil {
		return err
	}
	switch len(scales) {
	case 0:
		return nil
	case 2:
		a, b = tile.Factors(op, a, b)
		return tile.VerifyScales(op, a, b, HeldType(scales[0]), HeldType(scales[1]))
	}
	return op.Errorf("has scales of both factors or of none, but got %d", len(scales))
}

// MostProductsPending is the most that a wait leaves under way of products of groups of warps: as much as one of wgmma can say (PTX ISA, wgmma.wait_group).
const MostProductsPending = 7
