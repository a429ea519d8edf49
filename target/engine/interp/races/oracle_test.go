package races

import (
	"fmt"

	"github.com/tilewright/tilewright/target/engine/interp/fault"
)

// An oracle looks for races byte by byte, each with a list of its own. It is the definition that State and Blocks are
// compared with.
type oracle struct {
	events []Event
	before []uint64
	bytes  map[uint64][]uint32
	open   bool
	blocks *blockOracle
	clock  *oracleClock
}

type blockOracle struct {
	grid     [3]uint32
	visits   map[uint64][]visit
	released map[uint64]clock
}

type oracleClock struct {
	block uint64
	now   uint32
	known clock
}

func newOracle(blocks *blockOracle, block uint64, open bool) *oracle {
	return &oracle{bytes: make(map[uint64][]uint32), open: open, blocks: blocks, clock: &oracleClock{block, 1, make(clock)}}
}

func (o *oracle) begin(e Event, before []uint64) int {
	e.weak = e.weak || o.open
	o.before, o.events = before, append(o.events, e)
	return len(o.events) - 1
}

func (o *oracle) ordered(n uint32) bool {
	return int(n/64) < len(o.before) && o.before[n/64]>>(n%64)&1 != 0
}

// access is State.Access, of an element, and State.Accessed.
func (o *oracle) access(addr, size uint64, write bool) error {
	current := uint32(len(o.events) - 1)
	now := &o.events[current]
	now.write = write
	for at := addr; at < addr+size; at++ {
		var kept []uint32
		for _, n := range o.bytes[at] {
			then := &o.events[n]
			conflict := (then.write || write) && (then.weak || now.weak)
			switch {
			case n == current && conflict:
				return fault.Racing(addr, now.op, nil, "races with another element of the same operation for address 0x%x", addr)
			case n == current:
				continue
			case o.ordered(n):
				if then.write && !write {
					kept = append(kept, n)
				}
			case conflict:
				return fault.Racing(addr, then.op, nil, "races with %s for address 0x%x: no token orders them", describe(then.op), addr)
			default:
				kept = append(kept, n)
			}
		}
		o.bytes[at] = append(kept, current)
	}
	if !seenByOthers(addr) {
		return nil
	}
	for at := addr; at < addr+size; at++ {
		if err := o.visit(at, addr, now); err != nil {
			return err
		}
	}
	if now.releases && write {
		o.release(addr)
	}
	if now.acquires {
		o.clock.known.join(o.blocks.released[addr])
	}
	return nil
}

func (o *oracle) after(v visit) bool {
	return v.block == o.clock.block || o.clock.known[v.block] >= v.time
}

func (o *oracle) visit(at, addr uint64, e *Event) error {
	var kept []visit
	for _, v := range o.blocks.visits[at] {
		if (v.write || e.write) && (v.weak || e.weak) && !o.after(v) {
			x, y := uint64(o.blocks.grid[0]), uint64(o.blocks.grid[1])
			id := [3]uint32{uint32(v.block % x), uint32(v.block / x % y), uint32(v.block / (x * y))}
			return fault.Racing(addr, v.op, &id, "%s", fmt.Sprintf("races with %s of tile block (%d, %d, %d) for address 0x%x: nothing that one released and the other acquired orders them",
				describe(v.op), id[0], id[1], id[2], addr))
		}
		if o.after(v) && (e.write || !v.write) && (e.weak || !v.weak) {
			continue
		}
		kept = append(kept, v)
	}
	if len(kept) == remembered {
		kept = kept[1:]
	}
	o.blocks.visits[at] = append(kept, visit{o.clock.block, o.clock.now, e.write, e.weak, e.op})
	return nil
}

func (o *oracle) release(addr uint64) {
	to := o.blocks.released[addr]
	if to == nil {
		to = make(clock)
		o.blocks.released[addr] = to
	}
	to.join(o.clock.known)
	to[o.clock.block] = max(to[o.clock.block], o.clock.now)
	o.clock.now++
}

func (o *oracle) forget(addr, size uint64) {
	for at := addr; at < addr+size; at++ {
		delete(o.bytes, at)
	}
}
