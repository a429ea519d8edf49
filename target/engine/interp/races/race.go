package races

import (
	"fmt"
	"maps"

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
// a chain of tokens leaves one entry for each byte.
type footprint []uint32

// State holds the accesses of a CTA so far.
//
// Sets of events are bit vectors: in a run that looks for races, a tile block executes thousands of accesses, not
// millions. Vector clocks do not fit tokens, which form any partial order and not a few threads.
type State struct {
	events []Event
	bytes  map[uint64]footprint // by position
	open   bool                 // see Options.OpenOrder
	halves bool                 // positions count halves of bytes, not bytes
	before []uint64             // the events ordered before the current one
	Blocks *BlockClock
}

// NewState returns the state of a CTA without accesses. With open, strong accesses race too.
func NewState(blocks *BlockClock, halves, open bool) *State {
	return &State{bytes: make(map[uint64]footprint), Blocks: blocks, halves: halves, open: open}
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
	if accesses {
		e.weak = e.weak || r.open
		r.events = append(r.events, e)
	}
	return len(r.events) - 1
}

// ordered reports whether event n is before the current one.
func (r *State) ordered(n uint32) bool {
	return int(n/64) < len(r.before) && r.before[n/64]>>(n%64)&1 != 0
}

// Access notes that the current event touches bytes. It returns an error if that races with an earlier access.
func (r *State) Access(addr, size uint64, write bool) error {
	if r.halves {
		return r.touch(addr, 2*addr, 2*size, write)
	}
	return r.touch(addr, addr, size, write)
}

// AccessHalf is Access for half of a byte.
func (r *State) AccessHalf(position uint64, write bool) error {
	return r.touch(position>>1, position, 1, write)
}

// touch notes an access to consecutive positions; addr is the address of the element.
func (r *State) touch(addr, first, size uint64, write bool) error {
	current := uint32(len(r.events) - 1)
	now := &r.events[current]
	now.write = write
	for at := first; at < first+size; at++ {
		// Of the accesses before, keep those that a later one may still race with.
		list := r.bytes[at]
		kept := list[:0]
		for _, n := range list {
			then := &r.events[n]
			conflict := (then.write || write) && (then.weak || now.weak)
			switch {
			case n == current && conflict:
				return fault.Racing(addr, now.op, nil, "races with another element of the same operation for address 0x%x", addr)
			// Two elements of a strong store, or two loads: this byte has the event already.
			case n == current:
				continue
			case r.ordered(n):
				if then.write && !write { // otherwise what conflicts with then conflicts with the current event too
					kept = append(kept, n)
				}
			case conflict:
				return fault.Racing(addr, then.op, nil, "races with %s for address 0x%x: no token orders them", describe(then.op), addr)
			default:
				kept = append(kept, n)
			}
		}
		r.bytes[at] = append(kept, current)
	}
	if !seenByOthers(addr) {
		return nil
	}
	for at := first; at < first+size; at++ {
		if err := r.Blocks.access(at, addr, now); err != nil {
			return err
		}
	}
	if now.releases && write {
		r.Blocks.release(addr)
	}
	return nil
}

// Forget drops the accesses of bytes that belong to new memory, which an earlier allocation had before.
func (r *State) Forget(addr, size uint64) {
	if r.halves {
		addr, size = 2*addr, 2*size
	}
	if size > uint64(len(r.bytes)) {
		maps.DeleteFunc(r.bytes, func(at uint64, _ footprint) bool { return at-addr < size })
		return
	}
	for at := addr; at < addr+size; at++ {
		delete(r.bytes, at)
	}
}

// Accessed notes that the current event has read the element at addr.
func (r *State) Accessed(addr uint64) {
	if seenByOthers(addr) && r.events[len(r.events)-1].acquires {
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
