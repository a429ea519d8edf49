package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/num"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// A copyShape is a shape of tcgen05.cp.
type copyShape struct {
	rows, bytes int                 // of the matrix, and of a row, in shared memory
	lanes       func(row int) []int // to which a row goes
}

// PTX ISA, "tcgen05.cp".
var copyShapes = map[string]copyShape{
	"128x256b":             {128, 32, func(r int) []int { return []int{r} }},
	"128x128b":             {128, 16, func(r int) []int { return []int{r} }},
	"4x256b":               {4, 32, func(r int) []int { return []int{32 * r} }},
	"64x128bwarpx2::02_13": {64, 16, func(r int) []int { return []int{r, r + 64} }},
	"64x128bwarpx2::01_23": {64, 16, func(r int) []int { return []int{r%32 + r/32*64, r%32 + r/32*64 + 32} }},
	"32x128bwarpx4":        {32, 16, func(r int) []int { return []int{r, r + 32, r + 64, r + 96} }},
}

// widen turns 16 elements of four or six bits and their padding into bytes ("Optional Decompression"). An element of
// four bits goes to bits 2 to 5, one of six bits to bits 1 to 6.
func widen(b []byte, bits int) (out [16]byte) {
	shift := (8 - bits) / 2
	for i := range out {
		at := i * bits
		two := uint(b[at/8]) | uint(b[at/8+1])<<8 // the last byte is padding
		out[i] = byte(two >> (at % 8) & (1<<bits - 1) << shift)
	}
	return out
}

// A copyForm is a decoded tcgen05.cp.
type copyForm struct {
	copyShape
	pair   bool
	packed int     // bits of packed elements; 0: bytes as they are
	to     [][]int // the lanes of each row
	addr   decode.Addr
	desc   machine.Src
}

// decodeCopy decodes tcgen05.cp: a matrix of shared memory, with its rows contiguous, goes to TMEM. Each CTA of a pair
// copies from its own shared memory to its own TMEM.
//
// The warpx2 and warpx4 forms write a row to several lanes: each quarter of the datapath needs the scale factors.
func decodeCopy(d *decode.Decoder, pair bool) {
	shape := d.OneOf("128x256b", "128x128b", "4x256b", "64x128b", "32x128b")
	s, ok := copyShapes[shape+d.OneOf("warpx2::02_13", "warpx2::01_23", "warpx4")]
	if !ok {
		d.Fail("'tcgen05.cp' with this shape and multicast does not exist")
	}
	c := &copyForm{copyShape: s, pair: pair}
	c.packed = map[string]int{"b6x16_p32": 6, "b4x16_p64": 4}[d.OneOf("b6x16_p32", "b4x16_p64")]
	if d.Opt("b8x16") != (c.packed != 0) {
		d.Fail("'tcgen05.cp' needs '.b8x16' with '.b6x16_p32' or '.b4x16_p64'")
	}
	for r := range c.rows {
		c.to = append(c.to, c.lanes(r))
	}
	d.ReadsShared()
	args := d.Args(2)
	c.addr, c.desc = d.Addr(args[0]), d.Src(args[1], syntax.B64)
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			c.issue(w, machine.Next(&m))
		}
	}
}

// issue checks the copy of one lane and queues it. Shared memory is read when the copy takes effect.
func (c *copyForm) issue(w *machine.Warp, i int) {
	from, wrong := parseDescriptor(w.Lanes(c.desc)[i], false, 16)
	if wrong == "" {
		wrong = from.fits(c.bytes)
	}
	if wrong != "" {
		w.Faultf(i, "%s", wrong)
		return
	}
	ctas := pairOf(w, i, c.pair)
	var row, column int
	for _, x := range ctas {
		if row, column, _ = cellsOf(w, x, i, c.addr.Lane(w, w.Lanes(c.addr.Base), i)&num.Mask(32), 1, c.bytes/4); w.Err != nil {
			return
		}
	}
	if row != 0 {
		w.Faultf(i, "'tcgen05.cp' starts at lane %d of TMEM, not at 0", row)
	}
	if w.Err != nil {
		return
	}
	c.report(w, i, ctas, &from, column)
	enqueue(w, i, func() {
		if !peersLive(w, i, ctas) {
			return
		}
		w.Async = true // the reads of shared memory go through the async proxy
		defer func() { w.Async = false }()
		for _, x := range ctas {
			if !c.copyTo(w, i, x, &from, column) {
				return
			}
		}
	})
}

// copyTo copies the matrix within one CTA, in units of 16 bytes, of which shared memory may swizzle the order.
func (c *copyForm) copyTo(w *machine.Warp, i int, x *machine.CTA, from *matrix, column int) bool {
	for r := range c.rows {
		for at := 0; at < c.bytes; at += 16 {
			b := w.At(syntax.Shared, x.Window()+from.at(uint64(r), uint64(at)), 16, i, false)
			if b == nil {
				return false
			}
			unit := [16]byte(b)
			if c.packed != 0 {
				unit = widen(b, c.packed)
			}
			for _, lane := range c.to[r] {
				for k := range 4 {
					memoryOf(x).data[lane][column+at/4+k] = uint32(machine.Load(unit[4*k:][:4]))
				}
			}
		}
	}
	return true
}

// decodeShift decodes tcgen05.shift of the 32 lanes of a warp.
func decodeShift(d *decode.Decoder, pair bool) {
	if !d.Opt("down") {
		d.Fail("'tcgen05.shift' needs .down")
	}
	to := d.Addr(d.Args(1)[0])
	issue := func(w *machine.Warp, i int) {
		ctas := pairOf(w, i, pair)
		var row, column int
		for _, x := range ctas {
			if row, column, _ = cellsOf(w, x, i, to.Lane(w, w.Lanes(to.Base), i)&num.Mask(32), 32, 8); w.Err != nil {
				return
			}
		}
		if row%32 != 0 {
			w.Faultf(i, "'tcgen05.shift' starts at lane %d of TMEM, which is not a multiple of 32", row)
		}
		if w.Err != nil {
			return
		}
		w.Begin(machine.TensorCore, 1<<i, true)
		for _, x := range ctas {
			w.Cells(x, row, 32, column, 8, true)
		}
		w.End()
		enqueue(w, i, func() {
			if !peersLive(w, i, ctas) {
				return
			}
			for _, x := range ctas {
				memoryOf(x).shiftRows(row, 32, column)
			}
		})
	}
	d.Inst.Exec = func(w *machine.Warp, m uint32) {
		for m != 0 && w.Err == nil {
			issue(w, machine.Next(&m))
		}
	}
}
