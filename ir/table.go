package ir

import "unsafe"

// A table stores records in pages, so that it grows without copying what it holds. The first page is the exception: it
// starts small and doubles until it is as large as the others. There is an arena for each isolated operation, and many
// of those are small. Hence the address of a record is good only until the next alloc of its table.
//
// Index 0 is never handed out: it stands for "none" in every record field.
type table[T any] struct {
	pages [][]T
	room  uint64 // how many records the pages hold
	n     uint32
}

// docs/measurements/ir-storage.md has the measurements that decided these sizes.
const (
	pageBits      = 10
	pageSize      = 1 << pageBits
	pageMask      = pageSize - 1
	firstPageSize = 4
)

// alloc returns the index of the first of n new consecutive zero records.
func (t *table[T]) alloc(n uint32) uint32 {
	first := max(t.n, 1)
	if n > 0 {
		t.n = first + n
		if uint64(t.n) > t.room {
			t.grow()
		}
	}
	return first
}

func (t *table[T]) grow() {
	if t.room < pageSize {
		size := uint32(firstPageSize)
		for size < min(t.n, pageSize) {
			size *= 2
		}
		page := make([]T, size)
		if len(t.pages) == 1 {
			copy(page, t.pages[0])
			t.pages[0] = page
		} else {
			t.pages = [][]T{page}
		}
		t.room = uint64(size)
	}
	for uint64(t.n) > t.room {
		t.pages = append(t.pages, make([]T, pageSize))
		t.room += pageSize
	}
}

// reserve makes room for n records in a table without any.
func (t *table[T]) reserve(n uint32) {
	if t.n == 0 && len(t.pages) == 0 && n > 0 {
		t.n = min(n+1, pageSize)
		t.grow()
		t.n = 0
	}
}

func (t *table[T]) at(i uint32) *T { return &t.pages[i>>pageBits][i&pageMask] }

// tableBytes returns the memory that the pages take.
func tableBytes[T any](t *table[T]) int {
	var rec T
	return int(t.room) * int(unsafe.Sizeof(rec))
}
