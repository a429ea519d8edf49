package formtwoctamma

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// leastColumns is how many columns half an operand has at least: the elements of 8 bits in a row of 16 bytes of
// shared memory.
const leastColumns = 16

// halve collects the operations that must be halved along a dimension to halve a value, or returns why it cannot be.
func (p *pairing) halve(v ir.Value, dim int) string {
	op := v.DefiningOp()
	// An argument of a block has other sources, which would have to be halved too.
	if op.IsNil() {
		return "B is passed through control flow"
	}
	if at, ok := p.cut[op]; ok {
		if at != dim {
			return "MMAs use B along both of its dimensions"
		}
		return ""
	}
	if half := tile.Shape(v.Type())[dim] / 2; half < leastColumns {
		return "B has too few columns to halve"
	}
	p.cut[op] = dim
	p.order = append(p.order, op)
	switch {
	case op.Is(tileas.Level.TiledLoad):
		if _, packed := op.IntAttr(tile.AttrPacked); packed || tile.IsOrdered(op) {
			return "the load of B is ordered with other accesses"
		}
		return ""
	case op.Is(tileas.Level.Permute):
		return p.halve(op.Operand(0), int(tile.Permutation(op)[dim]))
	}
	return "half of the result of '" + op.Name() + "' cannot be computed alone"
}

// others looks for uses that need an entire operand.
func (p *pairing) others() (at ir.Op, why string) {
	for _, op := range p.order {
		for u := range op.Result(0).Uses() {
			by := u.Owner()
			if _, ok := p.cut[by]; !ok && (p.attrs[by] == nil || u.Index() != 1) {
				return by, "it uses the entire operand of an MMA"
			}
		}
	}
	return at, ""
}

// write halves the operands, and names the instructions.
func (p *pairing) write() {
	c := p.fn.Context()
	b := ir.BuilderBefore(p.fn.Body().First())
	b.SetLocOf(p.fn)
	i32, i64 := c.Int(32), c.Int(64)
	rank := b.Create(tileas.Level.CTARank, nil, []ir.Type{i32}).Result(0)
	// The even CTA of a pair has the low half of the columns, the odd one the high half.
	odd := b.Create(arith.AndI, []ir.Value{rank, arith.NewInt(b, i32, 1)}, []ir.Type{i32}).Result(0)
	wide := b.Create(arith.ExtUI, []ir.Value{odd}, []ir.Type{i64}).Result(0)
	first := make(map[int64]ir.Value) // where a half begins, by its extent
	for _, op := range p.order {
		dim := p.cut[op]
		n := tile.Shorten(op, dim, 2)
		if !op.Is(tileas.Level.TiledLoad) {
			continue
		}
		if first[n].IsNil() {
			first[n] = b.Create(arith.MulI, []ir.Value{wide, arith.NewInt(b, i64, n)}, []ir.Type{i64}).Result(0)
		}
		tile.MoveStart(op, dim, first[n], n)
	}
	for _, op := range p.mmas {
		op.SetAttr(tileas.AttrMMA, p.attrs[op])
		op.SetAttr(tile.AttrTwoCTAs, c.Unit())
	}
}
