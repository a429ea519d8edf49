package assignlayouts

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// The units in which an operand is transposed: 16 bits by ldmatrix.trans. Elements larger than that are
// transposed by a thread, 64 bits at a time.
const (
	unitBits   = 16
	vectorBits = 64
)

// dealOut deals out m rows and n columns of a dot to fragments, or fewer where the MMA is too small for them. A side that
// is too small leaves the other one its own.
//
// It is for an operand that lies in memory along them, with elements smaller than a unit. A register of a fragment holds
// elements along K, so such an operand must be transposed on the way. With units of several columns, ldmatrix.trans
// transposes, and bytes change places in registers.
//
// Otherwise each byte would be an access of its own, through registers on both ways: for matmul_e4m3 on sm_90,
// 192 in each step instead of 16. Elements of an entire register, which ldmatrix does not transpose, are then
// read several at once.
func (c *chooser) dealOut(op ir.Op, a *tileas.MMAAttr, m, n int) {
	fits := func(m, n int) bool {
		op.SetAttr(tileas.AttrMMA, a.Interleaved(c.ctx, m, n))
		_, err := instr.TileOf(op)
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

// unitAlong returns how many elements a unit has along a dimension of an operand, counted from the last one; 1 if
// fewer than two.
func (c *chooser) unitAlong(v ir.Value, last int) int {
	l, bits := c.memoryOrder(v, maxChain), layouts.Bits(v.Type())
	n := unitBits / bits
	if bits > unitBits {
		n = vectorBits / bits
	}
	if n <= 1 || l.Dims() < last || l.Contiguity(l.Dims()-last) < n {
		return 1
	}
	return n
}

// maxChain is how many operations may be between a load and the dot that it feeds.
const maxChain = 8

// memoryOrder returns the layout that v would have if the layout of the access that loads it were kept on the
// way; the zero Layout if v is not loaded, or by more operations than links.
func (c *chooser) memoryOrder(v ir.Value, links int) (l linear.Layout) {
	def := v.DefiningOp()
	if def.IsNil() || links == 0 {
		return l
	}
	a, loaded := transfer.AccessOf(def)
	t, ok := transfer.Transfers.Of(def)
	switch {
	case loaded:
		a.Vector = max(a.Vector, 2) // of single elements, a thread's next one may lie along any dimension
		l, _ = c.memoryLayout(a)
	case def.Is(arith.FToF): // element by element, so that the order is the same
		l = c.memoryOrder(def.Operand(0), links-1)
	case ok && t.Tied == nil && ir.IsTensor(def.Operand(0)):
		if from := c.memoryOrder(def.Operand(0), links-1); from.Dims() > 0 {
			if s, err := t.From(def, transfer.Place{}, from); err == nil {
				l = s.Results[0]
			}
		}
	}
	return l
}
