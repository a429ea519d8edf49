package cse

import "github.com/tilewright/tilewright/ir"

// An entry is an operation that later ones may be replaced by.
//
// Entries of one hash form a list through the slice, newest first: the collector sees one slice and one map of
// integers.
type entry struct {
	op     ir.Op
	reads  bool
	writes int // how many operations before it in its block may write

	hash uint64
	next int // the entry of the same hash that was added before, or 0
}

// A table maps hashes to operations, in scopes: leave forgets what was added since enter.
type table struct {
	last    map[uint64]int // the entry of a hash that was added last
	entries []entry        // in the order of addition, from 1
	scopes  []int          // lengths of entries at enter
}

func newTable() *table { return &table{last: make(map[uint64]int), entries: make([]entry, 1)} }

func (t *table) enter() { t.scopes = append(t.scopes, len(t.entries)) }

// Backwards, so that of several entries of one hash the oldest is restored last. That costs what was added, where a
// map for each scope would cost a look-up in each one around.
func (t *table) leave() {
	n := t.scopes[len(t.scopes)-1]
	t.scopes = t.scopes[:len(t.scopes)-1]
	for i := len(t.entries) - 1; i >= n; i-- {
		if e := &t.entries[i]; e.next != 0 {
			t.last[e.hash] = e.next
		} else {
			delete(t.last, e.hash)
		}
	}
	t.entries = t.entries[:n]
}

func (t *table) add(e entry) {
	e.next = t.last[e.hash]
	t.last[e.hash] = len(t.entries)
	t.entries = append(t.entries, e)
}
