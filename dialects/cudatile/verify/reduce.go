package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// InferReduce returns the types of the operands without the dimension that is reduced.
//
// Rank 1 becomes rank 0, a scalar.
func InferReduce(st *ir.OpState) ([]ir.Type, error) {
	dim, ok := st.Attr("dim").(*ir.IntegerAttr)
	if !ok {
		return nil, fmt.Errorf("requires attribute 'dim'")
	}
	types := ir.TypesOf(st.Operands)
	for i, t := range types {
		reduced, err := reducedType(t, dim.Value)
		if err != nil {
			return nil, err
		}
		types[i] = reduced
	}
	return types, nil
}

func reducedType(t ir.Type, dim int64) (ir.Type, error) {
	tile, ok := t.(*cudatile.TileType)
	if !ok || dim < 0 || dim >= int64(tile.Rank()) {
		return nil, fmt.Errorf("cannot reduce dimension %d of %s", dim, cudatile.Quoted(t))
	}
	shape := append(slices.Clone(tile.Shape[:dim]), tile.Shape[dim+1:]...)
	return tile.WithShape(shape...), nil
}

// InferScan returns the types of the operands.
func InferScan(st *ir.OpState) ([]ir.Type, error) { return ir.TypesOf(st.Operands), nil }

// Reduce verifies reduce.
func Reduce(op ir.Op) error {
	if err := verifyAggregate(op); err != nil {
		return err
	}
	dim, _ := op.IntAttr("dim")
	want := ir.TypesOf(op.Operands())
	for i, t := range want {
		reduced, err := reducedType(t, dim)
		if err != nil {
			return op.Errorf("%s", err)
		}
		want[i] = reduced
	}
	if got := op.ResultTypes(); !slices.Equal(got, want) {
		return errors.Join(ir.Errorf(op.Loc(), "failed to infer returned types"),
			op.Errorf("inferred type(s) %s are incompatible with return type(s) of operation %s", typesText(want), typesText(got)))
	}
	return nil
}

// Scan verifies scan.
func Scan(op ir.Op) error {
	if err := verifyAggregate(op); err != nil {
		return err
	}
	for i, v := range op.Operands() {
		if v.Type() != op.Result(i).Type() {
			return op.Errorf("expect same type for operand at index: %d and result at index: %d", i, i)
		}
	}
	return nil
}

// verifyAggregate checks what reduce and scan have in common.
//
// What reduce and scan have in common are lists of the same length: operands, identities and results.
func verifyAggregate(op ir.Op) error {
	n := op.NumOperands()
	if n == 0 {
		return op.Errorf("expect at least 1 operand")
	}
	if op.NumResults() != n {
		return op.Errorf("expect same number of operands and results")
	}
	identities := op.Attr("identities").(*ir.ArrayAttr).Elems
	if len(identities) != n {
		return op.Errorf("expect identities to match the number of operands but got: %d operands and %d identities", n, len(identities))
	}
	for i, v := range op.Operands() {
		if err := verifyIdentity(op, i, cudatile.ElemOf(v.Type()), identities[i]); err != nil {
			return err
		}
	}
	dim, _ := op.IntAttr("dim")
	if rank := len(cudatile.ShapeOf(op.Operand(0).Type())); dim < 0 || dim >= int64(rank) {
		return op.Errorf("dimension (%d) is out of bound [0, %d)", dim, rank)
	}
	return nil
}

// verifyIdentity checks the type of an identity. Those of f16 and bf16 may stand for each other.
func verifyIdentity(op ir.Op, i int, elem ir.Type, identity ir.Attribute) error {
	typed, ok := identity.(ir.TypedAttribute)
	if !ok {
		return op.Errorf("expect a typed identity at index: %d but got: %s", i, ir.AttrString(identity))
	}
	t := typed.Type()
	half := func(t ir.Type) bool { return cudatile.IsFloat(t, numeric.F16, numeric.BF16) }
	if t == elem || half(t) && half(elem) {
		return nil
	}
	return op.Errorf("expect same type for operand at index: %d and identity at index: %d but got: %s and %s", i, i, cudatile.Quoted(elem), cudatile.Quoted(t))
}

// ReduceRegion checks the region of a reduce or scan.
//
// For two operands the block has four arguments: what was accumulated of the first, its next element, and the
// same of the second (docs/STATUS.md has a word on the order).
func ReduceRegion(op ir.Op) error {
	block := op.Region(0).First()
	n := op.NumOperands()
	if block.Empty() {
		return op.Errorf("expect non-empty block")
	}
	if block.NumArgs() != 2*n {
		return op.Errorf("expect %d block arguments but got: %d", 2*n, block.NumArgs())
	}
	if err := verifyReduceArgs(op, block); err != nil {
		return err
	}
	term := block.Terminator()
	if term.NumOperands() != n {
		return op.Errorf("expect number of terminators operands (%d) to match number of operands (%d)", term.NumOperands(), n)
	}
	for i, v := range op.Operands() {
		if a, b := cudatile.ElemOf(v.Type()), cudatile.ElemOf(term.Operand(i).Type()); a != b {
			return op.Errorf("expect same type for operand at index: %d and terminator argument at index: %d but got: %s and %s", i, i, cudatile.Quoted(a),
				cudatile.Quoted(b))
		}
	}
	for inner := range block.Ops() {
		// How often the region runs, and on which partial results, is up to the target (a tree over threads, say). So
		// an effect in it would have no meaning. IsPure asks for speculation too, so a division is rejected, as in the
		// reference (speculate.go).
		if inner != term && !ir.IsPure(inner) {
			return inner.Errorf("only pure operations are allowed inside '%s'", op.Name())
		}
	}
	return nil
}

func verifyReduceArgs(op ir.Op, block ir.Block) error {
	args := ir.TypesOf(block.Args())
	for i, t := range args {
		if tile, ok := t.(*cudatile.TileType); !ok || tile.Rank() != 0 {
			return op.Errorf("expect 0-rank tile type at index: %d but got: %s", i, cudatile.Quoted(t))
		}
	}
	for i := 0; i < len(args); i += 2 {
		if a, b := cudatile.ElemOf(args[i]), cudatile.ElemOf(args[i+1]); a != b {
			return op.Errorf("expect same element type for block argument at index: %d and %d but got: %s and %s", i, i+1, cudatile.Quoted(a), cudatile.Quoted(b))
		}
	}
	for i, v := range op.Operands() {
		if a, b := cudatile.ElemOf(v.Type()), cudatile.ElemOf(args[2*i]); a != b {
			return op.Errorf("expect same type for operand at index: %d and block argument at index: %d but got: %s and %s", i, 2*i, cudatile.Quoted(a),
				cudatile.Quoted(b))
		}
	}
	return nil
}
