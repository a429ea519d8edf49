package tcgen05

import (
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// The accesses of an operation are reported for the check of synchronisation when it is issued. They are in place then,
// and reported in the order of the program.

// report says what an MMA accesses.
func (o *execution) report(i int) {
	w := o.w
	if !w.Watched() {
		return
	}
	w.Begin(machine.TensorCore, 1<<i, true)
	defer w.End()
	w.Async = true
	defer func() { w.Async = false }()
	stored, share := o.K, o.N/len(o.ctas)
	if o.sparse {
		stored /= 2
	}
	for _, c := range o.ctas {
		o.b.touch(w, i, c.Window(), o.mask.shift, share, o.K)
		if o.fromTMEM {
			o.lanes(func(row, rows int) { w.Cells(c, o.atA.row+row, rows, o.atA.column, stored*o.ta.held/32, false) })
		} else {
			o.a.touch(w, i, c.Window(), 0, o.path.rows, stored)
		}
		if o.sparse {
			o.lanes(func(row, rows int) { w.Cells(c, o.atMeta.row+row, rows, o.atMeta.column, 1, false) })
		}
		if o.kind.scaled {
			w.Cells(c, 0, memoryLanes, o.atSA.column, (o.path.rows+31)/32, false)
			w.Cells(c, 0, memoryLanes, o.atSB.column, (o.N/o.path.parts+31)/32, false)
		}
		// What is added to is read too, but a write is in conflict with all that a read is.
		o.lanes(func(row, rows int) { w.Cells(c, o.atD.row+row, rows, o.atD.column, o.N/o.path.parts, true) })
	}
}

// lanes visits the lanes of an accumulator of the datapath, from its first one.
func (o *execution) lanes(visit func(row, rows int)) {
	if !o.path.half {
		visit(0, memoryLanes)
		return
	}
	for row := 0; row < memoryLanes; row += 32 {
		visit(row, 16)
	}
}

// touch accesses what gather reads.
func (m *matrix) touch(w *machine.Warp, lane int, window uint64, first, rows, k int) {
	per := int(m.per)
	dr, dk := 1, per
	if m.major {
		first, rows = first/per*per, rows+first%per
		dr, dk = per, 1
	}
	for r := 0; r < rows; r += dr {
		for c := 0; c < k; c += dk {
			if w.At(syntax.Shared, window+m.at(uint64(first+r), uint64(c)), 16, lane, false) == nil {
				return
			}
		}
	}
}

// report says what a copy accesses.
func (c *copyForm) report(w *machine.Warp, i int, ctas []*machine.CTA, from *matrix, column int) {
	if !w.Watched() {
		return
	}
	w.Begin(machine.TensorCore, 1<<i, true)
	defer w.End()
	w.Async = true
	defer func() { w.Async = false }()
	for _, x := range ctas {
		n := 0
		for r := range c.rows {
			for at := 0; at < c.bytes; at += 16 {
				if w.At(syntax.Shared, x.Window()+from.at(uint64(r), uint64(at)), 16, i, false) == nil {
					return
				}
			}
			n += len(c.to[r])
		}
		if n == memoryLanes {
			w.Cells(x, 0, memoryLanes, column, c.bytes/4, true)
			continue
		}
		for _, lanes := range c.to {
			for _, lane := range lanes {
				w.Cells(x, lane, 1, column, c.bytes/4, true)
			}
		}
	}
}

// report says what a load or store accesses.
func (mv *move) report(w *machine.Warp, s machine.Stream, row, column int, write bool) {
	if !w.Watched() {
		return
	}
	columns := mv.columns
	if mv.packed {
		columns *= 2
	}
	w.Begin(s, machine.Full, false)
	w.Cells(w.CTA, row, mv.rows, column, columns, write)
	if mv.split > 0 {
		w.Cells(w.CTA, row, mv.rows, column+mv.split, columns, write)
	}
	w.End()
}
