package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// chooseAsync returns the instruction that computes a dot beside the threads, with its extent of N and the arrangement of warps, or nil. The first arrangement is that with most groups of warps along the
// rows: each then has rows of its own, and all read the same columns, which the machine fetches once for a group whatever the arrangement.
func (c *chooser) chooseAsync(op ir.Op) (row *sm.Matrix, cols int, a arrangement) {
	if !c.async {
		return nil, 0, a
	}
	if a, ok := c.arranged[op]; ok {
		if !matrix.Async(op) {
			return nil, 0, a
		}
		row, cols = matrix.ChooseAsync(c.arch, op, matrix.Arrangement{M: a.m, N: a.n, Transposed: a.transposed})
		return row, cols, a
	}
	separate := c.separate(op)
	for _, transposed := range c.orders(op) {
		for _, at := range matrix.Arrangements(c.warps) {
			at.Transposed = transposed
			if row, cols = matrix.ChooseAsync(c.arch, op, at); row != nil && (row.A.EitherMajor || !separate) && c.columnsLeft(op, row) {
				a = arrangement{at.M, at.N, at.Transposed}
				c.arranged[op], c.tiles[op] = a, arrangement{c.warps, c.warps, transposed}
				return row, cols, a
			}
		}
	}
	return nil, 0, arrangement{}
}

// columnsLeft reports whether tensor memory has room for the sum of a product beside those of others. Products of one class add to one sum, if perhaps in versions of a loop, of which one runs.
func (c *chooser) columnsLeft(op ir.Op, row *sm.Matrix) bool {
	if row.D.Places&sm.InTensor == 0 {
		return true
	}
	classes := map[int]bool{c.classes.find(op.Result(0)): true}
	columns := matrix.Columns(op)
	for _, other := range c.ops {
		if !tileas.IsProduct(other) || !matrix.InTensorMemory(other) {
			continue
		}
		if class := c.classes.find(other.Result(0)); !classes[class] {
			classes[class] = true
			columns += matrix.Columns(other)
		}
	}
	return columns <= tileas.TensorColumns
}

// first returns the dimension along which the elements of a thread, or else of neighbouring lanes, are next to each other.
func first(l linear.Layout) int {
	for _, a := range []linear.Axis{linear.Register, linear.Lane} {
		for i := range l.Bits(a) {
			if d := slices.Index(l.Base(a, i), 1); d >= 0 {
				return d
			}
		}
	}
	return l.Dims() - 1
}

// mostTraced bounds the operations that are looked at between a factor and the loads that it comes from.
const mostTraced = 64

// computed reports whether a factor comes from something else than memory and element-wise arithmetic on what is loaded, as from another product: it is in registers then, and stays there. What is loaded goes through shared
// memory, whatever is done to it on the way.
func (c *chooser) computed(v ir.Value) bool {
	left := mostTraced
	var visit func(v ir.Value) bool
	visit = func(v ir.Value) bool {
		def := v.DefiningOp()
		if left--; left < 0 || def.IsNil() {
			return true
		}
		if _, loads := transfer.Accesses.Of(def); loads {
			return false
		}
		_, elementwise := arith.Elementwise.Of(def)
		_, cheap := transfer.Cheap.Of(def)
		l := tileas.Level
		if !elementwise && !cheap && !def.Is(l.Pack) && !def.Is(l.Unpack) && !def.Is(l.Extract) && !def.Is(tileas.ConvertLayout) || def.Is(scf.For) {
			return true
		}
		for _, o := range def.Operands() {
			if transfer.IsTensor(o) && visit(o) {
				return true
			}
		}
		return false
	}
	return visit(v)
}
