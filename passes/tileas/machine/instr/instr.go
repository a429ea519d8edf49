package instr

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// RowOf returns the row that the attribute of a dot names, or an error at the dot.
func RowOf(op ir.Op) (*sm.Matrix, error) {
	a := tileas.MMAOf(op)
	if a == nil {
		return nil, op.Errorf("names no matrix instruction")
	}
	row := sm.FindMatrix(sm.MatrixFamily(a.Family), sm.MatrixShape{M: a.M, N: a.N, K: a.K}, InstructionTypes(op))
	if row != nil && (row.CTAs == 2) != op.HasUnitAttr(tile.AttrTwoCTAs) {
		row = nil
	}
	if a.Transposed && (mma.Scaled(op) || a.Family != string(sm.Wgmma)) { // others take both operands from the same places
		row = nil
	}
	if a.Family == string(sm.FMA) && !mma.Scaled(op) {
		if row = mma.FMA(mma.Types(op).D); a.M != 1 || a.N != 1 || a.K != 1 {
			row = nil
		}
	}
	if row == nil {
		t := mma.Types(op)
		if mma.Scaled(op) {
			return nil, op.Errorf("names no matrix instruction for its element types %s, %s and %s with a scale of %s for %d, but %s",
				name(t.A), name(t.B), name(t.D), name(t.Scale.Elem), t.Scale.Block, ir.AttrString(a))
		}
		return nil, op.Errorf("names no matrix instruction for its element types %s, %s and %s, but %s", name(t.A), name(t.B), name(t.D), ir.AttrString(a))
	}
	if !mma.Lowered(row.Family) {
		return nil, op.Errorf("is computed by %s, which no pass lowers yet", ir.AttrString(a))
	}
	return row, nil
}

func name(e sm.Elem) string {
	if e == sm.NoElem {
		return "(none of a matrix instruction)"
	}
	return "'" + e.String() + "'"
}

// InThreads reports whether an MMA is computed without a matrix instruction, by multiply-adds of each thread.
func InThreads(op ir.Op) bool {
	a := tileas.MMAOf(op)
	return a != nil && a.Family == string(sm.FMA)
}

// Accumulates reports whether an MMA adds to what its loop carries, by itself or through other MMAs of the body.
func Accumulates(op ir.Op) bool {
	sum := op.Operand(2)
	if sum.IsBlockArg() {
		return sum.Block() == op.Block()
	}
	before := sum.DefiningOp()
	return tileas.IsMMA(before) && before.Block() == op.Block() && Accumulates(before)
}

// Async reports whether an MMA uses an asynchronous instruction, and takes operands from shared memory.
func Async(op ir.Op) bool {
	a := tileas.MMAOf(op)
	return a != nil && (a.Family == string(sm.Wgmma) || InTMEM(op))
}

// InTMEM reports whether the instruction of an MMA leaves its accumulator in TMEM.
func InTMEM(op ir.Op) bool {
	a := tileas.MMAOf(op)
	return a != nil && mma.InTMEM(sm.MatrixFamily(a.Family))
}
