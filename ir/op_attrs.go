package ir

// AttrAt returns the inherent attribute in the given slot (see OpDef.AttrSlot); nil when absent.
func (op Op) AttrAt(slot int) Attribute {
	if id := *op.a.words.at(op.rec().attrs + uint32(slot)); id != 0 {
		return op.a.ctx.attrs.at(id)
	}
	return nil
}

// SetAttrAt sets the inherent attribute in the given slot; nil removes it.
func (op Op) SetAttrAt(slot int, v Attribute) {
	id := uint32(0)
	if v != nil {
		id = op.Def().attrNumber(slot, v)
	}
	*op.a.words.at(op.rec().attrs + uint32(slot)) = id
	op.touch()
}

// attrNumber returns the number of the form in which a slot holds an attribute.
func (def *OpDef) attrNumber(slot int, v Attribute) uint32 {
	if canonical := def.Attrs[slot].Kind.Canonical; canonical != nil {
		v = canonical(v)
	}
	return v.abase().id
}

// Attr returns the attribute of that name, inherent or discardable; nil when absent. An absent inherent attribute
// with a default yields nil as well: AttrOrDefault tells what it means.
func (op Op) Attr(name string) Attribute {
	if slot := op.Def().AttrSlot(name); slot >= 0 {
		return op.AttrAt(slot)
	}
	return op.DiscardableAttrs().Get(name)
}

// AttrOrDefault returns the inherent attribute of that name, or its default.
func (op Op) AttrOrDefault(name string) Attribute {
	def := op.Def()
	slot := def.AttrSlot(name)
	if slot < 0 {
		return op.DiscardableAttrs().Get(name)
	}
	if v := op.AttrAt(slot); v != nil {
		return v
	}
	if mk := def.Attrs[slot].Default; mk != nil {
		return mk(op.Context())
	}
	return nil
}

// SetAttr sets an attribute, inherent or discardable; a nil value removes it.
func (op Op) SetAttr(name string, v Attribute) {
	if slot := op.Def().AttrSlot(name); slot >= 0 {
		op.SetAttrAt(slot, v)
		return
	}
	old := op.DiscardableAttrs().Entries
	entries := make([]NamedAttr, 0, len(old)+1)
	for _, e := range old {
		if e.Name != name {
			entries = append(entries, e)
		}
	}
	if v != nil {
		entries = append(entries, NamedAttr{name, v})
	}
	op.SetDiscardableAttrs(op.a.ctx.Dict(entries...))
}

// DiscardableAttrs returns the attributes that are not of the operation's row; never nil.
func (op Op) DiscardableAttrs() *DictAttr {
	if id := op.rec().dict; id != 0 {
		return op.a.ctx.attrs.at(id).(*DictAttr)
	}
	return op.a.ctx.emptyDict
}

// SetDiscardableAttrs replaces the attributes that are not of the operation's row.
func (op Op) SetDiscardableAttrs(d *DictAttr) {
	op.touch()
	if d == nil || len(d.Entries) == 0 {
		op.rec().dict = 0
		return
	}
	op.rec().dict = d.id
}

// InherentAttrs returns the present attributes of the operation's row, in the row's order.
func (op Op) InherentAttrs() []NamedAttr {
	var out []NamedAttr
	for i, f := range op.Def().Attrs {
		if v := op.AttrAt(i); v != nil {
			out = append(out, NamedAttr{f.Name, v})
		}
	}
	return out
}

// IntAttr returns the value of an integer attribute, and whether there is one.
func (op Op) IntAttr(name string) (int64, bool) {
	if a, ok := op.AttrOrDefault(name).(*IntegerAttr); ok {
		return a.Value, true
	}
	return 0, false
}

// StringAttr returns the value of a string attribute; "" when absent.
func (op Op) StringAttr(name string) string {
	if a, ok := op.AttrOrDefault(name).(*StringAttr); ok {
		return a.Value
	}
	return ""
}

// HasUnitAttr reports whether a unit attribute is present.
func (op Op) HasUnitAttr(name string) bool { return op.Attr(name) != nil }

// OperandRange returns the number of the first operand of field i, and the number after its last one. It needs only
// that the operand count fits the row, or that operandSegmentSizes is well formed, as the verifier checks first.
// Otherwise the range is empty.
func (op Op) OperandRange(i int) (lo, hi int) {
	def := op.Def()
	return fieldRange(def.Operands, i, op.NumOperands(), op.segments(def.segSlot))
}

// ResultRange is OperandRange for results.
func (op Op) ResultRange(i int) (lo, hi int) {
	def := op.Def()
	return fieldRange(def.Results, i, op.NumResults(), op.segments(def.resSlot))
}

func (op Op) segments(slot int) []int64 {
	if slot < 0 {
		return nil
	}
	if d, ok := op.AttrAt(slot).(*DenseArrayAttr); ok {
		return d.Values
	}
	return nil
}

func fieldRange(fields []Field, i, total int, segments []int64) (lo, hi int) {
	if segments != nil {
		if len(segments) != len(fields) {
			return 0, 0
		}
		for k := range i {
			lo += int(segments[k])
		}
		hi = lo + int(segments[i])
		if lo < 0 || hi < lo || hi > total {
			return 0, 0
		}
		return lo, hi
	}
	extra := total // operands left for the one field that is not of arity One
	for _, f := range fields {
		if f.Arity == One {
			extra--
		}
	}
	for k := range i {
		if fields[k].Arity == One {
			lo++
		} else {
			lo += max(extra, 0)
		}
	}
	hi = lo + 1
	if fields[i].Arity != One {
		hi = lo + max(extra, 0)
	}
	if hi > total {
		return 0, 0
	}
	return lo, hi
}

// OperandGroup returns the operands of field i of the row.
func (op Op) OperandGroup(i int) []Value { return op.operandGroupIn(make([]Value, 0, someOperands), i) }

func (op Op) operandGroupIn(room []Value, i int) []Value {
	lo, hi := op.OperandRange(i)
	out := roomFor(room, hi-lo)
	for k := range out {
		out[k] = op.Operand(lo + k)
	}
	return out
}

// ResultGroup returns the results of field i of the row.
func (op Op) ResultGroup(i int) []Value {
	lo, hi := op.ResultRange(i)
	out := make([]Value, 0, hi-lo)
	for k := lo; k < hi; k++ {
		out = append(out, op.Result(k))
	}
	return out
}

// OperandNamed returns the operand of a field of arity One or Optional; a zero Value when it is absent.
func (op Op) OperandNamed(name string) Value {
	i := op.Def().OperandField(name)
	if i < 0 {
		panic("ir: " + op.Name() + " has no operand named " + name)
	}
	if lo, hi := op.OperandRange(i); lo < hi {
		return op.Operand(lo)
	}
	return Value{}
}

// OperandsNamed returns the operands of a field.
func (op Op) OperandsNamed(name string) []Value {
	i := op.Def().OperandField(name)
	if i < 0 {
		panic("ir: " + op.Name() + " has no operand named " + name)
	}
	return op.OperandGroup(i)
}

// ResultNamed returns the result of a field of arity One or Optional; a zero Value when it is absent.
func (op Op) ResultNamed(name string) Value {
	i := op.Def().ResultField(name)
	if i < 0 {
		panic("ir: " + op.Name() + " has no result named " + name)
	}
	if lo, hi := op.ResultRange(i); lo < hi {
		return op.Result(lo)
	}
	return Value{}
}
