package packbytes

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

// An emitter writes the words of groups.
type emitter struct {
	pairs  bool    // the target has maxima of two i16
	loaded []ir.Op // packs of loaded bytes
}

// Constants of words: each byte is 1, or has its upper bit, or the others.
const (
	ones  = 0x01010101
	upper = 0x80808080
	lower = 0x7f7f7f7f
)

// A rule computes a word of what is in the words of the operands.
type rule func(e *emitter, b scalar.Builder, g *group, x []ir.Value) ir.Value

var rules map[*ir.OpDef]rule

func init() {
	rules = map[*ir.OpDef]rule{
		arith.AndI: bitwise, arith.OrI: bitwise, arith.XOrI: bitwise,
		arith.AddI: add, arith.SubI: sub, arith.NegI: neg, arith.AbsI: abs,
		arith.MaxSI: extreme, arith.MaxUI: extreme, arith.MinSI: extreme, arith.MinUI: extreme,
		arith.ShLI: shift, arith.ShRUI: shift, arith.ShRSI: shift,
	}
}

// word returns the register of a group, computed where the last of its operations stands.
func (e *emitter) word(g *group) ir.Value {
	if !g.result.IsNil() {
		return g.result
	}
	if len(g.ops) == 0 {
		g.result = e.leaf(g)
		return g.result
	}
	last := g.ops[0]
	for _, op := range g.ops[1:] {
		if last.IsBeforeInBlock(op) {
			last = op
		}
	}
	var x []ir.Value
	for _, o := range g.operands {
		x = append(x, e.word(o))
	}
	g.result = rules[last.Def()](e, scalar.Before(last), g, x)
	return g.result
}

// finish erases what computed bytes, and takes loaded words apart for whoever wants bytes by themselves.
func (e *emitter) finish(fn ir.Op) {
	ir.EraseDead(fn)
	for _, pack := range e.loaded {
		takeApart(pack)
	}
}

// takeApart gives the bytes of a word to all other users of what it joins.
func takeApart(pack ir.Op) {
	other := func(u ir.Use) bool { return u.Owner() != pack }
	var used []ir.Value
	var types []ir.Type
	for _, v := range pack.Operands() {
		types = append(types, v.Type())
		if !v.HasOneUse() {
			used = append(used, v)
		}
	}
	if used == nil {
		return
	}
	split := ir.BuilderAfter(pack).Create(nvvm.Unpack, pack.Results(), types)
	for _, v := range used {
		v.ReplaceUsesIf(split.Result(slices.Index(pack.Operands(), v)), other)
	}
}

// leaf returns the register of a group that nothing computes.
func (e *emitter) leaf(g *group) ir.Value {
	first := g.bytes[0]
	i32 := first.Context().Int(32)
	switch def := first.DefiningOp(); {
	case allConstant(g.bytes):
		return scalar.Before(def).Bits(i32, bitsOf(g))
	case g.bytes[1] == first:
		b := after(first)
		return b.Op(arith.MulI, b.Cast(arith.ExtUI, first, i32), b.Int(i32, ones))
	case !def.IsNil() && def.Is(nvvm.Unpack):
		return def.Operand(0)
	}
	pack := after(first).Create(nvvm.Pack, g.bytes[:], []ir.Type{i32})
	e.loaded = append(e.loaded, pack)
	return pack.Result(0)
}

// after returns a builder right after a value is there.
func after(v ir.Value) scalar.Builder {
	if v.IsBlockArg() {
		return scalar.Before(v.Block().First())
	}
	return scalar.Before(v.DefiningOp().Next())
}

// bitsOf returns the word of constants.
func bitsOf(g *group) (word uint64) {
	for i, v := range g.bytes {
		word |= arith.Bits(ir.ConstantValue(v)) << (8 * i)
	}
	return word
}

// masked returns some bits of a word.
func masked(b scalar.Builder, x ir.Value, mask uint64) ir.Value {
	return b.Op(arith.AndI, x, b.Bits(x.Type(), mask))
}

func bitwise(_ *emitter, b scalar.Builder, g *group, x []ir.Value) ir.Value {
	return b.Op(g.ops[0].Def(), x...)
}

// add adds the lower bits of bytes, and the upper ones without their carry.
func add(_ *emitter, b scalar.Builder, _ *group, x []ir.Value) ir.Value {
	sum := b.Op(arith.AddI, masked(b, x[0], lower), masked(b, x[1], lower))
	return b.Op(arith.XOrI, b.Op(arith.XOrI, sum, masked(b, x[0], upper)), masked(b, x[1], upper))
}

// sub sets the upper bit of each byte that something is taken from, so that it does not borrow.
func sub(_ *emitter, b scalar.Builder, _ *group, x []ir.Value) ir.Value {
	return difference(b, b.Op(arith.OrI, x[0], b.Bits(x[0].Type(), upper)), masked(b, x[0], upper), x[1])
}

func neg(_ *emitter, b scalar.Builder, _ *group, x []ir.Value) ir.Value {
	return difference(b, b.Bits(x[0].Type(), upper), b.Bits(x[0].Type(), 0), x[0])
}

// difference takes y from x, of which it gets the word with all upper bits set, and the upper bits.
func difference(b scalar.Builder, set, bits, y ir.Value) ir.Value {
	rest := b.Op(arith.SubI, set, masked(b, y, lower))
	borrow := b.Op(arith.XOrI, rest, b.Bits(y.Type(), upper))
	return b.Op(arith.XOrI, b.Op(arith.XOrI, borrow, bits), masked(b, y, upper))
}

// signs has a 1 in each byte that is negative.
func signs(b scalar.Builder, x ir.Value) ir.Value {
	return masked(b, b.Op(arith.ShRUI, x, b.Int(x.Type(), 7)), ones)
}

// abs inverts negative bytes and adds one, which does not carry: the result is at most 128.
func abs(_ *emitter, b scalar.Builder, _ *group, x []ir.Value) ir.Value {
	negative := signs(b, x[0])
	inverted := b.Op(arith.XOrI, x[0], b.Op(arith.MulI, negative, b.Int(negative.Type(), 0xff)))
	return b.Op(arith.AddI, inverted, negative)
}

func isShift(op ir.Op) bool { return op.Is(arith.ShLI) || op.Is(arith.ShRUI) || op.Is(arith.ShRSI) }

// shiftAmount returns the constant that all bytes of a word are shifted by; 8 stands for all that shift everything out.
func shiftAmount(g *group) (k int, ok bool) {
	if !allConstant(g.bytes) {
		return 0, false
	}
	n := bitsOf(g) & 0xff
	return int(min(n, 8)), bitsOf(g) == n*ones
}

// shift shifts all bytes by the same amount, and masks what comes from their neighbours.
func shift(_ *emitter, b scalar.Builder, g *group, x []ir.Value) ir.Value {
	k, _ := shiftAmount(g.operands[1])
	def, t := g.ops[0].Def(), x[0].Type()
	if def == arith.ShLI {
		return masked(b, b.Op(def, x[0], b.Int(t, int64(k))), (0xff<<k&0xff)*ones)
	}
	moved := masked(b, b.Op(arith.ShRUI, x[0], b.Int(t, int64(k))), (0xff>>k)*ones)
	if def == arith.ShRUI {
		return moved
	}
	return b.Op(arith.AddI, moved, b.Op(arith.MulI, signs(b, x[0]), b.Int(t, 0xff&^(0xff>>k))))
}

// extreme takes the larger or the smaller of bytes that are the upper ones of longer numbers: what is below decides only
// between equal bytes.
func extreme(e *emitter, b scalar.Builder, g *group, x []ir.Value) ir.Value {
	def := g.ops[0].Def()
	at := func(shift int64, choose func(x, y ir.Value) ir.Value) ir.Value {
		var moved []ir.Value
		for _, v := range x {
			if shift > 0 {
				v = b.Op(arith.ShLI, v, b.Int(v.Type(), shift))
			}
			moved = append(moved, v)
		}
		return choose(moved[0], moved[1])
	}
	if e.pairs {
		choose := func(x, y ir.Value) ir.Value { return inHalves(b, def, x, y) }
		even, odd := at(8, choose), at(0, choose)
		return permute(b, even, odd, 1, 5, 3, 7)
	}
	choose := func(x, y ir.Value) ir.Value { return b.Op(def, x, y) }
	low := permute(b, at(24, choose), at(16, choose), 3, 7, 3, 7)
	high := permute(b, at(8, choose), at(0, choose), 3, 7, 3, 7)
	return permute(b, low, high, 0, 1, 4, 5)
}

// inHalves does an operation to both halves of words.
func inHalves(b scalar.Builder, def *ir.OpDef, x, y ir.Value) ir.Value {
	i16 := b.Context().Int(16)
	split := func(v ir.Value) ir.Op { return b.Create(nvvm.Unpack, []ir.Value{v}, []ir.Type{i16, i16}) }
	xs, ys := split(x), split(y)
	var halves []ir.Value
	for i := range 2 {
		halves = append(halves, b.Op(def, xs.Result(i), ys.Result(i)))
	}
	return b.Create(nvvm.Pack, halves, []ir.Type{x.Type()}).Result(0)
}

// permute makes a word of the bytes of two, which are numbered from 0 and from 4.
func permute(b scalar.Builder, x, y ir.Value, bytes ...int) ir.Value {
	i8 := b.Context().Int(8)
	var all, parts []ir.Value
	for _, v := range []ir.Value{x, y} {
		all = append(all, b.Create(nvvm.Unpack, []ir.Value{v}, []ir.Type{i8, i8, i8, i8}).Results()...)
	}
	for _, i := range bytes {
		parts = append(parts, all[i])
	}
	return b.Create(nvvm.Pack, parts, []ir.Type{x.Type()}).Result(0)
}
