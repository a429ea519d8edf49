package syntax

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// Loads from and stores to views share the syntax
//
//	NAME ORDERING [SCOPE] ... %view[%i, ...] ... [token = %t] [optimization_hints = <...>]
//	    [inbounds = [true, ...]] [attributes {...}] : types [, index types] -> types
//
// where one index type stands for all indices when they have the same.

// parseIndexRefs parses "[%i, ...]".
func parseIndexRefs(p ir.AsmParser) []ir.OperandRef {
	p.Expect("[")
	refs := p.Operands()
	p.Expect("]")
	return refs
}

// parseAccessOptions parses what stands between the operands and the colon.
func parseAccessOptions(p ir.AsmParser, st *ir.OpState) (token []ir.Value) {
	token = parseToken(p)
	parseHintsClause(p, st)
	if p.OptKeyword("inbounds") {
		p.Expect("=")
		if a := ir.BoolsKind.Parse(p); a != nil {
			st.SetAttr("inbounds", a)
		}
	}
	st.Attrs = append(st.Attrs, p.OptAttrDict(true)...)
	return token
}

// parseAccessTypes parses ": types, index types -> types". It returns n types and the types of the indices; nil when
// that fails.
func parseAccessTypes(p ir.AsmParser, st *ir.OpState, n int, indices []ir.OperandRef, tokenType bool) (types, index []ir.Type) {
	p.Expect(":")
	pos := p.Pos()
	list := p.TypeList()
	p.Expect("->")
	st.Types = p.TypeList()
	if p.Failed() {
		return nil, nil
	}
	if tokenType && len(list) > n {
		if _, ok := list[len(list)-1].(*cudatile.TokenType); ok {
			list = list[:len(list)-1]
		}
	}
	if len(list) < n {
		p.ErrorAt(pos, "expected %d types, but got %d", n, len(list))
		return nil, nil
	}
	types, index = list[:n], list[n:]
	switch {
	case len(index) == 0 && len(indices) > 0:
		p.ErrorAt(pos, "index types must be specified when indices are present, as in '%s, tile<i32>'", ir.TypeString(types[n-1]))
		return nil, nil
	case len(index) == 1:
		for len(index) < len(indices) {
			index = append(index, index[0])
		}
		index = index[:len(indices)]
	}
	if len(index) != len(indices) {
		p.ErrorAt(pos, "expected %d index types, got %d", len(indices), len(index))
		return nil, nil
	}
	return types, index
}

func resolveAll(p ir.AsmParser, refs []ir.OperandRef, types []ir.Type) []ir.Value {
	out := make([]ir.Value, len(refs))
	for i, o := range refs {
		out[i] = p.Resolve(o, types[i])
	}
	return out
}

func single(p ir.AsmParser, o ir.OperandRef, t ir.Type) []ir.Value {
	return []ir.Value{p.Resolve(o, t)}
}

// printAccessOptions prints what parseAccessOptions parses.
func printAccessOptions(p ir.AsmPrinter, op ir.Op) {
	printToken(p, op, " token = ")
	printHintsClause(p, op)
	if a := op.Attr("inbounds"); a != nil && !cudatile.PromisesNothing(a) {
		p.Str(" inbounds = ")
		ir.BoolsKind.Print(p, a)
	}
}

// printAccessTypes prints the types, one for the indices if all are equal, and then those of extra values.
func printAccessTypes(p ir.AsmPrinter, op ir.Op, types []ir.Type, indices []ir.Value, extra ...ir.Value) {
	p.Str(" : ")
	p.Types(append(append(types, foldEqual(ir.TypesOf(indices))...), ir.TypesOf(extra)...))
	p.Str(" -> ")
	p.Types(op.ResultTypes())
}

// foldEqual returns one type if all are equal, else all.
func foldEqual(types []ir.Type) []ir.Type {
	for _, t := range types {
		if t != types[0] {
			return types
		}
	}
	return types[:min(1, len(types))]
}

// ParseLoadView parses load_view_tko.
func ParseLoadView(p ir.AsmParser, st *ir.OpState) {
	parseMemory(p, st)
	view := p.Operand()
	indices := parseIndexRefs(p)
	token := parseAccessOptions(p, st)
	if types, index := parseAccessTypes(p, st, 1, indices, false); types != nil {
		st.OperandGroups(single(p, view, types[0]), resolveAll(p, indices, index), token)
	}
}

// PrintLoadView prints load_view_tko.
func PrintLoadView(p ir.AsmPrinter, op ir.Op) {
	printMemory(p, op)
	view, indices := op.OperandNamed("view"), op.OperandsNamed("index")
	p.Str(" ")
	p.Operand(view)
	printIndices(p, indices)
	printAccessOptions(p, op)
	p.OptAttrDict(op, true, memoryNames...)
	printAccessTypes(p, op, []ir.Type{view.Type()}, indices)
}

// ParseStoreView parses store_view_tko.
func ParseStoreView(p ir.AsmParser, st *ir.OpState) {
	parseMemory(p, st)
	tile := p.Operand()
	p.Expect(",")
	view := p.Operand()
	indices := parseIndexRefs(p)
	token := parseAccessOptions(p, st)
	if types, index := parseAccessTypes(p, st, 2, indices, false); types != nil {
		st.OperandGroups(single(p, tile, types[0]), single(p, view, types[1]), resolveAll(p, indices, index), token)
	}
}

// PrintStoreView prints store_view_tko.
func PrintStoreView(p ir.AsmPrinter, op ir.Op) {
	printMemory(p, op)
	tile, view, indices := op.OperandNamed("tile"), op.OperandNamed("view"), op.OperandsNamed("index")
	p.Str(" ")
	p.Operand(tile)
	p.Str(", ")
	p.Operand(view)
	printIndices(p, indices)
	printAccessOptions(p, op)
	p.OptAttrDict(op, true, memoryNames...)
	printAccessTypes(p, op, []ir.Type{tile.Type(), view.Type()}, indices)
}

// ParseAtomicRedView parses atomic_red_view_tko.
func ParseAtomicRedView(p ir.AsmParser, st *ir.OpState) {
	parsePtrMemory(p, st)
	view := p.Operand()
	indices := parseIndexRefs(p)
	p.Expect(",")
	mode, ok := cudatile.AtomicRMWModes.Lookup(p.PeekKeyword())
	if !ok {
		p.Errorf("unknown atomic RMW mode: '%s'; expected one of: and, or, xor, add, addf, max, min, umax, umin", p.PeekKeyword())
		return
	}
	p.Keyword()
	st.SetAttr("mode", cudatile.AtomicRMWModes.Attr(p.Context(), mode))
	p.Expect(",")
	value := p.Operand()
	token := parseAccessOptions(p, st)
	if types, index := parseAccessTypes(p, st, 2, indices, false); types != nil {
		st.OperandGroups(single(p, view, types[1]), resolveAll(p, indices, index), single(p, value, types[0]), token)
	}
}

// PrintAtomicRedView prints atomic_red_view_tko.
func PrintAtomicRedView(p ir.AsmPrinter, op ir.Op) {
	printMemory(p, op)
	view, value, indices := op.OperandNamed("view"), op.OperandNamed("value"), op.OperandsNamed("index")
	p.Str(" ")
	p.Operand(view)
	printIndices(p, indices)
	p.Str(", " + cudatile.AtomicModeOf(op).String() + ", ")
	p.Operand(value)
	printAccessOptions(p, op)
	p.OptAttrDict(op, true, memoryNames...)
	printAccessTypes(p, op, []ir.Type{value.Type(), view.Type()}, indices)
}

// ParseMultimem parses the three multimem operations: "%view[...]" or "%view, %tile[...]". Their types include that
// of the token, and their reduction, when it is not add, stands in the attributes.
func ParseMultimem(p ir.AsmParser, st *ir.OpState) {
	parseMemory(p, st)
	operands := []ir.OperandRef{p.Operand()}
	if p.Opt(",") {
		operands = append(operands, p.Operand())
	}
	if want := st.Def.OperandField("index"); len(operands) != want {
		p.Errorf("expected %d operands before the indices, but got %d", want, len(operands))
		return
	}
	indices := parseIndexRefs(p)
	token := parseAccessOptions(p, st)
	types, index := parseAccessTypes(p, st, len(operands), indices, true)
	if types == nil {
		return
	}
	var groups [][]ir.Value
	for i, o := range operands {
		groups = append(groups, single(p, o, types[i]))
	}
	st.OperandGroups(append(groups, resolveAll(p, indices, index), token)...)
}

// PrintMultimem prints multimem_load_reduce_view_tko, multimem_reduce_view_tko, multimem_store_view_tko.
func PrintMultimem(p ir.AsmPrinter, op ir.Op) {
	printMemory(p, op)
	indices := op.OperandsNamed("index")
	var types []ir.Type
	for i := range op.Def().OperandField("index") {
		if i == 0 {
			p.Str(" ")
		} else {
			p.Str(", ")
		}
		p.Operand(op.Operand(i))
		types = append(types, op.Operand(i).Type())
	}
	printIndices(p, indices)
	printAccessOptions(p, op)
	elided := memoryNames
	if cudatile.MultimemReductionOf(op) != cudatile.MultimemAdd {
		elided = []string{"memory_ordering_semantics", "memory_scope", "inbounds", ir.OperandSegmentSizes}
	}
	p.OptAttrDict(op, true, elided...)
	printAccessTypes(p, op, types, indices, op.OperandsNamed("token")...)
}
