package ir

import (
	"sync"
	"sync/atomic"
)

// An interner maps structural keys to uniqued objects and numbers them densely from 1. Reading by number takes no
// lock, so that parallel passes share one Context.
type interner[T any] struct {
	mu    sync.RWMutex
	byKey map[any]T
	n     uint32
	pages [internPages]atomic.Pointer[[internPageSize]T]
}

const (
	internPageBits = 12
	internPageSize = 1 << internPageBits
	internPages    = 1 << 13 // 33 million objects
)

// find returns the object for key, if there is one.
func (in *interner[T]) find(key any) (T, bool) {
	in.mu.RLock()
	obj, ok := in.byKey[key]
	in.mu.RUnlock()
	return obj, ok
}

// get returns the object for key, making it with build (called with its number) when it is new. build runs under the lock, so it must
// not intern anything itself.
func (in *interner[T]) get(key any, build func(id uint32) T) T {
	if obj, ok := in.find(key); ok {
		return obj
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	obj, ok := in.byKey[key]
	if ok {
		return obj
	}
	if in.byKey == nil {
		in.byKey = make(map[any]T)
	}
	obj = in.at(in.addLocked(build))
	in.byKey[key] = obj
	return obj
}

// add numbers an object that the caller knows to be new and to find again without a key.
func (in *interner[T]) add(build func(id uint32) T) (id uint32) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.addLocked(build)
}

func (in *interner[T]) addLocked(build func(id uint32) T) uint32 {
	id := in.n + 1
	if id>>internPageBits >= internPages {
		panic("ir: more than 33 million distinct types or attributes in one context")
	}
	obj := build(id)
	page := in.pages[id>>internPageBits].Load()
	if page == nil {
		page = new([internPageSize]T)
		in.pages[id>>internPageBits].Store(page)
	}
	page[id&(internPageSize-1)] = obj
	in.n = id
	return id
}

func (in *interner[T]) at(id uint32) T {
	return in.pages[id>>internPageBits].Load()[id&(internPageSize-1)]
}
