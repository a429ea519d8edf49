package arith

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var moveOps = map[string]decode.Func{
	"mov": decodeMov,
}

// A register of 128 bits is two slots, the lower half first.
func decodeMov(d *decode.Decoder) {
	t := d.Type()
	args := d.Args(2)
	switch {
	case t == syntax.Pred:
		dst, a := d.PredDst(args[0]), d.PredSrc(args[1])
		d.Inst.Exec = func(w *machine.Warp, m uint32) { w.SetPred(dst, w.Pred(a), m) }
	case args[0].Kind == syntax.OpVector:
		decodeUnpack(d, t, args[0].List, args[1])
	case args[1].Kind == syntax.OpVector:
		decodePack(d, t, args[0], args[1].List)
	case t == syntax.B128:
		dst, a := d.Dst(args[0], t), d.Src(args[1], t)
		lo, hi := decode.Move(dst, a), decode.Move(dst+1, a+1)
		if a < 0 {
			hi = decode.Move(dst+1, d.Const(0))
		}
		d.Inst.Exec = func(w *machine.Warp, m uint32) { lo(w, m); hi(w, m) }
	default:
		d.Inst.Exec = decode.Move(d.Dst(args[0], t), d.Src(args[1], t))
	}
}

// elementType is the type of the parts of a vector operand of mov.
func elementType(d *decode.Decoder, t syntax.Type, parts int) syntax.Type {
	if parts == 2 || parts == 4 {
		switch t.Bits() / parts {
		case 8:
			return syntax.B8
		case 16:
			return syntax.B16
		case 32:
			return syntax.B32
		case 64:
			return syntax.B64
		}
	}
	d.Fail("a .%s value cannot have %d parts", t, parts)
	return syntax.NoType
}

// A vector may be two halves of a word, four bytes or two words; registers have no sub-registers in PTX, so that
// packing is a shift and not a view.
func decodePack(d *decode.Decoder, t syntax.Type, to *syntax.Operand, list []*syntax.Operand) {
	e := elementType(d, t, len(list))
	dst := d.Dst(to, t)
	var parts []machine.Src
	for _, o := range list {
		parts = append(parts, d.Src(o, e))
	}
	n := e.Bits()
	if t.Bits() == 128 {
		lo, hi := parts[:len(parts)/2], parts[len(parts)/2:]
		d.Inst.Exec = func(w *machine.Warp, m uint32) {
			for m != 0 {
				i := machine.Next(&m)
				x, y := join(w, lo, n, i), join(w, hi, n, i)
				w.Reg(dst)[i], w.Reg(dst + 1)[i] = x, y
			}
		}
		return
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		D := w.Reg(dst)
		for m != 0 {
			i := machine.Next(&m)
			D[i] = join(w, parts, n, i)
		}
	}
	if len(parts) == 2 {
		d.Inst.Exec = decode.Full2(dst, parts[0], parts[1], func(d, lo, hi *machine.Lanes) {
			for i := range d {
				d[i] = lo[i] | hi[i]<<(n&63)
			}
		}, d.Inst.Exec)
	}
}

func join(w *machine.Warp, parts []machine.Src, n, lane int) (v uint64) {
	for k, p := range parts {
		v |= w.Lanes(p)[lane] << (n * k)
	}
	return v
}

func decodeUnpack(d *decode.Decoder, t syntax.Type, list []*syntax.Operand, from *syntax.Operand) {
	e := elementType(d, t, len(list))
	a := d.Src(from, t)
	var parts []int32
	for _, o := range list {
		parts = append(parts, d.Dst(o, e))
	}
	n := e.Bits()
	pair := len(parts) == 2 && t.Bits() <= 64
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		if pair && m == machine.Full {
			lo, hi, v, mask := w.Reg(parts[0]), w.Reg(parts[1]), w.Lanes(a), num.Mask(n)
			for i, x := range v {
				lo[i], hi[i] = x&mask, x>>(n&63)&mask
			}
			return
		}
		for m != 0 {
			i := machine.Next(&m)
			v := [2]uint64{w.Lanes(a)[i]}
			if t.Bits() == 128 && a >= 0 {
				v[1] = w.Lanes(a + 1)[i]
			}
			for k, p := range parts {
				w.Reg(p)[i] = v[k*n/64] >> (k * n % 64) & num.Mask(n)
			}
		}
	}
}
