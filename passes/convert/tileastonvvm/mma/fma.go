package mma

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// fmaDot computes a dot without a matrix instruction. A thread holds the rows of A and columns of B for its part
// of the accumulator, and adds outer products, one step of K after the other. Operands are widened to the type of
// the accumulator: f32, f64 or i32.
//
// It is for element types and K extents that the target has no instruction for, f32 above all: tf32 would drop 13
// bits of what the program said. A thread with an r x c part of the accumulator does
//
//	for k:  load r elements of A's column k and c of B's row k ; r*c multiply-adds
//
// so loads grow with r + c and arithmetic with r*c. The code is unrolled over k as well: registers have no
// run-time numbers.
func fmaDot(l *core.Lowering, op ir.Op) error {
	var lays [3]linear.Layout
	for i := range lays {
		lay, err := l.Layout(op.Operand(i))
		if err != nil {
			return err
		}
		lays[i] = lay
	}
	r := lays[2].Dims()
	extent := lays[0].Shape()[r-1]
	// The accumulator's layout comes first. A thread gets the rows and columns that its elements need, with copies in
	// other threads: copies cost loads, whereas partial accumulators would cost exchanges.
	rows, err := lays[2].RowsOf(extent)
	if err != nil {
		return op.Errorf("cannot be lowered: %v", err)
	}
	cols, err := lays[2].ColumnsOf(extent)
	if err != nil {
		return op.Errorf("cannot be lowered: %v", err)
	}
	if !rows.Equal(lays[0]) || !cols.Equal(lays[1]) {
		return op.Errorf("operands do not have the rows and columns that the accumulator's layout needs")
	}
	result := l.Elem(op.Result(0).Type())
	accType := accumulatorType(l, result)
	acc := make([]ir.Value, len(l.Values(op.Operand(2))))
	for i, v := range l.Values(op.Operand(2)) {
		acc[i] = widen(l, v, accType, false)
	}
	f := fmaOperands{l: l, accType: accType, last: lastSync(l)}
	// K is the outer loop. A step needs one column of A and one row of B, each used for a row or column of the
	// accumulator. So few operands are in registers at a time.
	for k := range extent {
		var a, b = make(map[int]ir.Value), make(map[int]ir.Value)
		for i := range acc {
			// Thread 0 stands for all: RowsOf and ColumnsOf keep the accumulator's lanes and warps, so that the
			// numbers of registers are the same in each thread.
			coord := lays[2].Apply(linear.Index{linear.Register: uint32(i)})
			ca, cb := append([]int{}, coord...), append([]int{}, coord...)
			ca[r-1], cb[r-2] = k, k
			ra, rb := registerAt(lays[0], ca), registerAt(lays[1], cb)
			if a[ra].IsNil() {
				a[ra] = f.operand(l.Values(op.Operand(0))[ra], op.HasUnitAttr(tile.AttrUnsignedA))
			}
			if b[rb].IsNil() {
				b[rb] = f.operand(l.Values(op.Operand(1))[rb], op.HasUnitAttr(tile.AttrUnsignedB))
			}
			if _, isInt := accType.(*ir.IntegerType); isInt {
				acc[i] = l.Make(arith.AddI, accType, l.Make(arith.MulI, accType, a[ra], b[rb]), acc[i])
			} else {
				acc[i] = l.Make(arith.Fma, accType, a[ra], b[rb], acc[i])
			}
		}
	}
	for i, v := range acc {
		if accType != result {
			acc[i] = l.Make(arith.FToF, result, v)
		}
	}
	l.Bind(op.Result(0), acc...)
	return nil
}

// registerAt returns the register that holds, in thread 0, the element at the coordinates.
//
// Every base of a register bit moves along one dimension only, in layouts of RowsOf and ColumnsOf, so that bit
// by bit its coordinate says whether it is set.
func registerAt(lay linear.Layout, coord []int) int {
	r := 0
	for i := range lay.Bits(linear.Register) {
		for d, c := range lay.Base(linear.Register, i) {
			if c != 0 && coord[d]&c != 0 {
				r |= 1 << i
			}
		}
	}
	return r
}

// accumulatorType returns the type to accumulate in. Narrow floats are accumulated in f32 and rounded once at the end;
// a rounding to 11 bits or fewer at every step of K would lose digits with its length.
func accumulatorType(l *core.Lowering, result ir.Type) ir.Type {
	if f, ok := result.(*ir.FloatType); ok && ir.BitWidth(f) < 32 {
		return l.Ctx.F32()
	}
	return result
}

func widen(l *core.Lowering, v ir.Value, to ir.Type, unsigned bool) ir.Value {
	switch {
	case v.Type() == to:
		return v
	case ir.BitWidth(v.Type()) < ir.BitWidth(to) && unsigned:
		return l.Make(arith.ExtUI, to, v)
	}
	if _, isInt := to.(*ir.IntegerType); isInt {
		return l.Make(arith.ExtSI, to, v)
	}
	return l.Make(arith.FToF, to, v)
}

// fmaOperands makes operands ready where they are used, so that few are in registers at a time.
type fmaOperands struct {
	l       *core.Lowering
	accType ir.Type
	last    ir.Op // after which loads from shared memory may be moved
}

// operand returns v in the type to accumulate in. The load from shared memory that it comes from moves here when
// nothing may have written there since and nothing has used it yet.
func (f fmaOperands) operand(v ir.Value, unsigned bool) ir.Value {
	ld := v.DefiningOp()
	if !ld.IsNil() && ld.Is(nvvm.Ld) && ld.Block() == f.l.Block() && ld.Operand(0).Type() == ir.Type(nvvm.Ptr(f.l.Ctx, nvvm.Shared)) &&
		(f.last.IsNil() || f.last.IsBeforeInBlock(ld)) && !slices.ContainsFunc(ld.Results(), ir.Value.HasUses) {
		ld.MoveToEnd(f.l.Block())
	}
	return widen(f.l, v, f.accType, unsigned)
}

// lastSync returns the last barrier or store of the current block; a zero Op when there is none.
// Only this block matters, since loads of other blocks stay where they are.
func lastSync(l *core.Lowering) ir.Op {
	for op := l.Block().Last(); !op.IsNil(); op = op.Prev() {
		if op.Is(nvvm.Barrier) || op.Is(nvvm.WarpSync) || op.Is(nvvm.St) {
			return op
		}
	}
	return ir.Op{}
}
