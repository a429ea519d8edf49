package ir

import "slices"

// Most operations are of rows whose fields are one operand or result each, and have nothing wrong with them. That can
// be seen from their records, without ranges of operands and loaded types. Only the others go through the checks of
// verify_op.go, which also find the words for what is wrong.

// The traits that scope.plain knows how to check; the last ones say nothing about an operation that has no regions.
const plainTraits = Terminator | Commutative | ConstantLike | Pure | SameOperandsAndResultType |
	IsolatedFromAbove | SingleBlock | NoTerminator | GraphRegion | RecursiveEffects

// isPlain reports whether scope.plain can do for operations of the row.
func (def *OpDef) isPlain() bool {
	one := func(fields []Field) bool {
		for i := range fields {
			if fields[i].Arity != One {
				return false
			}
		}
		return len(fields) < maxAdmittedFields
	}
	return !def.Unregistered && def.Traits&^plainTraits == 0 && def.Successors >= 0 && len(def.Regions) == 0 && one(def.Operands) && one(def.Results)
}

// plain reports whether an operation is seen to be as its row says.
func (s *scope) plain(op Op, def *OpDef) bool {
	r := op.rec()
	if !def.plain || r.dict != 0 || int(r.nOperands) != len(def.Operands) || int(r.nResults) != len(def.Results) ||
		r.nRegions != 0 || int(r.nSuccs) != def.Successors {
		return false
	}
	a := op.a
	for i := range def.Attrs {
		f := &def.Attrs[i]
		if id := *a.words.at(r.attrs + uint32(i)); id == 0 {
			if f.Arity == One && f.Default == nil {
				return false
			}
		} else if !f.Kind.Check(a.ctx.attrs.at(id)) {
			return false
		}
	}
	first := uint32(0) // type of the first operand or result
	same := true
	for i := range r.nOperands {
		v := a.operands.at(r.operands + i).value
		if v == 0 {
			return false
		}
		typ := a.values.at(v).typ
		if !s.admitted.has(a.ctx, def, def.Operands, 0, int(i), typ) {
			return false
		}
		if first == 0 {
			first = typ
		}
		same = same && typ == first
	}
	for i := range r.nResults {
		typ := a.values.at(r.results + i).typ
		if !s.admitted.has(a.ctx, def, def.Results, resultField, int(i), typ) {
			return false
		}
		if first == 0 {
			first = typ
		}
		same = same && typ == first
	}
	return (same || !def.Traits.Has(SameOperandsAndResultType)) &&
		(!def.Traits.Has(Terminator) || r.block == 0 || a.blocks.at(r.block).last == op.id) &&
		(len(def.Parents) == 0 || def.mayStandIn(op.ParentOp()))
}

// mayStandIn reports whether the row names p as a parent.
func (def *OpDef) mayStandIn(p Op) bool {
	if p.IsNil() {
		return false
	}
	like := p.Def().StandsFor
	return slices.Contains(def.Parents, p.Name()) || like != nil && slices.Contains(def.Parents, like.FullName())
}

// An admitted remembers types that fields of rows admit, so that constraints need not be asked again for each
// operation. Each entry is the number of a row, the number of a field and that of a type; what is not there may be
// admitted too. It is used by one goroutine at a time.
type admitted [256]uint64

const (
	maxAdmittedFields = 1 << 10
	resultField       = maxAdmittedFields
)

// has reports whether a field admits a type. kind tells operands from results.
func (t *admitted) has(c *Context, def *OpDef, fields []Field, kind, i int, typ uint32) bool {
	key := uint64(def.num)<<43 | uint64(kind|i)<<32 | uint64(typ)
	e := &t[(uint32(typ)*7+def.num*5+uint32(kind>>8|i))%uint32(len(t))]
	if *e == key {
		return true
	}
	if check := fields[i].Type.Check; check != nil && !check(c.types.at(typ)) {
		return false
	}
	*e = key
	return true
}
