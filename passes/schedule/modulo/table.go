package modulo

// A table is a modulo reservation table: how many copies of each unit are taken on each row, and by whom.
type table struct {
	p    *Problem
	ii   int
	busy [][]int // [unit][row]
}

func newTable(p *Problem, ii int) *table {
	t := &table{p: p, ii: ii, busy: make([][]int, len(p.Units))}
	cells := make([]int, len(p.Units)*ii)
	for u := range t.busy {
		t.busy[u] = cells[u*ii:][:ii]
	}
	return t
}

// add puts the uses of an operation at a cycle into the table, or with by = -1 takes them out.
func (t *table) add(op, cycle, by int) {
	for _, use := range t.p.Ops[op].Uses {
		row := t.busy[use.Unit]
		// A use longer than II meets itself: each whole turn takes a copy on every row.
		if whole := use.Cycles / t.ii; whole > 0 {
			for r := range row {
				row[r] += by * whole
			}
		}
		at := (cycle + use.At) % t.ii
		for range use.Cycles % t.ii {
			row[at] += by
			if at++; at == t.ii {
				at = 0
			}
		}
	}
}

// free reports whether an operation can start at the cycle beside those in the table.
func (t *table) free(op, cycle int) bool {
	if len(t.p.Ops[op].Uses) == 0 {
		return true
	}
	t.add(op, cycle, 1)
	ok := true
	for _, use := range t.p.Ops[op].Uses {
		if !t.within(use, cycle) {
			ok = false
			break
		}
	}
	t.add(op, cycle, -1)
	return ok
}

// within reports whether the rows of a use are not overfull.
func (t *table) within(use Use, cycle int) bool {
	row, copies := t.busy[use.Unit], t.p.Units[use.Unit].Copies
	n := min(use.Cycles, t.ii)
	at := (cycle + use.At) % t.ii
	for range n {
		if row[at] > copies {
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
	d := ((b-a)%t.ii + t.ii) % t.ii // b starts d rows behind a
	return d < lenA || t.ii-d < lenB
}
