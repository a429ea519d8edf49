package interp

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
)

// applyUnary decodes an operation that applies k.
func (d *decoder) applyUnary(op ir.Op, k kernel.Unary) (func(*machine) error, error) {
	a, out := d.slot(op.Operand(0)), d.result(op, 0)
	return func(m *machine) error {
		x := m.vals[a]
		r := m.alloc(len(x.data))
		k(r.data, x.data)
		r.undef = x.undef
		m.put(out, r)
		return nil
	}, nil
}

func (d *decoder) applyBinary(op ir.Op, k kernel.Binary) (func(*machine) error, error) {
	return d.applyAbsorbing(op, k, nil)
}

// applyAbsorbing is applyBinary for an operation where some operands decide the result, whatever the other one is: absorbs says which.
//
// Operands may have one element for many: a scalar, kept as it is until something needs the tile (stretch). So
// what a lowered level broadcasts costs nothing here.
func (d *decoder) applyAbsorbing(op ir.Op, k kernel.Binary, absorbs func(x uint64) bool) (func(*machine) error, error) {
	a, b, out := d.slot(op.Operand(0)), d.slot(op.Operand(1)), d.result(op, 0)
	return func(m *machine) error {
		x, y := m.vals[a], m.vals[b]
		n := max(len(x.data), len(y.data))
		r := m.alloc(n)
		if len(x.data) == len(y.data) {
			k(r.data, x.data, y.data)
		} else {
			xs, xt := m.stretch(x, n)
			ys, yt := m.stretch(y, n)
			k(r.data, xs, ys)
			m.release(xt)
			m.release(yt)
		}
		if x.undef != nil || y.undef != nil {
			r.undef = unionUndef(n, x, y)
			for i := range r.undef {
				if absorbs != nil && r.undef[i] {
					r.undef[i] = !(x.decides(i, absorbs) || y.decides(i, absorbs))
				}
			}
		}
		m.put(out, r)
		return nil
	}, nil
}

// decides reports whether element i is specified and one of those that absorbs says.
func (v *vec) decides(i int, absorbs func(x uint64) bool) bool {
	return !v.isUndef(i) && absorbs(v.data[min(i, len(v.data)-1)])
}

// applyTernary leaves the marks of unspecified elements to the operation: select asks its condition first, fma
// its factors.
func (d *decoder) applyTernary(op ir.Op, k kernel.Ternary, undef func(n int, a, b, c *vec) []bool) (func(*machine) error, error) {
	a, b, c, out := d.slot(op.Operand(0)), d.slot(op.Operand(1)), d.slot(op.Operand(2)), d.result(op, 0)
	return func(m *machine) error {
		x, y, z := m.vals[a], m.vals[b], m.vals[c]
		n := max(len(x.data), len(y.data), len(z.data))
		r := m.alloc(n)
		xs, xt := m.stretch(x, n)
		ys, yt := m.stretch(y, n)
		zs, zt := m.stretch(z, n)
		k(r.data, xs, ys, zs)
		for _, t := range [...]*vec{xt, yt, zt} {
			m.release(t)
		}
		if x.undef != nil || y.undef != nil || z.undef != nil {
			r.undef = undef(n, x, y, z)
		}
		m.put(out, r)
		return nil
	}, nil
}

// envOf returns the rounding and flushing that an operation asks for. Approximate and full accuracy are computed as exactly as the rest.
func envOf(op ir.Op) numeric.Env {
	if op.Dialect() == arith.Dialect {
		return arithEnv(op)
	}
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

func isSigned(op ir.Op) bool {
	if op.Dialect() == arith.Dialect {
		return computes(op).Signed
	}
	return cudatile.SignednessOf(op) == cudatile.Signed
}

func predicateOf(op ir.Op) numeric.Predicate {
	if op.Dialect() == arith.Dialect {
		return computes(op).Predicate
	}
	return numeric.Predicate(cudatile.PredicateOf(op))
}

// isUnordered reports whether a comparison with a NaN holds.
func isUnordered(op ir.Op) bool {
	if op.Dialect() == arith.Dialect {
		return computes(op).Unordered
	}
	return cudatile.ComparisonOrderingOf(op) == cudatile.Unordered
}

func propagatesNaN(op ir.Op) bool {
	if op.Dialect() == arith.Dialect {
		return computes(op).PropagateNaN
	}
	return op.HasUnitAttr("propagate_nan")
}

func init() {
	defineVector(map[*ir.OpDef]rule{cudatile.Select: (*decoder).selectOp})
}

// selectOp: the arm that is not taken does not matter, so that `select in_bounds, loaded, 0` is specified where
// the load is not. By masks, without a branch for each element: conditions of tiles are as good as random to a
// processor.
func (d *decoder) selectOp(op ir.Op) (func(*machine) error, error) {
	return d.applyTernary(op, func(out, cond, a, b []uint64) {
		cond, a, b = cond[:len(out)], a[:len(out)], b[:len(out)]
		for i := range out {
			mask := -(cond[i] & 1)
			out[i] = a[i]&mask | b[i]&^mask
		}
	}, func(n int, cond, a, b *vec) []bool {
		out := make([]bool, n)
		for i := range out {
			switch {
			case cond.isUndef(i):
				out[i] = true
			case cond.data[min(i, len(cond.data)-1)]&1 != 0:
				out[i] = a.isUndef(i)
			default:
				out[i] = b.isUndef(i)
			}
		}
		return out
	})
}
