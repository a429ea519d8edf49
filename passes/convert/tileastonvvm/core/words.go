package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// SplitWord undoes pack for one register.
func (l *Lowering) SplitWord(w ir.Value, elem ir.Type) []ir.Value {
	if w.Type() == elem {
		return []ir.Value{w}
	}
	return l.Unpack(w, elem)
}

// Word returns the elements that fill 32 bits, the first lowest.
func (l *Lowering) Word(elems []ir.Value) ir.Value {
	w := l.Pack(elems)[0]
	if w.Type() != l.I32() {
		w = l.Make(arith.Bitcast, l.I32(), w)
	}
	return w
}

// Bits returns a number as an integer of its width.
func (l *Lowering) Bits(v ir.Value) ir.Value {
	if _, ok := v.Type().(*ir.IntegerType); ok {
		return v
	}
	return l.Make(arith.Bitcast, l.Ctx.Int(ir.BitWidth(v.Type())), v)
}

// Unpack splits a 32-bit word into elements, the lowest first.
func (l *Lowering) Unpack(word ir.Value, elem ir.Type) []ir.Value {
	width := max(8, ir.BitWidth(elem))
	if width == 32 {
		if elem == l.I32() {
			return []ir.Value{word}
		}
		return []ir.Value{l.Make(arith.Bitcast, elem, word)}
	}
	stored := elem
	if ir.BitWidth(elem) < 8 { // a byte in memory
		stored = l.Ctx.Int(8)
	}
	types := make([]ir.Type, 32/width)
	for i := range types {
		types[i] = stored
	}
	vs := l.Create(nvvm.Unpack, []ir.Value{word}, types).Results()
	if stored == elem {
		return vs
	}
	for i, v := range vs {
		vs[i] = l.LowBits(v, elem)
	}
	return vs
}

// Pack joins elements to 32-bit words, the first lowest.
func (l *Lowering) Pack(vs []ir.Value) []ir.Value {
	per := 32 / max(8, ir.BitWidth(vs[0].Type()))
	if per <= 1 {
		return vs
	}
	var out []ir.Value
	for i := 0; i < len(vs); i += per {
		out = append(out, l.Make(nvvm.Pack, l.I32(), vs[i:i+per]...))
	}
	return out
}
