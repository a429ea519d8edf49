package tma

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// A Forecast says which loads will use TMA before layouts are chosen. Bounds cost those nothing, since TMA tests each
// element, so that versions without bounds gain nothing.
//
// It is no promise: the planner of copies knows layouts, buffers and the room that other loads leave. A wrong forecast
// costs time and no result.
type Forecast struct {
	Kernel budget.Kernel
	Warps  []int // that CTAs may have
	Ranges *intrange.Ranges
	Device bool // CTAs make their maps themselves
}

// UsesTMA reports whether a load is for asynchronous MMAs alone, and loads what a tensor map describes if its
// address and strides are multiples of 16 bytes.
func (f *Forecast) UsesTMA(load ir.Op) bool {
	if !tile.Is(load, tile.RowTiledLoad) || !ir.IsTensor(load.Result(0)) || tile.IsOrdered(load) {
		return false
	}
	a, bytes := tile.AccessOf(load), tile.Bytes(load.Result(0).Type())
	return bytes <= int64(f.Kernel.Shared(budget.ForScratch)) && foreseen(a, f.Ranges, true) && Uncounted(load) == "" && f.feeds(load.Result(0), a.ContiguousDim(), false) &&
		(!f.Device || PaysForMap(load, nil, f.Kernel.Arch, f.Warps[0], int(bytes), 1, f.Ranges) == "")
}

// Aligned reports whether the address and the strides of a load are known to be such.
func (f *Forecast) Aligned(load ir.Op) bool {
	return foreseen(tile.AccessOf(load), f.Ranges, false)
}

// feeds reports whether a value goes to asynchronous MMAs alone. Its elements are contiguous along a dimension.
// Converted elements are stored to another buffer, in the order that the MMA wants.
func (f *Forecast) feeds(v ir.Value, together int, converted bool) bool {
	return v.HasUses() && !ir.Any(v.Uses(), func(u ir.Use) bool {
		switch op := u.Owner(); {
		case tile.Is(op, tile.RowDot) && u.Index() < 2:
			return !f.async(op, u.Index(), together, converted)
		case op.Is(arith.FToF), op.Is(arith.SIToFP), op.Is(arith.UIToFP):
			// Threads load the tile from shared memory, and store what they convert for the MMA.
			return !f.feeds(op.Result(0), together, true)
		case tile.Is(op, tile.RowPermute):
			return !f.feeds(op.Result(0), slices.Index(tile.Permutation(op), int64(together)), converted)
		case tile.Is(op, tile.RowReshape):
			// A reshape adds or drops dimensions of one element, as those of a batch. The others keep their order,
			// counted from the last one.
			return !f.feeds(op.Result(0), len(tile.Shape(op.Result(0).Type()))-(len(tile.Shape(v.Type()))-together), converted)
		}
		return true
	})
}

// async reports whether an MMA is asynchronous, and reads an operand that is contiguous along a dimension from shared
// memory.
func (f *Forecast) async(dot ir.Op, operand, together int, converted bool) bool {
	for _, warps := range f.Warps {
		for _, a := range mma.WarpTilings(warps) {
			row, _ := mma.ChooseAsync(f.Kernel.Arch, dot, a)
			if row == nil {
				continue
			}
			o := [2]sm.Operand{row.A, row.B}[operand]
			if o.Cell < 16 && !o.EitherMajor && !alongKExtent(dot, 1-operand) {
				// Descriptors read elements of 8 bits along K only. The other operand lies otherwise, so that this MMA
				// will be synchronous.
				return false
			}
			return together == kExtentOf(dot, operand) || o.EitherMajor || converted
		}
	}
	return false
}

// kExtentOf returns the dimension of an operand along which an MMA adds up.
func kExtentOf(dot ir.Op, operand int) int {
	return len(tile.Shape(dot.Operand(operand).Type())) - 1 - operand
}

// alongKExtent reports whether an operand is contiguous along K in memory. Where its load is not found, A is taken to
// be so and B is not, as row-major matrices are.
func alongKExtent(dot ir.Op, operand int) bool {
	v, d := dot.Operand(operand), kExtentOf(dot, operand)
	for {
		def := v.DefiningOp()
		switch {
		case def.IsNil(), d < 0: // one that a reshape made of part of another
			return operand == 0
		case tile.Is(def, tile.RowPermute):
			d = int(tile.Permutation(def)[d])
		case tile.Is(def, tile.RowReshape):
			d += len(tile.Shape(def.Operand(0).Type())) - len(tile.Shape(v.Type()))
		case tile.Is(def, tile.RowTiledLoad):
			return tile.AccessOf(def).ContiguousDim() == d
		default:
			return operand == 0
		}
		v = def.Operand(0)
	}
}

// foreseen reports whether a map describes the object of an access that a launcher or the start of the kernel can make.
func foreseen(a tile.Access, ranges *intrange.Ranges, aligned bool) bool {
	why, known := Describable(a, ranges, aligned)
	return why == "" && known
}

// Converts reports whether an operation converts elements of 32 bits to others of 32 bits, which threads can do
// between two buffers. Narrower ones would have to be packed again.
func Converts(op ir.Op) bool {
	const register = 4
	size := func(v ir.Value) int { return tile.ElementBytes(ir.ElementType(v.Type())) }
	return op.Is(arith.FToF) && size(op.Operand(0)) == register && size(op.Result(0)) == register
}
