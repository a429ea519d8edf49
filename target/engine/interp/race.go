package interp

import (
	"fmt"
	"maps"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Only tokens order the accesses of a tile block (Tile IR specification, memory model): not the program, nor data, control or
// addresses. A token is the set of the accesses ordered before it, as bits; each execution of a memory operation is one access. Two of
// them race when they touch the same byte, one writes, one is weak, and neither is in the set of the other's token. So do two
// elements of one weak store.

// An event is one execution of a memory operation.
type event struct {
	op    ir.Op
	write bool
	weak  bool
	// for other tile blocks
	acquires, releases bool
}

// A footprint is the latest accesses of a byte: those that no other one of the list is ordered after.
//
// The list stays short because an access that is ordered after another one, and conflicts with all that the other
// would, takes its place: a chain of tokens leaves one entry for each byte.
type footprint []uint32

// Sets of events are bit vectors, a word for 64: a tile block executes thousands of accesses, not millions, when
// races are looked for. Vector clocks do not fit tokens, which form any partial order and not a few threads.
type raceState struct {
	events []event
	bytes  map[uint64]footprint // by position
	open   bool                 // see Engine.OpenOrder
	halves bool                 // positions count halves of bytes, not bytes
	before []uint64             // what is ordered before the current event
	blocks *blockClock
}

func newRaceState(blocks *blockClock, halves, open bool) *raceState {
	return &raceState{bytes: make(map[uint64]footprint), blocks: blocks, halves: halves, open: open}
}

// tracked wraps what executes an operation with tokens.
func (d *decoder) tracked(op ir.Op, run func(m *machine) error) func(m *machine) error {
	var in, out []int
	for _, v := range op.Operands() {
		if isToken(v.Type()) {
			in = append(in, d.slot(v))
		}
	}
	for _, v := range op.Results() {
		if isToken(v.Type()) {
			out = append(out, d.slot(v))
		}
	}
	if len(in)+len(out) == 0 {
		return run
	}
	accesses, weak := accessing(op)
	this := event{op: op, weak: weak}
	if accesses {
		this.acquires, this.releases = synchronises(op)
	}
	return func(m *machine) error {
		r := m.race
		words := (len(r.events) + 64) / 64
		token := m.alloc(words)
		clear(token.data)
		for _, s := range in {
			for i, w := range m.vals[s].data {
				token.data[i] |= w
			}
		}
		r.before = token.data
		if accesses {
			e := this
			e.weak = e.weak || r.open
			r.events = append(r.events, e)
		}
		if err := run(m); err != nil {
			return err
		}
		if accesses {
			n := len(r.events) - 1
			token.data[n/64] |= 1 << (n % 64)
		}
		for _, s := range out {
			m.share(s, token)
		}
		m.release(token)
		return nil
	}
}

// ordered reports whether event n is before the current one.
func (r *raceState) ordered(n uint32) bool {
	return int(n/64) < len(r.before) && r.before[n/64]>>(n%64)&1 != 0
}

// access notes that the current event touches bytes, and returns an error if that races with an earlier access.
func (r *raceState) access(addr, size uint64, write bool) error {
	if r.halves {
		return r.touch(addr, 2*addr, 2*size, write)
	}
	return r.touch(addr, addr, size, write)
}

// accessHalf is access to a position, which is half of a byte.
func (r *raceState) accessHalf(position uint64, write bool) error {
	return r.touch(position>>1, position, 1, write)
}

// touch notes an access to consecutive positions; addr is the address of the element.
func (r *raceState) touch(addr, first, size uint64, write bool) error {
	current := uint32(len(r.events) - 1)
	now := &r.events[current]
	now.write = write
	for at := first; at < first+size; at++ {
		list := r.bytes[at]
		kept := list[:0]
		for _, n := range list {
			then := &r.events[n]
			conflict := (then.write || write) && (then.weak || now.weak)
			switch {
			case n == current && conflict:
				return wrongf(launch.Race, "races with another element of the same operation for address 0x%x", addr)
			case n == current:
				continue
			case r.ordered(n):
				if then.write && !write { // else what conflicts with it conflicts with the current one
					kept = append(kept, n)
				}
			case conflict:
				return wrongf(launch.Race, "races with %s for address 0x%x: no token orders them", describe(then.op), addr)
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
		if err := r.blocks.access(at, addr, now); err != nil {
			return err
		}
	}
	if now.releases && write {
		r.blocks.release(addr)
	}
	return nil
}

// forget drops the accesses of bytes that are part of new memory, though an earlier one had the same addresses.
func (r *raceState) forget(addr, size uint64) {
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

// accessed notes that the current event has read what it accessed at addr.
func (r *raceState) accessed(addr uint64) {
	if seenByOthers(addr) && r.events[len(r.events)-1].acquires {
		r.blocks.acquire(addr)
	}
}

// seenByOthers reports whether an address is in memory that tile blocks share.
func seenByOthers(addr uint64) bool { return addr < privateAddr || addr >= sharedAddr }

// describe names an operation and where it is.
func describe(op ir.Op) string {
	name := "'" + op.Name() + "'"
	if f := ir.FileLocOf(op.Loc()); f != nil {
		name += fmt.Sprintf(" at %s:%d:%d", f.File, f.Line, f.Column)
	}
	return name
}
