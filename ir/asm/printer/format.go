package printer

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/format"
)

// printFormat prints an operation by its declarative format.
func (p *printer) printFormat(op ir.Op) {
	row := p.row(op.Def())
	if row.err != nil {
		p.Str(" <<" + row.err.Error() + ">>")
		return
	}
	p.printElements(row, op, row.format.Elements)
}

func (p *printer) printElements(row *printRow, op ir.Op, list []format.Element) {
	for i := range list {
		p.printElement(row, op, &list[i])
	}
}

func (p *printer) printElement(row *printRow, op ir.Op, e *format.Element) {
	if e.Space {
		p.buf = append(p.buf, ' ')
	}
	switch e.Kind {
	case format.Literal, format.Space, format.UnitName:
		p.Str(e.Text)
	case format.Newline:
		p.Newline()
	case format.Operand:
		if row.single {
			p.Operand(op.Operand(e.Index))
			break
		}
		lo, hi := op.OperandRange(e.Index)
		p.operandRange(op, lo, hi)
	case format.Operands:
		p.operandRange(op, 0, op.NumOperands())
	case format.Attr:
		p.kindAttr(row, op, e.Index)
	case format.AttrDict, format.AttrDictKeyword:
		p.formatDict(row, op, e.Kind == format.AttrDictKeyword)
	case format.Region:
		lo, hi := regionRange(op, e.Index)
		for i := lo; i < hi; i++ {
			if i > lo {
				p.Str(", ")
			}
			p.region(op.Region(i), true, true, true)
		}
	case format.Regions:
		for i := range op.NumRegions() {
			if i > 0 {
				p.Str(", ")
			}
			p.region(op.Region(i), true, true, true)
		}
	case format.Successors:
		for i := range op.NumSuccessors() {
			if i > 0 {
				p.Str(", ")
			}
			p.Successor(op.Successor(i))
		}
	case format.Type:
		p.typeTargets(row, op, e.Targets)
	case format.FuncType:
		p.buf = append(p.buf, '(')
		p.typeTarget(op, format.Target{Kind: format.TargetOperands})
		p.Str(") -> ")
		p.resultTypes(op)
	case format.Custom:
		e.Custom.Print(p, op, e.Names)
	case format.Group:
		if row.present(op, e.Anchor) {
			p.printElements(row, op, e.Then)
		} else {
			p.printElements(row, op, e.Other)
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
func (r *printRow) present(op ir.Op, t format.Target) bool {
	lo, hi := 0, 0
	switch t.Kind {
	case format.TargetOperand:
		lo, hi = op.OperandRange(t.Index)
	case format.TargetResult:
		lo, hi = op.ResultRange(t.Index)
	case format.TargetOperands:
		hi = op.NumOperands()
	case format.TargetResults:
		hi = op.NumResults()
	case format.TargetRegion:
		if lo, hi = regionRange(op, t.Index); lo+1 == hi {
			return !op.Region(lo).Empty()
		}
	case format.TargetAttr:
		a := op.AttrAt(t.Index)
		return a != nil && a != r.defaults[t.Index]
	}
	return lo < hi
}

// regionRange returns the numbers of the first region of a field and of the one after its last.
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
	for i, bound := range row.format.Bound {
		if bound || op.AttrNumberAt(i) == 0 {
			continue
		}
		if a := op.AttrAt(i); a != row.defaults[i] {
			entries = append(entries, ir.NamedAttr{Name: row.def.Attrs[i].Name, Value: a})
		}
	}
	for _, e := range op.DiscardableAttrs().Entries {
		if !contains(row.format.Elided, e.Name) {
			entries = append(entries, e)
		}
	}
	p.trailingDict(entries, keyword)
}

// typeTargets prints the types of the first target that is there.
func (p *printer) typeTargets(row *printRow, op ir.Op, targets []format.Target) {
	for _, t := range targets {
		if row.present(op, t) {
			p.typeTarget(op, t)
			return
		}
	}
}

func (p *printer) typeTarget(op ir.Op, t format.Target) {
	var lo, hi int
	switch t.Kind {
	case format.TargetOperand:
		lo, hi = op.OperandRange(t.Index)
	case format.TargetOperands:
		hi = op.NumOperands()
	case format.TargetResult:
		lo, hi = op.ResultRange(t.Index)
	case format.TargetResults:
		hi = op.NumResults()
	}
	for i := lo; i < hi; i++ {
		if i > lo {
			p.Str(", ")
		}
		if t.Kind == format.TargetOperand || t.Kind == format.TargetOperands {
			p.valueType(op.Operand(i))
		} else {
			p.valueType(op.Result(i))
		}
	}
}
