package races

import (
	"cmp"
	"slices"

	"github.com/tilewright/tilewright/target/engine/interp/memory"
)

// Loads race with nothing until something is stored. So a buffer that was only loaded from has a list of its loads instead
// of records of its bytes.
//
//	load %x[0:64]      the list of x: {0:64}
//	load %x[random]    the list of x: {0:64}, {random}
//	store %x[3]        both are noted byte by byte, in their order; from now on, so is every access of x
//
// Inputs of most kernels are never stored to, and their bytes get no records.
//
// Within a tile block, even a store races with nothing if it is the only access of a buffer. Most kernels store a tile
// once, so that its bytes have records between tile blocks only.

// An object is a buffer, from its first byte to before its end.
type object struct {
	first, end uint64
	recorded   bool    // its bytes have records
	loads      []visit // without records, in their order
	places     []place // of each
}

// A place is the bytes of a load: rows, or elements at any addresses.
type place struct {
	addr, length uint64 // of a row
	outer        []memory.Dim
	addrs        []uint64 // instead of rows; length is that of an element
}

// What a CTA has done with an object: loads, or one store, or accesses that have records.
type own struct {
	list     []pending
	recorded bool
}

// A pending access has no record yet. What was ordered before it does not matter: only loads were.
type pending struct {
	event int
	place place
}

// mostPlaces bounds the elements and rows that lists remember, 8 bytes each.
const mostPlaces = 1 << 22

// object returns the object that has an address; nil if there is none that all tile blocks see.
func (r *State) object(addr uint64) *object {
	if r.find == nil || !seenByOthers(addr) {
		return nil
	}
	if o := r.last; o != nil && addr >= o.first && addr < o.end {
		return o
	}
	all := &r.Blocks.races.objects
	i, found := slices.BinarySearchFunc(*all, addr, func(o *object, addr uint64) int { return cmp.Compare(o.first, addr) })
	if !found {
		i--
	}
	if i >= 0 && addr < (*all)[i].end {
		r.last = (*all)[i]
		return r.last
	}
	first, end := r.find(addr)
	if addr < first || addr >= end {
		return nil
	}
	r.last = &object{first: first, end: end}
	*all = slices.Insert(*all, i+1, r.last)
	return r.last
}

// deferred puts an access, of bytes from first to before end, into the lists of an object: among those of its own CTA,
// and among those of all. What it reports false for must be noted at once.
func (r *State) deferred(first, end uint64, write bool, at func() place) (byOwn, byOthers bool) {
	o, now := r.object(first), r.current(write)
	if o == nil || end > o.end {
		return false, false
	}
	mine := r.own[o]
	if mine == nil {
		mine = new(own)
		r.own[o] = mine
	}
	if n := len(mine.list); mine.recorded || n > 0 && (write || r.events[mine.list[n-1].event].write) {
		return false, false
	}
	p, known := at(), &r.Blocks.races.places
	mine.list = append(mine.list, pending{r.now, p})
	// A tile block that has acquired something knows which loads of others are over. Lists do not.
	if write || o.recorded || r.Blocks.known != nil || *known > mostPlaces {
		return true, false
	}
	*known += 1 + len(p.addrs) + len(p.outer)
	o.loads = append(o.loads, visit{block: r.Blocks.block, time: r.Blocks.now, weak: now.weak, op: now.op})
	o.places = append(o.places, p)
	return true, true
}

// takeBack takes the access that was deferred last out of the list of its CTA, since another tile block races with it.
func (r *State) takeBack(addr uint64) {
	mine := r.own[r.object(addr)]
	mine.list = mine.list[:len(mine.list)-1]
}

// record gives the bytes of the objects from first to before end records, of the accesses in their lists. All later
// accesses are noted there. If byOwn is set, that is so for the lists of this CTA too.
func (r *State) record(first, end uint64, byOwn bool) {
	if o := r.clean; o != nil && first >= o.first && end <= o.end {
		return
	}
	for at := first; at < end; {
		o := r.object(at)
		if o == nil {
			return
		}
		if at = o.end; !o.recorded {
			o.recorded = true
			for i, v := range o.loads {
				c, e := &BlockClock{races: r.Blocks.races, block: v.block, now: v.time}, &Event{op: v.op, weak: v.weak}
				o.places[i].each(func(first, end uint64) { c.note(r.position(first), r.position(end), e) })
			}
			o.loads, o.places = nil, nil
		}
		if !byOwn {
			continue
		}
		if mine := r.own[o]; mine != nil {
			now := r.now
			for _, p := range mine.list {
				r.now = p.event
				r.forget()
				p.place.each(func(first, end uint64) { r.note(r.position(first), r.position(end)) })
			}
			r.now, mine.list = now, nil
			r.forget()
			mine.recorded = true
		} else {
			r.own[o] = &own{recorded: true}
		}
		r.clean = o
	}
}

// position returns the position of a byte.
func (r *State) position(addr uint64) uint64 {
	if r.halves {
		return 2 * addr
	}
	return addr
}

// each calls f with stretches of the bytes of a place.
func (p *place) each(f func(first, end uint64)) {
	if p.addrs == nil {
		eachRow(p.addr, p.outer, func(at uint64) { f(at, at+p.length) })
		return
	}
	slices.Sort(p.addrs)
	first, end := p.addrs[0], p.addrs[0]
	for _, at := range p.addrs {
		if at > end {
			f(first, end)
			first = at
		}
		end = at + p.length
	}
	f(first, end)
}

// eachRow calls f with the address of each row, the lowest first.
func eachRow(addr uint64, outer []memory.Dim, f func(addr uint64)) {
	last := len(outer) - 1
	if last < 0 {
		f(addr)
		return
	}
	for i := range uint64(outer[last].N) {
		eachRow(addr+i*uint64(outer[last].Stride), outer[:last], f)
	}
}
