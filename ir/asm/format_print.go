package asm

import "github.com/tilewright/tilewright/ir"

// printFormat prints an operation by its declarative format.
func (p *printer) printFormat(op ir.Op) {
	f, err := formatOf(op.Def())
	if err != nil {
		p.Str(" <<" + err.Error() + ">>")
		return
	}
	p.printElements(f, op, f.elements)
}

func (p *printer) printElements(f *format, op ir.Op, list []element) {
	for i := range list {
		p.printElement(f, op, &list[i])
	}
}

func (p *printer) printElement(f *format, op ir.Op, e *element) {
	if e.space {
		p.buf = append(p.buf, ' ')
	}
	switch e.kind {
	case elemLiteral, elemSpace, elemUnitName:
		p.Str(e.text)
	case elemNewline:
		p.Newline()
	case elemOperand:
		lo, hi := op.OperandRange(e.index)
		p.operandRange(op, lo, hi)
	case elemOperands:
		p.operandRange(op, 0, op.NumOperands())
	case elemAttr:
		p.kindAttr(op, e.index)
	case elemAttrDict, elemAttrDictKeyword:
		p.formatDict(f, op, e.kind == elemAttrDictKeyword)
	case elemRegion:
		lo, hi := regionRange(op, e.index)
		for i := lo; i < hi; i++ {
			if i > lo {
				p.Str(", ")
			}
			p.region(op.Region(i), true, true, true)
		}
	case elemRegions:
		for i := range op.NumRegions() {
			if i > 0 {
				p.Str(", ")
			}
			p.region(op.Region(i), true, true, true)
		}
	case elemSuccessors:
		for i := range op.NumSuccessors() {
			if i > 0 {
				p.Str(", ")
			}
			p.Successor(op.Successor(i))
		}
	case elemType:
		p.typeTargets(op, e.targets)
	case elemFuncType:
		p.buf = append(p.buf, '(')
		p.typeTarget(op, target{kind: targetOperands})
		p.Str(") -> ")
		p.resultTypes(op)
	case elemCustom:
		e.custom.Print(p, op, e.names)
	case elemGroup:
		if present(op, e.anchor) {
			p.printElements(f, op, e.then)
		} else {
			p.printElements(f, op, e.other)
		}
	}
}

func (p *printer) operandRange(op ir.Op, lo, hi int) {
	for i := lo; i < hi; i++ {
		if i > lo {
			p.Str(", ")
		}
		p.Operand(op.Operand(i))
	}
}

// present reports whether what a group depends on has a value.
func present(op ir.Op, t target) bool {
	lo, hi := 0, 0
	switch t.kind {
	case targetOperand:
		lo, hi = op.OperandRange(t.index)
	case targetResult:
		lo, hi = op.ResultRange(t.index)
	case targetOperands:
		hi = op.NumOperands()
	case targetResults:
		hi = op.NumResults()
	case targetRegion:
		if lo, hi = regionRange(op, t.index); lo+1 == hi {
			return !op.Region(lo).Empty()
		}
	case targetAttr:
		a := op.AttrAt(t.index)
		return a != nil && !isDefault(op, t.index, a)
	}
	return lo < hi
}

// regionRange returns the numbers of the first region of a field and of the one behind its last.
func regionRange(op ir.Op, field int) (lo, hi int) {
	fields := op.Def().Regions
	extra := op.NumRegions() - len(fields) + 1 // for the one field that need not be a single region
	for i := range field {
		lo++
		if fields[i].Arity != ir.One {
			lo += extra - 1
		}
	}
	hi = lo + 1
	if fields[field].Arity != ir.One {
		hi = lo + extra
	}
	return lo, min(hi, op.NumRegions())
}

// isDefault reports whether an attribute says what its absence would.
func isDefault(op ir.Op, slot int, a ir.Attribute) bool {
	mk := op.Def().Attrs[slot].Default
	return mk != nil && mk(op.Context()) == a
}

func (p *printer) kindAttr(op ir.Op, slot int) {
	f := &op.Def().Attrs[slot]
	a := op.AttrAt(slot)
	if a == nil && f.Default != nil {
		a = f.Default(op.Context())
	}
	switch {
	case a == nil:
	case f.Kind.Print != nil:
		f.Kind.Print(p, a)
	default:
		p.Attr(a)
	}
}

// formatDict prints the attributes that no other element spells and that are not defaults.
func (p *printer) formatDict(f *format, op ir.Op, keyword bool) {
	elided := f.elided
	for i := range f.bound {
		if a := op.AttrAt(i); a != nil && !f.bound[i] && isDefault(op, i, a) {
			elided = append(elided[:len(elided):len(elided)], f.def.Attrs[i].Name)
		}
	}
	p.OptAttrDict(op, keyword, elided...)
}

// typeTargets prints the types of the first target that is there.
func (p *printer) typeTargets(op ir.Op, targets []target) {
	for _, t := range targets {
		if present(op, t) {
			p.typeTarget(op, t)
			return
		}
	}
}

func (p *printer) typeTarget(op ir.Op, t target) {
	var lo, hi int
	switch t.kind {
	case targetOperand:
		lo, hi = op.OperandRange(t.index)
	case targetOperands:
		hi = op.NumOperands()
	case targetResult:
		lo, hi = op.ResultRange(t.index)
	case targetResults:
		hi = op.NumResults()
	}
	for i := lo; i < hi; i++ {
		if i > lo {
			p.Str(", ")
		}
		if t.kind == targetOperand || t.kind == targetOperands {
			p.valueType(op.Operand(i))
		} else {
			p.Type(op.Result(i).Type())
		}
	}
}
