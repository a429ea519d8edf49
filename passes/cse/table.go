package cse

import "github.com/tilewright/tilewright/ir"

// An entry is an operation that later ones may be replaced by.
type entry struct {
	op     ir.Op
	reads  bool
	writes int // how many operations before it in its block may write
}

// A table maps hashes to operations, in scopes: leave forgets what was added since enter.
type table struct {
	entries map[uint64][]entry
	added   []uint64 // hashes in the order of addition
	scopes  []int    // lengths of added at enter
}

func newTable() *table { return &table{entries: make(map[uint64][]entry)} }

func (t *table) enter() { t.scopes = append(t.scopes, len(t.added)) }

func (t *table) leave() {
	n := t.scopes[len(t.scopes)-1]
	t.scopes = t.scopes[:len(t.scopes)-1]
	for i := len(t.added) - 1; i >= n; i-- {
		h := t.added[i]
		if list := t.entries[h]; len(list) > 1 {
			t.entries[h] = list[:len(list)-1]
		} else {
			delete(t.entries, h)
		}
	}
	t.added = t.added[:n]
}

// find returns the known operations of a hash: one, unless hashes happen to be equal.
func (t *table) find(h uint64) []entry { return t.entries[h] }

func (t *table) add(h uint64, e entry) {
	t.entries[h] = append(t.entries[h], e)
	t.added = append(t.added, h)
}
