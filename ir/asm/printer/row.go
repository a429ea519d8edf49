package printer

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm/format"
)

// A printRow is what a printer keeps about a row, so that it need not find it out for each operation.
type printRow struct {
	def      *ir.OpDef
	custom   bool // the row has a custom syntax
	format   *format.Format
	err      error          // of the declarative format
	defaults []ir.Attribute // by attribute slot; nil: absent means nothing
	operands numbers
	results  numbers
	regions  numbers
	single   bool // each operand field is one operand
}

// numbers bounds how many operands, results or regions there can be. Sized ones are divided by a segment attribute.
type numbers struct {
	least, most int
	sized       bool
}

// row returns what the printer knows about a row.
func (p *printer) row(def *ir.OpDef) *printRow {
	i := def.Number()
	if i >= len(p.rows) {
		p.rows = append(p.rows, make([]*printRow, i+1-len(p.rows))...)
	}
	r := p.rows[i]
	if r == nil || r.def != def { // all rows of which nothing is known share a place
		r = p.newRow(def)
		p.rows[i] = r
	}
	return r
}

func (p *printer) newRow(def *ir.OpDef) *printRow {
	r := &printRow{
		def: def, custom: def.Print != nil || def.Syntax != "",
		operands: numbersOf(def.Operands, def.Traits.Has(ir.AttrSizedOperandSegments)),
		results:  numbersOf(def.Results, def.Traits.Has(ir.AttrSizedResultSegments)),
		regions:  numbersOf(def.Regions, false),
	}
	r.single = !r.operands.sized && r.operands.least == len(def.Operands)
	if def.Syntax != "" {
		r.format, r.err = format.Of(def)
	}
	r.defaults = make([]ir.Attribute, len(def.Attrs))
	for i := range def.Attrs {
		if mk := def.Attrs[i].Default; mk != nil {
			r.defaults[i] = mk(p.ctx)
		}
	}
	return r
}

func numbersOf(fields []ir.Field, sized bool) numbers {
	n := numbers{sized: sized}
	for i := range fields {
		switch fields[i].Arity {
		case ir.One:
			n.least++
			n.most++
		case ir.Optional:
			n.most++
		default:
			n.most = math.MaxInt / 2
		}
	}
	return n
}

// fits reports whether an operation has the operands, results, attributes, regions and successors that its row says,
// so that its custom syntax can spell it. What does not fit, and so does not verify, is printed in the generic
// syntax.
func (r *printRow) fits(op ir.Op) bool {
	def := r.def
	if def.Successors >= 0 && def.Successors != op.NumSuccessors() {
		return false
	}
	for i := range def.Attrs {
		f := &def.Attrs[i]
		a := op.AttrAt(i)
		if a == nil && f.Arity == ir.One && f.Default == nil || a != nil && f.Kind.Check != nil && !f.Kind.Check(a) {
			return false
		}
	}
	return r.operands.admit(op.NumOperands()) && r.results.admit(op.NumResults()) && r.regions.admit(op.NumRegions()) &&
		(!r.operands.sized || segmentsFit(def.Operands, op.NumOperands(), op.OperandRange)) &&
		(!r.results.sized || segmentsFit(def.Results, op.NumResults(), op.ResultRange))
}

func (n numbers) admit(have int) bool { return n.sized || have >= n.least && have <= n.most }

// segmentsFit checks that n operands or results are divided among fields as the fields say.
func segmentsFit(fields []ir.Field, n int, rangeOf func(int) (int, int)) bool {
	at := 0
	for i := range fields {
		lo, hi := rangeOf(i)
		if lo == hi {
			lo, hi = at, at // an empty range, which stands anywhere
		}
		if lo != at || fields[i].Arity == ir.One && hi != lo+1 || fields[i].Arity == ir.Optional && hi > lo+1 {
			return false
		}
		at = hi
	}
	return at == n
}

// readsBack reports whether the text of an operation tells which of its optional operands are there.
func (r *printRow) readsBack(op ir.Op) bool {
	if r.format == nil {
		return true
	}
	for _, run := range r.format.Runs {
		var there []int
		var types []ir.Type
		for _, field := range run {
			if lo, hi := op.OperandRange(field); lo < hi {
				there = append(there, field)
				types = append(types, op.Operand(lo).Type())
			}
		}
		if len(there) < len(run) && !slices.Equal(there, r.format.FieldsOf(run, types)) {
			return false
		}
	}
	return true
}
