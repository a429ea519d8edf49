package values

import (
	"iter"
	"math/big"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// impure are the rows without tokens that do something, or cannot be made.
var impure = map[*ir.OpDef]bool{cudatile.Assert: true, cudatile.Alloca: true, cudatile.Global: true, cudatile.PreviewCall: true, cudatile.OldPow: true}

// unfolded says of the pure rows that never fold to a constant why not.
var unfolded = map[*ir.OpDef]string{
	cudatile.Constant:              "is one",
	cudatile.GetGlobal:             "addresses are known when the module is loaded",
	cudatile.GetNumTileBlocks:      "the grid is known at launch",
	cudatile.GetTileBlockID:        "differs between tile blocks",
	cudatile.MakeToken:             "there are no constants of tokens",
	cudatile.JoinTokens:            "there are no constants of tokens; a token joined with itself is that token (suite)",
	cudatile.MakeTensorView:        "there are no constants of views",
	cudatile.MakePartitionView:     "there are no constants of views",
	cudatile.MakeStridedView:       "there are no constants of views",
	cudatile.MakeGatherScatterView: "there are no constants of views",
	cudatile.GetTensorShape:        "some results may be known and others not, so a pattern does it (suite)",
	cudatile.GetIndexSpaceShape:    "some results may be known and others not, so a pattern does it (suite)",
	cudatile.Offset:                "there are no constants of pointers; an offset of zero is the pointer (suite)",
	cudatile.IntToPtr:              "there are no constants of pointers; pairs that undo each other fold (suite)",
	cudatile.PtrToInt:              "there are no constants of pointers; pairs that undo each other fold (suite)",
	cudatile.PtrToPtr:              "there are no constants of pointers; pairs that undo each other fold (suite)",
	cudatile.MmaF:                  "the order in which products are added is up to the target",
	cudatile.MmaFScaled:            "the order in which products are added is up to the target",
	cudatile.Assume:                "what it says about its operand would be lost; a repeated one folds (suite)",
}

// elementary are the rows that fold where the result is certain to be correctly rounded.
var elementary = map[*ir.OpDef]bool{
	cudatile.Exp: true, cudatile.Exp2: true, cudatile.Log: true, cudatile.Log2: true, cudatile.Sin: true, cudatile.Cos: true,
	cudatile.Tan: true, cudatile.SinH: true, cudatile.CosH: true, cudatile.TanH: true, cudatile.Rsqrt: true, cudatile.Atan2: true,
	cudatile.Pow: true, cudatile.FPowI: true,
}

// A staying says whether an operation is to be left as it is.
type staying int

const (
	never staying = iota
	perhaps
	always
)

// stays says whether an operation has values for which it has no certain result.
func stays(op ir.Op, in []uint64) staying {
	def, elem := op.Def(), cudatile.ElemOf(op.Operand(0).Type())
	if cudatile.RoundingOf(op) == cudatile.Approx {
		return always
	}
	switch {
	case elementary[def]:
		return perhaps
	case def == cudatile.FToI && cudatile.ElemOf(op.Result(0).Type()) == ir.Type(op.Context().Int(1)):
		return never // whether it is not zero
	case def == cudatile.FToI && !op.HasUnitAttr("saturating"):
		return unless(convertible(op, elem, in[0]))
	}
	it, ok := elem.(*ir.IntegerType)
	if !ok {
		return never
	}
	w := numeric.Int(it.Width)
	signed := cudatile.SignednessOf(op) == cudatile.Signed
	switch def {
	case cudatile.DivI:
		return unless(in[1] != 0 && !(signed && in[0] == w.MinSigned() && in[1] == w.Mask()))
	case cudatile.RemI:
		return unless(in[1] != 0)
	case cudatile.ShRI:
		return unless(in[1] < uint64(w))
	case cudatile.ShLI:
		return unless(in[1] < uint64(w) && keeps(op, w, in))
	case cudatile.AddI, cudatile.SubI, cudatile.MulI, cudatile.NegI, cudatile.TruncI:
		return unless(keeps(op, w, in))
	}
	return never
}

func unless(ok bool) staying {
	if ok {
		return never
	}
	return always
}

// convertible reports whether an integer type holds a float, rounded towards zero.
func convertible(op ir.Op, from ir.Type, bits uint64) bool {
	x := from.(*ir.FloatType).Format.Decode(bits)
	if x-x != 0 {
		return false
	}
	i, _ := big.NewFloat(x).Int(nil)
	return holds(ir.BitWidth(cudatile.ElemOf(op.Result(0).Type())), i, cudatile.SignednessOf(op) == cudatile.Signed)
}

func holds(width int, i *big.Int, signed bool) bool {
	if !signed {
		return i.Sign() >= 0 && i.BitLen() <= width
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(width-1))
	return i.Cmp(limit) < 0 && i.Cmp(new(big.Int).Neg(limit)) >= 0
}

// keeps reports whether the exact result of an operation on integers is what its overflow attribute promises.
func keeps(op ir.Op, w numeric.Int, in []uint64) bool {
	promise := cudatile.OverflowOf(op)
	width := ir.BitWidth(cudatile.ElemOf(op.Result(0).Type()))
	for _, signed := range []bool{false, true} {
		if promise == cudatile.OverflowNone || promise == cudatile.NoSignedWrap && !signed || promise == cudatile.NoUnsignedWrap && signed {
			continue
		}
		value := func(i int) *big.Int {
			if signed {
				return big.NewInt(w.Signed(in[i]))
			}
			return new(big.Int).SetUint64(in[i])
		}
		x := new(big.Int)
		switch op.Def() {
		case cudatile.AddI:
			x.Add(value(0), value(1))
		case cudatile.SubI:
			x.Sub(value(0), value(1))
		case cudatile.MulI:
			x.Mul(value(0), value(1))
		case cudatile.NegI:
			x.Neg(value(0))
		case cudatile.ShLI:
			x.Lsh(value(0), uint(min(in[1], 64)))
		case cudatile.TruncI:
			x = value(0)
		}
		if !holds(width, x, signed) {
			return false
		}
	}
	return true
}

// elementTypes returns all types of numbers that constants have; i4, of which there are none, is not among them.
func elementTypes(c *ir.Context) (out []ir.Type) {
	for _, w := range []int{1, 8, 16, 32, 64} {
		out = append(out, c.Int(w))
	}
	for _, f := range numeric.Formats() {
		out = append(out, c.Float(f))
	}
	return out
}

// signatures returns the element types that the operands and the result of an element-wise operation may have: the
// operands of one type, or of two, and the result of one of these, of another, or of i1.
func signatures(c *ir.Context, def *ir.OpDef) [][]ir.Type {
	return signaturesOf(c, def, elementTypes(c))
}

// signaturesOf is signatures for the given element types.
func signaturesOf(c *ir.Context, def *ir.OpDef, all []ir.Type) (out [][]ir.Type) {
	n := len(def.Operands)
	try := func(types ...ir.Type) {
		fields := append(def.Operands[:n:n], def.Results...)
		for i, f := range fields {
			if !f.Type.Check(cudatile.Scalar(c, types[i])) {
				return
			}
		}
		for _, other := range out {
			if equalTypes(other, types) {
				return
			}
		}
		out = append(out, types)
	}
	for _, a := range all {
		for _, b := range all {
			switch n {
			case 1:
				try(a, b)
			case 2:
				try(a, a, b)
				try(a, b, a)
			case 3:
				try(a, b, b, b)
			}
		}
	}
	return out
}

func equalTypes(a, b []ir.Type) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// attributes returns all combinations of what the attributes of a row may be.
func attributes(c *ir.Context, def *ir.OpDef) [][]ir.NamedAttr {
	out := [][]ir.NamedAttr{nil}
	for i := range def.Attrs {
		f := &def.Attrs[i]
		var choices []ir.Attribute
		if f.Arity == ir.Optional || f.Default != nil {
			choices = append(choices, nil)
		}
		if e := wire.Of(f).Enum; e != nil {
			for v := range e.Cases {
				choices = append(choices, e.Attr(c, uint32(v)))
			}
		} else if f.Kind.Check(c.Unit()) {
			choices = append(choices, c.Unit())
		}
		var next [][]ir.NamedAttr
		for _, list := range out {
			for _, a := range choices {
				if a == nil {
					next = append(next, list)
				} else {
					next = append(next, append(list[:len(list):len(list)], ir.NamedAttr{Name: f.Name, Value: a}))
				}
			}
		}
		out = next
	}
	return out
}

// edges returns the bit patterns of a type that are tried.
func edges(t ir.Type) []uint64 {
	var out []uint64
	add := func(bits ...uint64) {
		for _, b := range bits {
			b &= 1<<(ir.BitWidth(t)-1)<<1 - 1
			for _, x := range out {
				if x == b {
					b = x
				}
			}
			out = append(out, b)
		}
	}
	switch t := t.(type) {
	case *ir.IntegerType:
		w := numeric.Int(t.Width)
		add(0, 1, 2, 3, 7, w.Mask(), w.Mask()-1, w.MinSigned(), w.MinSigned()+1, w.MaxSigned(), w.MaxSigned()-1, uint64(w), uint64(w)-1,
			uint64(w)+1, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa)
	case *ir.FloatType:
		f, s := t.Format, t.Format.Spec()
		man := uint64(1) << s.Man
		for _, m := range []uint64{0, 1, man - 1, man, s.MaxFinite, s.Inf, s.NaN, s.NaN | 1} {
			add(m<<s.Pad, f.Neg(m<<s.Pad))
		}
		for _, x := range []float64{1, 0.5, 1.5, 2, 3, 0.1, 127.5, 1e-3, 65504, 3.141592653589793, 1e10} {
			add(f.Encode(x, numeric.Env{}), f.Neg(f.Encode(x, numeric.Env{})))
		}
	}
	return out
}

// combinations yields what operands of the given types are tried together; of three only some.
func combinations(types []ir.Type) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		lists := make([][]uint64, len(types))
		total := 1
		for i, t := range types {
			lists[i] = unique(edges(t))
			total *= len(lists[i])
		}
		step := 1
		if len(types) == 3 {
			step = 7
		}
		for k := 0; k < total; k += step {
			in, rest := make([]uint64, len(types)), k
			for i, l := range lists {
				in[i], rest = l[rest%len(l)], rest/len(l)
			}
			if !yield(in) {
				return
			}
		}
	}
}

func unique(list []uint64) (out []uint64) {
	seen := make(map[uint64]bool)
	for _, x := range list {
		if !seen[x] {
			out = append(out, x)
		}
		seen[x] = true
	}
	return out
}
