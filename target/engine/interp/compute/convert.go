package compute

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/kernel"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

func init() {
	defineElementwise(map[*ir.OpDef]core.Rule{
		cudatile.FToF: ftof, cudatile.IToF: itof, cudatile.FToI: ftoi, cudatile.ExtI: extI, cudatile.TruncI: truncI,
	})
	defineVector(map[*ir.OpDef]core.Rule{
		cudatile.Bitcast: same, cudatile.IntToPtr: same, cudatile.PtrToInt: same,
		cudatile.PtrToPtr: same,
	})
}

// same decodes an operation whose result has the operand's patterns.
func same(d *core.Decoder, op ir.Op) (core.Action, error) {
	a, out := d.Slot(op.Operand(0)), d.Result(op, 0)
	return func(m *core.Machine) error {
		m.Share(out, m.Vals[a])
		return nil
	}, nil
}

// extI has nothing to do for unsigned numbers: the patterns of narrower numbers are zero-extended already.
func extI(d *core.Decoder, op ir.Op) (core.Action, error) {
	if !isSigned(op) {
		return same(d, op)
	}
	from, mask := 64-uint(values.WidthOf(values.ElemOf(op.Operand(0)))), values.WidthOf(values.ElemOf(op.Result(0))).Mask()
	return applyUnary(d, op, func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = uint64(int64(x<<(from&63))>>(from&63)) & mask
		}
	})
}

func truncI(d *core.Decoder, op ir.Op) (core.Action, error) {
	mask := values.WidthOf(values.ElemOf(op.Result(0))).Mask()
	return applyUnary(d, op, func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = x & mask
		}
	})
}

// ftof takes the first way that fits: a kernel for the pairs of formats that matter, a table of all results if the
// source has few patterns, or the definition.
func ftof(d *core.Decoder, op ir.Op) (core.Action, error) {
	from, to, env := values.FormatOf(values.ElemOf(op.Operand(0))), values.FormatOf(values.ElemOf(op.Result(0))), envOf(op)
	if env == (numeric.Env{}) {
		if k := kernel.Conversion(from, to); k != nil {
			return applyUnary(d, op, k)
		}
	}
	slow := func(x uint64) uint64 { return to.Convert(from, x, env) }
	if k := kernel.Tabulated(kernel.TableKey{Def: cudatile.FToF, From: from, To: to, Env: env}, slow); k != nil {
		return applyUnary(d, op, k)
	}
	return applyUnary(d, op, func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = slow(x)
		}
	})
}

func itof(d *core.Decoder, op ir.Op) (core.Action, error) {
	w, f, signed, env := values.WidthOf(values.ElemOf(op.Operand(0))), values.FormatOf(values.ElemOf(op.Result(0))), isSigned(op), envOf(op)
	if k := kernel.FromInt(w, f, signed); k != nil && env == (numeric.Env{}) {
		return applyUnary(d, op, k)
	}
	return applyUnary(d, op, func(out, a []uint64) {
		for i, x := range a {
			out[i] = f.FromInt(w, x, signed, env)
		}
	})
}

// ftoi rounds towards zero. Without saturation a number that does not fit becomes an unspecified element: only its use
// is undefined.
func ftoi(d *core.Decoder, op ir.Op) (core.Action, error) {
	a, out := d.Slot(op.Operand(0)), d.Result(op, 0)
	f, w, signed := values.FormatOf(values.ElemOf(op.Operand(0))), values.WidthOf(values.ElemOf(op.Result(0))), isSigned(op)
	saturating := op.HasUnitAttr("saturating")
	if w == 1 && op.Is(cudatile.FToI) {
		return isNotZero(d, op, f)
	}
	return func(m *core.Machine) error {
		x := m.Vals[a]
		r := m.Alloc(len(x.Data))
		var outside []bool
		for i, b := range x.Data {
			v, ok := f.ToInt(b, w, signed, numeric.Zero)
			if !ok && !saturating {
				if outside == nil {
					outside = make([]bool, len(x.Data))
				}
				outside[i] = true
			}
			r.Data[i] = v
		}
		r.Undef = x.Undef
		if outside != nil {
			r.Undef = values.UnionUndef(len(r.Data), x, &values.Vec{Undef: outside})
		}
		m.Put(out, r)
		return nil
	}, nil
}

// isNotZero is ftoi to i1: anything but zero is true, a NaN too.
func isNotZero(d *core.Decoder, op ir.Op, f numeric.Format) (core.Action, error) {
	a, out := d.Slot(op.Operand(0)), d.Result(op, 0)
	return func(m *core.Machine) error {
		x := m.Vals[a]
		r := m.Alloc(len(x.Data))
		for i, b := range x.Data {
			r.Data[i] = 0
			if !f.IsZero(b) {
				r.Data[i] = 1
			}
		}
		r.Undef = x.Undef
		m.Put(out, r)
		return nil
	}, nil
}
