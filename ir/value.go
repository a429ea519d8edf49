package ir

import (
	"encoding/binary"
	"unsafe"
)

// A Value is the result of an operation or an argument of a block. The zero Value is "none".
type Value struct {
	a  *Arena
	id uint32
}

// IsNil reports whether v is no value.
func (v Value) IsNil() bool { return v.id == 0 }

func (v Value) rec() *valueRec { return v.a.values.at(v.id) }

// ID returns a number that is unique among the values of the arena, small and dense: an index for side tables.
func (v Value) ID() int { return int(v.id) }

// Value returns the value with the given ID.
func (a *Arena) Value(id int) Value { return Value{a, uint32(id)} }

// Arena returns the arena that the value lives in.
func (v Value) Arena() *Arena { return v.a }

// Type returns the type of the value.
func (v Value) Type() Type { return v.a.ctx.types.at(v.a.values.at(v.id).typ) }

// HasType reports whether t is the type of the value.
func (v Value) HasType(t Type) bool { return v.rec().typ == t.base().id }

// SetType changes the type of the value in place; keeping its operations valid is up to the caller.
func (v Value) SetType(t Type) {
	v.rec().typ = t.base().id
	v.a.changes++
}

// DefiningOp returns the operation that v is a result of; a zero Op for a block argument.
func (v Value) DefiningOp() Op {
	if r := v.rec(); r.index&blockArgBit == 0 {
		return Op{v.a, r.owner}
	}
	return Op{}
}

// IsBlockArg reports whether v is an argument of a block.
func (v Value) IsBlockArg() bool { return v.rec().index&blockArgBit != 0 }

// Index returns which result or block argument v is.
func (v Value) Index() int { return int(v.rec().index &^ blockArgBit) }

// Block returns the block that v is defined in: of which it is an argument, or in which its operation stands.
func (v Value) Block() Block {
	r := v.rec()
	if r.index&blockArgBit != 0 {
		return Block{v.a, r.owner}
	}
	return Op{v.a, r.owner}.Block()
}

// Context returns the context of the value.
func (v Value) Context() *Context { return v.a.ctx }

// HasUses reports whether any operand uses v.
func (v Value) HasUses() bool { return v.rec().firstUse != 0 }

// HasOneUse reports whether exactly one operand uses v.
func (v Value) HasOneUse() bool {
	u := v.rec().firstUse
	return u != 0 && v.a.operands.at(u).next == 0
}

// A Use is an operand slot of an operation.
type Use struct {
	a  *Arena
	id uint32
}

// IsNil reports whether u is no use.
func (u Use) IsNil() bool { return u.id == 0 }

// Owner returns the operation whose operand it is.
func (u Use) Owner() Op { return Op{u.a, u.a.operands.at(u.id).owner} }

// Index returns which operand of the owner it is.
func (u Use) Index() int { return int(u.id - u.Owner().rec().operands) }

// Value returns the value that is used.
func (u Use) Value() Value { return Value{u.a, u.a.operands.at(u.id).value} }

// Set makes the operand use v instead.
func (u Use) Set(v Value) { u.a.setUse(u.id, v.id) }

// FirstUse returns the most recently added use of v, or a zero Use. With Use.Next it walks the use list.
func (v Value) FirstUse() Use { return Use{v.a, v.rec().firstUse} }

// Next returns the following use of the same value, or a zero Use.
func (u Use) Next() Use { return Use{u.a, u.a.operands.at(u.id).next} }

// Uses yields the uses of v. The use that is yielded may be changed or removed by the loop's body, other uses may not.
func (v Value) Uses() func(yield func(Use) bool) {
	return func(yield func(Use) bool) {
		for u := v.rec().firstUse; u != 0; {
			next := v.a.operands.at(u).next
			if !yield(Use{v.a, u}) {
				return
			}
			u = next
		}
	}
}

// UsedBy reports whether an operation that satisfies is uses v.
func (v Value) UsedBy(is func(Op) bool) bool {
	return Any(v.Uses(), func(u Use) bool { return is(u.Owner()) })
}

// Through returns what v is made of by operations that satisfy is, each from its first operand; v if there is none.
func (v Value) Through(is func(Op) bool) Value {
	for def := v.DefiningOp(); !def.IsNil() && is(def); def = v.DefiningOp() {
		v = def.Operand(0)
	}
	return v
}

// NumUses counts the uses of v.
func (v Value) NumUses() int {
	n := 0
	for range v.Uses() {
		n++
	}
	return n
}

// ReplaceAllUsesWith makes every use of v a use of w, at a cost proportional to the number of uses.
func (v Value) ReplaceAllUsesWith(w Value) {
	if v == w {
		return
	}
	for u := v.rec().firstUse; u != 0; {
		next := v.a.operands.at(u).next
		v.a.setUse(u, w.id)
		u = next
	}
}

// ReplaceUsesIf replaces the uses of v for which cond holds.
func (v Value) ReplaceUsesIf(w Value, cond func(Use) bool) {
	for u := range v.Uses() {
		if cond(u) {
			u.Set(w)
		}
	}
}

func (a *Arena) linkUse(u, value uint32) {
	r := a.operands.at(u)
	r.value, r.prev = value, 0
	if value == 0 {
		r.next = 0
		return
	}
	v := a.values.at(value)
	r.next = v.firstUse
	if r.next != 0 {
		a.operands.at(r.next).prev = u
	}
	v.firstUse = u
}

func (a *Arena) unlinkUse(u uint32) {
	r := a.operands.at(u)
	if r.value == 0 {
		return
	}
	if r.prev != 0 {
		a.operands.at(r.prev).next = r.next
	} else {
		a.values.at(r.value).firstUse = r.next
	}
	if r.next != 0 {
		a.operands.at(r.next).prev = r.prev
	}
	r.value, r.next, r.prev = 0, 0, 0
}

func (a *Arena) setUse(u, value uint32) {
	a.changes++
	a.unlinkUse(u)
	a.linkUse(u, value)
}

// Group returns the group of an optional operand: v, or nothing if v is a zero Value.
func Group(v Value) []Value {
	if v.IsNil() {
		return nil
	}
	return []Value{v}
}

// TypesOf returns the types of values.
func TypesOf(vs []Value) []Type {
	out := make([]Type, len(vs))
	for i, v := range vs {
		out[i] = v.Type()
	}
	return out
}

// Name returns the name that the text gave the value, without the percent sign; "" when it has none.
func (v Value) Name() string {
	if v.id >= v.a.names.n {
		return ""
	}
	at := *v.a.names.at(v.id)
	if at == 0 {
		return ""
	}
	n, size := binary.Uvarint(v.a.nameText[at-1:])
	name := v.a.nameText[int(at)-1+size:][:n]
	return unsafe.String(unsafe.SliceData(name), len(name)) // no byte of nameText is ever changed
}

// SetName gives the value a name for printing; the printer makes it unique.
func (v Value) SetName(name string) {
	a := v.a
	at := uint64(0)
	if name != "" {
		at = uint64(len(a.nameText)) + 1
		a.nameText = append(binary.AppendUvarint(a.nameText, uint64(len(name))), name...)
		if at > 1<<32-1 {
			panic("ir: more than 4 GiB of names in one isolated operation")
		}
	}
	if v.id >= a.names.n {
		a.names.alloc(max(v.id+1-a.names.n, 1))
	}
	*a.names.at(v.id) = uint32(at)
}
