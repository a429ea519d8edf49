package emu

// tensorKind is a kind of tcgen05.mma: the formats that its instruction
// descriptor can name ("Instruction descriptor").
type tensorKind struct {
	a map[uint64]scalar
	d map[uint64]scalar
	k int
}

var tensorKinds = map[string]tensorKind{
	"kind::f16":    {map[uint64]scalar{0: tF16, 1: tBF16}, map[uint64]scalar{0: tF16, 1: tF32}, 16},
	"kind::tf32":   {map[uint64]scalar{2: tTF32}, map[uint64]scalar{1: tF32}, 8},
	"kind::f8f6f4": {map[uint64]scalar{0: tE4M3, 1: tE5M2}, map[uint64]scalar{0: tF16, 1: tF32}, 32},
	"kind::i8":     {map[uint64]scalar{0: tU8, 1: tS8}, map[uint64]scalar{2: tS32}, 32},
}

// tensorTile is the working space of tcgen05.mma.
type tensorTile struct {
	a [tensorLanes * 32]float64
	b [32 * 256]float64
	c [tensorLanes * 256]float64
}

// tensorMma is one tcgen05.mma in execution.
type tensorMma struct {
	shape
	ta, tb, td   scalar
	signA, signB float64
	transA       bool
	transB       bool
	saturate     bool
	scale        float64 // of the accumulator
	keep         bool    // adds to the accumulator
	disabled     [tensorLanes / 32]uint32
	to           uint64 // accumulator
	fromTensor   bool   // A is in tensor memory at descA
	descA, descB uint64
}

// parse reads the instruction descriptor.
func (o *tensorMma) parse(v uint64, kind tensorKind) string {
	field := func(at, n int) uint64 { return v >> at & mask(n) }
	var okA, okB, okD bool
	o.ta, okA = kind.a[field(7, 3)]
	o.tb, okB = kind.a[field(10, 3)]
	o.td, okD = kind.d[field(4, 2)]
	o.shape = shape{int(field(24, 5)) * 16, int(field(17, 6)) * 8, kind.k}
	o.signA, o.signB = 1, 1
	if field(13, 1) == 1 {
		o.signA = -1
	}
	if field(14, 1) == 1 {
		o.signB = -1
	}
	o.saturate, o.transA, o.transB = field(3, 1) == 1, field(15, 1) == 1, field(16, 1) == 1
	step := o.m / 8
	switch {
	case !okA || !okB || !okD:
		return "the instruction descriptor names a format that is not supported"
	case field(2, 1) != 0:
		return "sparse 'tcgen05.mma' is not supported"
	case field(6, 1) != 0 || field(23, 1) != 0 || field(29, 3) != 0:
		return "reserved bits of the instruction descriptor are set"
	case o.m != 64 && o.m != 128 || o.n < 8 || o.n > 256 || o.n%step != 0:
		return "the instruction descriptor has a shape that does not exist"
	case o.transB && o.n%(128/o.tb.bits()) != 0:
		return "the instruction descriptor has a shape that is not supported with a transposed operand"
	}
	return ""
}

// tensorDescriptor splits a matrix descriptor into its fields ("Shared
// memory descriptor" of tcgen05); its layouts are those of wgmma.
func tensorDescriptor(v uint64, major bool, bytes int) (sharedMatrix, string) {
	m := sharedMatrix{start: v & mask(14) << 4, lead: v >> 16 & mask(14) << 4, stride: v >> 32 & mask(14) << 4, major: major, bytes: uint64(bytes)}
	switch v >> 61 {
	case 0:
	case 2:
		m.width = 128
	case 4:
		m.width = 64
	case 6:
		m.width = 32
	default:
		return m, "the swizzling mode of the matrix descriptor is not supported"
	}
	switch {
	case v>>46&7 != 1:
		return m, "the constant in bits 46 to 48 of the matrix descriptor is not 1"
	case v>>49&7 != 0 || v>>52&1 != 0:
		return m, "a base offset or an absolute leading dimension in a matrix descriptor is not supported"
	}
	return m, ""
}

func decodeTensorMma(d *decoder) {
	var kind tensorKind
	for name, k := range tensorKinds {
		if d.opt(name) {
			kind = k
		}
	}
	if kind.k == 0 {
		d.failInst("this kind of 'tcgen05.mma' is not supported")
	}
	d.prefixed("collector::")
	d.readsShared()
	args := d.argc(5, 7)
	to := d.addr(args[0])
	fromTensor := args[1].kind == opAddr
	var a addr
	var descA src
	if fromTensor {
		a = d.addr(args[1])
	} else {
		descA = d.src(args[1], tB64)
	}
	descB, idesc := d.src(args[2], tB64), d.src(args[3], tB32)
	rest := args[4:]
	var disable []src
	if rest[0].kind == opVector {
		if len(rest[0].list) != tensorLanes/32 || len(rest) < 2 {
			d.badOperand(rest[0], "expected a vector of %d masks of lanes and a predicate", tensorLanes/32)
		}
		for _, o := range rest[0].list {
			disable = append(disable, d.src(o, tB32))
		}
		rest = rest[1:]
	}
	keep := d.predSrc(rest[0])
	scale := 1.0
	if len(rest) > 1 {
		if o := rest[1]; o.kind != opInt || o.bits > 15 {
			d.badOperand(o, "the scale of the accumulator must be a constant from 0 to 15")
		}
		scale = 1 / float64(uint64(1)<<rest[1].bits)
	}
	d.in.exec = func(w *warp, m uint32) {
		for m != 0 && w.err == nil {
			i := next(&m)
			o := &tensorMma{scale: scale, keep: w.pred(keep)>>i&1 == 1, to: to.lane(w, w.lanes(to.base), i) & mask(32), fromTensor: fromTensor, descB: w.lanes(descB)[i]}
			if fromTensor {
				o.descA = a.lane(w, w.lanes(a.base), i) & mask(32)
			} else {
				o.descA = w.lanes(descA)[i]
			}
			for k, s := range disable {
				o.disabled[k] = uint32(w.lanes(s)[i])
			}
			if wrong := o.parse(w.lanes(idesc)[i], kind); wrong != "" {
				w.faultf(i, "%s", wrong)
				return
			}
			if o.check(w, i); w.err == nil {
				w.issueTensor(i, func() { o.compute(w, i) })
			}
		}
	}
}

// lane is where row r of A or the accumulator is in tensor memory: with 64
// rows, each quarter of the lanes has 16 of them.
func (o *tensorMma) lane(r int) int {
	if o.m == 64 {
		return r/16*32 + r%16
	}
	return r
}

// check looks at the operands when the operation is issued.
func (o *tensorMma) check(w *warp, i int) {
	o.place(w, i, o.to, o.n)
	if o.fromTensor {
		o.place(w, i, o.descA, o.k*o.ta.bits()/32)
	} else if _, wrong := tensorDescriptor(o.descA, o.transA, o.ta.bytes()); wrong != "" {
		w.faultf(i, "%s", wrong)
	}
	if _, wrong := tensorDescriptor(o.descB, o.transB, o.tb.bytes()); wrong != "" {
		w.faultf(i, "%s", wrong)
	}
}

// place checks where A or the accumulator is in tensor memory.
func (o *tensorMma) place(w *warp, i int, addr uint64, columns int) {
	if row, _, ok := w.cells(i, addr, o.lane(o.m-1)+1, columns); ok && row != 0 && (o.m != 64 || row != 16) {
		w.faultf(i, "a matrix of %d rows starts at lane %d of tensor memory", o.m, row)
	}
}

// compute performs the product.
func (o *tensorMma) compute(w *warp, i int) {
	mem := w.cta.tensor
	if mem.tile == nil {
		mem.tile = new(tensorTile)
	}
	t := mem.tile
	w.async = true
	defer func() { w.async = false }()
	if o.fromTensor {
		load, bits, row, column := elementValue(o.ta), o.ta.bits(), int(o.descA>>16), int(o.descA&0xffff)
		for r := range o.m {
			for k := range o.k {
				v := uint64(mem.data[row+o.lane(r)][column+k*bits/32]) >> (k * bits % 32) & mask(bits)
				t.a[r*o.k+k] = load(v)
			}
		}
	} else {
		m, _ := tensorDescriptor(o.descA, o.transA, o.ta.bytes())
		m.gather(w, 0, o.m, o.k, t.a[:], elementValue(o.ta), func(r, k int) int { return r*o.k + k })
	}
	m, _ := tensorDescriptor(o.descB, o.transB, o.tb.bytes())
	m.gather(w, 0, o.n, o.k, t.b[:], elementValue(o.tb), func(r, k int) int { return k*o.n + r })
	if w.err != nil {
		return
	}
	row, column := int(o.to>>16), int(o.to&0xffff)
	load := elementValue(o.td)
	for r := range o.m {
		for c := range o.n {
			v := 0.0
			if o.keep {
				v = load(uint64(mem.data[row+o.lane(r)][column+c])&mask(o.td.bits())) * o.scale
			}
			t.c[r*o.n+c] = v
		}
	}
	if o.signA*o.signB < 0 {
		for i := range t.a[:o.m*o.k] {
			t.a[i] = -t.a[i]
		}
	}
	multiply(o.shape, t.a[:], t.b[:], t.c[:])
	for r := range o.m {
		lane := row + o.lane(r)
		if o.disabled[lane/32]>>(lane%32)&1 == 1 {
			continue
		}
		for c := range o.n {
			mem.data[lane][column+c] = uint32(o.result(t.c[r*o.n+c]))
		}
	}
}

// result rounds an element of the accumulator.
func (o *tensorMma) result(x float64) uint64 {
	switch o.td {
	case tF32:
		return canon(float32(x))
	case tS32:
		if o.saturate {
			return clampInt(int64(x), 32)
		}
		return uint64(int64(x)) & mask(32)
	}
	return fmtF16.round(x, rnNearest)
}
