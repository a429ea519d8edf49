package asm

import "github.com/tilewright/tilewright/ir"

// printFormat prints an operation by its declarative format.
func (p *printer) printFormat(op ir.Op) {
	row := p.row(op.Def())
	if row.err != nil {
		p.Str(" <<" + row.err.Error() + ">>")
		return
	}
	p.printElements(row, op, row.format.elements)
}

func (p *printer) printElements(row *printRow, op ir.Op, list []element) {
	for i := range list {
		p.printElement(row, op, &list[i])
	}
}

func (p *printer) printElement(row *printRow, op ir.Op, e *element) {
	if e.space {
		p.buf = append(p.buf, ' ')
	}
	switch e.kind {
	case elemLiteral, elemSpace, elemUnitName:
		p.Str(e.text)
	case elemNewline:
		p.Newline()
	case elemOperand:
		if row.single {
			p.Operand(op.Operand(e.index))
			break
		}
		lo, hi := op.OperandRange(e.index)
		p.operandRange(op, lo, hi)
	case elemOperands:
		p.operandRange(op, 0, op.NumOperands())
	case elemAttr:
		p.kindAttr(row, op, e.index)
	case elemAttrDict, elemAttrDictKeyword:
		p.formatDict(row, op, e.kind == elemAttrDictKeyword)
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
		p.typeTargets(row, op, e.targets)
	case elemFuncType:
		p.buf = append(p.buf, '(')
		p.typeTarget(op, target{kind: targetOperands})
		p.Str(") -> ")
		p.resultTypes(op)
	case elemCustom:
		e.custom.Print(p, op, e.names)
	case elemGroup:
		if row.present(op, e.anchor) {
			p.printElements(row, op, e.then)
		} else {
			p.printElements(row, op, e.other)
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
func (r *printRow) present(op ir.Op, t target) bool {
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
		return a != nil && a != r.defaults[t.index]
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

func (p *printer) kindAttr(row *printRow, op ir.Op, slot int) {
	f := &row.def.Attrs[slot]
	a := op.AttrAt(slot)
	if a == nil {
		a = row.defaults[slot]
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
func (p *printer) formatDict(row *printRow, op ir.Op, keyword bool) {
	entries := p.takeEntries()
	for i, bound := range row.format.bound {
		if bound || op.AttrNumberAt(i) == 0 {
			continue
		}
		if a := op.AttrAt(i); a != row.defaults[i] {
			entries = append(entries, ir.NamedAttr{Name: row.def.Attrs[i].Name, Value: a})
		}
	}
	for _, e := range op.DiscardableAttrs().Entries {
		if !contains(row.format.elided, e.Name) {
			entries = append(entries, e)
		}
	}
	p.trailingDict(entries, keyword)
}

// typeTargets prints the types of the first target that is there.
func (p *printer) typeTargets(row *printRow, op ir.Op, targets []target) {
	for _, t := range targets {
		if row.present(op, t) {
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
			p.valueType(op.Result(i))
		}
	}
}
