package makeexact

import (
	"maps"
	"math"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/ir/numeric"
)

// unknown is the bound of what may be no integer.
var unknown = math.Inf(1)

// loaded bounds elements in memory: inputs, and what the kernel stores where it loads too.
var loaded = largest(bitsOperand)

// A use is an operand of an operation.
type use struct {
	op    ir.Op
	index int
}

// bounds are the largest magnitudes of floats. Operands that could make a result inexact are noted on the way, with the
// bits of the hash that is to be put in front of them.
type bounds struct {
	functions int // bits of the hashes of functions; 0: as resultBits says
	ranges    *intrange.Ranges
	memory    *memory
	of        map[ir.Value]float64 // of tiles of floats
	hashed    map[use]int
	exits     map[ir.Op][]float64 // joined operands of the exits of regions, by the operation that they lead out of or around
	breaks    map[ir.Op][]float64
}

// operand returns the bound of an operand, as its operation gets it.
func (b *bounds) operand(op ir.Op, i int) float64 {
	if bits, ok := b.hashed[use{op, i}]; ok {
		return largest(bits)
	}
	return b.value(op.Operand(i))
}

func (b *bounds) value(v ir.Value) float64 {
	if _, ok := formatOf(v.Type()); !ok {
		return 0
	}
	if x, ok := b.of[v]; ok {
		return x
	}
	return unknown
}

// hash notes that an operand is hashed.
func (b *bounds) hash(op ir.Op, i, bits int) {
	if f, _ := formatOf(op.Operand(i).Type()); f == numeric.F8E8M0FNU {
		bits = bitsPower
	}
	b.hashed[use{op, i}] = bits
}

// fit hashes operands, those with the largest bounds first, until a function of their bounds is within the limit. It
// returns the value of the function.
func (b *bounds) fit(op ir.Op, limit float64, f func() float64) float64 {
	for {
		x := f()
		if x <= limit { // false for a NaN, of infinity times zero
			return x
		}
		worst, most := -1, largest(bitsOperand)
		for i := range op.NumOperands() {
			if y := b.operand(op, i); y > most {
				worst, most = i, y
			}
		}
		if worst < 0 {
			if worst = b.widest(op); worst < 0 {
				return x
			}
			b.hash(op, worst, bitsInLoop)
			continue
		}
		b.hash(op, worst, bitsOperand)
	}
}

// widest returns an operand of floats that is not hashed as far as possible, or -1.
func (b *bounds) widest(op ir.Op) int {
	for i := range op.NumOperands() {
		if bits, ok := b.hashed[use{op, i}]; b.operand(op, i) > largest(bitsInLoop) && !(ok && bits <= bitsInLoop) {
			return i
		}
	}
	return -1
}

func (b *bounds) block(block ir.Block) {
	for _, a := range block.Args() {
		if _, ok := b.of[a]; ok {
			continue
		}
		if f, ok := formatOf(a.Type()); ok {
			b.of[a] = min(loaded, exactUpTo(f)) // a parameter
		}
	}
	for op := range block.Ops() {
		b.visit(op)
	}
}

// trial computes something without keeping which operands it hashes.
func (b *bounds) trial(f func()) {
	before := maps.Clone(b.hashed)
	f()
	b.hashed = before
}

// visit computes the bounds of the results of an operation.
func (b *bounds) visit(op ir.Op) {
	switch {
	case op.Is(cudatile.For), op.Is(cudatile.Loop):
		b.loop(op)
	case op.Is(cudatile.If):
		b.branch(op)
	case op.Is(cudatile.Reduce), op.Is(cudatile.Scan):
		b.aggregate(op)
	case op.Is(cudatile.Continue), op.Is(cudatile.Yield):
		b.leave(&b.exits, op)
	case op.Is(cudatile.Break):
		b.leave(&b.breaks, op)
	default:
		x := b.bound(op)
		for _, r := range op.Results() {
			if _, ok := formatOf(r.Type()); ok {
				b.of[r] = x
			}
		}
	}
}

// leave joins the operands of an exit to those of others that lead to the same place.
func (b *bounds) leave(to *map[ir.Op][]float64, op ir.Op) {
	if *to == nil {
		*to = make(map[ir.Op][]float64)
	}
	target := ir.ExitTarget(op)
	joined := (*to)[target]
	if joined == nil {
		joined = make([]float64, op.NumOperands())
	}
	for i := range joined {
		joined[i] = max(joined[i], b.operand(op, i))
	}
	(*to)[target] = joined
}

// bound returns the bound of the floats that an operation without regions results in.
func (b *bounds) bound(op ir.Op) float64 {
	in := func(i int) float64 { return b.operand(op, i) }
	limit := unknown
	if op.NumResults() > 0 {
		if f, ok := formatOf(op.Result(0).Type()); ok {
			limit = exactUpTo(f)
		}
	}
	switch def := op.Def(); def {
	case cudatile.AddF, cudatile.SubF:
		return b.fit(op, limit, func() float64 { return in(0) + in(1) })
	case cudatile.MulF:
		return b.fit(op, limit, func() float64 { return in(0) * in(1) })
	case cudatile.Fma:
		return b.fit(op, limit, func() float64 { return in(0)*in(1) + in(2) })
	case cudatile.MmaF:
		k := float64(Depth(op))
		return b.fit(op, limit, func() float64 { return k*in(0)*in(1) + in(2) })
	case cudatile.MmaFScaled:
		k := float64(Depth(op))
		return b.fit(op, limit, func() float64 { return k*in(0)*in(1)*in(3)*in(4) + in(2) })
	case cudatile.NegF, cudatile.AbsF, cudatile.Floor, cudatile.Ceil, cudatile.MaxF, cudatile.MinF, cudatile.Select, cudatile.Assume,
		cudatile.Broadcast, cudatile.Cat, cudatile.Extract, cudatile.Insert, cudatile.Permute, cudatile.Reshape:
		most := 0.0
		for i := range op.NumOperands() {
			most = max(most, in(i))
		}
		return most
	case cudatile.Constant:
		f, ok := formatOf(op.Result(0).Type())
		if !ok {
			return 0
		}
		return magnitude(op, f)
	case cudatile.FToF:
		return b.narrow(op, limit)
	case cudatile.IToF:
		if x := b.integer(op); x <= limit {
			return x
		}
		return unknown
	case cudatile.LoadPtr, cudatile.LoadView:
		return b.load(op)
	case cudatile.StorePtr, cudatile.StoreView, cudatile.AtomicRMW, cudatile.AtomicCAS, cudatile.AtomicRedView, cudatile.MultimemReduceView,
		cudatile.MultimemStoreView:
		b.store(op)
		return unknown
	default:
		if opaque[def] {
			return largest(b.resultBits(op))
		}
	}
	return unknown
}

// Depth is how many products each element of an MMA adds up.
func Depth(op ir.Op) int64 {
	shape := op.Operand(0).Type().(*cudatile.TileType).Shape
	return shape[len(shape)-1]
}

// narrow makes a conversion exact.
func (b *bounds) narrow(op ir.Op, limit float64) float64 {
	f, _ := formatOf(op.Result(0).Type())
	x, bits := b.operand(op, 0), bitsOperand
	switch {
	case x == unknown: // it is rounded once, the same way everywhere
		return x
	case f == numeric.F8E8M0FNU:
		if bits = bitsPower; b.power(op.Operand(0)) {
			return x
		}
	case x <= limit:
		return x
	}
	b.hash(op, 0, bits)
	return largest(bits)
}

// power reports whether a value is 1 or 2.
func (b *bounds) power(v ir.Value) bool {
	op := v.DefiningOp()
	if op.IsNil() || !op.Is(cudatile.IToF) {
		return false
	}
	r := b.ranges.Of(op.Operand(0))
	return r.IsInt() && r.SMin >= 1 && r.SMax <= 2
}

// integer bounds the integers that are converted to floats.
func (b *bounds) integer(op ir.Op) float64 {
	r := b.ranges.Of(op.Operand(0))
	if !r.IsInt() {
		return unknown
	}
	if signedness, _ := cudatile.Signednesses.ValueOf(op.Attr("signedness")); cudatile.Signedness(signedness) == cudatile.Unsigned {
		return float64(r.UMax)
	}
	return max(math.Abs(float64(r.SMin)), math.Abs(float64(r.SMax)))
}
