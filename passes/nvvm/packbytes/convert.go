package packbytes

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/passes/nvvm/scalar"
)

const bitsOfByte = 8

// A placing makes floats of bytes without a conversion: the bits of a byte below the upper byte are those of a large
// number, and a subtraction takes that away. All of that is exact.
//
//	word        b3 b2 b1 b0
//	permuted    64 b1 64 b0       two f16: 1024 + b1, 1024 + b0
//
// That is 4 instructions for 4 bytes, and one more if they are signed. To take the word apart and convert each byte would
// be 7, four of which have a quarter of the rate (CUDA C++ Programming Guide, arithmetic instructions).
//
// A bf16 has 7 bits below 128, and the bit above them makes 256 of it. So of a signed byte with the bits s and v
//
//	43 sv    masked: 43 0v is 128 + v, and 43 s0 is 128 + 128 * s; their difference is v - 128 * s
//
// which is 8 instructions for 4 bytes.
type placing struct {
	upper uint64 // byte of the large number
	large float64
	bits  int // of a number that fits below
}

var placings = map[numeric.Format]placing{
	numeric.F16:  {0x64, 1024, 8},
	numeric.BF16: {0x43, 128, 7},
}

// placingOf returns how a conversion places bytes; its upper byte is 0 if it does not.
func placingOf(conversion ir.Op) (p placing) {
	if t, ok := conversion.Result(0).Type().(*ir.FloatType); ok && (conversion.Is(arith.SIToFP) || conversion.Is(arith.UIToFP)) {
		p = placings[t.Format]
	}
	return p
}

// conversions finds what four bytes of a word are converted by, directly or after they are computed alike.
func (f *finder) conversions(w word, seeds []seed) []seed {
	for u := range w[0].Uses() {
		ops := alike(w, u)
		if ops == nil {
			continue
		}
		if rules[ops[0].Def()] != nil {
			seeds = f.conversions(word(ir.Map(ops, func(op ir.Op) ir.Value { return op.Result(0) })), seeds)
			continue
		}
		p, g := placingOf(ops[0]), f.group(w)
		if g == nil || bitsIn(g, ops[0]) > p.bits && !splits(ops[0]) || !g.precedes(ops) {
			continue
		}
		for _, op := range ops {
			f.converted[op] = g
		}
		seeds = append(seeds, seed{op: ops[0], groups: []*group{g}, conversions: ops})
	}
	return seeds
}

// splits reports whether a conversion places the upper bit of a byte apart from the others, which alone fit.
func splits(conversion ir.Op) bool {
	return conversion.Is(arith.SIToFP) && placingOf(conversion).bits < bitsOfByte
}

// precedes reports whether a group is computed before some operations of one block that take its bytes.
func (g *group) precedes(ops []ir.Op) bool {
	return len(g.ops) == 0 || g.ops[0].Block() != ops[0].Block() || ir.Latest(g.ops...).IsBeforeInBlock(ir.Earliest(ops...))
}

// alike returns the operations of one block that do the same to all bytes of a word, given the use of the first; nil if
// they do not.
func alike(w word, first ir.Use) []ir.Op {
	op := first.Owner()
	if op.NumResults() != 1 || rules[op.Def()] == nil && placingOf(op).upper == 0 || !isInt(w[0]) {
		return nil
	}
	ops := []ir.Op{op}
	for _, v := range w[1:] {
		for u := range v.Uses() {
			if o := u.Owner(); u.Index() == first.Index() && o.Def() == op.Def() && o.Block() == op.Block() && o.Result(0).Type() == op.Result(0).Type() && sameBut(o, op, u.Index()) {
				ops = append(ops, o)
				break
			}
		}
	}
	if len(ops) < len(w) {
		return nil
	}
	return ops
}

// sameBut reports whether two operations have the same operands, but for one.
func sameBut(a, b ir.Op, but int) bool {
	for i := range a.NumOperands() {
		if i != but && a.Operand(i) != b.Operand(i) {
			return false
		}
	}
	return true
}

// bitsIn returns how many bits the bytes of a group may have set, as a conversion reads them.
func bitsIn(g *group, conversion ir.Op) int {
	if conversion.Is(arith.SIToFP) || len(g.ops) == 0 {
		return bitsOfByte
	}
	switch op := g.ops[0]; {
	case op.Is(arith.AndI) && allConstant(g.operands[1].bytes) && bitsOf(g.operands[1])&upper == 0:
		return bitsOfByte - 1
	case op.Is(arith.ShRUI):
		k, _ := shiftAmount(g.operands[1])
		return bitsOfByte - k
	}
	return bitsOfByte
}

// convert makes floats of the bytes of a word.
func convert(word ir.Value, conversions []ir.Op) {
	first := conversions[0]
	b, p, t := scalar.Before(ir.Earliest(conversions...)), placingOf(first), first.Result(0).Type()
	large := p.large
	if splits(first) {
		subtract(b, word, p, conversions)
		return
	}
	if first.Is(arith.SIToFP) { // as unsigned bytes
		word = b.Op(arith.XOrI, word, b.Bits(word.Type(), upper))
		large += 1 << 7
	}
	above := b.Bits(word.Type(), p.upper*ones)
	for i := 0; i < len(conversions); i += 2 {
		both := b.Create(nvvm.Unpack, []ir.Value{permute(b, word, above, i, bytesOfWord, i+1, bytesOfWord)}, []ir.Type{t, t})
		for j, v := range both.Results() {
			conversions[i+j].Result(0).ReplaceAllUsesWith(b.Op(arith.SubF, v, b.Float(t, large)))
		}
	}
}

// subtract makes floats of signed bytes as differences of what their lower bits and their upper bit place.
func subtract(b scalar.Builder, word ir.Value, p placing, conversions []ir.Op) {
	const half, sign = 0x1_0001, 0x80
	above, t := b.Bits(word.Type(), p.upper*ones), conversions[0].Result(0).Type()
	for i := 0; i < len(conversions); i += 2 {
		both := permute(b, word, above, i, bytesOfWord, i+1, bytesOfWord)
		placed := func(mask uint64) []ir.Value {
			masked := b.Op(arith.AndI, both, b.Bits(word.Type(), mask*half))
			return b.Create(nvvm.Unpack, []ir.Value{masked}, []ir.Type{t, t}).Results()
		}
		lower, signs := placed(p.upper<<8|sign-1), placed(p.upper<<8|sign)
		for j := range lower {
			conversions[i+j].Result(0).ReplaceAllUsesWith(b.Op(arith.SubF, lower[j], signs[j]))
		}
	}
}
