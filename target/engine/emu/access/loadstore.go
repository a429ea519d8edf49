package access

import (
	"encoding/binary"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

var memoryOps = map[string]decode.Func{
	"ld":     decodeLoad,
	"ldu":    decodeLoad,
	"st":     decodeStore,
	"membar": decodeFence,
	"fence":  decodeFence,
}

// access is a decoded memory access.
//
// strong accesses are made one element at a time, as that is what the memory model calls atomic: a vector is
// several operations ("Memory Operations on Vector Data Types"). The others copy bytes, and a race between them
// may be seen in halves.
type access struct {
	space  syntax.Space
	strong bool // one atomic access for each element
	t      syntax.Type
	n      int // bytes of an element
	count  int // elements
	addr   decode.Addr
}

// memoryAccess consumes the modifiers that ld and st share and decodes the
// address operand.
//
// Cache operators, eviction priorities, prefetch sizes and .nc are hints: a program that needs them to be right is
// wrong.
func memoryAccess(d *decode.Decoder, o *syntax.Operand) access {
	var a access
	mmio := d.Opt("mmio")
	a.strong = d.Opt("volatile") || mmio
	order := d.Order()
	const none = machine.Sem(255)
	if order.Sem = d.Sem(none); order.Sem == none {
		order.Sem = machine.Relaxed
	} else {
		a.strong = true
	}
	order.Strong, order.Result = a.strong, a.strong && d.Stmt.Op != "st"
	d.Program.Observes = d.Program.Observes || order.Result
	d.Opt("weak")
	order.Scope = d.Scope(machine.ScopeSys)
	d.OneOf("ca", "cg", "cs", "lu", "cv", "wb", "wt")
	d.Opt("nc")
	d.Opt("unified")
	d.Prefixed("L1::", "L2::")
	a.space = d.Space()
	a.count = 1
	switch d.OneOf("v2", "v4", "v8") {
	case "v2":
		a.count = 2
	case "v4":
		a.count = 4
	case "v8":
		a.count = 8
	}
	a.t = d.Type()
	switch {
	case a.t == syntax.Pred || a.t.Bits() < 8 || syntax.Types[a.t].Class == syntax.ClassPacked:
		d.Fail("type '.%s' is not supported by '%s'", a.t, d.Stmt.Op)
	case a.t.Bytes()*a.count > 32 || a.t == syntax.B128 && a.count > 1:
		d.Fail("a vector of %d .%s is too wide", a.count, a.t)
	}
	a.n = a.t.Bytes()
	a.addr = d.Addr(o)
	counted := a.space
	if b := o.Base; b != nil && b.Kind == syntax.OpVar {
		a.space = d.SpaceOf(b.Sym, a.space, o)
		counted = b.Sym.Space // parameters of calls are in registers as a rule, not in local memory as here
	}
	kind := machine.AccessLoad
	if d.Stmt.Op == "st" {
		kind = machine.AccessStore
	}
	d.Accesses(kind, counted, a.addr, a.n*a.count)
	return a
}

// A destination may be wider than the type ("Operand Size Exceeding Instruction-Type Size"): the value is extended by
// the sign of the type.
//
// The loops by case are the emulator's hottest: an access costs a bounds check in Warp.At besides what is here.
func decodeLoad(d *decode.Decoder) {
	args := d.Argc(2, 3)
	a := memoryAccess(d, args[1])
	if len(args) == 3 {
		d.Src(args[2], syntax.B64) // cache policy
	}
	var dsts []int32
	var ext []int // bits to sign-extend from, 0 for none
	var wide []uint64
	for _, o := range d.Elements(args[0], a.count) {
		dsts = append(dsts, d.DstAs(o, a.t, true))
		e, m := 0, ^uint64(0)
		if o.Sym != nil {
			if a.t.Signed() && o.Sym.Type.Bits() > a.t.Bits() {
				e = a.t.Bits()
			}
			m = num.Mask(min(o.Sym.Type.Bits(), 64))
		}
		ext, wide = append(ext, e), append(wide, m)
	}
	switch {
	case a.t == syntax.B128:
		d.Inst.Exec = func(w *machine.Warp, m uint32) { load128(w, m, a, dsts[0]) }
		return
	// Most loads of most kernels: no inner loop over elements, no choice of width, and no function of it.
	case a.count == 1 && a.n == 4 && ext[0] == 0 && !a.strong:
		d.Inst.Exec = load32(a, dsts[0])
		return
	}
	read := machine.Load
	if a.strong {
		read = machine.LoadStrong
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		base := w.Lanes(a.addr.Base)
		for m != 0 {
			i := machine.Next(&m)
			b := w.At(a.space, a.addr.Lane(w, base, i), a.n*a.count, i, false)
			if b == nil {
				return
			}
			for k, dst := range dsts {
				v := read(b[k*a.n:][:a.n])
				if e := ext[k]; e != 0 {
					v = uint64(num.SignExtend(v, e)) & wide[k]
				}
				w.Reg(dst)[i] = v
			}
		}
	}
}

// load32 is the most common load.
func load32(a access, dst int32) machine.Exec {
	return func(w *machine.Warp, m uint32) {
		base, D := w.Lanes(a.addr.Base), w.Reg(dst)
		for m != 0 {
			i := machine.Next(&m)
			b := w.At(a.space, a.addr.Lane(w, base, i), 4, i, false)
			if b == nil {
				return
			}
			D[i] = uint64(binary.LittleEndian.Uint32(b))
		}
	}
}

// A register of 128 bits is two slots.
func load128(w *machine.Warp, m uint32, a access, dst int32) {
	base := w.Lanes(a.addr.Base)
	for m != 0 {
		i := machine.Next(&m)
		b := w.At(a.space, a.addr.Lane(w, base, i), 16, i, false)
		if b == nil {
			return
		}
		w.Reg(dst)[i], w.Reg(dst + 1)[i] = machine.Load(b[:8]), machine.Load(b[8:16])
	}
}

// A store takes effect at once. Weak stores of other warps may be seen in any order on hardware. The adversarial mode
// changes the order of warps, not that of one warp's stores. So this emulator does not show that a fence is missing
// between two stores.
func decodeStore(d *decode.Decoder) {
	if d.Opt("async") {
		decodeRemote(d, "")
		return
	}
	if d.Opt("bulk") {
		decodeStoreBulk(d)
		return
	}
	args := d.Argc(2, 3)
	a := memoryAccess(d, args[0])
	if len(args) == 3 {
		d.Src(args[2], syntax.B64) // cache policy
	}
	var srcs []machine.Src
	for _, o := range d.Elements(args[1], a.count) {
		srcs = append(srcs, d.SrcAs(o, a.t, true))
	}
	if a.t == syntax.B128 {
		if srcs[0] < 0 {
			d.FailAt(args[1], "a 128-bit store needs a register")
		}
		srcs = append(srcs, srcs[0]+1)
		a.n, a.count = 8, 2
	}
	write := machine.Store
	if a.strong {
		write = machine.StoreStrong
		d.Publishes()
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		base := w.Lanes(a.addr.Base)
		for m != 0 {
			i := machine.Next(&m)
			b := w.At(a.space, a.addr.Lane(w, base, i), a.n*a.count, i, true)
			if b == nil {
				return
			}
			for k, s := range srcs {
				write(b[k*a.n:][:a.n], w.Lanes(s)[i])
			}
		}
	}
}
