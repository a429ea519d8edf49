package emu

import "strconv"

// tensorShape is a shape of tcgen05.ld and tcgen05.st ("Data Movement
// Shape").
type tensorShape struct {
	rows          int // lanes of tensor memory
	columns, regs int // for each repetition
	// cell is where register j of a lane lies.
	cell func(lane, j int) (row, column int)
}

var tensorShapes = map[string]tensorShape{
	"32x32b":   {32, 1, 1, func(lane, j int) (int, int) { return lane, j }},
	"16x64b":   {16, 2, 1, func(lane, j int) (int, int) { return lane/4 + lane%2*8, lane/2%2 + 2*j }},
	"16x128b":  {16, 4, 2, func(lane, j int) (int, int) { return lane/4 + j%2*8, lane%4 + j/2*4 }},
	"16x256b":  {16, 8, 4, func(lane, j int) (int, int) { return lane/4 + j/2%2*8, lane%4*2 + j%2 + j/4*8 }},
	"16x32bx2": {16, 1, 1, func(lane, j int) (int, int) { return lane % 16, j }},
}

// tensorMove is a decoded tcgen05.ld or tcgen05.st.
type tensorMove struct {
	tensorShape
	at     addr
	packed bool // a register has the lower halves of two columns
	split  int  // 16x32bx2: columns from the first half of the lanes to the second
	reduce func(a, b uint64) uint64
}

// repetitions consumes .x1 to .x128.
func (d *decoder) repetitions() int {
	for n := 1; n <= 128; n *= 2 {
		if d.opt("x" + strconv.Itoa(n)) {
			return n
		}
	}
	d.failInst("'%s' needs .x1 to .x128", d.s.op)
	return 0
}

// reduction consumes the modifiers of tcgen05.ld.red but for the shape
// ("tcgen05.ld").
func (d *decoder) reduction() (scalar, func(a, b uint64) uint64) {
	op, abs, nan := d.oneOf("min", "max"), d.opt("abs"), d.opt("NaN")
	t := d.typ(tF32, tU32, tS32)
	if op == "" || (abs || nan) && t != tF32 {
		d.failInst("'tcgen05.ld.red' needs .min or .max, and .abs or .NaN only with .f32")
	}
	if t != tF32 {
		return t, minMaxInt(op == "max", t)
	}
	f := minMaxF32(op == "max", false, nan, false)
	if !abs {
		return t, f
	}
	return t, func(a, b uint64) uint64 { return f(a&^signF32, b&^signF32) }
}

func decodeTensorMove(d *decoder, load bool) {
	red := load && d.opt("red")
	name := d.oneOf("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2")
	s, ok := tensorShapes[name]
	if !ok {
		d.failInst("'tcgen05' has no such shape")
	}
	n := d.repetitions()
	if s.columns, s.regs = s.columns*n, s.regs*n; s.regs > 128 {
		d.failInst("'tcgen05' with this shape has too many registers")
	}
	mv := &tensorMove{tensorShape: s}
	t := tB32
	if red {
		if name != "32x32b" || n < 2 {
			// Whether the halves of .16x32bx2 are one row or two is not said.
			d.failInst("'tcgen05.ld.red' is supported with .32x32b and .x2 or more")
		}
		t, mv.reduce = d.reduction()
	} else {
		mv.packed = load && d.opt("pack::16b") || !load && d.opt("unpack::16b")
		d.typ(tB32)
	}
	// A load is `regs, [at], split`, a store `[at], split, regs`.
	count := 2
	if name == "16x32bx2" || red {
		count = 3
	}
	args := d.args(count)
	atArg, regArg := args[0], args[count-1]
	if load {
		atArg, regArg = args[1], args[0]
	}
	if red {
		atArg = args[2]
	}
	if name == "16x32bx2" {
		o := args[1]
		if load {
			o = args[2]
		}
		if o.kind != opInt || o.bits > tensorColumns {
			d.badOperand(o, "the offset of the second half must be a constant")
		}
		mv.split = int(o.bits)
	}
	mv.at = d.addr(atArg)
	regs := d.matrixRegs(regArg, s.regs)
	if load {
		var dsts []int32
		for _, o := range regs {
			dsts = append(dsts, d.dst(o, t))
		}
		if red { // the last destination, which ptxas takes in braces too
			dsts = append(dsts, d.dst(d.elements(args[1], 1)[0], t))
		}
		d.in.defs = nil // written by the wait
		d.wholeWarp(func(w *warp, m uint32) { mv.load(w, dsts) })
		return
	}
	var srcs []src
	for _, o := range regs {
		srcs = append(srcs, d.src(o, tB32))
	}
	d.wholeWarp(func(w *warp, m uint32) { mv.store(w, srcs) })
}

// each checks the place and calls f for every cell of every register: with
// packed registers the second cell has the upper half.
func (mv *tensorMove) place(w *warp) (row, column int, ok bool) {
	a := mv.at.lane(w, w.lanes(mv.at.base), 0)
	columns := mv.columns
	if mv.packed {
		columns *= 2
	}
	if row, column, ok = w.cells(0, a, mv.rows, columns+mv.split); !ok {
		return 0, 0, false
	}
	// A warp reaches a quarter of the lanes, by its number in its warpgroup.
	if quarter := w.id % 4; row/32 != quarter || (row+mv.rows-1)/32 != quarter {
		w.faultf(0, "warp %d cannot access lanes %d to %d of tensor memory, only %d to %d", w.id, row, row+mv.rows-1, 32*quarter, 32*quarter+31)
		return 0, 0, false
	}
	return row, column, true
}

// cells calls f for each cell that register j of a lane has.
func (mv *tensorMove) cells(lane, j int, f func(row, column, shift int)) {
	row, column := mv.cell(lane, j)
	if lane >= 16 {
		column += mv.split
	}
	if !mv.packed {
		f(row, column, 0)
		return
	}
	f(row, 2*column, 0)
	f(row, 2*column+1, 16)
}

func (mv *tensorMove) load(w *warp, dsts []int32) {
	row, column, ok := mv.place(w)
	if !ok {
		return
	}
	perform := func() {
		data := &memoryOf(w.cta).data
		loaded := dsts
		if mv.reduce != nil {
			loaded = dsts[:len(dsts)-1]
		}
		for j, r := range loaded {
			out := w.reg(r)
			for lane := range out {
				out[lane] = 0
				mv.cells(lane, j, func(r, c, shift int) {
					v := uint64(data[row+r][column+c])
					if mv.packed {
						v &= 0xffff
					}
					out[lane] |= v << shift
				})
			}
		}
		if mv.reduce != nil {
			out := w.reg(dsts[len(loaded)])
			for lane := range out {
				x := uint64(data[row+lane][column])
				for j := range loaded {
					x = mv.reduce(x, uint64(data[row+lane][column+j]))
				}
				out[lane] = x
			}
		}
	}
	if w.cta.run.l.AllowEarlyTensorLoads {
		perform()
		for _, r := range dsts {
			w.init[r] = full
		}
		return
	}
	for _, r := range dsts {
		w.init[r] = 0
	}
	w.loads.pending = append(w.loads.pending, deferredWrite{defs: dsts, perform: w.once(perform)})
}

func (mv *tensorMove) store(w *warp, srcs []src) {
	row, column, ok := mv.place(w)
	if !ok {
		return
	}
	values := make([]lanes, len(srcs))
	for j, s := range srcs {
		values[j] = *w.lanes(s)
	}
	w.stores = append(w.stores, w.once(func() {
		data := &memoryOf(w.cta).data
		for j := range values {
			for lane, v := range values[j] {
				mv.cells(lane, j, func(r, c, shift int) {
					if mv.packed {
						data[row+r][column+c] = uint32(v >> shift & 0xffff)
					} else {
						data[row+r][column+c] = uint32(v)
					}
				})
			}
		}
	}))
}

// once returns f, or, when the adversary has it done now, nothing to do.
func (w *warp) once(f func()) func() {
	if w.cta.group.chance(2) {
		f()
		return func() {}
	}
	return f
}
