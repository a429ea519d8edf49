package gathers

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// A Rows is an access that gathers rows of a matrix.
type Rows struct {
	Dim     int        // of the list; rows go along the other one
	Base    ir.Value   // a pointer
	Numbers ir.Value   // row numbers, a list
	Stride  ir.Value   // between rows, in elements
	Column  []ir.Value // integers whose sum is the first column
	Height  ir.Value   // bound of row numbers; a zero Value: none
	Width   ir.Value   // bound of columns; a zero Value: none
	Signed  bool       // the comparison is signed, so that negative numbers pass
}

// maxSteps bounds how many operations are followed.
const maxSteps = 256

// Of returns the rows that a load or store accesses, or why it gathers none.
func Of(op ir.Op) (r *Rows, why string) {
	ptrs := op.OperandNamed("ptrs")
	t, ok := ptrs.Type().(*ir.TensorType)
	if !ok || len(t.Shape) != 2 {
		return nil, "its pointers are no matrix"
	}
	f := finder{left: maxSteps}
	if f.address(ptrs) {
		f.parts()
	} else {
		f.fail("its addresses are no sums along rows and columns")
	}
	if mask := op.OperandNamed("mask"); f.why == "" && !mask.IsNil() {
		f.mask(mask, unknown)
	}
	if f.why != "" {
		return nil, f.why
	}
	return &f.Rows, ""
}

type finder struct {
	Rows
	left  int
	why   string
	along [2][]term // terms along each dimension
}

// A term is a list times a number.
type term struct{ list, by ir.Value }

func (f *finder) fail(why string) {
	if f.why == "" {
		f.why = why
	}
}

func (f *finder) step() bool {
	if f.left--; f.left < 0 {
		f.fail("its addresses are computed in too many steps")
	}
	return f.why == ""
}

func isOp(op ir.Op, row tile.Row) bool { return !op.IsNil() && tile.Is(op, row) }

// relayout reports whether an operation only changes the threads that hold the elements of its operand.
func relayout(op ir.Op) bool {
	return !op.IsNil() && tile.Relayout.Has(op)
}

// address splits a tile of pointers or offsets into a base and terms along one dimension each; false: it is no such sum.
func (f *finder) address(v ir.Value) bool {
	switch def := v.DefiningOp(); {
	case !f.step():
	case isOp(def, tile.RowAddPtr), noWrap(def) && def.Is(arith.AddI):
		return f.address(def.Operand(0)) && f.address(def.Operand(1))
	case relayout(def), !def.IsNil() && def.Is(arith.ExtSI):
		return f.address(def.Operand(0))
	case isOp(def, tile.RowSplat):
		return f.base(v)
	case noWrap(def) && def.Is(arith.MulI):
		for i := range 2 {
			by, x := list(def.Operand(i)).DefiningOp(), moved(def.Operand(1-i)).DefiningOp()
			if isOp(by, tile.RowSplat) && isOp(x, tile.RowBroadcast) {
				if d := along(x); d != unknown {
					f.along[d] = append(f.along[d], term{x.Operand(0), by.Operand(0)})
					return true
				}
			}
		}
	case isOp(def, tile.RowBroadcast):
		if d := along(def); d != unknown {
			f.along[d] = append(f.along[d], term{list: def.Operand(0)})
			return true
		}
		return f.base(def.Operand(0))
	}
	return false
}

// unknown stands for no dimension.
const unknown = -1

// along returns the dimension along which a broadcast has a list.
func along(broadcast ir.Op) int {
	shape := tile.Shape(broadcast.Operand(0).Type())
	switch {
	case len(shape) != 2:
	case shape[0] == 1 && shape[1] > 1:
		return 1
	case shape[1] == 1 && shape[0] > 1:
		return 0
	}
	return unknown
}

// moved looks through layout conversions and sign extensions.
func moved(v ir.Value) ir.Value {
	return v.Through(func(op ir.Op) bool { return tile.Relayout.Has(op) || op.Is(arith.ExtSI) })
}

// base takes a tile of equal pointers as the base.
func (f *finder) base(v ir.Value) bool {
	def := list(v).DefiningOp()
	if !isOp(def, tile.RowSplat) {
		return false
	}
	if _, ptr := def.Operand(0).Type().(*tile.PtrType); !ptr || !f.Base.IsNil() {
		f.fail("what its pointers begin with is not one pointer")
		return false
	}
	f.Base = def.Operand(0)
	return true
}

// noWrap reports whether an addition or multiplication provably does not wrap, or has 64 bits, as addresses have.
func noWrap(def ir.Op) bool {
	return !def.IsNil() && (ir.BitWidth(ir.ElementType(def.Result(0).Type())) == 64 || arith.Promises(def).Signed)
}

// list looks through operations that only move or convert the elements of a list.
func list(v ir.Value) ir.Value {
	for range maxSteps {
		def := v.DefiningOp()
		switch {
		case relayout(def), isOp(def, tile.RowReshape):
		case isOp(def, tile.RowBroadcast) && isOp(def.Operand(0).DefiningOp(), tile.RowSplat):
		case !def.IsNil() && def.Is(arith.ExtSI):
		case !def.IsNil() && def.Is(arith.TruncI) && isOp(list(def.Operand(0)).DefiningOp(), tile.RowRange): // a range has fewer elements than any integer type counts
		default:
			return v
		}
		v = def.Operand(0)
	}
	return v
}

// columns splits a list into a range and the numbers that all its elements have in common.
func (f *finder) columns(v ir.Value) (ranges int, common []ir.Value, ok bool) {
	v = list(v)
	def := v.DefiningOp()
	switch {
	case !f.step() || def.IsNil():
		return 0, nil, false
	case isOp(def, tile.RowRange):
		return 1, nil, true
	case isOp(def, tile.RowSplat):
		if arith.IsInt(def.Operand(0), 0) {
			return 0, nil, true
		}
		return 0, []ir.Value{moved(def.Operand(0))}, true
	case noWrap(def) && def.Is(arith.AddI):
		n, x, ok1 := f.columns(def.Operand(0))
		m, y, ok2 := f.columns(def.Operand(1))
		return n + m, append(x, y...), ok1 && ok2
	case noWrap(def) && def.Is(arith.MulI):
		for i := range 2 {
			if by := list(def.Operand(i)).DefiningOp(); isOp(by, tile.RowSplat) && arith.IsInt(by.Operand(0), 1) {
				return f.columns(def.Operand(1 - i))
			}
		}
	}
	return 0, nil, false
}

// parts finds the dimension of the row numbers, and splits the terms of both dimensions.
func (f *finder) parts() {
	if f.Base.IsNil() {
		f.fail("its pointers have no base in common")
		return
	}
	for d := range 2 {
		// Dimension d must be consecutive columns: one list, not multiplied.
		if len(f.along[d]) != 1 || len(f.along[1-d]) != 1 || !one(f.along[d][0].by) {
			continue
		}
		n, common, ok := f.columns(f.along[d][0].list)
		if !ok || n != 1 {
			continue
		}
		rows := f.along[1-d][0]
		if !rows.by.IsNil() {
			f.Dim, f.Numbers, f.Stride, f.Column = 1-d, list(rows.list), rows.by, common
			return
		}
		// The program may have multiplied the list itself, before it broadcast it.
		by := list(rows.list).DefiningOp()
		if by.IsNil() || !by.Is(arith.MulI) || !noWrap(by) {
			continue
		}
		for i := range 2 {
			if stride := list(by.Operand(i)).DefiningOp(); isOp(stride, tile.RowSplat) {
				f.Dim, f.Numbers, f.Stride, f.Column = 1-d, list(by.Operand(1-i)), stride.Operand(0), common
				return
			}
		}
	}
	f.fail("no dimension of it goes through neighbours, from rows on that are multiples of a stride")
}

// one reports whether a multiple is 1 or absent.
func one(v ir.Value) bool { return v.IsNil() || arith.IsInt(v, 1) }

// mask splits a condition into comparisons along one dimension each. dim is the dimension of the compared lists, if it
// is known.
func (f *finder) mask(v ir.Value, dim int) {
	if !f.step() {
		return
	}
	def := v.DefiningOp()
	switch {
	case !def.IsNil() && def.Is(arith.AndI):
		f.mask(def.Operand(0), dim)
		f.mask(def.Operand(1), dim)
		return
	case isOp(def, tile.RowBroadcast) && dim == unknown:
		f.mask(def.Operand(0), along(def))
		return
	case relayout(def), isOp(def, tile.RowReshape):
		f.mask(def.Operand(0), dim)
		return
	case def.IsNil() || !def.Is(arith.CmpI):
		f.fail("its mask is no comparison with the extents of a matrix")
		return
	}
	compared := def.Operand(0)
	if x := moved(compared).DefiningOp(); isOp(x, tile.RowBroadcast) && dim == unknown {
		compared, dim = x.Operand(0), along(x)
	}
	predicate := def.StringAttr(arith.AttrPredicate)
	size := list(def.Operand(1)).DefiningOp()
	if predicate != "ult" && predicate != "slt" || !isOp(size, tile.RowSplat) {
		f.fail("its mask is no comparison with the extents of a matrix")
		return
	}
	f.Signed = f.Signed || predicate == "slt"
	to := &f.Width
	if dim == f.Dim && list(compared) == f.Numbers {
		to = &f.Height
	} else if n, common, ok := f.columns(compared); dim != 1-f.Dim || !ok || n != 1 || !same(common, f.Column) {
		f.fail("its mask compares something else than the numbers of rows and columns")
		return
	}
	if !to.IsNil() && *to != size.Operand(0) {
		f.fail("its mask compares with two extents")
		return
	}
	*to = size.Operand(0)
}

// same reports whether two lists have the same values, in any order.
func same(x, y []ir.Value) bool {
	sorted := func(vs []ir.Value) []ir.Value {
		return slices.SortedFunc(slices.Values(vs), func(a, b ir.Value) int { return cmp.Compare(a.ID(), b.ID()) })
	}
	return slices.Equal(sorted(x), sorted(y))
}
