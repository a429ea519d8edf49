package interp

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
)

func init() {
	defineVector(map[*ir.OpDef]rule{
		cudatile.FToF: (*decoder).ftof, cudatile.IToF: (*decoder).itof, cudatile.FToI: (*decoder).ftoi,
		cudatile.ExtI: (*decoder).extI, cudatile.TruncI: (*decoder).truncI,
		cudatile.Bitcast: (*decoder).same, cudatile.IntToPtr: (*decoder).same, cudatile.PtrToInt: (*decoder).same,
		cudatile.PtrToPtr: (*decoder).same,
	})
}

// same decodes an operation whose result has the operand's patterns.
func (d *decoder) same(op ir.Op) (func(*machine) error, error) {
	a, out := d.slot(op.Operand(0)), d.result(op, 0)
	return func(m *machine) error {
		m.share(out, m.vals[a])
		return nil
	}, nil
}

// Unsigned, nothing has to be done: the patterns of narrower numbers are zero-extended already.
func (d *decoder) extI(op ir.Op) (func(*machine) error, error) {
	if !isSigned(op) {
		return d.same(op)
	}
	from, mask := 64-uint(widthOf(elemOf(op.Operand(0)))), widthOf(elemOf(op.Result(0))).Mask()
	return d.applyUnary(op, func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = uint64(int64(x<<from)>>from) & mask
		}
	})
}

func (d *decoder) truncI(op ir.Op) (func(*machine) error, error) {
	mask := widthOf(elemOf(op.Result(0))).Mask()
	return d.applyUnary(op, func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = x & mask
		}
	})
}

// ftof has three ways, the first that fits: a kernel for the pairs that matter, a table of all results where
// the source has few patterns, and the definition.
func (d *decoder) ftof(op ir.Op) (func(*machine) error, error) {
	from, to, env := formatOf(elemOf(op.Operand(0))), formatOf(elemOf(op.Result(0))), envOf(op)
	if env == (numeric.Env{}) {
		if k := kernel.Conversions[[2]numeric.Format{from, to}]; k != nil {
			return d.applyUnary(op, k)
		}
	}
	slow := func(x uint64) uint64 { return to.Convert(from, x, env) }
	if k := kernel.Tabulated(kernel.TableKey{Def: cudatile.FToF, From: from, To: to, Env: env}, slow); k != nil {
		return d.applyUnary(op, k)
	}
	return d.applyUnary(op, func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = slow(x)
		}
	})
}

func (d *decoder) itof(op ir.Op) (func(*machine) error, error) {
	w, f, signed, env := widthOf(elemOf(op.Operand(0))), formatOf(elemOf(op.Result(0))), isSigned(op), envOf(op)
	if k := kernel.FromInt(w, f, signed); k != nil && env == (numeric.Env{}) {
		return d.applyUnary(op, k)
	}
	return d.applyUnary(op, func(out, a []uint64) {
		for i, x := range a {
			out[i] = f.FromInt(w, x, signed, env)
		}
	})
}

// ftoi rounds towards zero. Without saturation, using what does not fit is undefined: those elements become unspecified.
func (d *decoder) ftoi(op ir.Op) (func(*machine) error, error) {
	a, out := d.slot(op.Operand(0)), d.result(op, 0)
	f, w, signed := formatOf(elemOf(op.Operand(0))), widthOf(elemOf(op.Result(0))), isSigned(op)
	saturating := op.HasUnitAttr("saturating")
	if w == 1 && op.Is(cudatile.FToI) {
		return d.isNotZero(op, f)
	}
	return func(m *machine) error {
		x := m.vals[a]
		r := m.alloc(len(x.data))
		var outside []bool
		for i, b := range x.data {
			v, ok := f.ToInt(b, w, signed, numeric.Zero)
			if !ok && !saturating {
				if outside == nil {
					outside = make([]bool, len(x.data))
				}
				outside[i] = true
			}
			r.data[i] = v
		}
		r.undef = x.undef
		if outside != nil {
			r.undef = unionUndef(len(r.data), x, &vec{undef: outside})
		}
		m.put(out, r)
		return nil
	}, nil
}

// isNotZero is ftoi to i1: what is not zero, a NaN included, is true.
func (d *decoder) isNotZero(op ir.Op, f numeric.Format) (func(*machine) error, error) {
	a, out := d.slot(op.Operand(0)), d.result(op, 0)
	return func(m *machine) error {
		x := m.vals[a]
		r := m.alloc(len(x.data))
		for i, b := range x.data {
			r.data[i] = 0
			if !f.IsZero(b) {
				r.data[i] = 1
			}
		}
		r.undef = x.undef
		m.put(out, r)
		return nil
	}, nil
}
