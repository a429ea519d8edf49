package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// The layouts that operations pass on: one line for each row.
//
//	same       element-wise operations, accesses, loops: one layout for all
//	shaped     reshape, permute, reduce, cat, ...: the result's layout follows from the operand's and, but for a reduce,
//	           the operand's from the result's
//	cheap      rematerialized: a constant, a splat, a range, and what only repeats or renames their elements
//	access     has a preferred layout, by lines of memory
func init() {
	l := Level
	for _, def := range arith.Dialect.Ops() {
		if _, ok := arith.Elementwise.OfDef(def); ok {
			t := transfer.Same()
			t.Work = elementwiseWork
			def.Attach(transfer.Transfers.Is(t))
		}
	}
	for _, def := range []*ir.OpDef{l.AddPtr, l.Load, l.PtrToInt, l.IntToPtr, l.PtrToPtr, l.AtomicCAS, l.TiledLoad, l.TiledStore, l.TiledAtomic} {
		def.Attach(transfer.Transfers.Is(transfer.Same()))
	}
	for _, def := range []*ir.OpDef{l.Store, l.AtomicRMW} {
		def.Attach(transfer.Transfers.Is(storeTransfer()))
	}
	for def, t := range map[*ir.OpDef]transfer.Transfer{
		l.Reshape: transfer.Shaped(reshapeTo(result), reshapeTo(operand)),
		l.Permute: transfer.Shaped(permute(false), permute(true)),
		l.Broadcast: transfer.Shaped(nil, func(op ir.Op, dst linear.Layout) (linear.Layout, error) {
			return dst.BroadcastSource(transfer.Shape(op.Operand(0)))
		}),
		l.Reduce:    reduceTransfer(),
		l.Scan:      scanTransfer(),
		l.Extract:   transfer.Shaped(partOf(result), wholeOf(operand)),
		l.Cat:       transfer.Shaped(wholeOf(result), partOf(operand)),
		l.AllGather: transfer.Shaped(wholeOf(result), partOf(operand)),
		l.Insert:    {From: insertFrom},
		l.Pack:      transfer.Shaped(packed, unpacked),
		l.Unpack:    transfer.Shaped(packed, unpacked),
		l.Print:     {From: printFrom},
	} {
		def.Attach(transfer.Transfers.Is(t))
	}
	arith.Constant.Attach(transfer.Cheap.Is(transfer.CheapOp{}))
	for _, def := range Dialect.Ops() {
		if _, ok := tile.Cheap.OfDef(def); ok {
			def.Attach(transfer.Cheap.Is(transfer.CheapOp{}))
		}
	}
	tiled := func(op ir.Op, v ir.Value, store bool) transfer.Access {
		acc := tile.AccessOf(op)
		if dim := acc.ContiguousDim(); dim >= 0 {
			return transfer.Access{Value: v, Contiguous: dim, Vector: acc.VectorElements(), Store: store}
		}
		return transfer.Access{Value: v, Contiguous: -1, Vector: 1, Store: store}
	}
	l.TiledLoad.Attach(transfer.Accesses.Is(func(op ir.Op) transfer.Access { return tiled(op, op.Result(0), false) }))
	l.TiledStore.Attach(transfer.Accesses.Is(func(op ir.Op) transfer.Access { return tiled(op, op.OperandNamed("value"), true) }))
	through := func(op ir.Op, v ir.Value, store bool) transfer.Access {
		dim, n := tile.Run(op)
		return transfer.Access{Value: v, Contiguous: dim, Vector: n, Store: store}
	}
	l.Load.Attach(transfer.Accesses.Is(func(op ir.Op) transfer.Access { return through(op, op.Result(0), false) }))
	l.Store.Attach(transfer.Accesses.Is(func(op ir.Op) transfer.Access { return through(op, op.OperandNamed("value"), true) }))
	l.AtomicRMW.Attach(transfer.Accesses.Is(func(op ir.Op) transfer.Access { return through(op, op.OperandNamed("value"), true) }))
	for _, def := range []*ir.OpDef{l.TiledAtomic, l.AtomicCAS} {
		def.Attach(transfer.Accesses.Is(func(op ir.Op) transfer.Access {
			return transfer.Access{Value: op.OperandNamed("value"), Contiguous: -1, Vector: 1, Store: true}
		}))
	}
}

// storeTransfer is that of a store or update through pointers: all operands have one layout, but the value belongs with
// what computes it. So the accumulator fragments of an MMA may be converted to a store of full lines, whose addresses are
// computed there from the start.
func storeTransfer() transfer.Transfer {
	t := transfer.Same()
	t.Tied = func(op ir.Op) []ir.Value {
		return slices.DeleteFunc(op.Operands(), func(v ir.Value) bool { return v == op.OperandNamed("value") })
	}
	return t
}

func operand(op ir.Op) ir.Value { return op.Operand(0) }
func result(op ir.Op) ir.Value  { return op.Result(0) }

func reshapeTo(of func(ir.Op) ir.Value) transfer.Step {
	return func(op ir.Op, l linear.Layout) (linear.Layout, error) { return l.Reshape(transfer.Shape(of(op))) }
}

func permute(inverse bool) transfer.Step {
	return func(op ir.Op, l linear.Layout) (linear.Layout, error) {
		values := op.Attr(tile.AttrPerm).(*ir.DenseArrayAttr).Values
		perm := make([]int, len(values))
		for i, v := range values {
			if inverse {
				perm[v] = i
			} else {
				perm[i] = int(v)
			}
		}
		return l.Permute(perm)
	}
}

func dimOf(op ir.Op) int {
	dim, _ := op.IntAttr(tile.AttrDim)
	return int(dim)
}

// Steps of exchanging a value with another thread, in those of a register: a shuffle for each lane bit, a round
// through shared memory with its barriers for warps.
const (
	laneStep = 2
	warpStep = 40
)

// steps is what operations take for an element beyond one step, where that is worth knowing: those that become
// sequences of instructions.
//
// Relative to an addition, as a matter of order: they are the lengths of the sequences that nvvm-expand-math
// and ptxas make, roughly. They count where a layout has copies, since each copy computes.
var steps = map[*ir.OpDef]int{
	arith.DivF: 8, arith.RemF: 20, arith.Sqrt: 8, arith.RSqrt: 2, arith.Exp: 4, arith.Exp2: 2, arith.Log: 4, arith.Log2: 2, arith.Sin: 20, arith.Cos: 20, arith.Tan: 30,
	arith.SinH: 12, arith.CosH: 12, arith.TanH: 8, arith.PowF: 30, arith.Atan2: 30, arith.DivSI: 20, arith.DivUI: 20, arith.CeilDivSI: 20, arith.CeilDivUI: 20,
	arith.FloorDiv: 20, arith.RemSI: 20, arith.RemUI: 20,
}

// byteSteps is what a conversion from or to floats of a byte or less takes on targets that have no instruction for it.
const byteSteps = 4

func elementwiseWork(op ir.Op, s transfer.Signature) int {
	n := steps[op.Def()]
	if op.Is(arith.FToF) && min(ir.BitWidth(ir.ElementType(op.Operand(0).Type())), ir.BitWidth(ir.ElementType(op.Result(0).Type()))) <= 8 {
		n = byteSteps
	}
	if n == 0 || s.Results[0].Dims() == 0 {
		return 0
	}
	return n * s.Results[0].Size(linear.Register)
}

// reduceTransfer: the result is in every thread that took part, and nothing about the operand follows from it.
func reduceTransfer() transfer.Transfer {
	t := transfer.Shaped(func(op ir.Op, src linear.Layout) (linear.Layout, error) {
		if len(src.Shape()) == 1 {
			return linear.Layout{}, nil // scalars
		}
		return src.Slice(dimOf(op))
	}, nil)
	t.Work = func(op ir.Op, s transfer.Signature) int {
		src := s.Operands[0]
		sums := 1
		if r := s.Results[0]; r.Dims() > 0 {
			sums = r.Size(linear.Register)
		}
		return src.Size(linear.Register) + sums*acrossThreads(src, dimOf(op))
	}
	return t
}

// acrossThreads is the cost of combining one value of each thread along a dimension.
func acrossThreads(l linear.Layout, dim int) int {
	n := 0
	for bits := l.DimBits(linear.Lane, dim); bits != 0; bits &= bits - 1 {
		n += laneStep
	}
	if l.DimBits(linear.Warp, dim) != 0 {
		n += warpStep
	}
	return n
}

// scanTransfer: operands and results in a layout that is in order along the dimension. One that has several warps
// along it is not taken unless those have nothing better to do.
//
// A scan goes through registers first and then lanes, so positions along the dimension have to be in that order
// of bits (linear.Layout.Sequence); any other layout is converted in front.
func scanTransfer() transfer.Transfer {
	t := transfer.Same()
	t.From = func(op ir.Op, _ transfer.Place, l linear.Layout) (transfer.Signature, error) {
		best, err := linear.Sequential(transfer.Shape(op.Operand(0)), dimOf(op), l.Size(linear.Lane), l.Size(linear.Warp))
		if err != nil {
			return transfer.Signature{}, err
		}
		if seq, err := l.Sequence(dimOf(op)); err != nil || seq.Warps != 0 && best.DimBits(linear.Warp, dimOf(op)) == 0 {
			l = best
		}
		return transfer.Fill(op, l, l), nil
	}
	return t
}

// Operations on parts (extract, insert, cat) work inside a thread, which holds all parts, in the layout of one of
// them. Which part is meant is then a choice of registers, even when it is known at run time only.

func partOf(of func(ir.Op) ir.Value) transfer.Step {
	return func(op ir.Op, l linear.Layout) (linear.Layout, error) { return l.DealtPart(transfer.Shape(of(op))) }
}

func wholeOf(of func(ir.Op) ir.Value) transfer.Step {
	return func(op ir.Op, l linear.Layout) (linear.Layout, error) { return l.Whole(transfer.Shape(of(op))) }
}

func insertFrom(op ir.Op, at transfer.Place, l linear.Layout) (transfer.Signature, error) {
	part, err := l, error(nil)
	if at.Result || at.Index == 1 {
		if part, err = l.DealtPart(transfer.Shape(op.Operand(0))); err != nil {
			return transfer.Signature{}, err
		}
	}
	whole, err := part.Whole(transfer.Shape(op.Result(0)))
	if err != nil {
		return transfer.Signature{}, err
	}
	s := transfer.Fill(op, whole, whole)
	s.Operands[0] = part
	return s, nil
}

// packed and unpacked are the steps of pack and unpack, forwards and backwards: a thread needs all the narrow
// elements that make up a wide one.
func packed(op ir.Op, l linear.Layout) (linear.Layout, error) {
	results, operands := bytesRatio(op)
	if operands > 1 {
		return l.Narrow(operands)
	}
	return l.Widen(results)
}

func unpacked(op ir.Op, l linear.Layout) (linear.Layout, error) {
	results, operands := bytesRatio(op)
	if results > 1 {
		return l.Narrow(results)
	}
	return l.Widen(operands)
}

// bytesRatio returns how many elements of the result of a pack or unpack correspond to how many elements of the
// operand. One of the two numbers is 1.
func bytesRatio(op ir.Op) (results, operands int) {
	from, to := ir.BitWidth(ir.ElementType(op.Operand(0).Type())), ir.BitWidth(ir.ElementType(op.Result(0).Type()))
	return max(1, from/to), max(1, to/from)
}

// printFrom: one thread prints, so it must hold everything.
func printFrom(op ir.Op, _ transfer.Place, l linear.Layout) (transfer.Signature, error) {
	s := transfer.Fill(op, l, l)
	for i, v := range op.Operands() {
		if !ir.IsTensor(v) {
			continue
		}
		all, err := linear.Everywhere(transfer.Shape(v), l.Size(linear.Lane), l.Size(linear.Warp))
		if err != nil {
			return s, err
		}
		s.Operands[i] = all
	}
	return s, nil
}
