package ir

// A table stores records in pages that are never moved, so that a record's address stays valid while the table grows.
// Index 0 is never handed out: it stands for "none" in every record field.
type table[T any] struct {
	pages []*[pageSize]T
	n     uint32
}

const (
	pageBits = 7 // small enough that an arena of a few operations is cheap
	pageSize = 1 << pageBits
	pageMask = pageSize - 1
)

// alloc returns the index of the first of n new consecutive zero records.
func (t *table[T]) alloc(n uint32) uint32 {
	if t.n == 0 {
		t.n = 1
	}
	first := t.n
	t.n += n
	for uint64(len(t.pages))<<pageBits < uint64(t.n) {
		t.pages = append(t.pages, new([pageSize]T))
	}
	return first
}

func (t *table[T]) at(i uint32) *T { return &t.pages[i>>pageBits][i&pageMask] }

// bytes returns the memory that the pages take.
func (t *table[T]) bytes(recordSize int) int { return len(t.pages) * pageSize * recordSize }
