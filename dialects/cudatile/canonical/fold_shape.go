package canonical

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

func attachShapes() {
	for def, f := range map[*ir.OpDef]folder{
		cudatile.Iota: foldIota, cudatile.Broadcast: foldBroadcast, cudatile.Reshape: foldReshape, cudatile.Permute: foldPermute, cudatile.Cat: foldCat, cudatile.Extract: foldExtract,
		cudatile.Insert: foldInsert, cudatile.Pack: foldPack, cudatile.Unpack: foldPack, cudatile.Offset: foldOffset, cudatile.IntToPtr: foldPointer, cudatile.PtrToInt: foldPointer,
		cudatile.PtrToPtr: foldPointer, cudatile.MmaI: foldMmaI, cudatile.Assume: foldAssume, cudatile.JoinTokens: foldJoin,
	} {
		def.Fold = f
	}
}

// foldIota: only one element is written down; more are shorter, and easier to understand, as they are.
func foldIota(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	t := op.Result(0).Type().(*cudatile.TileType)
	if t.NumElements() != 1 {
		return nil
	}
	return constantResult(cudatile.Splat(t, 0))
}

// foldOperand is what a change of shape from and to the same type is, or one of a splat.
func foldOperand(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	t := op.Result(0).Type()
	if op.Operand(0).Type() == t {
		return []ir.FoldResult{{Value: op.Operand(0)}}
	}
	if bits, ok := constfold.Splat(operands[0]); ok {
		return constantResult(constfold.Write(op.Context(), t, constfold.Elements{bits}))
	}
	return nil
}

func foldReshape(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if r := foldOperand(op, operands); r != nil {
		return r
	}
	e, ok := constfold.Read(operands[0])
	if !ok {
		return nil
	}
	return constantResult(constfold.Write(op.Context(), op.Result(0).Type(), e))
}

func foldBroadcast(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if r := foldOperand(op, operands); r != nil {
		return r
	}
	from := cudatile.ShapeOf(op.Operand(0).Type())
	step := rowMajor(from)
	for i, n := range from {
		if n == 1 {
			step[i] = 0
		}
	}
	return gathered(op, operands[0], 0, step)
}

func foldPermute(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	from := rowMajor(cudatile.ShapeOf(op.Operand(0).Type()))
	step := make([]int64, len(from))
	moved := false
	for i, p := range op.Attr("permutation").(*ir.DenseArrayAttr).Values {
		step[i] = from[p]
		moved = moved || p != int64(i)
	}
	if !moved {
		return []ir.FoldResult{{Value: op.Operand(0)}}
	}
	if bits, ok := constfold.Splat(operands[0]); ok {
		return constantResult(constfold.Write(op.Context(), op.Result(0).Type(), constfold.Elements{bits}))
	}
	return gathered(op, operands[0], 0, step)
}

// foldExtract folds a part of a constant, which may be larger than what folding creates.
//
// For a 4 x 8 tile and a part of 2 x 4 at (1, 0): base = 1*2*8 + 0*4*1 = 16, steps 8 and 1.
func foldExtract(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	whole := cudatile.ShapeOf(op.Operand(0).Type())
	step := rowMajor(whole)
	// First of all, also for a splat: an index outside has no meaning, and to fold it would hide the mistake that the
	// verifier warns of.
	base, ok := partAt(whole, cudatile.ShapeOf(op.Result(0).Type()), step, operands[1:])
	if !ok {
		return nil
	}
	if r := foldOperand(op, operands); r != nil {
		return r
	}
	return gathered(op, operands[0], base, step)
}

// partAt returns where in a tile the part at constant indices, which count parts, begins; false unless it lies inside.
func partAt(whole, part, step []int64, indices []ir.Attribute) (base int64, ok bool) {
	if len(indices) != len(whole) {
		return 0, false
	}
	for i, a := range indices {
		x, ok := constfold.Splat(a)
		// Read as unsigned, so that a negative index is outside like one that is too large.
		if !ok || x >= uint64(whole[i]/part[i]) {
			return 0, false
		}
		base += int64(x) * part[i] * step[i]
	}
	return base, true
}

// gathered returns the constant of op's result type whose element at coordinates c is that of a at base +
// sum(c[i]*step[i]).
//
// Constants are row-major, so that every change of shape is a base and a step for each dimension: a broadcast
// has steps of 0, a permutation exchanges them.
func gathered(op ir.Op, a ir.Attribute, base int64, step []int64) []ir.FoldResult {
	dense, ok := a.(*ir.DenseElementsAttr)
	t := op.Result(0).Type().(*cudatile.TileType)
	if !ok || t.NumElements() > constfold.Limit {
		return nil
	}
	out := make(constfold.Elements, t.NumElements())
	eachPlace(t.Shape, base, step, func(i int, at int64) { out[i] = dense.Bits(t.Elem, int(at)) })
	return constantResult(constfold.Write(op.Context(), t, out))
}

// eachPlace visits the elements of a shape: their number, and base + sum(c[i]*step[i]) for their coordinates c.
// Coordinates count like an odometer, which needs no division for each dimension of each element.
func eachPlace(shape []int64, base int64, step []int64, visit func(i int, at int64)) {
	coord := make([]int64, len(shape))
	for i := 0; ; i++ {
		visit(i, base)
		d := len(shape) - 1
		for ; d >= 0; d-- {
			coord[d]++
			base += step[d]
			if coord[d] < shape[d] {
				break
			}
			base -= coord[d] * step[d]
			coord[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// rowMajor returns the distance of neighbours along each dimension.
func rowMajor(shape []int64) []int64 {
	out := make([]int64, len(shape))
	n := int64(1)
	for i := len(shape) - 1; i >= 0; i-- {
		out[i] = n
		n *= shape[i]
	}
	return out
}

func foldCat(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	t := op.Result(0).Type().(*cudatile.TileType)
	if a, ok := constfold.Splat(operands[0]); ok {
		if b, ok := constfold.Splat(operands[1]); ok && a == b {
			return constantResult(cudatile.Splat(t, a))
		}
	}
	dim, _ := op.IntAttr("dim")
	to := rowMajor(t.Shape)
	first := cudatile.ShapeOf(op.Operand(0).Type())
	return assembled(op, to,
		placed{operands[0], first, 0},
		placed{operands[1], cudatile.ShapeOf(op.Operand(1).Type()), first[dim] * to[dim]})
}

func foldInsert(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	whole, part := cudatile.ShapeOf(op.Operand(1).Type()), cudatile.ShapeOf(op.Operand(0).Type())
	step := rowMajor(whole)
	base, ok := partAt(whole, part, step, operands[2:])
	if !ok {
		return nil
	}
	if op.Operand(0).Type() == op.Result(0).Type() {
		return []ir.FoldResult{{Value: op.Operand(0)}}
	}
	a, ok := constfold.Splat(operands[0])
	if b, ok2 := constfold.Splat(operands[1]); ok && ok2 && a == b {
		return []ir.FoldResult{{Value: op.Operand(1)}}
	}
	return assembled(op, step, placed{operands[1], whole, 0}, placed{operands[0], part, base})
}

// A placed is a constant of a shape, which lies in a larger one from base on.
type placed struct {
	value ir.Attribute
	shape []int64
	base  int64
}

// assembled returns the constant that the parts make up, of which later ones cover earlier ones.
func assembled(op ir.Op, step []int64, parts ...placed) []ir.FoldResult {
	t := op.Result(0).Type().(*cudatile.TileType)
	// The bound of package constfold: an operation whose result is larger than its operands could else double a
	// constant again and again.
	if t.NumElements() > constfold.Limit {
		return nil
	}
	out := make(constfold.Elements, t.NumElements())
	for _, p := range parts {
		e, ok := constfold.Read(p.value)
		if !ok {
			return nil
		}
		eachPlace(p.shape, p.base, step, func(i int, at int64) { out[at] = e.At(i) })
	}
	return constantResult(constfold.Write(op.Context(), t, out))
}

// foldPack reads the elements, one after the other from the lowest bit, as elements of another width.
func foldPack(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if inner := op.Operand(0).DefiningOp(); !inner.IsNil() && (inner.Is(cudatile.Pack) || inner.Is(cudatile.Unpack)) && inner.Operand(0).Type() == op.Result(0).Type() {
		return []ir.FoldResult{{Value: inner.Operand(0)}}
	}
	e, ok := constfold.Read(operands[0])
	t := op.Result(0).Type().(*cudatile.TileType)
	source := op.Operand(0).Type().(*cudatile.TileType)
	if !ok || t.NumElements() > constfold.Limit || source.NumElements() > constfold.Limit {
		return nil
	}
	from, to := uint(ir.BitWidth(source.Elem)), uint(ir.BitWidth(t.Elem))
	out := make(constfold.Elements, t.NumElements())
	// Both widths are powers of two, so that a piece never crosses from one element into the next. The lowest bits
	// come first in memory as well (Tile IR specification 5.2.2, Packing Order).
	piece := min(from, to)
	for bit := uint(0); bit < uint(len(out))*to; bit += piece {
		out[bit/to] |= e.At(int(bit/from)) >> (bit % from) & numeric.Int(piece).Mask() << (bit % to)
	}
	return constantResult(constfold.Write(op.Context(), t, out))
}

// foldOffset: an offset by nothing.
func foldOffset(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if n, ok := constfold.Splat(operands[1]); ok && n == 0 {
		return []ir.FoldResult{{Value: op.Operand(0)}}
	}
	return nil
}

// foldPointer: a conversion of pointers to the same type or, through another one, back. LLVM must not undo ptr_to_int
// like this, since its integers lose what they are based on; here they keep it (package provenance).
func foldPointer(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	v, t := op.Operand(0), op.Result(0).Type()
	if v.Type() == t {
		return []ir.FoldResult{{Value: v}}
	}
	inner := v.DefiningOp()
	if !inner.IsNil() && (inner.Is(cudatile.IntToPtr) || inner.Is(cudatile.PtrToInt) || inner.Is(cudatile.PtrToPtr)) && inner.Operand(0).Type() == t {
		return []ir.FoldResult{{Value: inner.Operand(0)}}
	}
	return nil
}

// foldMmaI: a product with a factor that is zero, or of constants whose elements are all equal. Exact in any order,
// because sums modulo 2^32 are associative. Of mmaf nothing is folded: in which order it adds, and how it rounds on
// the way, is up to the target.
func foldMmaI(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	a, okA := constfold.Splat(operands[0])
	b, okB := constfold.Splat(operands[1])
	if okA && a == 0 || okB && b == 0 {
		return []ir.FoldResult{{Value: op.Operand(2)}}
	}
	acc, ok := constfold.Read(operands[2])
	if !okA || !okB || !ok {
		return nil
	}
	shape := cudatile.ShapeOf(op.Operand(0).Type())
	signA, signB := cudatile.MmaSignednessOf(op)
	product := numeric.I32.Mul(numeric.I32.Extend(numeric.I8, a, signA == cudatile.Signed), numeric.I32.Extend(numeric.I8, b, signB == cudatile.Signed))
	sum := numeric.I32.Mul(product, uint64(shape[len(shape)-1]))
	out := slices.Clone(acc)
	for i := range out {
		out[i] = numeric.I32.Add(out[i], sum)
	}
	return constantResult(constfold.Write(op.Context(), op.Result(0).Type(), out))
}

// foldAssume: what was just assumed.
func foldAssume(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	inner := op.Operand(0).DefiningOp()
	if !inner.IsNil() && inner.Is(cudatile.Assume) && inner.Attr("predicate") == op.Attr("predicate") {
		return []ir.FoldResult{{Value: op.Operand(0)}}
	}
	return nil
}

// foldJoin: a token joined with itself. A join of different tokens stays even when one of them comes before the
// other: that needs the order of memory, which passes/tileaa has.
func foldJoin(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	for i := range op.NumOperands() {
		if op.Operand(i) != op.Operand(0) {
			return nil
		}
	}
	if op.NumOperands() == 0 {
		return nil
	}
	return []ir.FoldResult{{Value: op.Operand(0)}}
}
