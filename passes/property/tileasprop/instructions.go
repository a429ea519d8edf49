package tileasprop

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// instructionsChosen checks that every dot names the instruction that computes it, and that its tensors have the
// layouts of that instruction. It asks in this order whether there are layouts, whether there is a name, whether
// table and target have it, and whether the warps fit. The layouts come last, since they need all of that.
func instructionsChosen(fn ir.Op, t *passes.Target) func(ir.Op) *ir.Diagnostic {
	warps := contract.KernelSpecOf(fn).NumWarps
	arch, archErr := t.Arch()
	return func(op ir.Op) *ir.Diagnostic {
		if !tileas.IsMMA(op) {
			return nil
		}
		lays, d := dotLayouts(op)
		if d != nil {
			return d
		}
		attr := tileas.MMAOf(op)
		if attr == nil {
			return op.Errorf("does not say by which instruction it is computed")
		}
		row, err := instr.RowOf(op)
		switch {
		case err != nil:
			return diagnosticOf(op, err)
		case archErr != nil:
			return op.Errorf("needs a target: %v", archErr)
		case !row.On(arch):
			return op.Errorf("is to be computed by %s, which %s does not have", ir.AttrString(attr), arch)
		case attr.WarpsM*attr.WarpsN != tileas.WarpsAt(op, warps):
			return op.Errorf("is to be computed by %s, but is run by %d warps", ir.AttrString(attr), tileas.WarpsAt(op, warps))
		case row.Family == sm.FMA:
			return outerMMAs(op, lays)
		}
		return fragments(op, attr, lays)
	}
}

func dotLayouts(op ir.Op) (lays []linear.Layout, d *ir.Diagnostic) {
	for i := range op.NumOperands() {
		l, ok := tileas.LayoutOf(op.Operand(i).Type())
		if !ok || l.Dims() < 2 {
			return lays, op.Errorf("has an operand without a layout of a matrix")
		}
		lays = append(lays, l)
	}
	return lays, nil
}

// outerMMAs checks that each thread has the rows of A and the columns of B from which its part of the accumulator
// is computed.
func outerMMAs(op ir.Op, lays []linear.Layout) *ir.Diagnostic {
	depth := lays[0].Shape()[lays[0].Dims()-1]
	rows, err := lays[2].RowsOf(depth)
	if err != nil {
		return op.Errorf("cannot be computed in threads: %v", err)
	}
	cols, err := lays[2].ColumnsOf(depth)
	if err != nil {
		return op.Errorf("cannot be computed in threads: %v", err)
	}
	if !rows.Equal(lays[0]) || !cols.Equal(lays[1]) {
		return op.Errorf("has operands in other threads than those that hold the accumulator: they have the layouts %s and %s, and need %s and %s", lays[0], lays[1], rows, cols)
	}
	return nil
}

// fragments checks that the layouts are those of an instruction's fragments. They must be equal, not convertible:
// the places of a fragment are fixed in the instruction, and other places give wrong numbers without an error.
func fragments(op ir.Op, attr *tileas.MMAAttr, lays []linear.Layout) *ir.Diagnostic {
	wanted, _, err := instr.LayoutsOf(op)
	if err != nil {
		return diagnosticOf(op, err)
	}
	for i, want := range wanted {
		if want.Dims() > 0 && !lays[i].Equal(want) {
			return op.Errorf("has an operand #%d that is not distributed as %s takes it: it has the layout %s, and needs %s", i, ir.AttrString(attr), lays[i], want)
		}
	}
	return nil
}

// diagnosticOf returns an error about an operation as a diagnostic; it is one already if it has a location.
func diagnosticOf(op ir.Op, err error) *ir.Diagnostic {
	var d *ir.Diagnostic
	if errors.As(err, &d) {
		return d
	}
	return op.Errorf("%v", err)
}
