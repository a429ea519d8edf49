package modulo

import (
	"math/bits"
	"slices"
)

// A table is a modulo reservation table: how many copies of each unit are used on each row.
//
// A search asks far more often whether an operation fits than it places one. So the rows on which a unit has no free
// copy are also a bit set. A query then reads a few words, whatever the II.
type table struct {
	p    *Problem
	ii   int
	busy [][]int32  // [unit][row]
	full [][]uint64 // [unit]: a bit for each row on which all copies are taken
}

func newTable(p *Problem, ii int) *table {
	t := &table{p: p, ii: ii, busy: make([][]int32, len(p.Units)), full: make([][]uint64, len(p.Units))}
	words := (ii + 63) / 64
	cells, sets := make([]int32, len(p.Units)*ii), make([]uint64, len(p.Units)*words)
	for u := range t.busy {
		t.busy[u], t.full[u] = cells[u*ii:][:ii], sets[u*words:][:words]
	}
	return t
}

// add adds the uses of an operation at a cycle to the table, or with by = -1 removes them.
func (t *table) add(op, cycle int, by int32) {
	for _, use := range t.p.Ops[op].Uses {
		// A use longer than II overlaps itself: each full II takes a copy on every row.
		if whole := use.Cycles / t.ii; whole > 0 {
			for r := range t.ii {
				t.take(use.Unit, r, by*int32(whole))
			}
		}
		at := (cycle + use.At) % t.ii
		for range use.Cycles % t.ii {
			t.take(use.Unit, at, by)
			if at++; at == t.ii {
				at = 0
			}
		}
	}
}

func (t *table) take(unit, row int, by int32) {
	n := t.busy[unit][row] + by
	t.busy[unit][row] = n
	if word := &t.full[unit][row/64]; int(n) >= t.p.Units[unit].Copies {
		*word |= 1 << (row % 64)
	} else {
		*word &^= 1 << (row % 64)
	}
}

// free reports whether an operation can start at the cycle, given those in the table.
func (t *table) free(op, cycle int) bool {
	uses := t.p.Ops[op].Uses
	for _, use := range uses {
		if use.Cycles > 0 && t.anyFull(use.Unit, (cycle+use.At)%t.ii, min(use.Cycles, t.ii)) {
			return false
		}
	}
	// The bit sets do not count the operation's own uses. An operation with several on one row is added on trial
	// instead.
	if !meetsItself(uses, t.ii) {
		return true
	}
	t.add(op, cycle, 1)
	defer t.add(op, cycle, -1)
	return !slices.ContainsFunc(uses, func(use Use) bool { return !t.within(use, cycle) })
}

// anyFull reports whether one of n rows from at on, around the end of the table, has no free copy.
func (t *table) anyFull(unit, at, n int) bool {
	if rest := t.ii - at; n > rest {
		return t.anyFull(unit, at, rest) || t.anyFull(unit, 0, n-rest)
	}
	set := t.full[unit]
	for n > 0 {
		shift := at % 64
		k := min(n, 64-shift)
		if set[at/64]>>shift<<(64-k) != 0 {
			return true
		}
		at, n = at+k, n-k
	}
	return false
}

// meetsItself reports whether an operation may take two copies of a unit on a row: it uses the unit twice, or longer
// than II.
func meetsItself(uses []Use, ii int) bool {
	var seen uint64
	for _, use := range uses {
		if use.Cycles > ii || use.Unit >= bits.UintSize || seen>>use.Unit&1 != 0 {
			return true
		}
		seen |= 1 << use.Unit
	}
	return false
}

// within reports whether the rows of a use have no more uses than copies.
func (t *table) within(use Use, cycle int) bool {
	row, copies := t.busy[use.Unit], t.p.Units[use.Unit].Copies
	n := min(use.Cycles, t.ii)
	at := (cycle + use.At) % t.ii
	for range n {
		if int(row[at]) > copies {
			return false
		}
		if at++; at == t.ii {
			at = 0
		}
	}
	return true
}

// meets reports whether two operations at those cycles use a unit on the same row.
func (t *table) meets(a, cycleA, b, cycleB int) bool {
	for _, x := range t.p.Ops[a].Uses {
		for _, y := range t.p.Ops[b].Uses {
			if x.Unit == y.Unit && x.Cycles > 0 && y.Cycles > 0 && t.overlap(cycleA+x.At, x.Cycles, cycleB+y.At, y.Cycles) {
				return true
			}
		}
	}
	return false
}

func (t *table) overlap(a, lenA, b, lenB int) bool {
	if lenA >= t.ii || lenB >= t.ii {
		return true
	}
	d := ((b-a)%t.ii + t.ii) % t.ii // b starts d rows after a
	return d < lenA || t.ii-d < lenB
}
