package modulo

// A table is a modulo reservation table: the rows on which each unit is taken.
//
// A search asks far more often whether an operation fits than it places one. So the rows are a bit set, of which a query
// reads a few words, whatever the II. No use is longer than II, which is at least ResMII.
type table struct {
	p     *Problem
	ii    int
	taken [][]uint64 // [unit]: a bit for each row
}

func newTable(p *Problem, ii int) *table {
	t := &table{p: p, ii: ii, taken: make([][]uint64, len(p.Units))}
	words := (ii + 63) / 64
	sets := make([]uint64, len(p.Units)*words)
	for u := range t.taken {
		t.taken[u] = sets[u*words:][:words]
	}
	return t
}

// add adds the uses of an operation at a cycle to the table. The same call once more removes them.
func (t *table) add(op, cycle int) {
	for _, use := range t.p.Ops[op].Uses {
		row := (cycle + use.At) % t.ii
		for range use.Cycles {
			t.taken[use.Unit][row/64] ^= 1 << (row % 64)
			if row++; row == t.ii {
				row = 0
			}
		}
	}
}

// free reports whether an operation can start at the cycle, given those in the table.
func (t *table) free(op, cycle int) bool {
	for _, use := range t.p.Ops[op].Uses {
		if t.anyTaken(use.Unit, (cycle+use.At)%t.ii, use.Cycles) {
			return false
		}
	}
	return true
}

// anyTaken reports whether a unit is taken on one of n rows from at on, around the end of the table.
func (t *table) anyTaken(unit, at, n int) bool {
	if rest := t.ii - at; n > rest {
		return t.anyTaken(unit, at, rest) || t.anyTaken(unit, 0, n-rest)
	}
	set := t.taken[unit]
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

// meets reports whether two operations at those cycles use a unit on the same row.
func (t *table) meets(a, cycleA, b, cycleB int) bool {
	for _, x := range t.p.Ops[a].Uses {
		for _, y := range t.p.Ops[b].Uses {
			from, to := cycleA+x.At, cycleB+y.At
			if x.Unit == y.Unit && (Mod(to-from, t.ii) < x.Cycles || Mod(from-to, t.ii) < y.Cycles) {
				return true
			}
		}
	}
	return false
}
