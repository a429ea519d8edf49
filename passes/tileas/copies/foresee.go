package copies

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// A Foresight tells at nv_tileaa which loads are going to travel by bulk tensor copies, where no layout is chosen yet. Bounds cost those nothing, since the machine tests each element, so that passes need not win anything for them.
//
// It is no promise: what layouts, buffers and other loads leave room for is seen later (PlanTensor). A wrong answer costs a loop time and no result.
type Foresight struct {
	Arch   *sm.Arch
	Warps  []int // that tile blocks may have
	Ranges *intrange.Ranges
	Device bool // they make their maps themselves
}

// Bulk reports whether a load is for matrix products alone that run beside the threads, and loads what a tensor map describes if its address and strides are multiples of 16 bytes.
func (f *Foresight) Bulk(load ir.Op) bool {
	if load.Def().Name != tileas.Level.TiledLoad.Name {
		return false
	}
	t, ok := load.Result(0).Type().(*ir.TensorType)
	if ordering := load.StringAttr(tile.AttrOrdering); !ok || ordering != "" && ordering != "weak" {
		return false
	}
	a := tile.AccessOf(load)
	bytes := t.NumElements() * int64(tile.ElementBytes(t.Elem))
	switch {
	case bytes > int64(f.Arch.Shared.PerCTA)/4, !foreseen(a, f.Ranges, true), countable(load) != "", !f.feeds(load.Result(0), a.ContiguousDim(), false):
		return false
	}
	return !f.Device || PaysForMap(load, nil, f.Arch, f.Warps[0], int(bytes), 1, f.Ranges) == ""
}

// Aligned reports whether the address and the strides of a load are known to be such.
func (f *Foresight) Aligned(load ir.Op) bool {
	return foreseen(tile.AccessOf(load), f.Ranges, false)
}

// feeds reports whether a value, whose elements lie together along a dimension, goes to such products alone. Converted elements are stored to another buffer, in the order that the product wants.
func (f *Foresight) feeds(v ir.Value, together int, converted bool) bool {
	n := 0
	for u := range v.Uses() {
		op := u.Owner()
		n++
		switch {
		case op.Def().Name == tileas.Level.Dot.Name && u.Index() < 2:
			if !f.async(op, u.Index(), together, converted) {
				return false
			}
		case op.Is(arith.FToF) && converts(op):
			if !f.feeds(op.Result(0), together, true) {
				return false
			}
		case op.Def().Name == tileas.Level.Permute.Name:
			if !f.feeds(op.Result(0), slices.Index(permutation(op), int64(together)), converted) {
				return false
			}
		case op.Def().Name == tileas.Level.Reshape.Name:
			// Dimensions of one element come or go, as those of a batch: the others keep their order from the last one on.
			if !f.feeds(op.Result(0), len(tile.Shape(op.Result(0).Type()))-(len(tile.Shape(v.Type()))-together), converted) {
				return false
			}
		default:
			return false
		}
	}
	return n > 0
}

// async reports whether a product runs beside the threads and takes a factor whose elements lie together along a dimension.
func (f *Foresight) async(dot ir.Op, operand, together int, converted bool) bool {
	for _, warps := range f.Warps {
		for _, a := range matrix.Arrangements(warps) {
			row, _ := matrix.ChooseAsync(f.Arch, dot, a)
			if row == nil {
				continue
			}
			o := [2]sm.Operand{row.A, row.B}[operand]
			if o.Cell < 16 && !o.EitherMajor && !alongDepth(dot, 1-operand) {
				return false // the threads multiply
			}
			return together == depthOf(dot, operand) || o.EitherMajor || converted
		}
	}
	return false
}

// depthOf returns the dimension of a factor along which a product adds up.
func depthOf(dot ir.Op, operand int) int {
	return len(tile.Shape(dot.Operand(operand).Type())) - 1 - operand
}

// alongDepth reports whether the elements of a factor lie together along the depth in memory, as far as that is to be seen.
func alongDepth(dot ir.Op, operand int) bool {
	v, d := dot.Operand(operand), depthOf(dot, operand)
	for {
		def := v.DefiningOp()
		switch {
		case def.IsNil(), d < 0: // one that a reshape made of part of another
			return operand == 0
		case def.Def().Name == tileas.Level.Permute.Name:
			d = int(permutation(def)[d])
		case def.Def().Name == tileas.Level.Reshape.Name:
			d += len(tile.Shape(def.Operand(0).Type())) - len(tile.Shape(v.Type()))
		case def.Def().Name == tileas.Level.TiledLoad.Name:
			return tile.AccessOf(def).ContiguousDim() == d
		default:
			return operand == 0
		}
		v = def.Operand(0)
	}
}

// foreseen reports whether a map describes the object of an access that a launcher or the start of the kernel can make.
func foreseen(a tile.Access, ranges *intrange.Ranges, aligned bool) bool {
	why, known := describable(a, ranges, aligned)
	return why == "" && known
}
