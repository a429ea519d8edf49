package foldoffsets

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
)

// reading says how a value is read: as a number with or without sign. Numbers of 64 bits and addresses wrap, which
// makes both the same.
type reading bool

const (
	signed   reading = true
	unsigned reading = false
)

type key struct {
	v  ir.Value
	as reading
}

// A part is the constant k of a value v = rest + k, with what the rest is made of: the operation of v on the rests of
// its operands.
type part struct {
	k     int64
	whole bool // the rest is 0
}

// deepest bounds chains of operations, and mostConstant what is taken out of 32 bits, so that sums do not overflow.
const (
	deepest      = 32
	mostConstant = 1 << 31
)

type splitter struct {
	in    *intrange.Ranges
	parts map[key]part
	made  map[key]ir.Value
	depth int
}

// split returns the constant part of a value.
func (s *splitter) split(v key) part {
	if p, ok := s.parts[v]; ok {
		return p
	}
	var p part
	if s.depth < deepest {
		s.depth++
		p = s.find(v)
		s.depth--
	}
	s.parts[v] = p
	return p
}

func (s *splitter) find(v key) part {
	if c, ok := ir.ConstantValue(v.v).(*ir.IntegerAttr); ok && ir.BitWidth(v.v.Type()) <= 64 {
		if v.as == unsigned {
			return part{int64(c.Unsigned()), true}
		}
		return part{c.Value, true}
	}
	def := v.v.DefiningOp()
	switch {
	case def.IsNil():
	case def.Is(nvvm.PtrAdd):
		if wide(def.Result(0).Type()) && ir.BitWidth(def.Operand(1).Type()) == 64 {
			return part{k: s.split(key{def.Operand(0), signed}).k + s.split(key{def.Operand(1), signed}).k}
		}
	case def.Is(arith.ExtSI), def.Is(arith.ExtUI):
		if from := extended(def); ir.BitWidth(from.v.Type()) == 32 {
			return s.split(from)
		}
	case def.Is(arith.AddI), def.Is(arith.OrI):
		return s.sum(v, def)
	case def.Is(arith.MulI) && ir.BitWidth(v.v.Type()) == 64:
		if c, ok := ir.ConstantValue(def.Operand(1)).(*ir.IntegerAttr); ok {
			return part{k: s.split(key{def.Operand(0), signed}).k * c.Value}
		}
	}
	return part{}
}

// sum splits an addition. In 32 bits neither it nor the sum of the rests may wrap.
func (s *splitter) sum(v key, def ir.Op) part {
	x, y := key{def.Operand(0), v.as}, key{def.Operand(1), v.as}
	if def.Is(arith.OrI) && !s.disjoint(def) {
		return part{}
	}
	p := part{k: s.split(x).k + s.split(y).k}
	if ir.BitWidth(v.v.Type()) == 64 {
		return p
	}
	if ir.BitWidth(v.v.Type()) != 32 || p.k <= -mostConstant || p.k >= mostConstant || !s.exact(def, v.as) {
		return part{}
	}
	// What is left of a sum with a constant is what is left of the other operand. Else it is a sum as well.
	if s.split(y).whole {
		return p
	}
	least, most := bounds(s.in.Of(v.v), v.as)
	lowest, highest := bounds(intrange.Full(32), v.as)
	if least-p.k < lowest || most-p.k > highest {
		return part{}
	}
	return p
}

// disjoint reports whether an or is a sum: its constant has only bits above those of the other operand.
func (s *splitter) disjoint(def ir.Op) bool {
	c, ok := ir.ConstantValue(def.Operand(1)).(*ir.IntegerAttr)
	return ok && c.Value > 0 && s.in.Of(def.Operand(0)).UMax < uint64(c.Value&-c.Value)
}

// exact reports whether an addition of 32 bits does not wrap.
func (s *splitter) exact(def ir.Op, as reading) bool {
	if def.Is(arith.OrI) {
		return true
	}
	if p := arith.Promises(def); as == signed && p.Signed || as == unsigned && p.Unsigned {
		return true
	}
	a, b := bounds(s.in.Of(def.Operand(0)), as)
	c, d := bounds(s.in.Of(def.Operand(1)), as)
	lowest, highest := bounds(intrange.Full(32), as)
	return a+c >= lowest && b+d <= highest
}

// bounds returns the least and the greatest number of a range of 32 bits.
func bounds(r intrange.Range, as reading) (least, most int64) {
	if as == unsigned {
		return int64(r.UMin), int64(r.UMax)
	}
	return r.SMin, r.SMax
}

// extended returns the operand of an extension, and how it is read.
func extended(def ir.Op) key { return key{def.Operand(0), reading(def.Is(arith.ExtSI))} }

// wide reports whether a type is an address of 64 bits.
func wide(t ir.Type) bool {
	p, ok := t.(*nvvm.PtrType)
	return ok && p.AddressBits() == 64
}

// rest returns a value without its constant part. It is computed in front of the operation of the value.
func (s *splitter) rest(v key) ir.Value {
	p := s.split(v)
	if p.k == 0 {
		return v.v
	}
	if r, ok := s.made[v]; ok {
		return r
	}
	r := s.make(v, p)
	s.made[v] = r
	return r
}

func (s *splitter) make(v key, p part) ir.Value {
	def := v.v.DefiningOp()
	b := ir.BuilderBefore(def)
	b.SetLocOf(def)
	t := v.v.Type()
	if p.whole {
		return arith.NewInt(b, t, 0)
	}
	create := func(attrs []ir.NamedAttr, operands ...ir.Value) ir.Value {
		return b.Create(def.Def(), operands, []ir.Type{t}, attrs...).Result(0)
	}
	switch {
	case def.Is(arith.ExtSI), def.Is(arith.ExtUI):
		return create(nil, s.rest(extended(def)))
	case def.Is(arith.MulI):
		return create(nil, s.rest(key{def.Operand(0), signed}), def.Operand(1))
	}
	as := v.as
	if def.Is(nvvm.PtrAdd) {
		as = signed
	}
	x, y := key{def.Operand(0), as}, key{def.Operand(1), as}
	if s.split(y).whole {
		return s.rest(x)
	}
	// A sum of 32 bits was split only because it does not wrap as it is read here.
	var attrs []ir.NamedAttr
	if ir.BitWidth(t) == 32 {
		attrs = arith.Promise(b.Context(), numeric.Wraps{Signed: as == signed, Unsigned: as == unsigned})
	}
	if def.Is(arith.OrI) {
		return b.Create(arith.AddI, []ir.Value{s.rest(x), s.rest(y)}, []ir.Type{t}, attrs...).Result(0)
	}
	return create(attrs, s.rest(x), s.rest(y))
}
