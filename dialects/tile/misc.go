package tile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// Names of attributes of the rows below.
const (
	AttrReverse = "reverse" // unit: a scan that begins at the end
	AttrMessage = "message" // string
	AttrBytes   = "bytes"   // i64: size of what an alloca allocates
	AttrOffset  = "offset"  // i32: where it starts in the kernel's shared memory, once that is allocated; where its address is kept if it is global
	AttrGlobal  = "global"  // unit: other CTAs may use what an alloca allocates
	AttrFormat  = "format"  // string: as C's printf takes it, with a conversion for each operand
)

// Console is what asserts and prints write to: it orders them among themselves, not against memory.
var Console = &ir.Resource{Name: "console"}

// defineMisc adds scans, scaled products, diagnostics, and what orders kernels and addresses.
func (l *Level) defineMisc() {
	l.Scan = l.op(ir.OpDef{Name: "scan", Summary: "Combines each element with all elements before it along a dimension (inclusive prefix).",
		Doc: "For each operand, the region gets the combination of the earlier elements and the next element. It is " +
			"assumed to be associative.",
		Operands: []ir.Field{{Name: "operands", Type: Tensor, Arity: ir.Variadic}},
		Attrs:    []ir.Field{{Name: AttrDim, Kind: ir.I64Kind}, opt(AttrReverse, ir.UnitKind), opt(AttrIdentities, ir.ArrayKind)},
		Results:  []ir.Field{{Name: "results", Type: Tensor, Arity: ir.Variadic}},
		Regions:  []ir.Field{{Name: "body"}},
		Traits:   ir.Pure | ir.SingleBlock, Parse: parseReduce, Print: printReduce, Verify: verifyScan, VerifyRegions: l.verifyReduceBody})
	l.DotScaled = l.op(ir.OpDef{Name: "dot_scaled", Summary: "Block-scaled MMA: d = a*b+c, where each scale multiplies several consecutive elements along K.",
		Doc: "With `pairs`, operands of f4E2M1FN are bytes of two elements along K, the first in the lower half.",
		Operands: []ir.Field{{Name: "a", Type: Tensor}, {Name: "b", Type: Tensor}, {Name: "c", Type: Tensor},
			{Name: "a_scale", Type: Tensor}, {Name: "b_scale", Type: Tensor}},
		Results: []ir.Field{{Name: "d", Type: Tensor}}, Attrs: append(slices.Clone(l.dot), opt(AttrPairs, ir.UnitKind)), Traits: ir.Pure,
		Syntax:     "$a `,` $b `,` $c `,` $a_scale `,` $b_scale attr-dict `:` type($a) `,` type($b) `,` type($a_scale) `,` type($b_scale) `->` type($c)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[2].Type()}, nil }, Verify: verifyDotScaled})
	l.Assert = l.op(ir.OpDef{Name: "assert", Summary: "Aborts the launch with a message unless all elements are true.",
		Operands: []ir.Field{{Name: "condition", Type: BoolLike}}, Attrs: []ir.Field{{Name: AttrMessage, Kind: ir.StringKind}},
		Syntax: "$condition `,` $message attr-dict `:` type($condition)",
		Caps: []ir.CapImpl{ir.UsesLocation.Is(struct{}{}), ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Write, Resource: Console})
		})}})
	token := ir.Field{Name: "token", Type: Token, Arity: ir.Optional}
	l.Print = l.op(ir.OpDef{Name: "print", Summary: "Prints values by a format of C's printf; a tensor is printed in brackets.",
		Operands: []ir.Field{{Name: "args", Type: TileLike, Arity: ir.Variadic}, token}, Attrs: []ir.Field{{Name: AttrFormat, Kind: ir.StringKind}},
		Results: []ir.Field{{Name: "after", Type: Token}}, Traits: ir.AttrSizedOperandSegments,
		Syntax: "$format (`,` $args^ `:` type($args))? (`token` $token^ `:` type($token))? attr-dict `->` type($after)",
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Write, Resource: Console})
		})}})
	l.Alloca = l.op(ir.OpDef{Name: "alloca", Summary: "Allocates memory for the run of the kernel, visible to the CTA or to all CTAs.",
		Attrs: []ir.Field{{Name: AttrBytes, Kind: ir.I64Kind}, opt(AttrAlignment, ir.I64Kind), opt(AttrGlobal, ir.UnitKind), opt(AttrOffset, ir.I32Kind),
			opt(AttrObject, ir.I64Kind)},
		Results: []ir.Field{{Name: "result", Type: Ptr}}, Syntax: "$bytes attr-dict `:` type($result)",
		Verify: func(op ir.Op) error {
			if n, _ := op.IntAttr(AttrBytes); n < 0 {
				return op.Errorf("size must not be negative, but got %d", n)
			}
			return verifyAlignment(op)
		},
		Caps: []ir.CapImpl{ir.MemoryEffects.Is(func(op ir.Op, add func(ir.Effect)) {
			add(ir.Effect{Kind: ir.Allocate, Value: op.Result(0)})
		})}})
	all := ir.MemoryEffects.Is(func(_ ir.Op, add func(ir.Effect)) {
		add(ir.Effect{Kind: ir.Read})
		add(ir.Effect{Kind: ir.Write})
	})
	order := func(name, summary string) *ir.OpDef {
		return l.op(ir.OpDef{Name: name, Summary: summary, Operands: []ir.Field{token}, Results: []ir.Field{{Name: "after", Type: Token}},
			Syntax: "($token^ `:` type($token))? attr-dict `->` type($after)", Caps: []ir.CapImpl{all}})
	}
	l.GridWait = order("grid_wait", "Waits for the grids that this one depends on, and sees what they wrote.")
	l.GridLaunch = order("grid_launch_dependents", "Lets grids that depend on this one start.")
	l.FenceAlias = order("fence_alias", "Orders accesses to the same memory through different addresses.")
}

func verifyScan(op ir.Op) error {
	n := op.NumOperands()
	if n == 0 || op.NumResults() != n {
		return op.Errorf("needs at least one operand and as many results, but got %d and %d", n, op.NumResults())
	}
	shape := Shape(op.Operand(0).Type())
	if dim, _ := op.IntAttr(AttrDim); dim < 0 || dim >= int64(len(shape)) {
		return op.Errorf("dim must be from 0 to %d, but got %d", len(shape)-1, dim)
	}
	for i, v := range op.Operands() {
		if !slices.Equal(Shape(v.Type()), shape) {
			return op.Errorf("requires the same shape for all operands, but got '%s' and '%s'", ir.TypeString(op.Operand(0).Type()),
				ir.TypeString(v.Type()))
		}
		if want, got := v.Type(), op.Result(i).Type(); want != got {
			return op.Errorf("result #%d must have the type '%s' of its operand, but got '%s'", i, ir.TypeString(want), ir.TypeString(got))
		}
	}
	return verifyIdentities(op)
}

func verifyDotScaled(op ir.Op) error {
	if err := verifyDot(op); err != nil {
		return err
	}
	a, b := Operands(op, op.Operand(0).Type(), op.Operand(1).Type())
	return VerifyScales(op, a, b, op.Operand(3).Type(), op.Operand(4).Type())
}

// Operands returns the types of what a product multiplies: those of its factors, of which bytes may be pairs of
// f4E2M1FN.
func Operands(op ir.Op, a, b ir.Type) (ir.Type, ir.Type) {
	if !op.HasUnitAttr(AttrPairs) {
		return a, b
	}
	return halvesOf(op.Context(), a, 1), halvesOf(op.Context(), b, 2)
}

// halvesOf returns the type of the halves of bytes, twice as many along a dimension from the last one.
func halvesOf(c *ir.Context, t ir.Type, fromLast int) ir.Type {
	shape := slices.Clone(Shape(t))
	if len(shape) < fromLast {
		return t
	}
	shape[len(shape)-fromLast] *= 2
	return c.Tensor(shape, c.Float(numeric.F4E2M1FN), nil)
}

// VerifyScales checks that tiles of scales fit the operands of an MMA.
func VerifyScales(op ir.Op, lhs, rhs, scaleLHS, scaleRHS ir.Type) error {
	a, b, sa, sb := Shape(lhs), Shape(rhs), Shape(scaleLHS), Shape(scaleRHS)
	r := len(a)
	if len(sa) != r || len(sb) != r || sa[r-1] == 0 || a[r-1]%sa[r-1] != 0 || sb[r-2] != sa[r-1] || sa[r-2] != a[r-2] || sb[r-1] != b[r-1] {
		return op.Errorf("scales of shapes %v and %v do not fit operands of %v and %v", sa, sb, a, b)
	}
	return nil
}
