package tcgen05

import (
	"strconv"

	"github.com/tilewright/tilewright/target/engine/emu/arith"
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// moveShape is a shape of tcgen05.ld and tcgen05.st ("Data Movement
// Shape").
type moveShape struct {
	rows          int // lanes of tensor memory
	columns, regs int // for each repetition
	// cell is where register j of a lane lies.
	cell func(lane, j int) (row, column int)
}

var moveShapes = map[string]moveShape{
	"32x32b":   {32, 1, 1, func(lane, j int) (int, int) { return lane, j }},
	"16x64b":   {16, 2, 1, func(lane, j int) (int, int) { return lane/4 + lane%2*8, lane/2%2 + 2*j }},
	"16x128b":  {16, 4, 2, func(lane, j int) (int, int) { return lane/4 + j%2*8, lane%4 + j/2*4 }},
	"16x256b":  {16, 8, 4, func(lane, j int) (int, int) { return lane/4 + j/2%2*8, lane%4*2 + j%2 + j/4*8 }},
	"16x32bx2": {16, 1, 1, func(lane, j int) (int, int) { return lane % 16, j }},
}

// move is a decoded tcgen05.ld or tcgen05.st.
type move struct {
	moveShape
	at     decode.Addr
	packed bool // a register has the lower halves of two columns
	split  int  // 16x32bx2: columns from the first half of the lanes to the second
	reduce func(a, b uint64) uint64
}

// repetitions consumes .x1 to .x128.
func repetitions(d *decode.Decoder) int {
	for n := 1; n <= 128; n *= 2 {
		if d.Opt("x" + strconv.Itoa(n)) {
			return n
		}
	}
	d.Fail("'%s' needs .x1 to .x128", d.Stmt.Op)
	return 0
}

// reduction consumes the modifiers of tcgen05.ld.red but for the shape
// ("tcgen05.ld").
func reduction(d *decode.Decoder) (syntax.Type, func(a, b uint64) uint64) {
	op, abs, nan := d.OneOf("min", "max"), d.Opt("abs"), d.Opt("NaN")
	t := d.Type(syntax.F32, syntax.U32, syntax.S32)
	if op == "" || (abs || nan) && t != syntax.F32 {
		d.Fail("'tcgen05.ld.red' needs .min or .max, and .abs or .NaN only with .f32")
	}
	if t != syntax.F32 {
		return t, arith.MinMaxInt(op == "max", t)
	}
	f := fp.MinMaxF32(op == "max", false, nan, false)
	if !abs {
		return t, f
	}
	return t, func(a, b uint64) uint64 { return f(a&^fp.SignF32, b&^fp.SignF32) }
}

func decodeMove(d *decode.Decoder, load bool) {
	red := load && d.Opt("red")
	name := d.OneOf("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2")
	s, ok := moveShapes[name]
	if !ok {
		d.Fail("'tcgen05' has no such shape")
	}
	n := repetitions(d)
	if s.columns, s.regs = s.columns*n, s.regs*n; s.regs > 128 {
		d.Fail("'tcgen05' with this shape has too many registers")
	}
	mv := &move{moveShape: s}
	t := syntax.B32
	if red {
		if name != "32x32b" || n < 2 {
			// Whether the halves of .16x32bx2 are one row or two is not said.
			d.Fail("'tcgen05.ld.red' is supported with .32x32b and .x2 or more")
		}
		t, mv.reduce = reduction(d)
	} else {
		mv.packed = load && d.Opt("pack::16b") || !load && d.Opt("unpack::16b")
		d.Type(syntax.B32)
	}
	// A load is `regs, [at], split`, a store `[at], split, regs`.
	count := 2
	if name == "16x32bx2" || red {
		count = 3
	}
	args := d.Args(count)
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
		if o.Kind != syntax.OpInt || o.Bits > memoryColumns {
			d.FailAt(o, "the offset of the second half must be a constant")
		}
		mv.split = int(o.Bits)
	}
	mv.at = d.Addr(atArg)
	regs := d.Elements(regArg, s.regs)
	if load {
		var dsts []int32
		for _, o := range regs {
			dsts = append(dsts, d.Dst(o, t))
		}
		if red { // the last destination, which ptxas takes in braces too
			dsts = append(dsts, d.Dst(d.Elements(args[1], 1)[0], t))
		}
		d.Inst.Defs = nil // written by the wait
		d.WholeWarp(func(w *machine.Warp, m uint32) { mv.load(w, dsts) })
		return
	}
	var srcs []machine.Src
	for _, o := range regs {
		srcs = append(srcs, d.Src(o, syntax.B32))
	}
	d.WholeWarp(func(w *machine.Warp, m uint32) { mv.store(w, srcs) })
}

// each checks the place and calls f for every cell of every register: with
// packed registers the second cell has the upper half.
//
// "Access restrictions": a warp reaches the 32 lanes of its rank in the warpgroup.
func (mv *move) place(w *machine.Warp) (row, column int, ok bool) {
	a := mv.at.Lane(w, w.Lanes(mv.at.Base), 0)
	columns := mv.columns
	if mv.packed {
		columns *= 2
	}
	if row, column, ok = cells(w, 0, a, mv.rows, columns+mv.split); !ok {
		return 0, 0, false
	}
	// A warp reaches a quarter of the lanes, by its number in its warpgroup.
	if quarter := w.ID % 4; row/32 != quarter || (row+mv.rows-1)/32 != quarter {
		w.Faultf(0, "warp %d cannot access lanes %d to %d of TMEM, only %d to %d", w.ID, row, row+mv.rows-1, 32*quarter, 32*quarter+31)
		return 0, 0, false
	}
	return row, column, true
}

// cells calls f for each cell that register j of a lane has.
func (mv *move) cells(lane, j int, f func(row, column, shift int)) {
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

// By the letter of the ISA a read before the wait is a race, hence the switch and not a rule.
func (mv *move) load(w *machine.Warp, dsts []int32) {
	row, column, ok := mv.place(w)
	if !ok {
		return
	}
	mv.report(w, machine.TensorLoads, row, column, false)
	perform := func() {
		data := &memoryOf(w.CTA).data
		loaded := dsts
		if mv.reduce != nil {
			loaded = dsts[:len(dsts)-1]
		}
		for j, r := range loaded {
			out := w.Reg(r)
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
			out := w.Reg(dsts[len(loaded)])
			for lane := range out {
				x := uint64(data[row+lane][column])
				for j := range loaded {
					x = mv.reduce(x, uint64(data[row+lane][column+j]))
				}
				out[lane] = x
			}
		}
	}
	if w.CTA.Run.Launch.AllowEarlyTensorLoads {
		perform()
		for _, r := range dsts {
			w.Init[r] = machine.Full
		}
		return
	}
	for _, r := range dsts {
		w.Init[r] = 0
	}
	w.Loads.Pending = append(w.Loads.Pending, machine.DeferredWrite{Defs: dsts, Perform: once(w, perform)})
}

func (mv *move) store(w *machine.Warp, srcs []machine.Src) {
	row, column, ok := mv.place(w)
	if !ok {
		return
	}
	mv.report(w, machine.TensorStores, row, column, true)
	values := make([]machine.Lanes, len(srcs))
	for j, s := range srcs {
		values[j] = *w.Lanes(s)
	}
	w.Stores = append(w.Stores, once(w, func() {
		data := &memoryOf(w.CTA).data
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
func once(w *machine.Warp, f func()) func() {
	if w.CTA.Cluster.Chance(2) {
		f()
		return func() {}
	}
	return f
}
