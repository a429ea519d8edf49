package decode

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// SpaceOf is where an access that names variable v goes. Parameters of
// device functions and of calls live in local memory here.
func (d *Decoder) SpaceOf(v *syntax.Symbol, named syntax.Space, o *syntax.Operand) syntax.Space {
	if named != syntax.Generic && named != v.Space {
		d.FailAt(o, "'%s' is in .%s, the access names .%s", v.Name, v.Space, named)
	}
	if v.Space == syntax.Param {
		for _, p := range d.Program.Entry.Params {
			if p == v {
				return syntax.Param
			}
		}
		return syntax.Local
	}
	return v.Space
}

// Space consumes a state space modifier.
func (d *Decoder) Space() syntax.Space {
	switch d.OneOf("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry", "param::func") {
	case "global":
		return syntax.Global
	case "shared", "shared::cta", "shared::cluster":
		return syntax.Shared
	case "local":
		return syntax.Local
	case "const":
		return syntax.Const
	case "param", "param::entry", "param::func":
		return syntax.Param
	}
	return syntax.Generic
}

// address is a constant: where a variable is in its space, plus off.
func (d *Decoder) address(s *syntax.Symbol, off int64) machine.Src {
	if s.Space == syntax.Global || s.Space == syntax.Const {
		return d.konstSym(uint64(off), s)
	}
	at, ok := d.Offsets[s]
	if !ok {
		d.Fail("variable '%s' has no place", s.Name)
	}
	if s.Space == syntax.Shared {
		return d.konstSym(uint64(at+off), s)
	}
	return d.Const(uint64(at + off))
}

// Addr is a decoded memory operand.
type Addr struct {
	Base machine.Src
	Off  uint64
	Wrap uint64 // mask of the address width
}

// Addr decodes `[base+off]`.
//
// The offset is added when the instruction executes, and wraps at the width of the register. A 32-bit base with a
// negative offset must not reach the upper half of the address.
func (d *Decoder) Addr(o *syntax.Operand) Addr {
	if o.Kind != syntax.OpAddr || len(o.List) > 0 {
		d.FailAt(o, "expected an address in brackets")
	}
	b := o.Base
	if b == nil {
		return Addr{d.Const(uint64(o.Offset)), 0, ^uint64(0)}
	}
	switch {
	case b.Part != "":
	case b.Kind == syntax.OpReg:
		switch b.Sym.Type.Bits() {
		case 32, 64:
		default:
			d.FailAt(o, "register '%s' of type .%s cannot be an address", b.Name, b.Sym.Type)
		}
		base := d.Use(b.Sym)
		order := d.Order()
		order.Bases = append(order.Bases, int32(base))
		return Addr{base, uint64(o.Offset), num.Mask(b.Sym.Type.Bits())}
	case b.Kind == syntax.OpVar:
		return Addr{d.address(b.Sym, o.Offset), 0, ^uint64(0)}
	}
	d.FailAt(o, "'%s' is not declared", b.Name)
	return Addr{}
}

// Lane returns the address in one lane.
func (a Addr) Lane(w *machine.Warp, base *machine.Lanes, lane int) uint64 {
	return (base[lane] + a.Off) & a.Wrap
}
