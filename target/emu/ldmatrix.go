package emu

// matrixForm consumes the modifiers of ldmatrix and stmatrix and returns
// the number of 8x8 matrices of 16-bit elements.
func matrixForm(d *decoder) (count int, trans bool) {
	if !d.opt("sync") || !d.opt("aligned") {
		d.failInst("'%s' needs .sync.aligned", d.s.op)
	}
	if d.oneOf("m8n8") == "" {
		d.failInst("only shape .m8n8 is supported by '%s'", d.s.op)
	}
	count = map[string]int{"x1": 1, "x2": 2, "x4": 4}[d.oneOf("x1", "x2", "x4")]
	if count == 0 {
		d.failInst("'%s' needs .x1, .x2 or .x4", d.s.op)
	}
	trans = d.opt("trans")
	if sp := d.spaceOf(); sp != spShared && sp != spGeneric {
		d.failInst("'%s' accesses shared memory only", d.s.op)
	}
	d.typ(tB16)
	return count, trans
}

// matrixRow returns the 16 bytes of row r of matrix k; lane 8k+r holds its
// address.
func (w *warp) matrixRow(a addr, base *lanes, k, r int, write bool) []byte {
	lane := 8*k + r
	v := a.lane(w, base, lane)
	if sp, local := classify(v); sp == spShared {
		v = local
	}
	return w.at(spShared, v, 16, lane, write)
}

// place is where element e (0 or 1) of a lane's register lies in an 8x8
// matrix.
func place(lane, e int, trans bool) (row, col int) {
	row, col = lane/4, lane%4*2+e
	if trans {
		return col, row
	}
	return row, col
}

func decodeLdmatrix(d *decoder) {
	count, trans := matrixForm(d)
	args := d.args(2)
	var dsts []int32
	for _, o := range d.matrixRegs(args[0], count) {
		dsts = append(dsts, d.dst(o, tB32))
	}
	a := d.addr(args[1])
	d.wholeWarp(func(w *warp, m uint32) {
		base := *w.lanes(a.base) // may be a destination
		for k, dst := range dsts {
			var rows [8][]byte
			for r := range rows {
				if rows[r] = w.matrixRow(a, &base, k, r, false); rows[r] == nil {
					return
				}
			}
			out := w.reg(dst)
			for lane := range out {
				var v uint64
				for e := range 2 {
					r, c := place(lane, e, trans)
					v |= get(rows[r][2*c:][:2]) << (16 * e)
				}
				out[lane] = v
			}
		}
	})
}

func decodeStmatrix(d *decoder) {
	count, trans := matrixForm(d)
	args := d.args(2)
	a := d.addr(args[0])
	var srcs []src
	for _, o := range d.matrixRegs(args[1], count) {
		srcs = append(srcs, d.src(o, tB32))
	}
	d.wholeWarp(func(w *warp, m uint32) {
		base := w.lanes(a.base)
		for k, s := range srcs {
			var rows [8][]byte
			for r := range rows {
				if rows[r] = w.matrixRow(a, base, k, r, true); rows[r] == nil {
					return
				}
			}
			in := w.lanes(s)
			for lane := range in {
				for e := range 2 {
					r, c := place(lane, e, trans)
					put(rows[r][2*c:][:2], in[lane]>>(16*e))
				}
			}
		}
	})
}

func decodeMovmatrix(d *decoder) {
	if !d.opt("sync") || !d.opt("aligned") || !d.opt("m8n8") || !d.opt("trans") {
		d.failInst("'movmatrix' needs .sync.aligned.m8n8.trans")
	}
	d.typ(tB16)
	args := d.args(2)
	dst, a := d.dst(args[0], tB32), d.src(args[1], tB32)
	d.wholeWarp(func(w *warp, m uint32) {
		var mat [8][8]uint64
		in, out := w.lanes(a), w.reg(dst)
		for lane := range in {
			for e := range 2 {
				r, c := place(lane, e, false)
				mat[r][c] = in[lane] >> (16 * e) & 0xffff
			}
		}
		for lane := range out {
			var v uint64
			for e := range 2 {
				r, c := place(lane, e, true)
				v |= mat[r][c] << (16 * e)
			}
			out[lane] = v
		}
	})
}
