package syntax

import (
	"strconv"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// A listed size or stride of make_tensor_view: a number, or Dynamic for a value.
type listed struct {
	size int64
	pos  ir.Pos
}

func parseListed(p ir.AsmParser) (sizes []listed, values []ir.OperandRef) {
	p.CommaList("[", "]", func() {
		pos := p.Pos()
		if n, ok := p.OptInteger(); ok {
			sizes = append(sizes, listed{n, pos})
			return
		}
		o, ok := p.OptOperand()
		if !ok {
			p.Errorf("expected either integer or SSA value")
			return
		}
		sizes = append(sizes, listed{cudatile.Dynamic, pos})
		values = append(values, o)
	})
	return sizes, values
}

// ParseMakeTensorView parses "%base, shape = [1, %v, ...], strides = [...] : [type ->] type".
func ParseMakeTensorView(p ir.AsmParser, st *ir.OpState) {
	base := p.Operand()
	p.Expect(",")
	p.ExpectKeyword("shape")
	p.Expect("=")
	shapePos := p.Pos()
	sizes, dynSizes := parseListed(p)
	p.Expect(",")
	p.ExpectKeyword("strides")
	p.Expect("=")
	stridesPos := p.Pos()
	strides, dynStrides := parseListed(p)
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	pos := p.Pos()
	types := p.TypeList()
	if p.Peek("->") {
		p.Expect("->")
		pos = p.Pos()
		types = append(types, p.Type())
	}
	if p.Failed() {
		return
	}
	view, ok := types[len(types)-1].(*cudatile.TensorViewType)
	if !ok {
		p.ErrorAt(pos, "expected 'tensor_view' type, but got %s", cudatile.Quoted(types[len(types)-1]))
		return
	}
	var baseType, indexType ir.Type = cudatile.Scalar(p.Context(), cudatile.Ptr(p.Context(), view.Elem, nil)), nil
	for _, t := range types[:len(types)-1] {
		if ptr, ok := cudatile.ElemOf(t).(*cudatile.PtrType); ok && ptr.Attr != nil {
			baseType = t
		} else {
			indexType = t
		}
	}
	if !agreeListed(p, "shape", shapePos, sizes, view.Shape) || !agreeListed(p, "stride", stridesPos, strides, view.Strides) {
		return
	}
	if indexType == nil && len(dynSizes)+len(dynStrides) > 0 {
		p.ErrorAt(pos, "expected the type of the dynamic values and '->'")
		return
	}
	resolve := func(refs []ir.OperandRef) (out []ir.Value) {
		for _, o := range refs {
			out = append(out, p.Resolve(o, indexType))
		}
		return out
	}
	st.OperandGroups([]ir.Value{p.Resolve(base, baseType)}, resolve(dynSizes), resolve(dynStrides))
	st.Types = append(st.Types, view)
}

// agreeListed checks what is listed against the type of the view.
func agreeListed(p ir.AsmParser, what string, pos ir.Pos, got []listed, want []int64) bool {
	if len(got) != len(want) {
		p.ErrorAt(pos, "expected %s declaration to contain %d elements due to tensor_view type, but %d were provided", what, len(want), len(got))
		return false
	}
	for i, g := range got {
		if g.size != want[i] {
			p.ErrorAt(g.pos, "input %s dimension %d does not match tensor_view type (expected %s, got %s)", what, i, sizeText(want[i]),
				sizeText(g.size))
			return false
		}
	}
	return true
}

func sizeText(n int64) string {
	if n == cudatile.Dynamic {
		return "dynamic"
	}
	return strconv.FormatInt(n, 10)
}

// PrintMakeTensorView prints make_tensor_view.
func PrintMakeTensorView(p ir.AsmPrinter, op ir.Op) {
	view, ok := op.Result(0).Type().(*cudatile.TensorViewType)
	if !ok {
		p.Str(" <<no tensor_view>>")
		return
	}
	sizes, strides := op.OperandGroup(1), op.OperandGroup(2)
	p.Str(" ")
	p.Operand(op.Operand(0))
	p.Str(", shape = ")
	printListed(p, view.Shape, sizes)
	p.Str(", strides = ")
	printListed(p, view.Strides, strides)
	p.OptAttrDict(op, false, ir.OperandSegmentSizes)
	p.Str(" : ")
	var before []ir.Type
	if ptr, ok := cudatile.ElemOf(op.Operand(0).Type()).(*cudatile.PtrType); ok && ptr.Attr != nil {
		before = append(before, op.Operand(0).Type())
	}
	if dynamic := append(sizes, strides...); len(dynamic) > 0 {
		before = append(before, dynamic[0].Type())
	}
	if before != nil {
		p.Types(before)
		p.Str(" -> ")
	}
	p.Type(view)
}

func printListed(p ir.AsmPrinter, sizes []int64, values []ir.Value) {
	p.Str("[")
	for i, n := range sizes {
		if i > 0 {
			p.Str(", ")
		}
		if n == cudatile.Dynamic && len(values) > 0 {
			p.Operand(values[0])
			values = values[1:]
		} else {
			p.Str(cudatile.SizesText([]int64{n}, ""))
		}
	}
	p.Str("]")
}

// ParseMakeView parses "%tensor_view : type"; the type says what the operand is.
func ParseMakeView(p ir.AsmParser, st *ir.OpState) {
	operand := p.Operand()
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	pos := p.Pos()
	t := p.Type()
	if p.Failed() {
		return
	}
	view, ok := t.(cudatile.ViewType)
	if !ok || !st.Def.Results[0].Type.Check(t) {
		p.ErrorAt(pos, "expected '%s' type, but got %s", st.Def.Name[len("make_"):], cudatile.Quoted(t))
		return
	}
	st.Operands = append(st.Operands, p.Resolve(operand, view.View().TensorView))
	st.Types = append(st.Types, t)
}

// PrintMakeView prints make_partition_view, make_strided_view, make_gather_scatter_view.
func PrintMakeView(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Operand(op.Operand(0))
	p.OptAttrDict(op, false)
	p.Str(" : ")
	p.Type(op.Result(0).Type())
}

// ParseGetShape parses "%view : type -> type"; the result type stands for each of the results.
func ParseGetShape(p ir.AsmParser, st *ir.OpState) {
	src := p.Operand()
	st.Attrs = append(st.Attrs, p.OptAttrDict(false)...)
	p.Expect(":")
	pos := p.Pos()
	t := p.Type()
	p.Expect("->")
	result := p.Type()
	if p.Failed() {
		return
	}
	rank := 0
	view, isView := t.(cudatile.ViewType)
	tensor, isTensor := t.(*cudatile.TensorViewType)
	switch {
	case st.Def == cudatile.GetTensorShape && isTensor:
		rank = len(tensor.Shape)
	case st.Def == cudatile.GetTensorShape:
		p.ErrorAt(pos, "expected tensor_view, got %s", cudatile.Quoted(t))
		return
	case isView:
		rank = view.IndexRank()
	default:
		p.ErrorAt(pos, "expected tile view, got %s", cudatile.Quoted(t))
		return
	}
	st.Operands = append(st.Operands, p.Resolve(src, t))
	for range rank {
		st.Types = append(st.Types, result)
	}
}

// PrintGetShape prints get_index_space_shape, get_tensor_shape.
func PrintGetShape(p ir.AsmPrinter, op ir.Op) {
	p.Str(" ")
	p.Operand(op.Operand(0))
	p.OptAttrDict(op, false)
	p.Str(" : ")
	p.Type(op.Operand(0).Type())
	p.Str(" -> ")
	if op.NumResults() > 0 {
		p.Type(op.Result(0).Type())
	}
}
