package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
)

// Additions of bytes, and other operations whose result has a carry into the register's upper half, have no rule:
// bytes are widened before.
//
// nvvm-legalize-arith widens them to 16 bits and masks the result, so that "the upper half is zero" holds for
// every register of a byte in between.
func init() {
	add(map[*ir.OpDef]rule{
		arith.AddI:   unlessPaired(simple(ptx.OpAdd, signedType)),
		arith.SubI:   simple(ptx.OpSub, signedType),
		arith.MulI:   simple(ptx.OpMul, signedType, ptx.Lo),
		nvvm.MulWide: (*emitter).mulWide,
		nvvm.MadLo:   (*emitter).madLo,
		arith.MulHSI: simple(ptx.OpMul, signedType, ptx.Hi),
		arith.MulHUI: simple(ptx.OpMul, unsignedType, ptx.Hi),
		arith.DivSI:  simple(ptx.OpDiv, signedType),
		arith.DivUI:  simple(ptx.OpDiv, unsignedType),
		arith.RemSI:  simple(ptx.OpRem, signedType),
		arith.RemUI:  simple(ptx.OpRem, unsignedType),
		arith.MaxSI:  unlessPaired(simple(ptx.OpMax, signedType)),
		arith.MaxUI:  unlessPaired(simple(ptx.OpMax, unsignedType)),
		arith.MinSI:  unlessPaired(simple(ptx.OpMin, signedType)),
		arith.MinUI:  unlessPaired(simple(ptx.OpMin, unsignedType)),
		arith.NegI:   simple(ptx.OpNeg, signedType),
		arith.AbsI:   simple(ptx.OpAbs, signedType),
		arith.AndI:   unlessPaired(logic(ptx.OpAnd)),
		arith.OrI:    unlessPaired(logic(ptx.OpOr)),
		arith.XOrI:   unlessPaired(logic(ptx.OpXor)),
		arith.ShLI:   shift(ptx.OpShl, wideBits),
		arith.ShRSI:  shift(ptx.OpShr, signedType),
		arith.ShRUI:  shift(ptx.OpShr, unsignedType),
		arith.CmpI:   unlessDeferred,
		arith.Select: (*emitter).selectOp,
	})
}

// mulWide multiplies 32 bits to 64.
func (e *emitter) mulWide(o ir.Op) error {
	t := ptx.S32
	if o.Attr(nvvm.AttrUnsigned) != nil {
		t = ptx.U32
	}
	e.apply(o, ptx.OpMul, mods(ptx.Wide, t))
	return nil
}

// madLo multiplies and adds. The addend may be an address, which is as wide as the factors.
func (e *emitter) madLo(o ir.Op) error {
	e.apply(o, ptx.OpMad, mods(ptx.Lo, kindOf(o.Operand(0).Type()).s))
	return nil
}

// wideBits is the type of left shifts, which would carry out of a byte.
func wideBits(k *kind) ptx.Mod {
	if k.s == 0 {
		return 0
	}
	return k.b
}

// logic is the rule of a bitwise operation.
func logic(op ptx.Op) rule {
	plain := simple(op, bitsType)
	return func(e *emitter, o ir.Op) error {
		if compare, _, ok := e.comparisonIn(o); ok {
			return comparisons[compare.Def()](e, compare)
		}
		c, ok := constant(o.Operand(1)).(*ir.IntegerAttr)
		// A predicate has no immediates: xor with true would need true in a register.
		if ok && op == ptx.OpXor && c.Bool() && kindOf(o.Result(0).Type()) == &predKind {
			e.emit(ptx.OpNot, mods(ptx.PredType), ptx.R(e.def(o.Result(0))), ptx.R(e.reg(o.Operand(0))))
			return nil
		}
		return plain(e, o)
	}
}

// shift is the rule of shifts. PTX takes the amount as an unsigned 32-bit number and clamps it to the width.
//
// Clamping gives 0, or all signs, for amounts of the width and more (PTX ISA, "shl", "shr").
func shift(op ptx.Op, choose typeChoice) rule {
	return func(e *emitter, o ir.Op) error {
		t, err := resultType(o, choose)
		if err != nil {
			return err
		}
		e.emit(op, mods(t), ptx.R(e.def(o.Result(0))), e.use(o.Operand(0)), e.shiftAmount(o.Operand(1)))
		return nil
	}
}

func (e *emitter) shiftAmount(v ir.Value) ptx.Operand {
	k := kindOf(v.Type())
	// The amount may have any number; clamped to the width it means the same, and fits.
	if a, ok := constant(v).(*ir.IntegerAttr); ok {
		return ptx.Int(int64(min(a.Unsigned(), uint64(k.bits))))
	}
	r := e.reg(v)
	if k.bits == 32 {
		return ptx.R(r)
	}
	amount := e.tmp(&i32Kind)
	if k.bits > 32 {
		// Saturating, so that 2^32 does not become a shift by 0.
		e.body.Ins(ptx.OpCvt, ptx.Sat, ptx.U32, ptx.U64).Regs(amount, r)
	} else {
		e.body.Ins(ptx.OpCvt, ptx.U32, ptx.U16).Regs(amount, r)
	}
	return ptx.R(amount)
}

// intComparisons gives each predicate its modifier and whether it is signed.
var intComparisons = map[string]struct {
	mod    ptx.Mod
	signed bool
}{
	"eq": {ptx.EQ, false}, "ne": {ptx.NE, false},
	"slt": {ptx.LT, true}, "sle": {ptx.LE, true}, "sgt": {ptx.GT, true}, "sge": {ptx.GE, true},
	"ult": {ptx.LT, false}, "ule": {ptx.LE, false}, "ugt": {ptx.GT, false}, "uge": {ptx.GE, false},
}

func (e *emitter) cmpi(o ir.Op) error {
	// Equality reads .u rather than .b: setp takes both for it, and bytes have no .b8.
	c, ok := intComparisons[o.StringAttr(arith.AttrPredicate)]
	k := kindOf(o.Operand(0).Type())
	t := k.u
	if c.signed {
		t = k.s
	}
	if !ok || t == 0 {
		return unsupported(o, o.Operand(0).Type())
	}
	e.setp(o, c.mod, t)
	return nil
}

// selectOp selects by selp, and between predicates by logic.
//
//	%d = select %c, %x, %y : i1          and %a, %c, %x; not %n, %c; and %b, %n, %y; or %d, %a, %b;
func (e *emitter) selectOp(o ir.Op) error {
	cond, d := e.reg(o.Operand(0)), e.def(o.Result(0))
	k := kindOf(o.Result(0).Type())
	// selp has no form for predicates.
	if k == &predKind {
		yes, no := e.reg(o.Operand(1)), e.reg(o.Operand(2))
		a, b, not := e.tmp(k), e.tmp(k), e.tmp(k)
		e.body.Ins(ptx.OpAnd, k.b).Regs(a, cond, yes)
		e.body.Ins(ptx.OpNot, k.b).Regs(not, cond)
		e.body.Ins(ptx.OpAnd, k.b).Regs(b, not, no)
		e.body.Ins(ptx.OpOr, k.b).Regs(d, a, b)
		return nil
	}
	e.emit(ptx.OpSelP, mods(k.set), ptx.R(d), e.use(o.Operand(1)), e.use(o.Operand(2)), ptx.R(cond))
	return nil
}
