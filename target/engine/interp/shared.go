package interp

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Shared memory of a tile block at nv_tileas. Its contents are extents: most are tiles, as something stored them, so that storing and loading one moves nothing; what was
// stored as one type and is read as another, or in part, becomes bytes then.
//
// Buffers without a place in shared memory get addresses of their own, far apart, so that they never meet. Once they have places, memory that two of them share is shared here too.

// The value of a buffer is a place: the number of the operation that allocated it, above the address. What one allocation has stored is unspecified to another, so that two which overlap, though
// their lives meet, show.
type location uint64

const (
	addressBits = 44
	unplaced    = 1 << 32 // where the addresses of buffers without a place begin
	apart       = 1 << 30 // how far one is from the next
	// maxBuffers bounds the allocations of a kernel, so that places fit.
	maxBuffers = 1<<(addressBits-30) - 8
)

func (p location) address() uint64 { return uint64(p) & (1<<addressBits - 1) }
func (p location) owner() uint64   { return uint64(p) >> addressBits }

// A sharedMemory is what the buffers of one tile block hold.
type sharedMemory struct {
	extents []*extent // disjoint, in no order
	reading []reader  // copies from it that are under way
}

// An extent is a range of addresses: a tile, or bytes, or memory whose life has ended.
type extent struct {
	lo, hi uint64
	owner  uint64             // which allocation it was stored through
	t      *tileas.BufferType // of a tile
	tile   *vec
	bytes  []byte // else
	undef  []bool
	freed  ir.Op
	flying ir.Op // an asynchronous copy to it, which has not landed
	// unfenced is what has stored here since the last fence, which asynchronous copies cannot see.
	unfenced ir.Op
	mbarrier *mbarrier // the object that it is
}

// hasSlot reports whether values of a type are kept while a program runs: tiles, where buffers begin, and what describes memory.
func hasSlot(t ir.Type) bool {
	switch t.(type) {
	case *tileas.BufferType, *tileas.GroupType, *tileas.TensorMapType:
		return true
	}
	return isTile(t)
}

func (e *extent) meets(lo, hi uint64) bool { return e.lo < hi && lo < e.hi }

// clear forgets what is in a range.
func (s *sharedMemory) clear(m *machine, lo, hi uint64) {
	kept := s.extents[:0]
	var rest []*extent
	for _, e := range s.extents {
		if !e.meets(lo, hi) {
			kept = append(kept, e)
			continue
		}
		if e.lo < lo || e.hi > hi {
			e.toBytes(m)
			rest = append(rest, e.slice(e.lo, lo), e.slice(hi, e.hi))
		}
		m.release(e.tile)
	}
	for _, e := range rest {
		if e != nil {
			kept = append(kept, e)
		}
	}
	if len(kept) < len(s.extents) { // an extent that was cut in two may leave more than there were
		clear(s.extents[len(kept):])
	}
	s.extents = kept
}

// slice returns a part of an extent of bytes, or nil if it is empty.
func (e *extent) slice(lo, hi uint64) *extent {
	if lo >= hi || hi <= e.lo || lo >= e.hi {
		return nil
	}
	out := &extent{lo: lo, hi: hi, owner: e.owner, freed: e.freed, flying: e.flying, unfenced: e.unfenced}
	if e.bytes != nil {
		out.bytes, out.undef = e.bytes[lo-e.lo:hi-e.lo], e.undef[lo-e.lo:hi-e.lo]
	}
	return out
}

// toBytes turns a tile into bytes.
func (e *extent) toBytes(m *machine) {
	if e.tile == nil {
		return
	}
	e.bytes, e.undef = make([]byte, e.hi-e.lo), make([]bool, e.hi-e.lo)
	size := uint64(e.t.ElementBytes())
	layout := e.t.Layout.Shared
	for i, x := range e.tile.data {
		at := layout.Offset(uint64(i)) * size
		set(e.bytes[at:at+size], x)
		if e.tile.isUndef(i) {
			for k := range size {
				e.undef[at+k] = true
			}
		}
	}
	m.release(e.tile)
	e.tile, e.t = nil, nil
}

// store puts a tile, which others hold too, at a place.
func (s *sharedMemory) store(m *machine, p location, t *tileas.BufferType, v *vec, by ir.Op) {
	at := p.address()
	hi := at + uint64(t.TileBytes())
	m.retain(v)
	for _, e := range s.extents {
		if e.lo == at && e.hi == hi && e.tile != nil {
			m.release(e.tile)
			e.t, e.tile, e.owner, e.unfenced = t, v, p.owner(), by
			return
		}
	}
	s.clear(m, at, hi)
	s.extents = append(s.extents, &extent{lo: at, hi: hi, owner: p.owner(), t: t, tile: v, unfenced: by})
}

// load returns the tile at a place, with a reference for the caller.
func (s *sharedMemory) load(m *machine, p location, t *tileas.BufferType) *vec {
	at := p.address()
	hi := at + uint64(t.TileBytes())
	var over []*extent
	for _, e := range s.extents {
		if !e.meets(at, hi) || e.owner != p.owner() {
			continue
		}
		if e.lo == at && e.hi == hi && e.t == t {
			m.retain(e.tile)
			return e.tile
		}
		over = append(over, e)
	}
	for _, e := range over {
		e.toBytes(m)
	}
	v := m.alloc(count(t.Shape))
	size, layout := uint64(t.ElementBytes()), t.Layout.Shared
	for i := range v.data {
		var b [8]byte
		first := at + layout.Offset(uint64(i))*size
		known := true
		for k := range size {
			known = read(over, first+k, &b[k]) && known
		}
		if v.data[i] = get(b[:size]); !known {
			v.markUndef(i)
		} else if ir.BitWidth(t.Elem) == 1 {
			v.data[i] = min(v.data[i], 1)
		}
	}
	return v
}

// read returns the byte at an address, and whether something specified was stored there.
func read(over []*extent, at uint64, to *byte) bool {
	for _, e := range over {
		if e.meets(at, at+1) && e.bytes != nil {
			*to = e.bytes[at-e.lo]
			return !e.undef[at-e.lo]
		}
	}
	return false
}

// end ends the life of a range: an access of it is an error until it is allocated again.
func (s *sharedMemory) end(m *machine, lo, hi uint64, op ir.Op) {
	s.clear(m, lo, hi)
	s.extents = append(s.extents, &extent{lo: lo, hi: hi, freed: op})
}

// alive reports an access of memory whose life has ended.
func (s *sharedMemory) alive(op ir.Op, lo, hi uint64) error {
	for _, e := range s.extents {
		if !e.freed.IsNil() && e.meets(lo, hi) {
			return op.Errorf("accesses a buffer after '%s' has ended its life", e.freed.Name())
		}
	}
	return nil
}

// writable reports a write of memory that an asynchronous access is still using.
func (s *sharedMemory) writable(op ir.Op, lo, hi uint64) error {
	for _, e := range s.extents {
		if !e.flying.IsNil() && e.meets(lo, hi) {
			return op.Errorf("writes a buffer that '%s' is still copying to: nothing has waited for that", e.flying.Name()).Note(e.flying.Loc(), "the copy")
		}
	}
	for _, r := range s.reading {
		if r.lo < hi && lo < r.hi {
			return op.Errorf("writes a buffer that '%s' is still reading: nothing has waited for that", r.flight.op.Name()).Note(r.flight.op.Loc(), "the copy")
		}
	}
	return nil
}

// reset forgets everything, for the next tile block.
func (s *sharedMemory) reset(m *machine) {
	s.reading = nil
	for _, e := range s.extents {
		m.release(e.tile)
	}
	s.extents = slices.Delete(s.extents, 0, len(s.extents))
}
