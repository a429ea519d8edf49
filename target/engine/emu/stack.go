package emu

var stackOps = map[string]decodeFn{
	"alloca":       decodeAlloca,
	"stacksave":    decodeStackPointer,
	"stackrestore": decodeStackPointer,
}

const (
	// stackBytes is the memory that a thread of a program with alloca has
	// for it. It lies behind the variables in local memory and grows down.
	stackBytes = 16 << 10
	// stackAlign is the alignment that alloca guarantees.
	stackAlign    = 8
	maxAllocaBits = 23
)

// reserveStack gives the program a stack and a register for its pointer if
// it uses one.
func (d *decoder) reserveStack() {
	for _, f := range d.order {
		for i := range f.body {
			if stackOps[f.body[i].op] == nil {
				continue
			}
			d.p.stackBase = d.p.localSize
			d.p.localSize += stackBytes
			d.p.stack = d.hidden()
			top := uint64(d.p.localSize)
			d.p.specials = append(d.p.specials, special{d.p.stack, func(_ *warp, out *lanes) {
				for i := range out {
					out[i] = top
				}
			}})
			return
		}
	}
}

// hidden is a register slot without a name.
func (d *decoder) hidden() int32 {
	i := int32(d.p.nregs)
	d.p.nregs++
	return i
}

func decodeStackPointer(d *decoder) {
	d.typ(tU64)
	o := d.args(1)[0]
	sp := d.p.stack
	if d.s.op == "stacksave" {
		d.in.exec = move(d.dst(o, tU64), src(sp))
		return
	}
	a := d.src(o, tU64)
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 {
			i := next(&m)
			v := w.lanes(a)[i]
			if v < uint64(w.prog.stackBase) || v > uint64(w.prog.localSize) || v < w.reg(sp)[i] {
				w.faultf(i, "%#x is no earlier stack pointer", v)
				return
			}
			w.reg(sp)[i] = v
		}
	}
}

func decodeAlloca(d *decoder) {
	d.typ(tU64)
	args := d.argc(2, 3)
	align := uint64(stackAlign)
	if len(args) == 3 {
		o := args[2]
		if o.kind != opInt || o.bits == 0 || o.bits&(o.bits-1) != 0 || o.bits > 1<<maxAllocaBits {
			d.badOperand(o, "the alignment must be a constant power of two up to 2^%d", maxAllocaBits)
		}
		align = max(align, o.bits)
	}
	dst, size, sp := d.dst(args[0], tU64), d.src(args[1], tU64), d.p.stack
	d.in.exec = func(w *warp, m uint32) {
		low := uint64(w.prog.stackBase)
		for m != 0 {
			i := next(&m)
			top, n := w.reg(sp)[i], w.lanes(size)[i]
			if n > top-low || (top-n)&^(align-1) < low {
				w.faultf(i, "'alloca' of %d bytes exceeds the stack, of which %d bytes are left", n, top-low)
				return
			}
			top = (top - n) &^ (align - 1)
			w.reg(sp)[i], w.reg(dst)[i] = top, top
		}
	}
}
