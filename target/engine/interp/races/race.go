package races

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
	"github.com/tilewright/tilewright/target/engine/interp/memory"
)

// Two accesses of a tile block race if they touch the same byte, one writes, one is weak, and neither is in the set of
// the other's token. Two elements of one weak store race as well.

// An event is one execution of a memory operation.
type Event struct {
	op    ir.Op
	write bool
	weak  bool
	// between tile blocks
	acquires, releases bool
}

// A footprint is the latest accesses of a byte: those that no other one of the list is ordered after.
//
// An access replaces an earlier one if it is ordered after it and conflicts with everything that one conflicts with. So
// a chain of tokens leaves one entry for each byte. Bytes share footprints, which never change.
type footprint struct{ events []uint32 }

// State holds the accesses of a CTA so far.
//
// Sets of events are bit vectors: in a run that looks for races, a tile block executes thousands of accesses, not
// millions. Vector clocks do not fit tokens, which form any partial order and not a few threads.
type State struct {
	events []Event
	bytes  shadow[*footprint] // by position
	memo   memo[*footprint]   // what the current event makes of footprints
	open   bool               // see Options.OpenOrder
	halves bool               // positions count halves of bytes, not bytes
	now    int                // the number of the current event
	before []uint64           // the events ordered before the current one
	Blocks *BlockClock
	// Accesses without records (defer.go).
	find   func(addr uint64) (first, end uint64)
	last   *object // that was looked for
	clean  *object // that has records, also of this CTA's accesses
	own    map[*object]*own
	dims   []memory.Dim // scratch of Tile
	warmed int          // how many records Elements has looked at early: only the lookups matter
}

// NewState returns the state of CTAs that run one after another. With open, strong accesses race too. The function find
// returns the bounds of the buffer at an address that all tile blocks see; if it is nil, each access is noted at once.
func NewState(halves, open bool, find func(addr uint64) (first, end uint64)) *State {
	return &State{halves: halves, open: open, find: find, own: make(map[*object]*own)}
}

// Start begins a CTA, which has accessed nothing yet.
func (r *State) Start(blocks *BlockClock) {
	r.events, r.now, r.before, r.Blocks = r.events[:0], -1, nil, blocks
	r.last, r.clean = nil, nil
	clear(r.own)
	r.bytes.reset()
	r.memo.forget()
}

// NewEvent returns an execution of an operation that has accessed nothing yet.
func NewEvent(op ir.Op, weak, acquires, releases bool) Event {
	return Event{op: op, weak: weak, acquires: acquires, releases: releases}
}

// Words returns the number of words of a set with room for one more event.
func (r *State) Words() int { return (len(r.events) + 64) / 64 }

// Begin sets the events that are ordered before the accesses that follow. It adds an event if the operation accesses
// memory, and returns the number of the current event.
func (r *State) Begin(e Event, accesses bool, before []uint64) int {
	r.before = before
	r.forget()
	if accesses {
		e.weak = e.weak || r.open
		r.events = append(r.events, e)
	}
	r.now = len(r.events) - 1
	return r.now
}

// ordered reports whether event n is before the current one.
func (r *State) ordered(n uint32) bool {
	return int(n/64) < len(r.before) && r.before[n/64]>>(n%64)&1 != 0
}

// Access notes that the current event touches bytes. It returns an error if that races with an earlier access.
func (r *State) Access(addr, size uint64, write bool) error {
	r.record(addr, addr+size, true)
	return r.touch(addr, r.position(addr), r.position(size), write)
}

// AccessHalf is Access for half of a byte.
func (r *State) AccessHalf(position uint64, write bool) error {
	r.record(position>>1, position>>1+1, true)
	return r.touch(position>>1, position, 1, write)
}

// current returns the event of an access.
func (r *State) current(write bool) *Event {
	e := &r.events[r.now]
	if e.write != write {
		e.write = write
		r.forget()
	}
	return e
}

// forget drops what is remembered of the current event, which becomes another one.
func (r *State) forget() {
	r.memo.forget()
	r.Blocks.memo.forget()
}

// touch notes an access to consecutive positions; addr is the address of the element.
func (r *State) touch(addr, first, size uint64, write bool) error {
	now := r.current(write)
	if err := r.check(addr, first, first+size); err != nil {
		return err
	}
	r.note(first, first+size)
	if !seenByOthers(addr) {
		return nil
	}
	if err := r.Blocks.check(addr, first, first+size, now); err != nil {
		return err
	}
	r.Blocks.note(first, first+size, now)
	if now.releases && write {
		r.Blocks.release(addr)
	}
	return nil
}

// check returns the error of the current event if it races with an event that has accessed the positions.
func (r *State) check(addr, first, end uint64) error {
	return r.bytes.within(first, end, func(f *footprint) error {
		if _, ok := r.memo.of(f); ok {
			return nil
		}
		next, n := r.after(f)
		if next != nil {
			r.memo.put(f, next)
			return nil
		}
		now := &r.events[r.now]
		if n == uint32(r.now) {
			return fault.Racing(addr, now.op, nil, "races with another element of the same operation for address 0x%x", addr)
		}
		then := r.events[n].op
		return fault.Racing(addr, then, nil, "races with %s for address 0x%x: no token orders them", describe(then), addr)
	})
}

// note adds the current event to the footprints of positions.
func (r *State) note(first, end uint64) {
	r.bytes.update(first, end, func(f *footprint) *footprint {
		next, ok := r.memo.of(f)
		if !ok {
			next, _ = r.after(f)
			r.memo.put(f, next)
		}
		return next
	})
}

// after returns the footprint of a byte after the current event accesses it. If that races it returns nil, and the
// number of the event that it races with.
func (r *State) after(f *footprint) (next *footprint, race uint32) {
	current := uint32(r.now)
	now := &r.events[current]
	if f == nil {
		f = new(footprint)
	}
	// Of the accesses before, keep those that a later one may still race with.
	kept := make([]uint32, 0, len(f.events)+1)
	for _, n := range f.events {
		then := &r.events[n]
		conflict := (then.write || now.write) && (then.weak || now.weak)
		switch {
		case n == current && conflict:
			return nil, n
		// Two elements of a strong store, or two loads: this byte has the event already.
		case n == current:
			continue
		case r.ordered(n):
			if then.write && !now.write { // otherwise what conflicts with then conflicts with the current event too
				kept = append(kept, n)
			}
		case conflict:
			return nil, n
		default:
			kept = append(kept, n)
		}
	}
	kept = append(kept, current)
	if slices.Equal(kept, f.events) {
		return f, 0
	}
	for _, made := range r.memo.made() { // so that what becomes alike is one run
		if slices.Equal(kept, made.events) {
			return made, 0
		}
	}
	return &footprint{kept}, 0
}

// Forget drops the accesses of bytes that belong to new memory, which an earlier allocation had before.
func (r *State) Forget(addr, size uint64) {
	r.bytes.update(r.position(addr), r.position(addr+size), func(*footprint) *footprint { return nil })
}

// Accessed notes that the current event has read the element at addr.
func (r *State) Accessed(addr uint64) {
	if seenByOthers(addr) && r.events[r.now].acquires {
		r.Blocks.acquire(addr)
	}
}

// seenByOthers reports whether tile blocks share the memory at an address.
func seenByOthers(addr uint64) bool { return addr < memory.PrivateAddr || addr >= memory.SharedAddr }

// describe names an operation and where it is.
func describe(op ir.Op) string {
	name := "'" + op.Name() + "'"
	if f := ir.FileLocOf(op.Loc()); f != nil {
		name += fmt.Sprintf(" at %s:%d:%d", f.File, f.Line, f.Column)
	}
	return name
}
