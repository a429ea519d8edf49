package serve

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// apart is how far apart two right results of a type may be: both engines round each operation, but sum in another order,
// and functions are within their published bounds.
func apart(d launch.DType) launch.Tolerance {
	switch d {
	case launch.F64:
		return launch.Tolerance{Relative: 1e-9, Absolute: 1e-12}
	case launch.F32:
		return launch.Tolerance{Relative: 1e-3, Absolute: 1e-5}
	case launch.TF32, launch.F16:
		return launch.Tolerance{Relative: 1e-2, Absolute: 1e-3}
	case launch.BF16:
		return launch.Tolerance{Relative: 5e-2, Absolute: 1e-2}
	}
	if _, float := d.Format(); float {
		return launch.Tolerance{Relative: 0.26, Absolute: 0.02}
	}
	return launch.Tolerance{}
}

// tolerance is how far apart two right results of a type may be that come by way of other types:
//
//	%p = ftof %e : f32 -> f16     engines whose %e differ by one ulp may have %p that differ by one ulp of f16,
//	%o = mmaf %p, %v, %z          so an f32 result is only as near as an f16 one
//
// Integers have to be equal, whatever they come from.
func tolerance(d launch.DType, rounded []launch.DType) launch.Tolerance {
	out := apart(d)
	if _, float := d.Format(); float {
		for _, r := range rounded {
			via := apart(r)
			out.Relative, out.Absolute = max(out.Relative, via.Relative), max(out.Absolute, via.Absolute)
		}
	}
	return out
}

// roundedTo lists the types that a module makes wider floats.
func roundedTo(module ir.Op) []launch.DType {
	var out []launch.DType
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.FToF) {
			from, to := ir.ElementType(op.Operand(0).Type()), ir.ElementType(op.Result(0).Type())
			d, err := launch.ParseDType(ir.TypeString(to))
			if err == nil && ir.BitWidth(to) < ir.BitWidth(from) && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
		return ir.Advance
	})
	return out
}
