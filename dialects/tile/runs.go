package tile

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
)

// Run describes an access through a tensor of pointers, by the facts that the operation carries. It returns the
// dimension along which most elements are contiguous, and how many. Groups of n elements, aligned to n, have
// consecutive addresses. The first address is aligned to the size of the group. A mask covers all of a group or none.
// When nothing is known, dim is -1 and n is 1.
//
// With it a gather of rows is as good as a load of a view: of rows that an index names, only the beginning is data.
//
//	%p = base + row[i] * stride + j     row[i] anything, stride and base multiples of 16 bytes       runs = [1, 8] of f16
//	%m = row[i] < rows and j < columns  columns a multiple of 8
func Run(op ir.Op) (dim, n int) { return Longest(op, op.Attr(AttrRuns)) }

// Longest is Run for an attribute that the operation might have.
func Longest(op ir.Op, runs ir.Attribute) (dim, n int) {
	dim, n = -1, 1
	list, ok := runs.(*ir.DenseArrayAttr)
	if !ok {
		return dim, n
	}
	shape := Shape(op.OperandNamed("ptrs").Type())
	for d, k := range list.Values {
		if d < len(shape) { // a subtile may be smaller than the runs of its tile
			if k = min(k, shape[d]); int(k) > n {
				dim, n = d, int(k)
			}
		}
	}
	return dim, n
}

// pointee returns the type of the elements that an access through pointers loads or stores.
func pointee(op ir.Op) ir.Type {
	return ir.ElementType(op.OperandNamed("ptrs").Type()).(*PtrType).Pointee
}

// FindRuns returns the attribute that Run reads, from the facts about integers and addresses; nil when there is no
// run. No piece is larger than what one access of a thread moves.
func FindRuns(op ir.Op, facts *divisibility.Facts) ir.Attribute {
	return runsOf(op, op.OperandNamed("mask"), facts)
}

// FindRunsUnmasked returns what FindRuns would if all elements were accessed.
func FindRunsUnmasked(op ir.Op, facts *divisibility.Facts) ir.Attribute {
	return runsOf(op, ir.Value{}, facts)
}

func runsOf(op ir.Op, mask ir.Value, facts *divisibility.Facts) ir.Attribute {
	ptrs := op.OperandNamed("ptrs")
	shape := Shape(ptrs.Type())
	size := int64(ElementBytes(pointee(op)))
	// Additions of floats are vectors although each is atomic.
	if len(shape) == 0 || IsOrdered(op) && op.StringAttr(AttrMode) != "addf" || IsHalf(pointee(op)) {
		return nil
	}
	runs, found := make([]int64, len(shape)), false
	for d := range shape {
		run := facts.Of(ptrs).Along(shape, d)
		n := min(run.Len, MaxVectorBytes/size)
		if run.Step != size {
			n = 1
		}
		for n > 1 && (run.Exp < 62 && n*size > 1<<run.Exp) {
			n /= 2
		}
		if !mask.IsNil() {
			if same := facts.Of(mask).Along(shape, d); same.Step == 0 {
				n = min(n, same.Len)
			} else {
				n = 1
			}
		}
		runs[d] = max(1, n)
		found = found || n > 1
	}
	if !found {
		return nil
	}
	return op.Context().DenseI64(runs...)
}

// verifyRuns checks that what an access promises about its pointers can be.
func verifyRuns(op ir.Op) error {
	list, ok := op.Attr(AttrRuns).(*ir.DenseArrayAttr)
	if !ok {
		return nil
	}
	if rank := len(Shape(op.OperandNamed("ptrs").Type())); len(list.Values) != rank {
		return op.Errorf("'%s' needs an entry for each of %d dimensions, but got %d", AttrRuns, rank, len(list.Values))
	}
	size := int64(ElementBytes(pointee(op)))
	for i, n := range list.Values {
		if n < 1 || n&(n-1) != 0 || n > 1 && n > MaxVectorBytes/size {
			return op.Errorf("entry #%d of '%s' must be a power of two of at most %d bytes, but got %d", i, AttrRuns, MaxVectorBytes, n)
		}
	}
	if adds := op.StringAttr(AttrMode) == "addf"; IsOrdered(op) && !adds {
		return op.Errorf("'%s' is for weak accesses and additions of floats: others that threads see are made one by one", AttrRuns)
	}
	return nil
}
