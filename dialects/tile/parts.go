package tile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// defineParts adds the operations that take tensors apart and put them together, and those that look at bytes and
// addresses.
func (l *Level) defineParts() {
	indices := ir.Field{Name: "indices", Type: Int, Arity: ir.Variadic, Doc: "number of the subtile along each dimension"}
	l.Extract = l.op(ir.OpDef{Name: "extract", Summary: "A subtile of a tensor; the indices count subtiles of the result's shape.",
		Operands: []ir.Field{{Name: "source", Type: Tensor}, indices}, Results: []ir.Field{{Name: "result", Type: Tensor}},
		Traits: ir.Pure, Syntax: "$source `[` $indices `]` attr-dict `:` type($source) `,` type($indices) `->` type($result)",
		Verify: func(op ir.Op) error { return verifyParts(op, op.Result(0), op.Operand(0), op.NumOperands()-1) }})
	l.Insert = l.op(ir.OpDef{Name: "insert", Summary: "A tensor with one subtile replaced; the indices count subtiles of that shape.",
		Operands: []ir.Field{{Name: "part", Type: Tensor}, {Name: "destination", Type: Tensor}, indices},
		Results:  []ir.Field{{Name: "result", Type: Tensor}}, Traits: ir.Pure,
		Syntax:     "$part `,` $destination `[` $indices `]` attr-dict `:` type($part) `,` type($destination) `,` type($indices)",
		InferTypes: func(st *ir.OpState) ([]ir.Type, error) { return []ir.Type{st.Operands[1].Type()}, nil },
		Verify: func(op ir.Op) error {
			if r, d := op.Result(0).Type(), op.Operand(1).Type(); r != d {
				return op.Errorf("result must have the type '%s' of the destination, but got '%s'", ir.TypeString(d), ir.TypeString(r))
			}
			return verifyParts(op, op.Operand(0), op.Operand(1), op.NumOperands()-2)
		}})
	l.Cat = l.op(ir.OpDef{Name: "cat", Summary: "Concatenates two tensors along a dimension.",
		Operands: []ir.Field{{Name: "lhs", Type: Tensor}, {Name: "rhs", Type: Tensor}}, Results: []ir.Field{{Name: "result", Type: Tensor}},
		Attrs:  []ir.Field{{Name: AttrDim, Kind: ir.I64Kind}},
		Traits: ir.Pure, Syntax: "$lhs `,` $rhs `dim` $dim attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)", Verify: verifyCat})
	bytes := func(name, summary string, wide func(op ir.Op) (whole, parts ir.Value)) *ir.OpDef {
		return l.op(ir.OpDef{Name: name, Summary: summary, Operands: []ir.Field{{Name: "source", Type: Tensor}},
			Results: []ir.Field{{Name: "result", Type: Tensor}}, Traits: ir.Pure,
			Syntax: "$source attr-dict `:` type($source) `->` type($result)",
			Verify: func(op ir.Op) error { return verifyBytes(op, wide) }})
	}
	l.Pack = bytes("pack", "The bytes of the elements, the lowest first, along the last dimension.",
		func(op ir.Op) (ir.Value, ir.Value) { return op.Operand(0), op.Result(0) })
	l.Unpack = bytes("unpack", "The elements that bytes make up, along the last dimension.",
		func(op ir.Op) (ir.Value, ir.Value) { return op.Result(0), op.Operand(0) })
	pointer := func(name, summary string, from, to ir.TypeConstraint) *ir.OpDef {
		return l.op(ir.OpDef{Name: name, Summary: summary, Operands: []ir.Field{{Name: "source", Type: from}},
			Results: []ir.Field{{Name: "result", Type: to}}, Traits: ir.Pure,
			Syntax: "$source attr-dict `:` type($source) `->` type($result)", Verify: func(op ir.Op) error {
				return verifySameShape(op, op.Operand(0).Type(), "operand", op.Result(0).Type(), "result")
			}})
	}
	l.PtrToInt = pointer("ptr_to_int", "Addresses as integers.", PtrLike, IntLike)
	l.IntToPtr = pointer("int_to_ptr", "Integers as addresses.", IntLike, PtrLike)
	l.PtrToPtr = pointer("ptr_to_ptr", "Pointers to elements of another type.", PtrLike, PtrLike)
}

// defineGlobals adds variables of the module.
func (l *Level) defineGlobals() {
	l.Global = l.op(ir.OpDef{Name: "global", Summary: "A variable in global memory.",
		Attrs: []ir.Field{{Name: ir.SymName, Kind: ir.SymNameKind}, {Name: AttrValue, Kind: ir.TypedKind, Doc: "dense elements: type and initial values"},
			opt(AttrAlignment, ir.I64Kind), opt(AttrConstant, ir.UnitKind)},
		Traits: ir.Symbol, Parse: parseGlobal, Print: printGlobal, Verify: func(op ir.Op) error {
			d, ok := op.Attr(AttrValue).(*ir.DenseElementsAttr)
			if !ok {
				return op.Errorf("needs dense elements, but got %s", ir.AttrString(op.Attr(AttrValue)))
			}
			if err := verifyAlignment(op); err != nil {
				return err
			}
			natural := ElementBytes(ir.ElementType(d.Type()))
			if n, ok := op.IntAttr(AttrAlignment); ok && n < int64(natural) { // PTX rejects it
				return op.Errorf("alignment must be at least the %d bytes of an element, but got %d", natural, n)
			}
			return nil
		}})
	l.GetGlobal = l.op(ir.OpDef{Name: "get_global", Summary: "The address of a variable of the module.",
		Attrs: []ir.Field{{Name: AttrName, Kind: ir.StringKind}}, Results: []ir.Field{{Name: "result", Type: Ptr}},
		Traits: ir.Pure, Syntax: "$name attr-dict `:` type($result)"})
}

// global @name = dense<..> : type {..}
func parseGlobal(p ir.AsmParser, st *ir.OpState) {
	st.SetAttr(ir.SymName, p.Context().String(p.Symbol()))
	p.Expect("=")
	if v := p.Attr(nil); !p.Failed() {
		st.SetAttr(AttrValue, v)
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
}

func printGlobal(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Symbol(op.SymbolName())
	p.Str(" = ")
	p.Attr(op.Attr(AttrValue))
	p.OptAttrDict(op, false, ir.SymName, AttrValue)
}

// verifyParts checks that the tensor consists of subtiles of the shape of part, and that there are n indices.
func verifyParts(op ir.Op, part, whole ir.Value, n int) error {
	p, w := part.Type().(*ir.TensorType), whole.Type().(*ir.TensorType)
	if p.Elem != w.Elem || len(p.Shape) != len(w.Shape) {
		return op.Errorf("subtile and tile must have the same element type and rank, but got '%s' and '%s'", ir.TypeString(p), ir.TypeString(w))
	}
	if n != len(p.Shape) {
		return op.Errorf("needs an index for each of %d dimensions, but got %d", len(p.Shape), n)
	}
	for d, size := range p.Shape {
		if size < 1 || w.Shape[d]%size != 0 {
			return op.Errorf("dimension %d of %d elements cannot be cut into parts of %d", d, w.Shape[d], size)
		}
	}
	return nil
}

func verifyCat(op ir.Op) error {
	a, b, out := op.Operand(0).Type().(*ir.TensorType), op.Operand(1).Type().(*ir.TensorType), op.Result(0).Type().(*ir.TensorType)
	dim, _ := op.IntAttr(AttrDim)
	if a.Elem != b.Elem || a.Elem != out.Elem || len(a.Shape) != len(b.Shape) || len(a.Shape) != len(out.Shape) {
		return op.Errorf("requires the same element type and rank for operands and result, but got '%s', '%s' and '%s'",
			ir.TypeString(a), ir.TypeString(b), ir.TypeString(out))
	}
	if dim < 0 || dim >= int64(len(a.Shape)) {
		return op.Errorf("dim must be from 0 to %d, but got %d", len(a.Shape)-1, dim)
	}
	for d := range out.Shape {
		want := a.Shape[d]
		if d == int(dim) {
			want += b.Shape[d]
		} else if b.Shape[d] != want {
			return op.Errorf("operands must have the same size in dimension %d, but got %d and %d", d, want, b.Shape[d])
		}
		if out.Shape[d] != want {
			return op.Errorf("result dimension %d must have size %d, but got %d", d, want, out.Shape[d])
		}
	}
	return nil
}

func verifyBytes(op ir.Op, wide func(op ir.Op) (whole, parts ir.Value)) error {
	whole, parts := wide(op)
	w, p := whole.Type().(*ir.TensorType), parts.Type().(*ir.TensorType)
	r := len(w.Shape)
	bits := ir.BitWidth(w.Elem)
	if ir.BitWidth(p.Elem) != 8 || bits == 0 || bits%8 != 0 && 8%bits != 0 {
		return op.Errorf("requires bytes and elements that divide a byte or that bytes make up, but got '%s' and '%s'", ir.TypeString(p), ir.TypeString(w))
	}
	if r == 0 || len(p.Shape) != r || !slices.Equal(w.Shape[:r-1], p.Shape[:r-1]) || 8*p.Shape[r-1] != w.Shape[r-1]*int64(bits) {
		return op.Errorf("operand and result must have the same bytes along the last dimension and the same other dimensions, but got '%s' and '%s'",
			ir.TypeString(w), ir.TypeString(p))
	}
	return nil
}

func verifyAlignment(op ir.Op) error {
	if n, ok := op.IntAttr(AttrAlignment); ok && (n < 1 || n&(n-1) != 0) {
		return op.Errorf("alignment must be a power of two, but got %d", n)
	}
	return nil
}
