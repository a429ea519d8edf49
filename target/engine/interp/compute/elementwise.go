package compute

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// defineVector adds the rows of element-wise operations.
func defineVector(rules map[*ir.OpDef]core.Rule) {
	for def, r := range rules {
		if of := overflows[def]; of != nil {
			r = promising(of, r)
		}
		core.Define(core.Table{def: {Run: r, Vector: true, Pairs: pairs[def]}})
	}
}

// defineElementwise is defineVector for operations whose operands may be narrow. Those that may promise not to overflow
// name elements, and take none.
func defineElementwise(rules map[*ir.OpDef]core.Rule) {
	for def, r := range rules {
		if overflows[def] != nil {
			defineVector(map[*ir.OpDef]core.Rule{def: r})
			continue
		}
		core.Define(core.Table{def: {Run: r, Vector: true, TakesNarrow: true, Pairs: pairs[def]}})
	}
}

// applyUnary decodes an operation that applies k.
func applyUnary(d *core.Decoder, op ir.Op, k kernel.Unary) (core.Action, error) {
	a, out := d.Slot(op.Operand(0)), d.Result(op, 0)
	return func(m *core.Machine) error {
		x := m.Vals[a]
		r := m.Alloc(len(x.Data))
		k(r.Data, x.Data)
		r.Undef = x.Undef
		m.Put(out, r)
		return nil
	}, nil
}

func applyBinary(d *core.Decoder, op ir.Op, k kernel.Binary) (core.Action, error) {
	return applyAbsorbing(d, op, k, nil)
}

// applyAbsorbing is applyBinary for an operation that one operand may decide, whatever the other is. absorbs says which
// elements do.
//
// An operand may be narrow (each), so that a broadcast costs nothing here.
func applyAbsorbing(d *core.Decoder, op ir.Op, k kernel.Binary, absorbs func(x uint64) bool) (core.Action, error) {
	a, b, out := d.Slot(op.Operand(0)), d.Slot(op.Operand(1)), d.Result(op, 0)
	return func(m *core.Machine) error {
		x, y := m.Vals[a], m.Vals[b]
		n := max(len(x.Data), len(y.Data))
		r := m.Alloc(n)
		if len(x.Data) == len(y.Data) {
			k(r.Data, x.Data, y.Data)
		} else {
			each(m, r.Data, func(out []uint64, in [3][]uint64) { k(out, in[0], in[1]) }, x, y)
		}
		if x.Undef != nil || y.Undef != nil {
			x, y = m.Widened(x, n), m.Widened(y, n)
			r.Undef = values.UnionUndef(n, x, y)
			for i := range r.Undef {
				if absorbs != nil && r.Undef[i] {
					r.Undef[i] = !(x.Decides(i, absorbs) || y.Decides(i, absorbs))
				}
			}
		}
		m.Put(out, r)
		return nil
	}, nil
}

// near is how many elements are computed at a time where an operand is narrow: its copies stay in the nearest cache.
const near = 1 << 10

// each applies k to operands of which some are narrow.
func each(m *core.Machine, out []uint64, k func(out []uint64, in [3][]uint64), operands ...*values.Vec) {
	var copies [3]*values.Vec
	for i, v := range operands {
		if len(v.Data) < len(out) {
			copies[i] = m.Alloc(min(near, len(out)))
		}
	}
	var in [3][]uint64
	for from := 0; from < len(out); from += near {
		n := min(near, len(out)-from)
		for i, v := range operands {
			if copies[i] == nil {
				in[i] = v.Data[from:][:n]
				continue
			}
			in[i] = copies[i].Data[:n]
			if times := len(out) / len(v.Data); from%times == 0 || times < n {
				values.Repeat(in[i], v.Data[from/times:][:max(1, n/times)], min(times, n))
			}
		}
		k(out[from:][:n], in)
	}
	for _, c := range copies {
		m.Release(c)
	}
}

// applyTernary leaves it to the operation which results are unspecified: select asks its condition, fma its operands.
func applyTernary(d *core.Decoder, op ir.Op, k kernel.Ternary, undef func(n int, a, b, c *values.Vec) []bool) (core.Action, error) {
	a, b, c, out := d.Slot(op.Operand(0)), d.Slot(op.Operand(1)), d.Slot(op.Operand(2)), d.Result(op, 0)
	return func(m *core.Machine) error {
		x, y, z := m.Vals[a], m.Vals[b], m.Vals[c]
		n := max(len(x.Data), len(y.Data), len(z.Data))
		r := m.Alloc(n)
		if len(x.Data) == n && len(y.Data) == n && len(z.Data) == n {
			k(r.Data, x.Data, y.Data, z.Data)
		} else {
			each(m, r.Data, func(out []uint64, in [3][]uint64) { k(out, in[0], in[1], in[2]) }, x, y, z)
		}
		if x.Undef != nil || y.Undef != nil || z.Undef != nil {
			r.Undef = undef(n, m.Widened(x, n), m.Widened(y, n), m.Widened(z, n))
		}
		m.Put(out, r)
		return nil
	}, nil
}

// envOf returns the rounding and flushing of an operation. Approximate functions are computed as exactly as the others.
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
	defineElementwise(map[*ir.OpDef]core.Rule{cudatile.Select: selectOp})
}

// selectOp ignores the arm that is not taken: `select in_bounds, loaded, 0` is specified where the load is not.
func selectOp(d *core.Decoder, op ir.Op) (core.Action, error) {
	return applyTernary(d, op, kernel.Select, func(n int, cond, a, b *values.Vec) []bool {
		out := make([]bool, n)
		for i := range out {
			switch {
			case cond.IsUndef(i):
				out[i] = true
			case cond.Data[min(i, len(cond.Data)-1)]&1 != 0:
				out[i] = a.IsUndef(i)
			default:
				out[i] = b.IsUndef(i)
			}
		}
		return out
	})
}
