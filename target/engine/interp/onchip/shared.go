package onchip

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/inflight"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// Buffers without an offset in shared memory get addresses far apart, so that they never overlap. Once they have
// offsets, buffers that share bytes share them here too.

// A Location is the value of a buffer: the number of its allocation, above the address. What one allocation has stored
// is unspecified to another. So a kernel that lets overlapping buffers live at the same time fails.
type Location uint64

const (
	AddressBits = 44
	Unplaced    = 1 << 32 // the first address of buffers without an offset
	Apart       = 1 << 30 // the distance between them
	// MaxBuffers bounds the allocations of a kernel, so that their numbers fit.
	MaxBuffers = 1<<(AddressBits-30) - 8
)

// Address returns the address in shared or tensor memory.
func (p Location) Address() uint64 { return uint64(p) & (1<<AddressBits - 1) }

// Owner returns the number of the allocation.
func (p Location) Owner() uint64 { return uint64(p) >> AddressBits }

// BufferType returns the type of a buffer.
func BufferType(v ir.Value) *tileas.BufferType { return v.Type().(*tileas.BufferType) }

// A Chip is the memory of a CTA that is not global.
type Chip struct {
	Shared SharedMemory
	Tmem   TMEM
}

// A SharedMemory is the contents of the buffers of one CTA.
type SharedMemory struct {
	Extents []*Extent // disjoint, in no order
	Reading []Reader  // flights that read it
	Pipes   map[Location]*Pipe
}

// An Extent is a range of addresses: a tile, bytes, an mbarrier, or memory whose lifetime has ended.
type Extent struct {
	Lo, Hi uint64
	Owner  uint64             // the allocation that it was stored through
	t      *tileas.BufferType // the type of tile
	tile   *values.Vec
	Bytes  []byte // if it is no tile
	Undef  []bool
	freed  ir.Op
	Flying ir.Op // an asynchronous copy that will write it
	// Unfenced is what has stored here since the last fence. The async proxy cannot see it.
	Unfenced ir.Op
	Mbarrier *inflight.Mbarrier // the object that the extent is
}

// A Reader is a flight that reads shared memory.
type Reader struct {
	Lo, Hi uint64
	Flight *inflight.Flight
}

func (e *Extent) meets(lo, hi uint64) bool { return e.Lo < hi && lo < e.Hi }

// Clear forgets the contents of a range.
func (s *SharedMemory) Clear(pool *values.Pool, lo, hi uint64) {
	kept := s.Extents[:0]
	var rest []*Extent
	for _, e := range s.Extents {
		if !e.meets(lo, hi) {
			kept = append(kept, e)
			continue
		}
		// What is outside of the range survives, as bytes: half a tile is no tile.
		if e.Lo < lo || e.Hi > hi {
			e.toBytes(pool)
			rest = append(rest, e.slice(e.Lo, lo), e.slice(hi, e.Hi))
		}
		pool.Release(e.tile)
	}
	for _, e := range rest {
		if e != nil {
			kept = append(kept, e)
		}
	}
	if len(kept) < len(s.Extents) { // An extent that was split may leave more extents than there were.
		clear(s.Extents[len(kept):])
	}
	s.Extents = kept
}

// slice returns a part of an extent of bytes, or nil if it is empty.
func (e *Extent) slice(lo, hi uint64) *Extent {
	if lo >= hi || hi <= e.Lo || lo >= e.Hi {
		return nil
	}
	out := &Extent{Lo: lo, Hi: hi, Owner: e.Owner, freed: e.freed, Flying: e.Flying, Unfenced: e.Unfenced}
	if e.Bytes != nil {
		out.Bytes, out.Undef = e.Bytes[lo-e.Lo:hi-e.Lo], e.Undef[lo-e.Lo:hi-e.Lo]
	}
	return out
}

// toBytes turns a tile into bytes.
func (e *Extent) toBytes(pool *values.Pool) {
	if e.tile == nil {
		return
	}
	e.Bytes, e.Undef = make([]byte, e.Hi-e.Lo), make([]bool, e.Hi-e.Lo)
	size := uint64(e.t.ElementBytes())
	layout := e.t.Layout.Shared
	for i, x := range e.tile.Data {
		at := layout.Offset(uint64(i)) * size
		values.ToBytes(e.Bytes[at:at+size], x)
		if e.tile.IsUndef(i) {
			for k := range size {
				e.Undef[at+k] = true
			}
		}
	}
	pool.Release(e.tile)
	e.tile, e.t = nil, nil
}

// Store puts a tile, which others hold too, at a location.
func (s *SharedMemory) Store(pool *values.Pool, p Location, t *tileas.BufferType, v *values.Vec, by ir.Op) {
	at := p.Address()
	hi := at + uint64(t.TileBytes())
	pool.Retain(v)
	for _, e := range s.Extents {
		// The usual case: the stage of a circular buffer that held a tile of the same size. The extent is reused.
		if e.Lo == at && e.Hi == hi && e.tile != nil {
			pool.Release(e.tile)
			e.t, e.tile, e.Owner, e.Unfenced = t, v, p.Owner(), by
			return
		}
	}
	s.Clear(pool, at, hi)
	s.Extents = append(s.Extents, &Extent{Lo: at, Hi: hi, Owner: p.Owner(), t: t, tile: v, Unfenced: by})
}

// Load returns the tile at a location, with a reference for the caller.
func (s *SharedMemory) Load(pool *values.Pool, p Location, t *tileas.BufferType) *values.Vec {
	at := p.Address()
	hi := at + uint64(t.TileBytes())
	var over []*Extent
	for _, e := range s.Extents {
		if !e.meets(at, hi) || e.Owner != p.Owner() {
			continue
		}
		// The same type says the same elements at the same places: nothing is converted.
		if e.Lo == at && e.Hi == hi && e.t == t {
			pool.Retain(e.tile)
			return e.tile
		}
		over = append(over, e)
	}
	for _, e := range over {
		e.toBytes(pool)
	}
	v := pool.Alloc(values.Count(t.Shape))
	size, layout := uint64(t.ElementBytes()), t.Layout.Shared
	for i := range v.Data {
		var b [8]byte
		first := at + layout.Offset(uint64(i))*size
		known := true
		for k := range size {
			known = read(over, first+k, &b[k]) && known
		}
		if v.Data[i] = values.FromBytes(b[:size]); !known {
			v.MarkUndef(i)
		} else if ir.BitWidth(t.Elem) == 1 {
			v.Data[i] = min(v.Data[i], 1)
		}
	}
	return v
}

// read stores the byte at an address to *to, and reports whether it is specified.
func read(over []*Extent, at uint64, to *byte) bool {
	for _, e := range over {
		if e.meets(at, at+1) && e.Bytes != nil {
			*to = e.Bytes[at-e.Lo]
			return !e.Undef[at-e.Lo]
		}
	}
	return false
}

// End ends the lifetime of a range: accesses of it are errors until it is allocated again.
func (s *SharedMemory) End(pool *values.Pool, lo, hi uint64, op ir.Op) {
	s.Clear(pool, lo, hi)
	s.Extents = append(s.Extents, &Extent{Lo: lo, Hi: hi, freed: op})
}

// Alive rejects an access of memory whose lifetime has ended.
func (s *SharedMemory) Alive(op ir.Op, lo, hi uint64) error {
	for _, e := range s.Extents {
		if !e.freed.IsNil() && e.meets(lo, hi) {
			return op.Errorf("accesses a buffer after '%s' has ended its lifetime", e.freed.Name())
		}
	}
	return nil
}

// Writable rejects a write to memory that a flight still uses.
func (s *SharedMemory) Writable(op ir.Op, lo, hi uint64) error {
	for _, e := range s.Extents {
		if !e.Flying.IsNil() && e.meets(lo, hi) {
			return op.Errorf("writes a buffer that '%s' is still copying to: nothing has waited for that", e.Flying.Name()).Note(e.Flying.Loc(), "the copy")
		}
	}
	for _, r := range s.Reading {
		if r.Lo < hi && lo < r.Hi {
			return op.Errorf("writes a buffer that '%s' is still reading: nothing has waited for that", r.Flight.Op.Name()).Note(r.Flight.Op.Loc(), "the copy")
		}
	}
	return nil
}

// Reset forgets everything, for the next CTA.
func (s *SharedMemory) Reset(pool *values.Pool) {
	s.Reading = nil
	clear(s.Pipes)
	for _, e := range s.Extents {
		pool.Release(e.tile)
	}
	s.Extents = slices.Delete(s.Extents, 0, len(s.Extents))
}

// Done forgets what a flight was reading.
func (s *SharedMemory) Done(l *inflight.Flight) {
	s.Reading = slices.DeleteFunc(s.Reading, func(r Reader) bool { return r.Flight == l })
}

// Unfenced returns what has stored to a range since the last fence, or a zero Op.
func (s *SharedMemory) Unfenced(lo, hi uint64) ir.Op {
	for _, e := range s.Extents {
		if e.meets(lo, hi) && !e.Unfenced.IsNil() {
			return e.Unfenced
		}
	}
	return ir.Op{}
}

// Fenced says that a range was written through the async proxy, which needs no fence.
func (s *SharedMemory) Fenced(lo, hi uint64) {
	for _, e := range s.Extents {
		if e.Lo >= lo && e.Hi <= hi {
			e.Unfenced = ir.Op{}
		}
	}
}

// A RemoteAccess is an access of a CTA's shared memory since the last barrier of the cluster.
type RemoteAccess struct {
	Op     ir.Op
	Lo, Hi uint64
}

// Note adds an access to a list, once.
func Note(list []RemoteAccess, a RemoteAccess) []RemoteAccess {
	if slices.Contains(list, a) {
		return list
	}
	return append(list, a)
}

// MbarrierAt returns the mbarrier at a location.
func (s *SharedMemory) MbarrierAt(op ir.Op, at Location) (*inflight.Mbarrier, error) {
	if err := s.Alive(op, at.Address(), at.Address()+inflight.MbarrierBytes); err != nil {
		return nil, err
	}
	for _, e := range s.Extents {
		if e.Lo == at.Address() && e.Mbarrier != nil && e.Owner == at.Owner() {
			return e.Mbarrier, nil
		}
	}
	return nil, op.Errorf("uses an mbarrier that has not been initialised")
}
