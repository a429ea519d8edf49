package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// elemOf returns the element type of a tile type.
func elemOf(t ir.Type) ir.Type {
	if tt, ok := t.(*cudatile.TileType); ok {
		return tt.Elem
	}
	return t
}

// like makes a tile of as many elements as a, with the result's element type. Inside a reduce the operands are vectors of
// scalars, so the length comes from them and not from the type.
func like(op ir.Op, a *tile) *tile {
	return &tile{shape: a.shape, elem: elemOf(op.Result(0).Type()), data: make([]uint64, len(a.data))}
}

// envOf returns the rounding and flushing that an operation asks for. Approximate and full accuracy are computed as exactly as the rest.
func envOf(op ir.Op) numeric.Env {
	env := numeric.Env{FlushToZero: op.HasUnitAttr("flush_to_zero")}
	switch cudatile.RoundingOf(op) {
	case cudatile.Zero:
		env.Rounding = numeric.Zero
	case cudatile.NegativeInf:
		env.Rounding = numeric.NegInf
	case cudatile.PositiveInf:
		env.Rounding = numeric.PosInf
	case cudatile.NearestAway:
		env.Rounding = numeric.NearestAway
	}
	return env
}

// at returns element i of a tile that may be a single scalar standing for all.
func (t *tile) at(i int) uint64 {
	if len(t.data) == 1 {
		return t.data[0]
	}
	return t.data[i]
}

// widest returns the operand with most elements.
func (m *machine) widest(op ir.Op) *tile {
	a := m.operand(op, 0)
	for i := 1; i < op.NumOperands(); i++ {
		if b := m.operand(op, i); len(b.data) > len(a.data) {
			a = b
		}
	}
	return a
}

func float1(f func(numeric.Format, uint64, numeric.Env) uint64) rule {
	return func(m *machine, op ir.Op) error {
		a := m.operand(op, 0)
		out, env, format := like(op, a), envOf(op), a.format()
		for i, x := range a.data {
			out.data[i] = f(format, x, env)
		}
		m.result(op, 0, out)
		return nil
	}
}

func exact1(f func(numeric.Format, uint64) uint64) rule {
	return float1(func(fm numeric.Format, x uint64, _ numeric.Env) uint64 { return f(fm, x) })
}

func float2(f func(fm numeric.Format, a, b uint64, env numeric.Env) uint64) rule {
	return func(m *machine, op ir.Op) error {
		a, b := m.operand(op, 0), m.operand(op, 1)
		out, env, format := like(op, m.widest(op)), envOf(op), a.format()
		for i := range out.data {
			out.data[i] = f(format, a.at(i), b.at(i), env)
		}
		m.result(op, 0, out)
		return nil
	}
}

func minMax(f func(fm numeric.Format, a, b uint64, propagate bool, env numeric.Env) uint64) rule {
	return func(m *machine, op ir.Op) error {
		propagate := op.HasUnitAttr("propagate_nan")
		return float2(func(fm numeric.Format, a, b uint64, env numeric.Env) uint64 { return f(fm, a, b, propagate, env) })(m, op)
	}
}

func int2(f func(w numeric.Int, a, b uint64) uint64) rule {
	return func(m *machine, op ir.Op) error {
		a, b := m.operand(op, 0), m.operand(op, 1)
		out, w := like(op, m.widest(op)), a.width()
		for i := range out.data {
			out.data[i] = f(w, a.at(i), b.at(i))
		}
		m.result(op, 0, out)
		return nil
	}
}

func signed2(f func(w numeric.Int, a, b uint64, signed bool) uint64) rule {
	return func(m *machine, op ir.Op) error {
		signed := cudatile.SignednessOf(op) == cudatile.Signed
		return int2(func(w numeric.Int, a, b uint64) uint64 { return f(w, a, b, signed) })(m, op)
	}
}

func int1(f func(w numeric.Int, a uint64) uint64) rule {
	return func(m *machine, op ir.Op) error {
		a := m.operand(op, 0)
		out, w := like(op, a), a.width()
		for i, x := range a.data {
			out.data[i] = f(w, x)
		}
		m.result(op, 0, out)
		return nil
	}
}

func init() {
	define(map[*ir.OpDef]rule{
		cudatile.AddF: float2(numeric.Format.Add), cudatile.SubF: float2(numeric.Format.Sub), cudatile.MulF: float2(numeric.Format.Mul),
		cudatile.DivF: float2(numeric.Format.Div), cudatile.RemF: float2(numeric.Format.Rem), cudatile.Pow: float2(numeric.Format.Pow),
		cudatile.Atan2: float2(numeric.Format.Atan2), cudatile.Fma: (*machine).fma,
		cudatile.MaxF: minMax(numeric.Format.Max), cudatile.MinF: minMax(numeric.Format.Min),
		cudatile.NegF: exact1(numeric.Format.Neg), cudatile.AbsF: exact1(numeric.Format.Abs),
		cudatile.Sqrt: float1(numeric.Format.Sqrt), cudatile.Rsqrt: float1(numeric.Format.Rsqrt), cudatile.Exp: float1(numeric.Format.Exp),
		cudatile.Exp2: float1(numeric.Format.Exp2), cudatile.Log: float1(numeric.Format.Log), cudatile.Log2: float1(numeric.Format.Log2),
		cudatile.Sin: float1(numeric.Format.Sin), cudatile.Cos: float1(numeric.Format.Cos), cudatile.Tan: float1(numeric.Format.Tan),
		cudatile.SinH: float1(numeric.Format.Sinh), cudatile.CosH: float1(numeric.Format.Cosh), cudatile.TanH: float1(numeric.Format.Tanh),
		cudatile.Floor: float1(numeric.Format.Floor), cudatile.Ceil: float1(numeric.Format.Ceil), cudatile.FPowI: (*machine).powInt,

		cudatile.AddI: int2(numeric.Int.Add), cudatile.SubI: int2(numeric.Int.Sub), cudatile.MulI: int2(numeric.Int.Mul),
		cudatile.AndI: int2(numeric.Int.And), cudatile.OrI: int2(numeric.Int.Or), cudatile.XorI: int2(numeric.Int.Xor),
		cudatile.ShLI: int2(numeric.Int.Shl), cudatile.ShRI: signed2(numeric.Int.Shr),
		cudatile.MaxI: signed2(numeric.Int.Max), cudatile.MinI: signed2(numeric.Int.Min),
		cudatile.MulhiI: int2(func(w numeric.Int, a, b uint64) uint64 { return w.MulHigh(a, b, false) }),
		cudatile.NegI:   int1(numeric.Int.Neg), cudatile.AbsI: int1(numeric.Int.Abs),
		cudatile.DivI: (*machine).divI, cudatile.RemI: (*machine).remI,
		cudatile.CmpI: (*machine).cmpI, cudatile.CmpF: (*machine).cmpF, cudatile.Select: (*machine).selectOp,
	})
}

func (m *machine) fma(op ir.Op) error {
	a, b, c := m.operand(op, 0), m.operand(op, 1), m.operand(op, 2)
	out, env, f := like(op, m.widest(op)), envOf(op), a.format()
	for i := range out.data {
		out.data[i] = f.FMA(a.at(i), b.at(i), c.at(i), env)
	}
	m.result(op, 0, out)
	return nil
}

func (m *machine) powInt(op ir.Op) error {
	a, b := m.operand(op, 0), m.operand(op, 1)
	out, env, f, w := like(op, m.widest(op)), envOf(op), a.format(), b.width()
	for i := range out.data {
		out.data[i] = f.PowInt(a.at(i), int32(w.Signed(b.at(i))), env)
	}
	m.result(op, 0, out)
	return nil
}

func (m *machine) divI(op ir.Op) error {
	a, b := m.operand(op, 0), m.operand(op, 1)
	out, w, rounding := like(op, m.widest(op)), a.width(), envOf(op).Rounding
	signed := cudatile.SignednessOf(op) == cudatile.Signed
	for i := range out.data {
		q, ok := w.Div(a.at(i), b.at(i), signed, rounding)
		if !ok && b.at(i) == 0 {
			return fail(op, "divides by zero in element %d", i)
		}
		out.data[i] = q
	}
	m.result(op, 0, out)
	return nil
}

func (m *machine) remI(op ir.Op) error {
	a, b := m.operand(op, 0), m.operand(op, 1)
	out, w := like(op, m.widest(op)), a.width()
	signed := cudatile.SignednessOf(op) == cudatile.Signed
	for i := range out.data {
		r, ok := w.Rem(a.at(i), b.at(i), signed)
		if !ok && b.at(i) == 0 {
			return fail(op, "divides by zero in element %d", i)
		}
		out.data[i] = r
	}
	m.result(op, 0, out)
	return nil
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (m *machine) cmpI(op ir.Op) error {
	p, signed := numeric.Predicate(cudatile.PredicateOf(op)), cudatile.SignednessOf(op) == cudatile.Signed
	return int2(func(w numeric.Int, a, b uint64) uint64 { return truth(w.Compare(p, signed, a, b)) })(m, op)
}

func (m *machine) cmpF(op ir.Op) error {
	p, unordered := numeric.Predicate(cudatile.PredicateOf(op)), cudatile.ComparisonOrderingOf(op) == cudatile.Unordered
	return float2(func(f numeric.Format, a, b uint64, _ numeric.Env) uint64 { return truth(f.Compare(p, unordered, a, b)) })(m, op)
}

func (m *machine) selectOp(op ir.Op) error {
	cond, a, b := m.operand(op, 0), m.operand(op, 1), m.operand(op, 2)
	out := like(op, m.widest(op))
	for i := range out.data {
		if cond.at(i) != 0 {
			out.data[i] = a.at(i)
		} else {
			out.data[i] = b.at(i)
		}
	}
	m.result(op, 0, out)
	return nil
}
