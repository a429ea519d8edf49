package ir

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"
)

// An interner maps structural keys to uniqued objects and numbers them densely from 1. Finding an object takes no
// lock and allocates nothing, neither by number nor by key, so that parallel parsers and passes share one Context.
// Keys of all types share one hash table, which holds numbers.
type interner[T any] struct {
	mu    sync.Mutex // held to add
	index atomic.Pointer[internIndex]
	n     uint32
	objs  [internPages]atomic.Pointer[[]T]
	keys  [internPages]atomic.Pointer[[]any] // nil for an object that is found otherwise
}

// An internIndex is an open-addressing hash table with linear probing: each slot is a hash (upper half) and the
// number of an object, or 0.
type internIndex struct {
	slots []atomic.Uint64
	used  int
}

// Page p holds the objects from internPageSize<<(p-1) on, twice as many as the page before it. So a context of a few
// types is small, and one of millions of attributes needs no copying.
const (
	internPageBits = 5
	internPageSize = 1 << internPageBits
	internPages    = 26 - internPageBits
	maxInterned    = internPageSize<<(internPages-1) - 1 // 33 million
)

var internSeed = maphash.MakeSeed()

func internPage(id uint32) (page int, offset uint32) {
	page = bits.Len32(id >> internPageBits)
	if page > 0 {
		id -= internPageSize << (page - 1)
	}
	return page, id
}

func (in *interner[T]) at(id uint32) T {
	page, i := internPage(id)
	return (*in.objs[page].Load())[i]
}

// intern returns the object for key, making it with build (called with its number) when it is new. build runs under
// the lock, so it must not intern anything itself.
func intern[T any, K comparable](in *interner[T], key K, build func(id uint32) T) T {
	hash := maphash.Comparable(internSeed, key)
	if obj, ok := lookup(in, hash, key); ok {
		return obj
	}
	return internSlow(in, hash, key, build)
}

func internSlow[T any, K comparable](in *interner[T], hash uint64, key K, build func(id uint32) T) T {
	in.mu.Lock()
	defer in.mu.Unlock()
	if obj, ok := lookup(in, hash, key); ok {
		return obj
	}
	id := in.addLocked(key, build)
	in.indexLocked(hash, id)
	return in.at(id)
}

// lookup returns the object for a key with the given hash, if there is one.
func lookup[T any, K comparable](in *interner[T], hash uint64, key K) (obj T, ok bool) {
	x := in.index.Load()
	if x == nil {
		return obj, false
	}
	mask := uint64(len(x.slots) - 1)
	for i := hash >> 32 & mask; ; i = (i + 1) & mask {
		slot := x.slots[i].Load()
		if slot == 0 {
			return obj, false
		}
		if slot>>32 != hash>>32 {
			continue
		}
		page, at := internPage(uint32(slot))
		if k, same := (*in.keys[page].Load())[at].(K); same && k == key {
			return (*in.objs[page].Load())[at], true
		}
	}
}

// add numbers an object that the caller knows to be new and to find again without a key.
func (in *interner[T]) add(build func(id uint32) T) (id uint32) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.addLocked(nil, build)
}

func (in *interner[T]) addLocked(key any, build func(id uint32) T) uint32 {
	id := in.n + 1
	if id > maxInterned {
		panic("ir: more than 33 million distinct types or attributes in one context")
	}
	obj := build(id)
	page, i := internPage(id)
	if in.objs[page].Load() == nil {
		size := internPageSize << max(page-1, 0)
		objs, keys := make([]T, size), make([]any, size)
		in.objs[page].Store(&objs)
		in.keys[page].Store(&keys)
	}
	(*in.objs[page].Load())[i], (*in.keys[page].Load())[i] = obj, key
	in.n = id
	return id
}

// indexLocked makes an object known by its hash. Readers see the new slot, or a new table, only when it is complete.
func (in *interner[T]) indexLocked(hash uint64, id uint32) {
	x := in.index.Load()
	if x == nil || 4*x.used >= 3*len(x.slots) {
		x = in.grown(x)
		in.index.Store(x)
	}
	x.put(hash&^(1<<32-1) | uint64(id))
}

func (x *internIndex) put(slot uint64) {
	mask := uint64(len(x.slots) - 1)
	i := slot >> 32 & mask
	for x.slots[i].Load() != 0 {
		i = (i + 1) & mask
	}
	x.slots[i].Store(slot)
	x.used++
}

func (in *interner[T]) grown(old *internIndex) *internIndex {
	const smallest = 64
	if old == nil {
		return &internIndex{slots: make([]atomic.Uint64, smallest)}
	}
	x := &internIndex{slots: make([]atomic.Uint64, 2*len(old.slots))}
	for i := range old.slots {
		if slot := old.slots[i].Load(); slot != 0 {
			x.put(slot)
		}
	}
	return x
}
