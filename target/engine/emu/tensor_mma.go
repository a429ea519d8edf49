package emu

import "slices"

// tensorMma is one tcgen05.mma in execution.
type tensorMma struct {
	tensorProduct
	w        *warp
	ctas     []*cta // one, or the even and the odd one of a pair
	path     datapath
	scale    float64 // of the accumulator
	keep     bool    // adds to the accumulator
	disabled [2 * tensorLanes / 32]uint32
	mask     zeroColumns

	addrD, addrA, addrMeta, addrSA, addrSB uint64
	descB                                  uint64
	fromTensor                             bool // A is in tensor memory, else addrA is a descriptor
	a, b                                   tensorMatrix
	atD, atA, atMeta, atSA, atSB           tensorPlace
}

// tensorOperands are the operands of a tcgen05.mma.
type tensorOperands struct {
	d, meta, sa, sb addr
	a               addr // of a matrix in tensor memory
	descA, descB    src
	idesc           src
	fromTensor      bool
	disable         []src
	masked          bool
	mask            src
	keep            predSrc
	scale           float64
}

// collectors lists the collector buffers and what can be done with them.
var collectors, collectorOps = []string{"a", "b0", "b1", "b2", "b3"}, []string{"fill", "use", "lastuse", "discard"}

// tensorForm consumes the modifiers of tcgen05.mma.
func (d *decoder) tensorForm(pair bool) tensorForm {
	f := tensorForm{pair: pair}
	if ws, sp := slices.Index(d.mods, "ws"), slices.Index(d.mods, "sp"); ws > sp && sp >= 0 {
		d.failInst("'.ws' comes before '.sp'")
	}
	f.ws, f.sparse = d.opt("ws"), d.opt("sp")
	name := d.oneOf("kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4")
	if f.kind = tensorKinds[name]; f.kind == nil {
		d.failInst("this kind of 'tcgen05.mma' is not supported")
	}
	scaled := d.opt("block_scale")
	size := d.oneOf("scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32")
	if scaled != f.kind.scaled || size != "" && !scaled {
		d.failInst("'tcgen05.mma' needs .block_scale with the kinds that scale, and only there")
	}
	if scaled {
		// "Valid combinations of scale_vectorsize with types and MMA-Kind".
		f.vectors = map[string]map[string]int{
			"kind::mxf8f6f4": {"": 1, "scale_vec::1X": 1, "block32": 1},
			"kind::mxf4":     {"": 2, "scale_vec::2X": 2, "block32": 2},
			"kind::mxf4nvf4": {"scale_vec::2X": 2, "block32": 2, "scale_vec::4X": 4, "block16": 4},
		}[name][size]
		if f.vectors == 0 {
			d.failInst("'tcgen05.mma.%s' with this size of scale vectors does not exist", name)
		}
	}
	f.shift = d.opt("ashift")
	for _, buffer := range collectors {
		for _, op := range collectorOps {
			if !d.opt("collector::" + buffer + "::" + op) {
				continue
			}
			if f.collector != "" {
				d.failInst("'tcgen05.mma' has two uses of collector buffers")
			}
			if (buffer == "a") == f.ws {
				d.failInst("'tcgen05.mma' has no such collector buffer")
			}
			f.collector, f.op = buffer, op
		}
	}
	switch {
	case f.ws && (pair || scaled || f.shift):
		d.failInst("'tcgen05.mma.ws' with these modifiers does not exist")
	case f.shift && scaled:
		d.failInst("'.ashift' does not go with block scaling")
	case f.shift && (f.op == "fill" || f.op == "use"):
		d.failInst("'.ashift' does not go with '.collector::a::%s'", f.op)
	}
	if f.collector == "" {
		if f.collector, f.op = "a", "discard"; f.ws {
			f.collector = "b0"
		}
	}
	return f
}

// tensorAddr is an address of tcgen05.mma, which the assembler takes with a
// register only.
func (d *decoder) tensorAddr(o *operand) addr {
	if o.kind != opAddr || o.base == nil || o.base.kind != opReg {
		d.badOperand(o, "an address in tensor memory must be in a register")
	}
	return d.addr(o)
}

func decodeTensorMma(d *decoder, pair bool) {
	f := d.tensorForm(pair)
	d.readsShared()
	n := 5
	if f.sparse {
		n++
	}
	if f.kind.scaled {
		n += 2
	}
	args := d.argc(n, n+2)
	x := tensorOperands{d: d.tensorAddr(args[0]), fromTensor: args[1].kind == opAddr, descB: d.src(args[2], tB64), scale: 1}
	if x.fromTensor {
		x.a = d.tensorAddr(args[1])
	} else {
		x.descA = d.src(args[1], tB64)
	}
	if f.shift && !x.fromTensor {
		d.failInst("'.ashift' needs an A in tensor memory")
	}
	rest := args[3:]
	if f.sparse {
		x.meta, rest = d.tensorAddr(rest[0]), rest[1:]
	}
	x.idesc, rest = d.src(rest[0], tB32), rest[1:]
	switch {
	case f.kind.scaled:
		x.sa, x.sb, rest = d.tensorAddr(rest[0]), d.tensorAddr(rest[1]), rest[2:]
	case rest[0].kind == opVector && !f.ws:
		want := tensorLanes / 32
		if pair {
			want *= 2
		}
		if len(rest[0].list) != want || len(rest) < 2 {
			d.badOperand(rest[0], "expected a vector of %d masks of lanes and a predicate", want)
		}
		for _, o := range rest[0].list {
			if o.kind != opReg {
				d.badOperand(o, "a mask of lanes must be a register")
			}
			x.disable = append(x.disable, d.src(o, tB32))
		}
		rest = rest[1:]
	}
	x.keep, rest = d.predSrc(rest[0]), rest[1:]
	switch {
	case len(rest) == 1 && f.ws:
		x.masked, x.mask = true, d.src(rest[0], tB64)
	case len(rest) == 1 && f.kind.scales:
		if o := rest[0]; o.kind != opInt || o.bits > 15 {
			d.badOperand(o, "the scale of the accumulator must be a constant from 0 to 15")
		}
		x.scale = 1 / float64(uint64(1)<<rest[0].bits)
	case len(rest) > 0:
		d.failInst("'tcgen05.mma' of this kind has too many operands")
	}
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			x.issue(w, next(&m), f)
		}
	}
}

// issue reads the operands of one lane, checks them and queues the product.
func (x *tensorOperands) issue(w *warp, i int, f tensorForm) {
	at := func(a addr) uint64 { return a.lane(w, w.lanes(a.base), i) & mask(32) }
	o := &tensorMma{tensorProduct: tensorProduct{tensorForm: f}, w: w, scale: x.scale, keep: w.pred(x.keep)>>i&1 == 1, fromTensor: x.fromTensor, descB: w.lanes(x.descB)[i]}
	if o.ctas = w.tensorCTAs(i, f.pair); w.err != nil {
		return
	}
	if wrong := o.parse(w.lanes(x.idesc)[i]); wrong != "" {
		w.faultf(i, "%s", wrong)
		return
	}
	o.addrD = at(x.d)
	if x.fromTensor {
		o.addrA = at(x.a)
	} else {
		o.addrA = w.lanes(x.descA)[i]
	}
	if f.sparse {
		o.addrMeta = at(x.meta)
	}
	if f.kind.scaled {
		o.addrSA, o.addrSB = at(x.sa), at(x.sb)
	}
	for k, s := range x.disable {
		o.disabled[k] = uint32(w.lanes(s)[i])
	}
	if f.pair && o.disabled != [8]uint32{} && w.cta.rank&1 == 1 {
		w.faultf(i, "lanes are disabled by the odd CTA of a pair, which is not supported")
		return
	}
	if x.masked {
		if wrong := o.mask.parse(w.lanes(x.mask)[i], o.m, o.maxShift); wrong != "" {
			w.faultf(i, "%s", wrong)
			return
		}
	}
	if o.check(i); w.err != nil {
		return
	}
	if o.collect(i); w.err == nil {
		w.issueTensor(i, func() { o.compute(i) })
	}
}

// check looks at the operands when the operation is issued.
func (o *tensorMma) check(i int) {
	w := o.w
	o.path = o.datapath()
	stored := o.k
	if o.sparse {
		stored /= 2
	}
	wrong := ""
	o.atD = o.place(i, "the accumulator", o.addrD, o.n/o.path.parts, true)
	switch {
	case !o.fromTensor:
		if o.a, wrong = tensorDescriptor(o.addrA, o.transA, o.ta.per); wrong == "" {
			wrong = o.operand(&o.a, o.ta, stored)
		}
	case o.transA:
		wrong = "a transposed A cannot be in tensor memory"
	case o.ws && o.path.parts > 1:
		wrong = "an A in tensor memory with an M below 128 is not supported by '.ws'"
	default:
		o.atA = o.place(i, "A", o.addrA, stored*o.ta.held/32, true)
		o.aligned(i, "A", o.atA)
	}
	if wrong == "" {
		if o.b, wrong = tensorDescriptor(o.descB, o.transB, o.tb.per); wrong == "" {
			wrong = o.operand(&o.b, o.tb, o.k)
		}
	}
	if wrong != "" {
		w.faultf(i, "%s", wrong)
		return
	}
	if o.sparse && w.err == nil {
		columns := 2
		if o.ta.packed >= 16 {
			if columns = 1; o.addrMeta&1 != 0 {
				w.faultf(i, "the sparsity metadata is at the odd column %d of tensor memory", o.addrMeta&0xffff)
				return
			}
		}
		o.atMeta = o.place(i, "the sparsity metadata", o.addrMeta+uint64(o.selector), columns, true)
		o.aligned(i, "the sparsity metadata", o.atMeta)
	}
	if o.kind.scaled && w.err == nil {
		o.atSA = o.place(i, "the scale factors of A", o.addrSA, (o.path.rows+31)/32, false)
		o.atSB = o.place(i, "the scale factors of B", o.addrSB, (o.n/o.path.parts+31)/32, false)
	}
}

// aligned checks that a matrix starts at the same lane as the accumulator
// ("Alignment restriction").
func (o *tensorMma) aligned(i int, what string, p tensorPlace) {
	if p.row != o.atD.row {
		o.w.faultf(i, "%s starts at lane %d of tensor memory and the accumulator at lane %d", what, p.row, o.atD.row)
	}
}

// operand checks a matrix in shared memory against its type ("Valid
// Combinations of Type-Size, Major-ness and Swizzling").
func (o *tensorProduct) operand(m *tensorMatrix, t *tensorType, k int) string {
	if m.major && m.wide != (t.packed == 32) {
		return "a transposed operand needs a swizzling mode with atoms of 32 bytes if it is of .tf32, and cannot have it otherwise"
	}
	return m.fits(k / t.per * 16)
}

// collectorBuffer is what a collector buffer holds.
type collectorBuffer struct {
	full    bool
	tensor  bool
	matrix  uint64 // descriptor or address
	rows, k int
	t       *tensorType
}

// collect checks the use of a collector buffer. The hardware may read a
// matrix again, so that a right use has no effect; a wrong one has.
func (o *tensorMma) collect(i int) {
	buffers := &memoryOf(o.w.cta).collectors
	b := &buffers[0]
	now := collectorBuffer{true, o.fromTensor, o.addrA, o.m, o.k, o.ta}
	if o.ws {
		b = &buffers[o.collector[1]-'0'+1]
		now = collectorBuffer{true, false, o.descB, o.n, o.k, o.tb}
	}
	if (o.op == "use" || o.op == "lastuse") && *b != now {
		o.w.faultf(i, "'.collector::%s::%s' of a matrix with which the buffer is not filled", o.collector, o.op)
		return
	}
	switch o.op {
	case "fill":
		*b = now
	case "lastuse", "discard":
		b.full = false
	}
}
