package emu

// tensorMatrix is a matrix in shared memory as a matrix descriptor of
// tcgen05 gives it (PTX ISA, "Shared memory descriptor", "Strides",
// "Canonical Layouts"). Its unit is 16 bytes of neighbours in the contiguous
// dimension.
type tensorMatrix struct {
	start, lead, stride uint64
	width               uint64 // bytes of the swizzle; 0: none
	pattern             uint64 // where its pattern starts, modulo 1024, if there is one
	wide                bool   // the swizzle moves 32 bytes at once, not 16
	major               bool   // M or N is the contiguous dimension, not K
	per                 uint64 // elements of a unit
}

// tensorDescriptor splits a matrix descriptor into its fields.
func tensorDescriptor(v uint64, major bool, per int) (tensorMatrix, string) {
	m := tensorMatrix{
		start: v & mask(14) << 4, lead: v >> 16 & mask(14) << 4, stride: v >> 32 & mask(14) << 4,
		pattern: v >> 49 & 7 << 7, major: major, per: uint64(per),
	}
	switch v >> 61 {
	case 0:
	case 1:
		m.width, m.wide = 128, true
	case 2:
		m.width = 128
	case 4:
		m.width = 64
	case 6:
		m.width = 32
	default:
		return m, "the swizzling mode of the matrix descriptor does not exist"
	}
	switch {
	case v>>46&7 != 1:
		return m, "the constant in bits 46 to 48 of the matrix descriptor is not 1"
	case v>>53&0xff != 0 || v>>14&3 != 0 || v>>30&3 != 0:
		return m, "reserved bits of the matrix descriptor are set"
	case v>>52&1 != 0:
		// "Absolute address mode for K dimension being 48B".
		return m, "an absolute leading dimension in a matrix descriptor is for a K of 96, which is not supported"
	case m.wide && !major:
		// "Layout for swizzle atoms" has no such atom along K.
		return m, "the swizzling mode with atoms of 32 bytes needs a transposed matrix"
	}
	return m, ""
}

// fits reports whether rows of a number of bytes along K have room in the
// swizzle: a matrix with K as the contiguous dimension has no second stride.
func (m *tensorMatrix) fits(bytes int) string {
	if !m.major && m.width != 0 && m.start%m.width+uint64(bytes) > m.width {
		return "a row of the matrix is wider than the swizzling mode of its descriptor"
	}
	return ""
}

// at is the shared address of the unit with element (r, k), r along M or N.
// Without swizzle, memory consists of core matrices of 8 rows of 16 bytes;
// with it, of 8 rows (4 for the wide one) of the swizzle's width.
func (m *tensorMatrix) at(r, k uint64) uint64 {
	switch {
	case !m.major && m.width == 0:
		return m.start + r/8*m.stride + r%8*16 + k/m.per*m.lead
	case !m.major:
		return m.swizzle(m.start + r/8*m.stride + r%8*m.width + k/m.per*16)
	case m.width == 0:
		return m.start + r/m.per*m.stride + k/8*m.lead + k%8*16
	}
	rows := uint64(8)
	if m.wide {
		rows = 4
	}
	in := m.width / 16
	u := r / m.per
	return m.swizzle(m.start + u/in*m.lead + k/rows*m.stride + k%rows*m.width + u%in*16)
}

// swizzle exchanges chunks of a row of 128 bytes: the number of the chunk is
// xored with that of the row since the start of the pattern.
func (m *tensorMatrix) swizzle(addr uint64) uint64 {
	row := addr - m.pattern
	if m.wide {
		return addr ^ row>>2&0x60
	}
	return addr ^ row>>3&(m.width-16)
}

// gather reads rows [first, first+rows) with k columns. Element (r, c) goes
// to out[(r-first)*rowStep+c*kStep]. The matrix is in the shared memory
// whose addresses start at window.
func (m *tensorMatrix) gather(w *warp, lane int, window uint64, first, rows, k int, t *tensorType, out []float64, rowStep, kStep int) {
	per := int(m.per)
	var v [32]float64
	if m.major {
		for r := first / per * per; r < first+rows; r += per {
			for c := range k {
				b := w.at(spShared, window+m.at(uint64(r), uint64(c)), 16, lane, false)
				if b == nil {
					return
				}
				t.unit(b, &v)
				for e := max(0, first-r); e < per && r+e < first+rows; e++ {
					out[(r+e-first)*rowStep+c*kStep] = v[e]
				}
			}
		}
		return
	}
	for r := range rows {
		for c := 0; c < k; c += per {
			b := w.at(spShared, window+m.at(uint64(first+r), uint64(c)), 16, lane, false)
			if b == nil {
				return
			}
			t.unit(b, &v)
			for e := range min(per, k-c) {
				out[r*rowStep+(c+e)*kStep] = v[e]
			}
		}
	}
}

// tensorType is a type of the elements of A and B and how they are packed
// ("Packing formats of elements in Tensor and Shared memory").
type tensorType struct {
	t      scalar
	per    int // elements in 16 bytes of shared memory
	packed int // bits from one to the next there
	held   int // bits from one to the next in tensor memory
	shift  int // of an element in its place in tensor memory
	values *[256]float64
	load   func(uint64) float64
}

// newTensorType describes a type; dense tells that elements of four bits
// have no padding, as those of .kind::mxf4 and .kind::mxf4nvf4. The places
// of padded elements in tensor memory are bits 2 to 5 and 1 to 6 of a byte.
func newTensorType(t scalar, dense bool) *tensorType {
	bits := t.bits()
	x := &tensorType{t: t, per: 128 / max(bits, 8), packed: bits, held: max(bits, 8)}
	switch {
	case bits > 8:
		x.load = elementValue(t)
		return x
	case dense:
		x.per, x.held = 32, 4
	case bits == 4:
		x.shift = 2
	case bits == 6:
		x.shift = 1
	}
	x.values = new([256]float64)
	for i := range x.values {
		v := uint64(i) & mask(bits)
		if t.integer() {
			x.values[i] = elementValue(t)(v)
		} else {
			x.values[i] = operandFormats[t].decode(v)
		}
	}
	return x
}

// unit converts 16 bytes of shared memory.
func (t *tensorType) unit(b []byte, v *[32]float64) {
	switch t.packed {
	case 32:
		for i := range 4 {
			v[i] = t.load(get(b[4*i:][:4]))
		}
	case 16:
		for i := range 8 {
			v[i] = t.load(get(b[2*i:][:2]))
		}
	case 8:
		for i, x := range b[:16] {
			v[i] = t.values[x]
		}
	case 6: // 12 bytes and four of padding
		for i := range 16 {
			at := 6 * i
			v[i] = t.values[uint8((uint(b[at/8])|uint(b[at/8+1])<<8)>>(at%8))]
		}
	default: // 16 bytes, or eight and eight of padding
		for i := range t.per {
			v[i] = t.values[b[i/2]>>(4*(i%2))]
		}
	}
}

// from converts element k of a row in tensor memory.
func (t *tensorType) from(row []uint32, k int) float64 {
	raw := uint64(row[k*t.held/32]) >> (k * t.held % 32) & mask(t.held)
	if t.values != nil {
		return t.values[raw>>t.shift]
	}
	return t.load(raw)
}
