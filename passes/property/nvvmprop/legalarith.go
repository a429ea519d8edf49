package nvvmprop

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/target/sm"
)

// legalArith checks that PTX has an instruction for each arithmetic operation, on its types and with its
// rounding, on the target. Operations that do not depend on types pass. It states what PTX has.
// nvvm-legalize-arith does not share that: the pass says how to do without an instruction.
func legalArith(_ ir.Op, t *passes.Target) func(ir.Op) *ir.Diagnostic {
	arch, err := t.Arch()
	m := machine{arch}
	return func(op ir.Op) *ir.Diagnostic {
		computes := machineRules[op.Def()]
		if computes == nil {
			return nil
		}
		if err != nil {
			return op.Errorf("needs a target: %v", err)
		}
		if computes(m, op) {
			return nil
		}
		return op.Errorf("has no instruction on %s for '%s'%s", arch, ir.TypeString(op.Operand(0).Type()), onlyRounded(op))
	}
}

func onlyRounded(op ir.Op) string {
	if mode := op.StringAttr(arith.AttrRounding); mode != "" {
		return " with rounding '" + mode + "'"
	}
	return ""
}

// machine is what PTX computes on an architecture. It repeats what emit-ptx's tables say, on purpose: a form that
// legalization leaves and emission cannot write is then reported after legalization, by name, and not two passes
// later.
type machine struct{ arch *sm.Arch }

var machineRules = map[*ir.OpDef]func(machine, ir.Op) bool{
	arith.CeilDivUI: machine.never, arith.CeilDivSI: machine.never, arith.FloorDiv: machine.never,
	arith.CmpI: machine.cmpI, arith.ExtSI: machine.extSI,
	arith.CmpF: machine.cmpF, arith.SIToFP: machine.fromInt, arith.UIToFP: machine.fromInt, arith.FPToSI: machine.toInt, arith.FPToUI: machine.toInt,
	arith.FToF: machine.ftof, nvvm.AtomicRMW: machine.atomic,
}

func init() {
	// Instructions begin at 16 bits. On bytes in the low half of a register, instructions are right if they look
	// at no sign and carry nothing upwards.
	for _, def := range []*ir.OpDef{arith.AddI, arith.SubI, arith.MulI, arith.ShLI, arith.NegI, arith.DivSI, arith.RemSI, arith.MaxSI, arith.MinSI, arith.AbsI,
		arith.ShRSI, arith.MulHSI, arith.MulHUI} {
		machineRules[def] = machine.integer
	}
	for _, def := range []*ir.OpDef{arith.DivUI, arith.RemUI, arith.MaxUI, arith.MinUI, arith.ShRUI} {
		machineRules[def] = machine.unsigned
	}
	for _, def := range []*ir.OpDef{arith.AddF, arith.SubF, arith.MulF, arith.Fma, arith.DivF, arith.Sqrt} {
		machineRules[def] = machine.rounding
	}
	for _, def := range []*ir.OpDef{arith.MaxNumF, arith.MinNumF, arith.MaximumF, arith.MinimumF, arith.NegF, arith.AbsF, arith.Floor, arith.Ceil} {
		machineRules[def] = machine.exact
	}
}

func formatOf(v ir.Value) numeric.Format {
	if f, ok := v.Type().(*ir.FloatType); ok {
		return f.Format
	}
	return 0
}

func nearest(op ir.Op) bool {
	mode := op.StringAttr(arith.AttrRounding)
	return mode == "" || mode == "nearest_even"
}

func (machine) never(ir.Op) bool        { return false }
func (machine) integer(op ir.Op) bool   { return ir.BitWidth(op.Operand(0).Type()) >= 16 }
func (machine) unsigned(op ir.Op) bool  { return ir.BitWidth(op.Operand(0).Type()) >= 8 }
func (machine) extSI(op ir.Op) bool     { return ir.BitWidth(op.Operand(0).Type()) != 4 }
func (m machine) has(f sm.Feature) bool { return m.arch.Has(f) }
func (m machine) atomic(op ir.Op) bool {
	return formatOf(op.Result(0)) != numeric.BF16 || op.StringAttr(nvvm.AttrKind) != "add" || m.has(sm.AtomBF16)
}

func (machine) cmpI(op ir.Op) bool {
	w, pred := ir.BitWidth(op.Operand(0).Type()), op.StringAttr(arith.AttrPredicate)
	return w >= 16 || w > 1 && (pred == "" || pred[0] != 's')
}

// rounding is about operations that round. f16 and bf16 have .rn only; division and square root exist only for
// f32 and f64.
func (m machine) rounding(op ir.Op) bool {
	divides := op.Is(arith.DivF) || op.Is(arith.Sqrt)
	switch formatOf(op.Result(0)) {
	case numeric.F32, numeric.F64:
		return true
	case numeric.F16:
		return nearest(op) && !divides
	case numeric.BF16:
		return nearest(op) && !divides && (op.Is(arith.Fma) || m.has(sm.BF16Add))
	}
	return false
}

// exact is about operations that do not round. PTX has no max.NaN for f64 (PTX ISA, "max").
func (m machine) exact(op ir.Op) bool {
	switch formatOf(op.Result(0)) {
	case numeric.F64:
		return !op.Is(arith.MaximumF) && !op.Is(arith.MinimumF)
	case numeric.F32, numeric.F16:
		return true
	case numeric.BF16:
		return !op.Is(arith.Floor) && !op.Is(arith.Ceil)
	}
	return false
}

func (m machine) cmpF(op ir.Op) bool {
	switch formatOf(op.Operand(0)) {
	case numeric.F16, numeric.F32, numeric.F64:
		return true
	case numeric.BF16:
		return m.has(sm.BF16SetP)
	}
	return false
}

func (m machine) fromInt(op ir.Op) bool {
	w := ir.BitWidth(op.Operand(0).Type())
	switch formatOf(op.Result(0)) {
	case numeric.F16, numeric.F32, numeric.F64:
		return w >= 8
	case numeric.BF16:
		return w >= 16 && nearest(op) && m.has(sm.CvtBF16Int)
	}
	return false
}

// toInt: PTX clamps, but converts NaN to a number other than 0 if 64 bits are involved.
func (machine) toInt(op ir.Op) bool {
	w := ir.BitWidth(op.Result(0).Type())
	switch formatOf(op.Operand(0)) {
	case numeric.F16, numeric.F32:
		return w >= 16 && (w < 64 || !op.HasUnitAttr(arith.AttrSaturating))
	case numeric.F64:
		return w >= 16 && !op.HasUnitAttr(arith.AttrSaturating)
	}
	return false
}

func (m machine) ftof(op ir.Op) bool {
	away := op.StringAttr(arith.AttrRounding) == "nearest_away"
	to := formatOf(op.Result(0))
	switch formatOf(op.Operand(0)) {
	case numeric.F16:
		return (to == numeric.F32 || to == numeric.F64) && !away
	case numeric.BF16:
		return to == numeric.F32
	case numeric.F64:
		return (to == numeric.F32 || to == numeric.F16) && !away
	case numeric.F8E4M3FN, numeric.F8E5M2:
		return to == numeric.F16 && m.has(sm.CvtF16FP8)
	case numeric.F32:
		switch to {
		case numeric.F16, numeric.BF16, numeric.F64:
			return !away
		case numeric.TF32:
			return away || nearest(op) && m.has(sm.CvtRNTF32)
		case numeric.F8E4M3FN, numeric.F8E5M2:
			return nearest(op) && m.has(sm.CvtFP8F32)
		}
	}
	return false
}
