package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// An execution is one tcgen05.mma, from its issue until it takes effect.
type execution struct {
	description
	w        *machine.Warp
	ctas     []*machine.CTA // one, or the even and the odd one of a pair
	path     datapath
	scale    float64 // of the accumulator
	keep     bool    // adds to the accumulator
	disabled [2 * memoryLanes / 32]uint32
	mask     zeroColumns

	addrD, addrA, addrMeta, addrSA, addrSB uint64
	descB                                  uint64
	fromTMEM                               bool // A is in tensor memory, else addrA is a descriptor
	a, b                                   matrix
	atD, atA, atMeta, atSA, atSB           area
}

// operands are the operands of a tcgen05.mma.
type operands struct {
	d, meta, sa, sb decode.Addr
	a               decode.Addr // of a matrix in tensor memory
	descA, descB    machine.Src
	idesc           machine.Src
	fromTMEM        bool
	disable         []machine.Src
	masked          bool
	mask            machine.Src
	keep            machine.PredSrc
	scale           float64
}

// tensorAddr is an address of tcgen05.mma, which the assembler takes with a
// register only.
func tensorAddr(d *decode.Decoder, o *syntax.Operand) decode.Addr {
	if o.Kind != syntax.OpAddr || o.Base == nil || o.Base.Kind != syntax.OpReg {
		d.FailAt(o, "an address in TMEM must be in a register")
	}
	return d.Addr(o)
}

func decodeMma(d *decode.Decoder, pair bool) {
	f := parseForm(d, pair)
	d.ReadsShared()
	n := 5
	if f.sparse {
		n++
	}
	if f.kind.scaled {
		n += 2
	}
	args := d.Argc(n, n+2)
	x := operands{d: tensorAddr(d, args[0]), fromTMEM: args[1].Kind == syntax.OpAddr, descB: d.Src(args[2], syntax.B64), scale: 1}
	if x.fromTMEM {
		x.a = tensorAddr(d, args[1])
	} else {
		x.descA = d.Src(args[1], syntax.B64)
	}
	if f.shift && !x.fromTMEM {
		d.Fail("'.ashift' needs an A in TMEM")
	}
	// The optional operands in their order: metadata, descriptor, scales or lane masks, predicate, zero columns or
	// scale.
	rest := args[3:]
	if f.sparse {
		x.meta, rest = tensorAddr(d, rest[0]), rest[1:]
	}
	x.idesc, rest = d.Src(rest[0], syntax.B32), rest[1:]
	switch {
	case f.kind.scaled:
		x.sa, x.sb, rest = tensorAddr(d, rest[0]), tensorAddr(d, rest[1]), rest[2:]
	case rest[0].Kind == syntax.OpVector && !f.ws:
		want := memoryLanes / 32
		if pair {
			want *= 2
		}
		if len(rest[0].List) != want || len(rest) < 2 {
			d.FailAt(rest[0], "expected a vector of %d masks of lanes and a predicate", want)
		}
		for _, o := range rest[0].List {
			if o.Kind != syntax.OpReg {
				d.FailAt(o, "a mask of lanes must be a register")
			}
			x.disable = append(x.disable, d.Src(o, syntax.B32))
		}
		rest = rest[1:]
	}
	x.keep, rest = d.PredSrc(rest[0]), rest[1:]
	switch {
	case len(rest) == 1 && f.ws:
		x.masked, x.mask = true, d.Src(rest[0], syntax.B64)
	case len(rest) == 1 && f.kind.scales:
		if o := rest[0]; o.Kind != syntax.OpInt || o.Bits > 15 {
			d.FailAt(o, "the scale of the accumulator must be a constant from 0 to 15")
		}
		// D = A*B + D * 2^-n ("scale-input-d").
		x.scale = 1 / float64(uint64(1)<<rest[0].Bits)
	case len(rest) > 0:
		d.Fail("'tcgen05.mma' of this kind has too many operands")
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			x.issue(w, machine.Next(&m), f)
		}
	}
}

// issue reads the operands of one lane, checks them and queues the product.
//
// Operands are read at the issue, as they are in registers; matrices are read when the product takes effect.
func (x *operands) issue(w *machine.Warp, i int, f form) {
	at := func(a decode.Addr) uint64 { return a.Lane(w, w.Lanes(a.Base), i) & num.Mask(32) }
	o := &execution{description: description{form: f}, w: w, scale: x.scale, keep: w.Pred(x.keep)>>i&1 == 1, fromTMEM: x.fromTMEM, descB: w.Lanes(x.descB)[i]}
	if o.ctas = pairOf(w, i, f.pair); w.Err != nil {
		return
	}
	if wrong := o.parse(w.Lanes(x.idesc)[i]); wrong != "" {
		w.Faultf(i, "%s", wrong)
		return
	}
	o.addrD = at(x.d)
	if x.fromTMEM {
		o.addrA = at(x.a)
	} else {
		o.addrA = w.Lanes(x.descA)[i]
	}
	if f.sparse {
		o.addrMeta = at(x.meta)
	}
	if f.kind.scaled {
		o.addrSA, o.addrSB = at(x.sa), at(x.sb)
	}
	for k, s := range x.disable {
		o.disabled[k] = uint32(w.Lanes(s)[i])
	}
	if f.pair && o.disabled != [8]uint32{} && w.CTA.Rank&1 == 1 {
		w.Faultf(i, "lanes are disabled by the odd CTA of a pair, which is not supported")
		return
	}
	if x.masked {
		if wrong := o.mask.parse(w.Lanes(x.mask)[i], o.M, o.maxShift); wrong != "" {
			w.Faultf(i, "%s", wrong)
			return
		}
	}
	if o.check(i); w.Err != nil {
		return
	}
	w.TraceWork(o.M, o.N, o.K)
	o.report(i)
	if o.collect(i); w.Err == nil {
		enqueue(w, i, func() { o.compute(i) })
	}
}

// check looks at the operands when the operation is issued.
//
// All that can be wrong is found at the issue, which has a line and a lane, except what depends on the contents of
// memory.
func (o *execution) check(i int) {
	w := o.w
	o.path = o.datapath()
	stored := o.K
	if o.sparse {
		stored /= 2
	}
	wrong := ""
	o.atD = o.place(i, "the accumulator", o.addrD, o.N/o.path.parts, true)
	switch {
	case !o.fromTMEM:
		if o.a, wrong = parseDescriptor(o.addrA, o.transA, o.ta.per); wrong == "" {
			wrong = o.operand(&o.a, o.ta, stored)
		}
	case o.transA:
		wrong = "a transposed A cannot be in TMEM"
	case o.ws && o.path.parts > 1:
		wrong = "an A in TMEM with an M below 128 is not supported by '.ws'"
	default:
		o.atA = o.place(i, "A", o.addrA, stored*o.ta.held/32, true)
		o.aligned(i, "A", o.atA)
	}
	if wrong == "" {
		if o.b, wrong = parseDescriptor(o.descB, o.transB, o.tb.per); wrong == "" {
			wrong = o.operand(&o.b, o.tb, o.K)
		}
	}
	if wrong != "" {
		w.Faultf(i, "%s", wrong)
		return
	}
	if o.sparse && w.Err == nil {
		columns := 2
		if o.ta.packed >= 16 {
			if columns = 1; o.addrMeta&1 != 0 {
				w.Faultf(i, "the sparsity metadata is at the odd column %d of TMEM", o.addrMeta&0xffff)
				return
			}
		}
		o.atMeta = o.place(i, "the sparsity metadata", o.addrMeta+uint64(o.selector), columns, true)
		o.aligned(i, "the sparsity metadata", o.atMeta)
	}
	if o.kind.scaled && w.Err == nil {
		o.atSA = o.place(i, "the scale factors of A", o.addrSA, (o.path.rows+31)/32, false)
		o.atSB = o.place(i, "the scale factors of B", o.addrSB, (o.N/o.path.parts+31)/32, false)
	}
}

// aligned checks that a matrix starts at the same lane as the accumulator
// ("Alignment restriction").
func (o *execution) aligned(i int, what string, p area) {
	if p.row != o.atD.row {
		o.w.Faultf(i, "%s starts at lane %d of TMEM and the accumulator at lane %d", what, p.row, o.atD.row)
	}
}

// operand checks a matrix in shared memory against its type ("Valid
// Combinations of Type-Size, Major-ness and Swizzling").
func (o *description) operand(m *matrix, t *element, k int) string {
	if m.major && m.wide != (t.packed == 32) {
		return "a transposed operand needs a swizzling mode with atoms of 32 bytes if it is of .tf32, and cannot have it otherwise"
	}
	return m.fits(k / t.per * 16)
}
