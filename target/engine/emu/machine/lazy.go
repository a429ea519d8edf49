package machine

import (
	"sync"
	"sync/atomic"
)

// lazyPage is how many bytes of lazy memory are filled at once.
const lazyPage = 1 << 16

// lazyBytes are the bytes of an allocation that are filled when they are first needed.
type lazyBytes struct {
	words  []uint64 // what the bytes are in
	fill   func(at uint64, to []byte)
	mu     sync.Mutex
	filled []atomic.Bool // by page
}

// AllocLazy is Alloc for bytes that fill makes: those from an offset on. It is asked for each byte at most once, when the
// byte or one near it is first accessed. So an array of gigabytes costs what a launch touches of it.
func (m *Memory) AllocLazy(name string, size, align uint64, fill func(at uint64, to []byte)) (uint64, error) {
	var words []uint64
	addr, err := m.allocAligned(name, size, align, func(n uint64) []uint64 {
		words = used(n)
		return words
	})
	if err == nil && size > 0 {
		m.Find(addr).lazy = &lazyBytes{words: words, fill: fill, filled: make([]atomic.Bool, (size+lazyPage-1)/lazyPage)}
	}
	return addr, err
}

// spare has pools of words that lazy memory was in, by how many they are. They need not be zero, since they are filled.
var spare sync.Map

func used(n uint64) []uint64 {
	if pool, ok := spare.Load(n); ok {
		if words, ok := pool.(*sync.Pool).Get().(*[]uint64); ok {
			return *words
		}
	}
	return make([]uint64, n)
}

// Discard frees what AllocLazy allocated, for the next one that does. Nothing may access the memory any more.
func (m *Memory) Discard() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var kept []*allocation
	for _, a := range *m.allocs.Load() {
		if a.lazy == nil {
			kept = append(kept, a)
			continue
		}
		m.used -= uint64(len(a.Data))
		pool, _ := spare.LoadOrStore(uint64(len(a.lazy.words)), new(sync.Pool))
		pool.(*sync.Pool).Put(&a.lazy.words)
	}
	m.allocs.Store(&kept)
}

// has says that bytes are there; the range is inside of the allocation.
func (a *allocation) has(off, n uint64) bool {
	if a.lazy == nil || n == 0 {
		return true
	}
	for page := off / lazyPage; page <= (off+n-1)/lazyPage; page++ {
		if !a.lazy.filled[page].Load() {
			return false
		}
	}
	return true
}

// need fills bytes that are not there yet.
func (a *allocation) need(off, n uint64) {
	if !a.has(off, n) {
		a.lazy.load(a.Data, off, n)
	}
}

// load fills the pages of bytes.
func (l *lazyBytes) load(data []byte, off, n uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for page := off / lazyPage; page <= (off+n-1)/lazyPage; page++ {
		if !l.filled[page].Load() {
			from := page * lazyPage
			l.fill(from, data[from:min(from+lazyPage, uint64(len(data)))])
			l.filled[page].Store(true)
		}
	}
}
