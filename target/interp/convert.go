package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.FToF: (*machine).ftof, cudatile.IToF: (*machine).itof, cudatile.FToI: (*machine).ftoi,
		cudatile.ExtI: (*machine).extI, cudatile.TruncI: mapBits(func(to, _ numeric.Int, x uint64) uint64 { return to.Wrap(x) }),
		cudatile.Bitcast:  mapBits(func(_, _ numeric.Int, x uint64) uint64 { return x }),
		cudatile.IntToPtr: sameBits, cudatile.PtrToInt: sameBits, cudatile.PtrToPtr: sameBits,
	})
}

// sameBits: the result has the operand's bit patterns.
func sameBits(m *machine, op ir.Op) error {
	a := m.operand(op, 0)
	m.result(op, 0, &tile{shape: a.shape, elem: elemOf(op.Result(0).Type()), data: a.data})
	return nil
}

func mapBits(f func(to, from numeric.Int, x uint64) uint64) rule {
	return func(m *machine, op ir.Op) error {
		a := m.operand(op, 0)
		out := like(op, a)
		to, from := numeric.Int(ir.BitWidth(out.elem)), numeric.Int(ir.BitWidth(a.elem))
		for i, x := range a.data {
			out.data[i] = f(to, from, x)
		}
		m.result(op, 0, out)
		return nil
	}
}

func (m *machine) extI(op ir.Op) error {
	signed := cudatile.SignednessOf(op) == cudatile.Signed
	return mapBits(func(to, from numeric.Int, x uint64) uint64 { return to.Extend(from, x, signed) })(m, op)
}

func (m *machine) ftof(op ir.Op) error {
	a := m.operand(op, 0)
	out, env := like(op, a), envOf(op)
	to, from := out.format(), a.format()
	for i, x := range a.data {
		out.data[i] = to.Convert(from, x, env)
	}
	m.result(op, 0, out)
	return nil
}

func (m *machine) itof(op ir.Op) error {
	a := m.operand(op, 0)
	out, env := like(op, a), envOf(op)
	to, from, signed := out.format(), a.width(), cudatile.SignednessOf(op) == cudatile.Signed
	for i, x := range a.data {
		out.data[i] = to.FromInt(from, x, signed, env)
	}
	m.result(op, 0, out)
	return nil
}

// ftoi rounds towards zero; what does not fit is undefined by the specification and saturates here.
func (m *machine) ftoi(op ir.Op) error {
	a := m.operand(op, 0)
	out := like(op, a)
	to, from, signed := out.width(), a.format(), cudatile.SignednessOf(op) == cudatile.Signed
	for i, x := range a.data {
		out.data[i], _ = from.ToInt(x, to, signed, numeric.Zero)
	}
	m.result(op, 0, out)
	return nil
}
