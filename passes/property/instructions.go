package property

import (
	"errors"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// instructionsChosen asks of every dot which instruction computes it, and that its tensors are distributed as that takes them.
//
// The order of the questions: is it a dot with layouts at all, is there a name, does the table have it, does
// the target, do the warps fit, and last the layouts, which need all of that.
func instructionsChosen(fn ir.Op, t *passes.Target) func(ir.Op) *ir.Diagnostic {
	warps := contract.KernelSpecOf(fn).NumWarps
	arch, archErr := t.Arch()
	return func(op ir.Op) *ir.Diagnostic {
		if !tileas.IsProduct(op) {
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
		row, err := matrix.RowOf(op)
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
			return outerProducts(op, lays)
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

// outerProducts checks that a thread has the rows of A and the columns of B that its part of the accumulator is made of.
func outerProducts(op ir.Op, lays []linear.Layout) *ir.Diagnostic {
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

// fragments checks that the layouts are those of an instruction's fragments.
//
// The layouts must be equal, not convertible: a fragment's place is wired in the instruction, and a product of
// other places is wrong numbers without an error.
func fragments(op ir.Op, attr *tileas.MMAAttr, lays []linear.Layout) *ir.Diagnostic {
	wanted, _, err := matrix.LayoutsOf(op)
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

// diagnosticOf returns an error about an operation as a diagnostic, which it is already where it has a place.
func diagnosticOf(op ir.Op, err error) *ir.Diagnostic {
	var d *ir.Diagnostic
	if errors.As(err, &d) {
		return d
	}
	return op.Errorf("%v", err)
}
