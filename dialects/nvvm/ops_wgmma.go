package nvvm

import (
	"github.com/tilewright/tilewright/ir"
)

// Names of attributes of the rows below.
const (
	AttrTransA = "trans_a" // unit: rows of A are contiguous in shared memory, not its depth
	AttrTransB = "trans_b"
)

// Asynchronous MMAs of a warpgroup (PTX ISA, wgmma). The hardware owns the registers of an accumulator from the MMA to
// the wait. So the results of a wait are its operands, and an accumulator that goes into an MMA comes out of it in the
// same registers.
var (
	WgmmaFence = Dialect.Op(ir.OpDef{Name: "wgmma.fence", Summary: "Orders MMAs after the thread's accesses to their registers.", Syntax: "attr-dict",
		Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	WgmmaMma = Dialect.Op(ir.OpDef{Name: "wgmma.mma_async", Summary: "Starts an MMA of a warpgroup (PTX ISA, wgmma.mma_async).",
		Doc: "A is in registers, or in shared memory by a matrix descriptor. B is in shared memory. Without `c` the accumulator starts at zero.",
		Operands: []ir.Field{{Name: "a", Type: scalar, Arity: ir.Variadic}, {Name: "a_desc", Type: i64, Arity: ir.Optional}, {Name: "b_desc", Type: i64},
			{Name: "c", Type: scalar, Arity: ir.Variadic}},
		Attrs:   append(append([]ir.Field(nil), mmaAttrs...), opt(AttrTransA, ir.UnitKind), opt(AttrTransB, ir.UnitKind)),
		Results: []ir.Field{{Name: "d", Type: scalar, Arity: ir.Variadic}}, Traits: ir.AttrSizedOperandSegments,
		Syntax: "(`registers` $a^ `:` type($a))? (`from` $a_desc^)? `by` $b_desc (`add` $c^ `:` type($c))? attr-dict `->` type($d)",
		Verify: verifyWgmma, Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	WgmmaCommit = Dialect.Op(ir.OpDef{Name: "wgmma.commit_group", Summary: "Closes a group of MMAs.", Syntax: "attr-dict",
		Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
	WgmmaWait = Dialect.Op(ir.OpDef{Name: "wgmma.wait_group", Summary: "Waits until at most a number of MMA groups are in flight; the results are the finished operands.",
		Operands: []ir.Field{{Name: "sums", Type: scalar, Arity: ir.Variadic}}, Attrs: []ir.Field{{Name: AttrCount, Kind: ir.I32Kind}},
		Results: []ir.Field{{Name: "results", Type: scalar, Arity: ir.Variadic}},
		Syntax:  "$count (`for` $sums^ `:` type($sums))? attr-dict",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) {
			out := make([]ir.Type, len(st.Operands))
			for i, v := range st.Operands {
				out[i] = v.Type()
			}
			return out, nil
		},
		Verify: func(op ir.Op) error {
			if n, _ := op.IntAttr(AttrCount); n < 0 {
				return op.Errorf("cannot leave %d groups pending", n)
			}
			return sameRegisters(op, op.Operands())
		},
		Caps: []ir.CapImpl{effect(ir.Read, ir.Write)}})
)

// sameRegisters checks that results are some operands later.
func sameRegisters(op ir.Op, in []ir.Value) error {
	if len(in) != op.NumResults() {
		return op.Errorf("has %d registers but %d results", len(in), op.NumResults())
	}
	for i, v := range in {
		if r := op.Result(i).Type(); r != v.Type() {
			return op.Errorf("result #%d must have the type '%s' of its register, but got '%s'", i, ir.TypeString(v.Type()), ir.TypeString(r))
		}
	}
	return nil
}

func verifyWgmma(op ir.Op) error {
	if shape := op.StringAttr(AttrShape); !mmaShape().MatchString(shape) {
		return op.Errorf("shape must be as \"m64n8k16\", but got %q", shape)
	}
	a, desc, c := op.OperandsNamed("a"), op.OperandNamed("a_desc"), op.OperandsNamed("c")
	switch {
	case (len(a) == 0) == desc.IsNil():
		return op.Errorf("takes A from registers or by a descriptor")
	case op.NumResults() == 0:
		return op.Errorf("needs registers of the sum")
	case len(a) > 0:
		if err := verifyOneType(op, "registers of 'a'", a); err != nil {
			return err
		}
	}
	if err := verifyOneType(op, "registers of 'd'", op.Results()); err != nil {
		return err
	}
	if len(c) == 0 {
		return nil
	}
	return sameRegisters(op, c)
}
