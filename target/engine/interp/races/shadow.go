package races

import (
	"math/bits"
	"slices"
)

// A shadow has a record for each position of memory. Positions that were accessed alike have one record together.
//
//	load of 64 elements of f32 at 0x1000    one run, [0x1000, 0x1100), record {1}
//	store of 4 bytes at 0x1040              [0x1000, 0x1040) {1}, [0x1040, 0x1044) {2}, [0x1044, 0x1100) {1}
//
// A row of a tile is one run, so that a tile costs as many runs as it has rows. Records are pointers to what is never
// changed: two runs are alike if their pointers are. The zero record says that nothing has accessed a position.
//
// Gathers and scatters at random would make a run of each element. Pages with many runs are therefore flat: a list of
// the records of all elements.
type shadow[R comparable] struct {
	pages  map[uint64]*page[R]
	number uint64 // of the page used last
	last   *page[R]
	free   []*page[R]
	out    []run[R] // scratch of set
}

// pageBits bounds the runs that a new one moves: each page has a list of its own.
const (
	pageBits = 14
	pageSize = 1 << pageBits
)

// maxRuns is how many runs a page may have before it becomes flat. In BenchmarkChecks 64, 128 and 256 are alike for tiles
// (6.7 to 7.0 ns an element). For gathers 128 was best in two runs of each: 350 to 440 ns, else 520 to 580.
const maxRuns = 128

// someRuns is how many runs a page has room for from the beginning: tiles of a few rows each do not move them again.
const someRuns = 16

// A page is the runs in pageSize positions, in order. No two overlap, and two that touch have different records.
type page[R comparable] struct {
	runs []run[R]
	flat []R  // if not nil: instead of runs, the record of each element
	unit uint // of flat: an element has 1 << unit positions
}

type run[R comparable] struct {
	from, to uint16 // in the page; pageSize at most
	record   R
}

// find returns the page of a position. It makes one if there is none and make is set.
func (s *shadow[R]) find(number uint64, make bool) *page[R] {
	if s.last != nil && s.number == number {
		return s.last
	}
	p := s.pages[number]
	if p == nil {
		if !make {
			return nil
		}
		p = s.fresh()
		s.pages[number] = p
	}
	s.number, s.last = number, p
	return p
}

func (s *shadow[R]) fresh() *page[R] {
	if s.pages == nil {
		s.pages = make(map[uint64]*page[R])
	}
	if n := len(s.free); n > 0 {
		p := s.free[n-1]
		s.free = s.free[:n-1]
		return p
	}
	return &page[R]{runs: make([]run[R], 0, someRuns)}
}

// reset forgets all records.
func (s *shadow[R]) reset() {
	for _, p := range s.pages {
		clear(p.runs)
		p.runs, p.flat = p.runs[:0], nil
		s.free = append(s.free, p)
	}
	clear(s.pages)
	s.last = nil
}

// after returns the number of the first run that ends after a place.
func (p *page[R]) after(place uint16) int {
	lo, hi := 0, len(p.runs)
	for lo < hi {
		if mid := (lo + hi) / 2; p.runs[mid].to > place {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// within calls f with the records of positions from first to before end, in order. It stops at an error.
func (s *shadow[R]) within(first, end uint64, f func(R) error) error {
	for at := first; at < end; {
		next := min(end, at&^(pageSize-1)+pageSize)
		if p := s.find(at>>pageBits, false); p != nil {
			from, to := uint16(at%pageSize), uint16(next-at&^(pageSize-1))
			if p.flat != nil {
				for _, r := range p.flat[from>>p.unit : (to-1)>>p.unit+1] {
					if err := f(r); err != nil {
						return err
					}
				}
			}
			for i := p.after(from); i < len(p.runs) && p.runs[i].from < to; i++ {
				if err := f(p.runs[i].record); err != nil {
					return err
				}
			}
		}
		at = next
	}
	return nil
}

// warm looks at the records of places of which most are in flat pages, and returns how many there are. Lookups of one
// list wait for memory together; lookups with a decision between them wait one after another.
func (s *shadow[R]) warm(places []uint64) (n int) {
	var none R
	for _, at := range places {
		if p := s.find(at>>pageBits, false); p != nil && p.flat != nil && p.flat[at%pageSize>>p.unit] != none {
			n++
		}
	}
	return n
}

// update replaces the record of each position from first to before end by f of it. The zero record removes.
func (s *shadow[R]) update(first, end uint64, f func(R) R) {
	for at := first; at < end; {
		next := min(end, at&^(pageSize-1)+pageSize)
		s.set(s.find(at>>pageBits, true), uint16(at%pageSize), uint16(next-at&^(pageSize-1)), f)
		at = next
	}
}

func (s *shadow[R]) set(p *page[R], from, to uint16, f func(R) R) {
	if p.flat != nil {
		p.setFlat(from, to, f)
		return
	}
	var none R
	first := p.after(from)
	if first < len(p.runs) && p.runs[first].from == from && p.runs[first].to == to { // most often: the same row again
		if r := f(p.runs[first].record); r == p.runs[first].record {
			return
		}
	}
	if (first == len(p.runs) || p.runs[first].from > to) && (first == 0 || p.runs[first-1].to < from) { // most often of gathers
		if r := f(none); r != none {
			if p.runs = slices.Insert(p.runs, first, run[R]{from, to, r}); len(p.runs) > maxRuns {
				p.flatten()
			}
		}
		return
	}
	// The runs that touch the range take part, so that what is alike becomes one.
	lo, out := first, s.out[:0]
	if lo > 0 && p.runs[lo-1].to == from {
		lo--
		out = append(out, p.runs[lo])
	}
	add := func(from, to uint16, r R) {
		if n := len(out); r == none || from == to {
		} else if n > 0 && out[n-1].to == from && out[n-1].record == r {
			out[n-1].to = to
		} else {
			out = append(out, run[R]{from, to, r})
		}
	}
	at, hi := from, first
	for ; hi < len(p.runs) && p.runs[hi].from < to; hi++ {
		r := p.runs[hi]
		if r.from < from {
			add(r.from, from, r.record)
			r.from = from
		} else if at < r.from {
			add(at, r.from, f(none))
		}
		at = min(r.to, to)
		add(r.from, at, f(r.record))
		add(at, r.to, r.record)
	}
	if at < to {
		add(at, to, f(none))
	}
	if hi < len(p.runs) && p.runs[hi].from == to {
		add(to, p.runs[hi].to, p.runs[hi].record)
		hi++
	}
	p.runs = slices.Replace(p.runs, lo, hi, out...)
	s.out = out
	if len(p.runs) > maxRuns {
		p.flatten()
	}
}

// flatten makes a page flat, of elements as large as its runs permit.
func (p *page[R]) flatten() {
	at := uint(pageSize)
	for _, r := range p.runs {
		at |= uint(r.from | r.to)
	}
	p.unit = uint(bits.TrailingZeros(at))
	p.flat = make([]R, pageSize>>p.unit)
	for _, r := range p.runs {
		for i := r.from >> p.unit; i < r.to>>p.unit; i++ {
			p.flat[i] = r.record
		}
	}
	clear(p.runs)
	p.runs = p.runs[:0]
}

// setFlat is set of a flat page. If all its positions become alike it has one run again.
func (p *page[R]) setFlat(from, to uint16, f func(R) R) {
	if at := uint(from | to); at&(1<<p.unit-1) != 0 { // smaller elements
		old, unit := p.flat, p.unit
		p.unit = uint(bits.TrailingZeros(at))
		p.flat = make([]R, pageSize>>p.unit)
		for i := range p.flat {
			p.flat[i] = old[i>>(unit-p.unit)]
		}
	}
	part := p.flat[from>>p.unit : to>>p.unit]
	for i, r := range part {
		part[i] = f(r)
	}
	if len(part) < len(p.flat) || slices.ContainsFunc(part, func(r R) bool { return r != part[0] }) {
		return
	}
	var none R
	if p.flat = nil; part[0] != none {
		p.runs = append(p.runs, run[R]{0, pageSize, part[0]})
	}
}

// A memo remembers what the current event makes of records. The rows of a tile usually meet one or two, so that they
// share the result too.
type memo[R comparable] struct {
	from, to [4]R
	n        int // how many have been put in
}

// of returns what is remembered of a record.
func (m *memo[R]) of(r R) (to R, ok bool) {
	for i := range min(m.n, len(m.from)) {
		if m.from[i] == r {
			return m.to[i], true
		}
	}
	return to, false
}

// made returns what is remembered to have become of records.
func (m *memo[R]) made() []R { return m.to[:min(m.n, len(m.to))] }

// put remembers one more. The oldest one goes.
func (m *memo[R]) put(from, to R) {
	i := m.n % len(m.from)
	m.from[i], m.to[i] = from, to
	m.n++
}

func (m *memo[R]) forget() { m.n = 0 }
