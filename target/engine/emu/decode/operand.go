package decode

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Elements lists the registers of a scalar or vector operand.
func (d *Decoder) Elements(o *syntax.Operand, count int) []*syntax.Operand {
	if count == 1 && o.Kind != syntax.OpVector {
		return []*syntax.Operand{o}
	}
	if o.Kind != syntax.OpVector || len(o.List) != count {
		d.FailAt(o, "expected a vector of %d operands", count)
	}
	return o.List
}

// Slot gives a register its place in a warp's register file on first use.
//
// Slots are given in the order of first use, so that registers that stand together in the text lie together in
// memory, and declared ones that nothing uses take none.
func (d *Decoder) Slot(s *syntax.Symbol) int32 {
	if i, ok := d.Program.Slots[s]; ok {
		return i
	}
	var i int32
	if s.Type == syntax.Pred {
		i = int32(d.Program.Preds)
		d.Program.Preds++
	} else {
		i = int32(d.Program.Regs)
		d.Program.Regs += (s.Type.Bits() + 63) / 64
	}
	if d.Program.Regs > maxSlots || d.Program.Preds > maxSlots {
		d.failAt("more than %d registers are used", maxSlots)
	}
	d.Program.Slots[s] = i
	return i
}

// Const returns the constant that is the same in all lanes.
func (d *Decoder) Const(v uint64) machine.Src { return d.konstSym(v, nil) }

// Equal constants share a vector: without it, a program of a hundred thousand instructions would have as many of 256
// bytes.
func (d *Decoder) konstSym(v uint64, sym *syntax.Symbol) machine.Src {
	key := constKey{v, sym}
	i, ok := d.constIdx[key]
	if !ok {
		if i = int32(len(d.Program.Consts)); i >= maxConsts {
			d.failAt("more than %d distinct constants", maxConsts)
		}
		var l machine.Lanes
		for k := range l {
			l[k] = v
		}
		d.Program.Consts = append(d.Program.Consts, l)
		if sym != nil {
			d.Program.Relocs = append(d.Program.Relocs, machine.Reloc{Index: int(i), Sym: sym})
		}
		d.constIdx[key] = i
	}
	return machine.Src(^i)
}

// FailAt rejects an operand; the error has its place and the text of the entire statement.
func (d *Decoder) FailAt(o *syntax.Operand, format string, args ...any) {
	at := o.Pos
	if at.Line == 0 {
		at = d.Stmt.Pos
	}
	e := d.Module.Errorf(at, format, args...)
	e.Msg += ": '" + d.Stmt.Text + "'"
	panic(e)
}

// check verifies that a register of type r may be an operand of type t.
// When wide is set, as for ld, st and cvt, the register may be wider.
func (d *Decoder) check(o *syntax.Operand, t syntax.Type, wide bool) {
	r := o.Sym.Type
	if r.Bits() == t.Bits() && t.Holds(r) {
		return
	}
	if wide && r.Bits() > t.Bits() && r != syntax.Pred && t != syntax.Pred {
		return
	}
	d.FailAt(o, "register '%s' of type .%s cannot be an operand of type .%s", o.Name, r, t)
}

// Dst is a register to be written as type t.
func (d *Decoder) Dst(o *syntax.Operand, t syntax.Type) int32 { return d.DstAs(o, t, false) }

// Loads, stores and conversions may name wider registers, other instructions may not ("Operand Size Exceeding
// Instruction-Type Size").
func (d *Decoder) DstAs(o *syntax.Operand, t syntax.Type, wide bool) int32 {
	if o.Not || o.Neg || o.Part != "" {
		d.FailAt(o, "a destination cannot be negated or a part of a register")
	}
	switch o.Kind {
	case syntax.OpSink:
		return machine.SlotSink
	case syntax.OpReg:
		d.check(o, t, wide)
		i := d.Slot(o.Sym)
		d.Inst.Defs = append(d.Inst.Defs, i)
		if o.Sym.Type.Bits() > 64 {
			d.Inst.Defs = append(d.Inst.Defs, i+1)
		}
		return i
	}
	d.FailAt(o, "expected a destination register of type .%s", t)
	return 0
}

// Src is a value to be read as type t: a register, a constant, a special
// register or the address of a variable.
func (d *Decoder) Src(o *syntax.Operand, t syntax.Type) machine.Src { return d.SrcAs(o, t, false) }

// SrcAs is Src, and, when wide is set, takes a register that is wider than the type.
func (d *Decoder) SrcAs(o *syntax.Operand, t syntax.Type, wide bool) machine.Src {
	if o.Not || o.Neg || o.Pred != nil || o.Part != "" {
		d.FailAt(o, "unexpected operator on an operand of type .%s", t)
	}
	switch o.Kind {
	case syntax.OpReg:
		d.check(o, t, wide)
		return d.Use(o.Sym)
	case syntax.OpInt:
		if t.Float() && (t == syntax.F32 || t == syntax.F64) {
			d.FailAt(o, "integer constant as an operand of type .%s", t)
		}
		if t.Bits() < 64 && o.Bits > num.Mask(t.Bits()) && num.SignExtend(o.Bits, t.Bits()) != int64(o.Bits) {
			d.FailAt(o, "constant %d does not fit type .%s", int64(o.Bits), t)
		}
		return d.Const(syntax.Immediate(o, t))
	case syntax.OpFloat:
		if t.Integer() {
			d.FailAt(o, "floating-point constant as an operand of type .%s", t)
		}
		return d.Const(syntax.Immediate(o, t))
	case syntax.OpVar:
		if t.Bits() < 32 {
			d.FailAt(o, "address of '%s' as an operand of type .%s", o.Name, t)
		}
		return d.address(o.Sym, o.Offset)
	case syntax.OpName:
		if o.Sym != nil && o.Sym.Function != nil && t.Bits() == 64 && !t.Float() {
			return d.Const(o.Sym.Function.Address)
		}
		return d.specialSrc(o, t)
	}
	d.FailAt(o, "expected an operand of type .%s", t)
	return 0
}

// Use reads a register without looking at its type.
func (d *Decoder) Use(s *syntax.Symbol) machine.Src {
	i := d.Slot(s)
	d.Inst.Uses = append(d.Inst.Uses, i)
	if s.Type.Bits() > 64 {
		d.Inst.Uses = append(d.Inst.Uses, i+1)
	}
	return machine.Src(i)
}

// PredDst is a predicate register to be written.
func (d *Decoder) PredDst(o *syntax.Operand) int32 {
	if o.Kind == syntax.OpSink {
		return machine.PredSink
	}
	if o.Kind != syntax.OpReg || o.Sym.Type != syntax.Pred || o.Not || o.Part != "" {
		d.FailAt(o, "expected a destination predicate")
	}
	i := d.Slot(o.Sym)
	d.Inst.PredDefs = append(d.Inst.PredDefs, i)
	return i
}

// PredSrc is a predicate to be read.
//
// A constant as a predicate is the slot that is always true, negated or not, so that instructions have no other case.
func (d *Decoder) PredSrc(o *syntax.Operand) machine.PredSrc {
	switch {
	case o.Kind == syntax.OpReg && o.Sym.Type == syntax.Pred && o.Part == "":
		i := d.Slot(o.Sym)
		d.Inst.PredUses = append(d.Inst.PredUses, i)
		return machine.PredSrc{Slot: i, Not: o.Not}
	case o.Kind == syntax.OpInt:
		return machine.PredSrc{Slot: machine.PredTrue, Not: (o.Bits == 0) != o.Not}
	case o.Kind == syntax.OpName && o.Name == "%is_explicit_cluster":
		return d.explicitCluster(o.Not)
	}
	d.FailAt(o, "expected a predicate")
	return machine.PredSrc{}
}

// Groups is the operand of the wait_group instructions: how many of the latest groups may still be in flight.
func (d *Decoder) Groups() uint64 {
	o := d.Args(1)[0]
	if o.Kind != syntax.OpInt {
		d.FailAt(o, "the number of groups must be a constant")
	}
	return o.Bits
}
