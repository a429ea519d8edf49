package ir

import (
	"fmt"
	"strings"
)

// row checks what the row of an operation says about it, and reports whether the operation's hooks can rely on it. Of
// an operation that is wrong in several ways the first one in the order of the list in verify.go is reported: the
// others often follow from it.
func (s *scope) row(op Op, def *OpDef) bool {
	if s.plain(op, def) {
		return s.dependent(op, def)
	}
	for i := range op.NumOperands() {
		if op.Operand(i).IsNil() {
			return s.fail(op.Errorf("null operand found: operand #%d", i))
		}
	}
	if !s.discardable(op) {
		return false
	}
	if def.Unregistered {
		return s.unregistered(op, def)
	}
	return s.counts(op, def) && s.attrs(op, def) &&
		s.types(op, "operand", def.Operands, op.OperandRange, op.Operand) &&
		s.types(op, "result", def.Results, op.ResultRange, op.Result) &&
		s.dependent(op, def) && s.blocks(op, def) && s.traits(op, def) && s.parent(op, def)
}

// dependent checks how types depend on each other.
func (s *scope) dependent(op Op, def *OpDef) bool {
	return def.VerifyTypes == nil || s.err(op, def.VerifyTypes(op))
}

// fail adds an error and returns false.
func (s *scope) fail(d *Diagnostic) bool {
	s.add(d)
	return false
}

func (s *scope) unregistered(op Op, def *OpDef) bool {
	name, _, _ := strings.Cut(def.Name, ".")
	if op.Context().Dialect(name) != nil {
		return s.fail(Errorf(op.Loc(), "unregistered operation '%s' found in dialect ('%s') that does not allow unknown operations", def.Name, name))
	}
	if !op.Context().AllowUnregistered {
		return s.fail(op.Errorf("created with unregistered dialect"))
	}
	return true
}

// counts checks the numbers of regions, results, successors and operands.
func (s *scope) counts(op Op, def *OpDef) bool {
	return s.count(op, "region", def.Regions, op.NumRegions()) &&
		s.segments(op, "result", def.Results, op.NumResults(), def.resSlot, ResultSegmentSizes) &&
		s.successors(op, def) &&
		s.segments(op, "operand", def.Operands, op.NumOperands(), def.segSlot, OperandSegmentSizes)
}

func (s *scope) successors(op Op, def *OpDef) bool {
	n := op.NumSuccessors()
	if def.Successors < 0 || n == def.Successors {
		return true
	}
	noun := "successors"
	if def.Successors == 1 {
		noun = "successor"
	}
	return s.fail(op.Errorf("requires %d %s but found %d", def.Successors, noun, n))
}

// segments checks how a row's fields divide n operands or results.
func (s *scope) segments(op Op, what string, fields []Field, n, slot int, name string) bool {
	if slot < 0 {
		return s.count(op, what, fields, n)
	}
	attr, ok := op.AttrAt(slot).(*DenseArrayAttr)
	if !ok || BitWidth(attr.Elem) != 32 {
		return s.fail(op.Errorf("requires dense i32 array attribute '%s'", name))
	}
	if len(attr.Values) != len(fields) {
		return s.fail(op.Errorf("'%s' attribute for specifying %s segments must have %d elements, but got %d", name, what, len(fields), len(attr.Values)))
	}
	total := int64(0)
	for _, v := range attr.Values {
		if v < 0 {
			return s.fail(op.Errorf("'%s' attribute cannot have negative elements", name))
		}
		total += v
	}
	if total != int64(n) {
		return s.fail(op.Errorf("%s count (%d) does not match with the total size (%d) specified in attribute '%s'", what, n, total, name))
	}
	for i, v := range attr.Values {
		if f := fields[i]; f.Arity == One && v != 1 || f.Arity == Optional && v > 1 {
			return s.fail(op.Errorf("%s group #%d ('%s') requires %s, but found %d", what, i, f.Name, arityText(f.Arity), v))
		}
	}
	return true
}

func arityText(a Arity) string {
	if a == One {
		return "1 element"
	}
	return "0 or 1 element"
}

// count checks the number of operands, results or regions against fields of which at most one is not of arity One.
func (s *scope) count(op Op, what string, fields []Field, n int) bool {
	least, most, open := 0, 0, false
	for i := range fields {
		switch fields[i].Arity {
		case One:
			least++
			most++
		case Optional:
			most++
		case Variadic:
			open = true
		}
	}
	switch {
	case n >= least && (open || n <= most):
		return true
	case n < least && (open || least < most):
		return s.fail(op.Errorf("expected %d or more %ss, but found %d", least, what, n))
	case least == most && what == "operand" && least == 1:
		return s.fail(op.Errorf("requires a single operand, but found %d", n))
	case least == most && least == 1:
		return s.fail(op.Errorf("requires one %s, but found %d", what, n))
	case least == most && least == 0:
		return s.fail(op.Errorf("requires zero %ss, but found %d", what, n))
	case least == most:
		return s.fail(op.Errorf("expected %d %ss, but found %d", least, what, n))
	}
	return s.fail(op.Errorf("expected at most %d %ss, but found %d", most, what, n))
}

func (s *scope) attrs(op Op, def *OpDef) bool {
	for i := range def.Attrs {
		f := &def.Attrs[i]
		if f.Arity == One && f.Default == nil && i != def.segSlot && i != def.resSlot && op.AttrAt(i) == nil {
			return s.fail(op.Errorf("requires attribute '%s'", f.Name))
		}
	}
	for i := range def.Attrs {
		f := &def.Attrs[i]
		if a := op.AttrAt(i); a != nil && !f.Kind.Check(a) {
			return s.fail(op.Errorf("attribute '%s' failed to satisfy constraint: %s, but got %s", f.Name, f.Kind.Desc, AttrString(a)))
		}
	}
	return true
}

// types checks the types of operands or results against the fields that they belong to.
func (s *scope) types(op Op, what string, fields []Field, span func(int) (lo, hi int), value func(int) Value) bool {
	for i := range fields {
		f := &fields[i]
		if f.Type.Check == nil {
			continue
		}
		lo, hi := span(i)
		for k := lo; k < hi; k++ {
			t := value(k).Type()
			if f.Type.Check(t) {
				continue
			}
			desc := f.Type.Desc
			if f.Arity == Variadic {
				desc = "variadic of " + desc
			}
			return s.fail(op.Errorf("%s #%d must be %s, but got '%s'", what, k, desc, TypeString(t)))
		}
	}
	return true
}

func (s *scope) parent(op Op, def *OpDef) bool {
	p := op.ParentOp()
	if len(def.Parents) == 0 || def.mayStandIn(p) {
		return true
	}
	name := "nothing"
	if !p.IsNil() {
		name = "'" + p.Name() + "'"
	}
	if len(def.Parents) == 1 {
		return s.fail(op.Errorf("expects parent op '%s', but got %s", def.Parents[0], name))
	}
	return s.fail(op.Errorf("expects parent op to be one of '%s', but got %s", strings.Join(def.Parents, ", "), name))
}

// discardable lets the dialect that a discardable attribute belongs to, by its name or else by its value, check it.
func (s *scope) discardable(op Op) bool {
	good := true
	for _, e := range op.DiscardableAttrs().Entries {
		d := AttrDialect(e.Value)
		if prefix, _, ok := strings.Cut(e.Name, "."); ok {
			if named := op.Context().Dialect(prefix); named != nil {
				d = named
			}
		}
		if d != nil && d.VerifyAttr != nil {
			good = s.err(op, d.VerifyAttr(op, e.Name, e.Value)) && good
		}
	}
	return good
}

func (s *scope) traits(op Op, def *OpDef) bool {
	t := def.Traits
	const types = SameOperandsAndResultType | SameOperandsShape | SameOperandsAndResultShape | SameOperandsAndResultElementType
	if t&types != 0 && !s.sameTypes(op, t) {
		return false
	}
	if t.Has(Terminator) && !op.Block().IsNil() && op.Block().Last() != op {
		return s.fail(op.Errorf("must be the last operation in the parent block"))
	}
	if t.Has(SymbolTable) && op.NumRegions() != 1 {
		return s.fail(Errorf(op.Loc(), "operations with a 'SymbolTable' must have exactly one region, but '%s' has %d", op.Name(), op.NumRegions()))
	}
	if t.Has(Symbol) {
		if p := op.ParentOp(); !p.IsNil() && !p.HasTrait(SymbolTable) && !p.Def().Unregistered {
			return s.fail(op.Errorf("symbol's parent must have the SymbolTable trait, but it is '%s'", p.Name()))
		}
	}
	return true
}

func (s *scope) sameTypes(op Op, t Traits) bool {
	operands := op.NumOperands()
	all := operands + op.NumResults()
	return (!t.Has(SameOperandsAndResultType) ||
		s.same(op, all, "the same type for all operands and results", func(a, b Type) bool { return a == b })) &&
		(!t.Has(SameOperandsAndResultShape) || s.same(op, all, "the same shape for all operands and results", sameShape)) &&
		(!t.Has(SameOperandsShape) || s.same(op, operands, "the same shape for all operands", sameShape)) &&
		(!t.Has(SameOperandsAndResultElementType) || s.same(op, all, "the same element type for all operands and results", sameElement))
}

// same checks the types of the first n of op's operands and results.
func (s *scope) same(op Op, n int, what string, equal func(a, b Type) bool) bool {
	for i := 1; i < n; i++ {
		if !equal(operandOrResult(op, 0).Type(), operandOrResult(op, i).Type()) {
			return s.fail(op.Errorf("requires %s, but got %s and %s", what, valueText(op, 0), valueText(op, i)))
		}
	}
	return true
}

func operandOrResult(op Op, i int) Value {
	if n := op.NumOperands(); i >= n {
		return op.Result(i - n)
	}
	return op.Operand(i)
}

// valueText describes value i of the operands and results of op.
func valueText(op Op, i int) string {
	t := TypeString(operandOrResult(op, i).Type())
	if n := op.NumOperands(); i >= n {
		return fmt.Sprintf("'%s' for result #%d", t, i-n)
	}
	return fmt.Sprintf("'%s' for operand #%d", t, i)
}

func sameElement(a, b Type) bool { return ElementType(a) == ElementType(b) }

// sameShape reports whether two types have equal dimensions as far as they are known; a type without shape is like
// any other without.
func sameShape(a, b Type) bool {
	x, xs := ShapeOf(a)
	y, ys := ShapeOf(b)
	if xs != ys || len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && x[i] >= 0 && y[i] >= 0 {
			return false
		}
	}
	return true
}
