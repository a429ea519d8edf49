package emu

// decodeStoreBulk decodes st.bulk, which fills shared memory with zeros.
func decodeStoreBulk(d *decoder) {
	d.opt("weak")
	if d.oneOf("global", "local", "const", "param", "shared::cluster") != "" {
		d.failInst("'st.bulk' writes to shared memory only")
	}
	d.oneOf("shared", "shared::cta")
	args := d.args(3)
	if o := args[2]; o.kind != opInt || o.bits != 0 {
		d.badOperand(o, "the value of 'st.bulk' must be 0")
	}
	at := d.addr(args[0])
	t := tB64
	if o := args[1]; o.kind == opReg && o.sym.typ.bits() == 32 {
		t = tB32
	}
	size := d.src(args[1], t)
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 {
			i := next(&m)
			n := w.lanes(size)[i]
			if n%8 != 0 || n > maxShared {
				w.faultf(i, "size %d of 'st.bulk' is not a multiple of 8 up to %d", n, maxShared)
				return
			}
			if n == 0 {
				continue
			}
			b := w.span(spShared, local(spShared, at.lane(w, w.lanes(at.base), i)), int(n), 8, i, true)
			if b == nil {
				return
			}
			clear(b)
		}
	}
}
