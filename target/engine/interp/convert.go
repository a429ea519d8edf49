package interp

import (
	"math"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
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

func (d *decoder) ftof(op ir.Op) (func(*machine) error, error) {
	from, to, env := formatOf(elemOf(op.Operand(0))), formatOf(elemOf(op.Result(0))), envOf(op)
	if env == (numeric.Env{}) {
		if k := conversions[[2]numeric.Format{from, to}]; k != nil {
			return d.applyUnary(op, k)
		}
	}
	slow := func(x uint64) uint64 { return to.Convert(from, x, env) }
	if k := tabulated(tableKey{cudatile.FToF, from, to, env}, slow); k != nil {
		return d.applyUnary(op, k)
	}
	return d.applyUnary(op, func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = slow(x)
		}
	})
}

// conversions are the common ones, to nearest even.
var conversions = map[[2]numeric.Format]kernel1{
	{numeric.F16, numeric.F32}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = uint64(math.Float32bits(f16Values[uint16(x)]))
		}
	},
	{numeric.BF16, numeric.F32}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			if x&0x7fff > 0x7f80 {
				x = canonicalF32 >> 16
			}
			out[i] = x << 16
		}
	},
	{numeric.F32, numeric.F64}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = bitsF64(float64(f32(x)))
		}
	},
	{numeric.F64, numeric.F32}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = bitsF32(float32(math.Float64frombits(x)))
		}
	},
	{numeric.F32, numeric.F16}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = uint64(roundF16(f32(x)))
		}
	},
	{numeric.F32, numeric.BF16}: func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = uint64(roundBF16(f32(x)))
		}
	},
}

func (d *decoder) itof(op ir.Op) (func(*machine) error, error) {
	w, f, signed, env := widthOf(elemOf(op.Operand(0))), formatOf(elemOf(op.Result(0))), isSigned(op), envOf(op)
	if k := fastFromInt(w, f, signed); k != nil && env == (numeric.Env{}) {
		return d.applyUnary(op, k)
	}
	return d.applyUnary(op, func(out, a []uint64) {
		for i, x := range a {
			out[i] = f.FromInt(w, x, signed, env)
		}
	})
}

// fastFromInt returns the kernel of a conversion to nearest even, or nil. An integer of up to 32 bits is exact in double precision; one of 64
// bits is rounded to the format at once, or is out of the range of f16 where it is not exact in single precision.
func fastFromInt(w numeric.Int, f numeric.Format, signed bool) kernel1 {
	shift := (64 - uint(w)) & 63
	switch {
	case !signed && shift == 0:
		return nil
	case !signed:
		shift = 0
	}
	switch f {
	case numeric.F16:
		return func(out, a []uint64) {
			a = a[:len(out)]
			for i, x := range a {
				out[i] = uint64(roundF16(float32(int64(x<<shift) >> shift)))
			}
		}
	case numeric.F32:
		if w == numeric.I32 && signed { // the most common one
			return func(out, a []uint64) {
				a = a[:len(out)]
				for i, x := range a {
					out[i] = uint64(math.Float32bits(float32(int32(x))))
				}
			}
		}
		return func(out, a []uint64) {
			a = a[:len(out)]
			for i, x := range a {
				out[i] = uint64(math.Float32bits(float32(int64(x<<shift) >> shift)))
			}
		}
	case numeric.F64:
		return func(out, a []uint64) {
			a = a[:len(out)]
			for i, x := range a {
				out[i] = math.Float64bits(float64(int64(x<<shift) >> shift))
			}
		}
	case numeric.BF16:
		if w <= numeric.I32 {
			return func(out, a []uint64) {
				a = a[:len(out)]
				for i, x := range a {
					out[i] = numeric.BF16.Encode(float64(int64(x<<shift)>>shift), numeric.Env{})
				}
			}
		}
	}
	return nil
}

// ftoi rounds towards zero. Without saturation, using what does not fit is undefined: those elements become unspecified.
func (d *decoder) ftoi(op ir.Op) (func(*machine) error, error) {
	a, out := d.slot(op.Operand(0)), d.result(op, 0)
	f, w, signed := formatOf(elemOf(op.Operand(0))), widthOf(elemOf(op.Result(0))), isSigned(op)
	saturating := op.HasUnitAttr("saturating")
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
