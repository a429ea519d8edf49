package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/layouts"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// What is moved as a whole along a row of an operand that must be transposed: by ldmatrix.trans, or, where an element is more than that, by a thread.
const (
	unitBits   = 16
	vectorBits = 64
)

// interleave deals the columns of a dot out to fragments, or its rows, where an operand lies in memory along them and has elements of less than a unit. Fragments have the elements along K in a
// register, so that such an operand must be transposed on the way; by units that hold several columns ldmatrix.trans does it, and bytes change places in registers. Otherwise
// each byte would be an access of its own, through registers on both ways: for matmul_e4m3 on sm_90 192 in each step instead of 16. Elements of a register, which ldmatrix does not transpose, are then read several at once.
func (c *chooser) interleave(op ir.Op) {
	a := tileas.MMAOf(op)
	m := unitAlong(c.memoryOrder(op.Operand(0)), op.Operand(0), 2)
	n := unitAlong(c.memoryOrder(op.Operand(1)), op.Operand(1), 1)
	// A side that is too small for it leaves the other one its own.
	fits := func(m, n int) bool {
		op.SetAttr(tileas.AttrMMA, a.Interleaved(c.ctx, m, n))
		_, err := matrix.TileOf(op)
		return err == nil
	}
	for m > 1 && !fits(m, 1) {
		m /= 2
	}
	for n > 1 && !fits(m, n) {
		n /= 2
	}
	op.SetAttr(tileas.AttrMMA, a.Interleaved(c.ctx, m, n))
}

// unitAlong returns how many elements a unit has along a dimension, counted from the last one, of an operand that comes from memory in layout l; 1 if it has no two of them.
func unitAlong(l linear.Layout, v ir.Value, last int) int {
	bits := layouts.Bits(v.Type())
	n := unitBits / bits
	if bits > unitBits {
		n = vectorBits / bits
	}
	if n <= 1 || l.Dims() < last || l.Contiguity(l.Dims()-last) < n {
		return 1
	}
	return n
}

// maxChain is how many operations may stand between a load and the dot that it feeds.
const maxChain = 8

// memoryOrder returns the layout that v would have if that of the access it is loaded by were kept on the way; the zero Layout if it is not loaded.
func (c *chooser) memoryOrder(v ir.Value) linear.Layout {
	var chain []ir.Op
	for range maxChain {
		def := v.DefiningOp()
		if def.IsNil() {
			break
		}
		if access, ok := transfer.Accesses.Of(def); ok {
			l, err := c.memoryLayout(access(def))
			for i := len(chain) - 1; i >= 0 && err == nil; i-- {
				l, err = through(chain[i], l)
			}
			if err != nil {
				break
			}
			return l
		}
		if def.Is(arith.FToF) { // element by element, so that the order is the same
			v = def.Operand(0)
			continue
		}
		if t, ok := transfer.Transfers.Of(def); !ok || t.Tied != nil || !transfer.IsTensor(def.Operand(0)) {
			break
		}
		chain = append(chain, def)
		v = def.Operand(0)
	}
	return linear.Layout{}
}

// through takes the layout of the first operand of an operation to its result.
func through(op ir.Op, l linear.Layout) (linear.Layout, error) {
	t, _ := transfer.Transfers.Of(op)
	s, err := t.From(op, transfer.Place{}, l)
	if err != nil {
		return l, err
	}
	return s.Results[0], nil
}
