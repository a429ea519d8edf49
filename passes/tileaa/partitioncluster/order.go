package partitioncluster

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// maxAccesses bounds the accesses of a kernel whose pairs are looked at.
const maxAccesses = 512

// accesses returns the operations that read or write memory through pointers.
func (k *kernel) accesses() (list []ir.Op) {
	for _, op := range k.all {
		if !tile.Pointer(op).IsNil() && !k.aliases.IsPrivate(op) {
			list = append(list, op)
		}
	}
	return list
}

// checkOrder looks for accesses in different CTAs of which the program says that one comes after the other, and that
// may meet. What neither tokens nor values order has no order within a CTA either.
//
// By values alone only accesses of one object are compared. That two parameters are the same memory the program must
// say by a token. Otherwise a GEMM whose output may be an operand, as far as types say, could not be partitioned.
func (p *plan) checkOrder() {
	list := p.accesses()
	if len(list) > maxAccesses {
		p.fail("it has %d accesses to memory, too many to compare", len(list))
		return
	}
	for _, x := range list {
		if !tokens.Access(x) {
			p.fail("it is unknown what '%s' is ordered after", x.Name())
			return
		}
		after, fed := p.after(x), p.fedBy(x)
		for _, y := range list {
			ordered := after[y] || fed[y] && p.aliases.ObjectsOf(x)&p.aliases.ObjectsOf(y) != 0
			if ordered && p.aliases.ConflictIn(x, y, ir.Op{}) && !p.together(x, y) && !p.wait(x, y, after[y]) {
				p.fail("'%s' may touch what '%s' does before, in another CTA", y.Name(), x.Name())
				return
			}
		}
	}
}

// after returns the accesses that tokens order after one, on any way that control takes.
func (k *kernel) after(x ir.Op) map[ir.Op]bool {
	return k.reach([]ir.Value{tokens.After(x)}, func(op ir.Op) []ir.Value {
		if tokens.Access(op) {
			return []ir.Value{tokens.After(op)}
		}
		return onlyTokens(op)
	})
}

func onlyTokens(op ir.Op) []ir.Value {
	return slices.DeleteFunc(op.Results(), func(v ir.Value) bool { return !tokens.Is(v) })
}

// fedBy returns the accesses that take what one has read, or what was made of it, or that are executed because of it.
// Within a CTA they come after it without a token.
func (k *kernel) fedBy(x ir.Op) map[ir.Op]bool { return k.reach(x.Results(), ir.Op.Results) }

// reach returns the accesses that values reach, through operations that pass on some of their results.
func (k *kernel) reach(work []ir.Value, next func(op ir.Op) []ir.Value) map[ir.Op]bool {
	out, seen := make(map[ir.Op]bool), make(map[ir.Value]bool)
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		for u := range v.Uses() {
			op := k.outermost(u.Owner())
			into := k.into[flowOperand{op, u.Index()}]
			switch {
			case op == u.Owner() && len(into) > 0:
				work = append(work, into...)
			case op.NumRegions() > 0 && slices.Contains(k.control, op): // it decides what is executed, and so what comes out
				op.Walk(func(inner ir.Op) ir.WalkResult {
					work = append(work, next(inner)...)
					if tokens.Access(inner) {
						out[inner] = true
					}
					return ir.Advance
				})
			default:
				if tokens.Access(op) {
					out[op] = true
				}
				work = append(work, next(op)...)
			}
		}
	}
	return out
}

// outermost returns the operation of those that plans are made of that has another one in its regions, as a reduction
// has its arithmetic.
func (k *kernel) outermost(op ir.Op) ir.Op {
	for p := op.ParentOp(); !p.IsNil() && p != k.op; p = p.ParentOp() {
		if !slices.Contains(k.control, p) {
			op = p
		}
	}
	return op
}

// together reports whether each element that both accesses touch is touched by the same CTA in both.
func (p *plan) together(x, y ir.Op) bool {
	if p.guarded(x) && p.guarded(y) {
		return true
	}
	dx, dy := p.cutDim(x), p.cutDim(y)
	if dx < 0 || dx != dy || x.Def().OperandField("offsets") < 0 || y.Def().OperandField("offsets") < 0 {
		// Through pointers two elements may be at one address, so part i of one access may overlap part k of the other.
		return false
	}
	// In a strided object, different indices are different elements, since storing to overlapping elements has no
	// meaning.
	a, b := tile.AccessOf(x), tile.AccessOf(y)
	size := tile.Shape(a.Tile)[dx]
	if a.Base != b.Base || !slices.EqualFunc(a.Strides, b.Strides, ir.SameValue) || len(tile.Shape(b.Tile)) != len(a.Strides) || tile.Shape(b.Tile)[dx] != size {
		return false
	}
	// In loops the same offset has another value in another iteration, so its subtiles must lie on a common grid.
	if ir.LoopAround(x, false).IsNil() && ir.LoopAround(y, false).IsNil() && ir.SameValue(a.Offsets[dx], b.Offsets[dx]) {
		return true
	}
	return multiple(x, dx, size) && multiple(y, dx, size)
}

// cutDim returns the dimension along which all CTAs together make an access once; -1: there is none.
func (p *plan) cutDim(op ir.Op) int {
	v := p.variants[op]
	if len(v) != 1 || v[0] == uncut {
		return -1
	}
	return p.axes(op)[v[0]].Dims[0].Dim
}

// multiple reports whether a tile begins at a multiple of its size along a dimension. Then its parts lie on a
// grid that is the same for all such tiles.
func multiple(op ir.Op, dim int, size int64) bool {
	facts, ok := op.Attr(tile.AttrOffsetDiv).(*ir.DenseArrayAttr)
	return ok && facts.Values[dim]%size == 0
}
