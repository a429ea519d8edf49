package mma

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/fp"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// blockScale consumes the modifiers of block scaling and checks them
// against the kind (PTX ISA, "Block Scaling for mma.sync", the table of the
// valid combinations).
//
// The size of a scale vector may be left out where the kind has only one.
func blockScale(d *decode.Decoder, f *mmaForm) {
	scaled := d.Opt("block_scale")
	name := d.OneOf("scale_vec::1X", "scale_vec::2X", "scale_vec::4X")
	want := f.kind == "kind::mxf8f6f4" || f.kind == "kind::mxf4" || f.kind == "kind::mxf4nvf4"
	if scaled != want || name != "" && !scaled {
		d.Fail("'mma' needs .block_scale with the kinds that scale, and only there")
	}
	if !scaled {
		return
	}
	f.ts = d.Type(syntax.UE8M0, syntax.UE4M3)
	f.vectors = map[string]int{"scale_vec::1X": 1, "scale_vec::2X": 2, "scale_vec::4X": 4}[name]
	if name == "" {
		f.vectors = map[string]int{"kind::mxf8f6f4": 1, "kind::mxf4": 2}[f.kind]
	}
	ok := false
	switch f.kind {
	case "kind::mxf8f6f4":
		ok = f.vectors == 1 && f.ts == syntax.UE8M0
	case "kind::mxf4":
		ok = f.vectors == 2 && f.ts == syntax.UE8M0
	case "kind::mxf4nvf4":
		ok = f.vectors == 4 || f.vectors == 2 && f.ts == syntax.UE8M0
	}
	if !ok {
		d.Fail("'mma' with this kind, scale vector and type of scale is not supported")
	}
}

// newScaleOperand is the metadata of one operand's scale factors and the
// selectors of the bytes and of the threads in each group of four.
type scaleOperand struct {
	data, byteID, threadID machine.Src
	vectors, threads       int // number of scale factors along k; bound of threadID
	values                 *[256]float64
}

// scaleValues lists the values of a type of scale factors.
//
// The sign bit of ue4m3 does not exist, so that it is masked; ue8m0 has one NaN, which makes the products of its
// block NaN.
func scaleValues(t syntax.Type) *[256]float64 {
	values := new([256]float64)
	for i := range values {
		if values[i] = fp.FromUE8M0(uint64(i)); t == syntax.UE4M3 {
			values[i] = fp.E4M3.Decode(uint64(i) & 0x7f)
		}
	}
	return values
}

func newScaleOperand(d *decode.Decoder, f *mmaForm, data, selectors *syntax.Operand, threads int) *scaleOperand {
	ids := d.Elements(selectors, 2)
	if data.Kind == syntax.OpVector && len(data.List) == 1 {
		data = data.List[0] // NVIDIA's compilers write one register in braces, and ptxas takes both
	}
	s := &scaleOperand{data: d.Src(data, syntax.B32), byteID: d.Src(ids[0], syntax.U16), threadID: d.Src(ids[1], syntax.U16), vectors: f.vectors, threads: threads}
	s.values = scaleValues(f.ts)
	return s
}

// factors calls set with each scale factor of the row or column of a group of lanes. The
// arguments are the group, the thread's distance from the first contributing thread of its group (member), and the
// position along K (part). It returns false after a fault.
//
// The selectors are operands of each thread and must be equal in the warp. The ISA does not say what happens if they
// are not, so that is a fault.
func (s *scaleOperand) factors(w *machine.Warp, members int, set func(group, member, part int, x float64)) bool {
	data, byteID, threadID := w.Lanes(s.data), w.Lanes(s.byteID), w.Lanes(s.threadID)
	b, t := byteID[0]&0xffff, threadID[0]&0xffff
	for lane := range machine.WarpSize {
		if byteID[lane]&0xffff != b || threadID[lane]&0xffff != t {
			w.Faultf(lane, "the selectors of a scale differ between the lanes")
			return false
		}
	}
	if b%uint64(s.vectors) != 0 || b+uint64(s.vectors) > 4 || t >= uint64(s.threads) {
		w.Faultf(0, "byte %d and thread %d cannot select %d scale factors", b, t, s.vectors)
		return false
	}
	for group := range 8 {
		for member := range members {
			v := data[group*4+int(t)*members+member]
			for part := range s.vectors {
				set(group, member, part, s.values[v>>(8*(int(b)+part))&0xff])
			}
		}
	}
	return true
}

// scaleA scales the rows of A: of the two threads that contribute, the
// second has the row eight further down.
//
// Scaling an operand before the product is exact: a factor is a power of two or has four bits of mantissa, and an
// element has at most four. So nothing is lost by scaling here instead of scaling partial sums.
func scaleA(d *decode.Decoder, f *mmaForm, data, selectors *syntax.Operand) func(w *machine.Warp, t *tile) bool {
	s, k := newScaleOperand(d, f, data, selectors, 2), f.s.K
	length := k / s.vectors
	return func(w *machine.Warp, t *tile) bool {
		return s.factors(w, 2, func(group, member, part int, x float64) {
			row := t.a[(group+8*member)*k+part*length:][:length]
			for blocks := eights(row); len(blocks) > 0; blocks = blocks[1:] {
				b := &blocks[0]
				b[0], b[1], b[2], b[3] = b[0]*x, b[1]*x, b[2]*x, b[3]*x
				b[4], b[5], b[6], b[7] = b[4]*x, b[5]*x, b[6]*x, b[7]*x
			}
		})
	}
}

// scaleB scales the columns of B, each by the factors of one thread.
func scaleB(d *decode.Decoder, f *mmaForm, data, selectors *syntax.Operand) func(w *machine.Warp, t *tile) bool {
	s, k := newScaleOperand(d, f, data, selectors, 4), f.s.K
	return func(w *machine.Warp, t *tile) bool {
		var factors [4][8]float64 // by part and column
		if !s.factors(w, 1, func(group, _, part int, x float64) { factors[part&3][group&7] = x }) {
			return false
		}
		rows := eights(t.b[:k*8])
		for part := range s.vectors {
			x := &factors[part&3]
			part := rows[part*k/s.vectors : (part+1)*k/s.vectors]
			for i := range part {
				row := &part[i]
				for col := range x {
					row[col] *= x[col]
				}
			}
		}
		return true
	}
}
