package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptx"
)

// A comparison that only one conjunction, disjunction or exclusive or reads is one instruction with it (PTX ISA, setp):
//
//	%c = cmpi ult, %x, %n ; %m = andi %row, %c : i1          setp.lt.and.u32 %p2, %r1, %r2, %p1;
//
// ptxas finds that by itself in most places. A mask of a tile has a comparison for each dimension.

// combinations gives each operation on truth values the modifier by which setp does it.
var combinations = map[*ir.OpDef]ptx.Mod{arith.AndI: ptx.AndMod, arith.OrI: ptx.OrMod, arith.XOrI: ptx.XorMod}

// comparisons has the rules of comparisons, wherever they are written.
var comparisons = map[*ir.OpDef]rule{arith.CmpI: (*emitter).cmpi, arith.CmpF: (*emitter).cmpf}

// unlessDeferred is the rule of comparisons where they stand.
func unlessDeferred(e *emitter, compare ir.Op) error {
	if e.deferred(compare) {
		return nil
	}
	return comparisons[compare.Def()](e, compare)
}

// comparisonIn returns the comparison that is part of the instruction of an operation on truth values, and the other
// operand.
func (e *emitter) comparisonIn(o ir.Op) (compare ir.Op, other ir.Value, ok bool) {
	if combinations[o.Def()] == 0 || kindOf(o.Result(0).Type()) != &predKind {
		return compare, other, false
	}
	for i := range 2 {
		compare, other = o.Operand(1-i).DefiningOp(), o.Operand(i)
		if e.joins(compare, o) && constant(other) == nil {
			return compare, other, true
		}
	}
	return ir.Op{}, ir.Value{}, false
}

// joins reports whether a comparison can wait until the one operation that reads it. Registers of accumulators in
// flight change in between (inPlace).
func (e *emitter) joins(compare, user ir.Op) bool {
	if compare.IsNil() || !compare.Is(arith.CmpI) && !compare.Is(arith.CmpF) || compare.Block() != user.Block() || !compare.Result(0).HasOneUse() {
		return false
	}
	return !e.place.has(compare.Operand(0)) && !e.place.has(compare.Operand(1))
}

// deferred reports whether the operation that reads a comparison has it in its own instruction.
func (e *emitter) deferred(compare ir.Op) bool {
	if !compare.Result(0).HasOneUse() {
		return false
	}
	for u := range compare.Result(0).Uses() {
		c, _, ok := e.comparisonIn(u.Owner())
		return ok && c == compare
	}
	return false
}

// setp writes a comparison, alone or as a part of the operation that reads it.
func (e *emitter) setp(compare ir.Op, how, t ptx.Mod) {
	x, y := compare.Operand(0), compare.Operand(1)
	if !e.deferred(compare) {
		e.emit(ptx.OpSetP, mods(how, t), ptx.R(e.def(compare.Result(0))), e.use(x), e.use(y))
		return
	}
	for u := range compare.Result(0).Uses() {
		user := u.Owner()
		_, other, _ := e.comparisonIn(user)
		e.emit(ptx.OpSetP, mods(how, combinations[user.Def()], t), ptx.R(e.def(user.Result(0))), e.use(x), e.use(y), ptx.R(e.reg(other)))
	}
}
