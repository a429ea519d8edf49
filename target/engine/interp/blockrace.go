package interp

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Tile blocks are ordered by what they say to each other: what a tile block did before it released a value is before what another one does after
// it acquired it (Tile IR specification, memory model: synchronises-with, happens-before). Each tile block has a vector clock, and each
// byte of global memory remembers its latest accesses with the clock of their tile block, as in FastTrack (Flanagan and Freund, 2009).
//
// The order within a tile block is that of the program here; tokens are race.go's matter. Of the accesses to a byte that nothing orders,
// the latest few are remembered, so of very many that race with the same one, one may be missed. None is reported that is ordered.

// remembered is how many accesses to a byte are kept.
const remembered = 8

// A clock says for other tile blocks, by number, up to which of their times they are known to be before.
//
// A map and not a vector: grids have up to 2^31 tile blocks, of which one hears from few.
type clock map[uint64]uint32

func (c clock) join(o clock) {
	for b, t := range o {
		c[b] = max(c[b], t)
	}
}

// A visit is an access of a tile block.
type visit struct {
	block       uint64
	time        uint32
	write, weak bool
	op          ir.Op
}

// blockRaces is what the tile blocks of a launch know of each other's accesses.
//
// The maps are divided by address so that tile blocks which run in parallel seldom wait for each other's locks.
type blockRaces struct {
	grid   [3]uint32
	ctas   uint64 // that share a tile block
	shards [64]raceShard
}

type raceShard struct {
	mu       sync.Mutex
	visits   map[uint64][]visit // by position
	released map[uint64]clock   // by address of an element that was written with release semantics
}

func newBlockRaces(grid [3]uint32, ctas int) *blockRaces {
	r := &blockRaces{grid: grid, ctas: uint64(ctas)}
	for i := range r.shards {
		r.shards[i] = raceShard{visits: make(map[uint64][]visit), released: make(map[uint64]clock)}
	}
	return r
}

func (r *blockRaces) shard(addr uint64) *raceShard {
	h := addr >> 4
	return &r.shards[(h^h>>6)%uint64(len(r.shards))]
}

// A blockClock is the view that one tile block has of the others.
type blockClock struct {
	races *blockRaces
	block uint64
	now   uint32
	known clock
}

// start begins with a CTA, by its number in the launch.
func (r *blockRaces) start(block uint64) *blockClock {
	return &blockClock{races: r, block: block, now: 1, known: make(clock)}
}

func (c *blockClock) after(v visit) bool { return v.block == c.block || c.known[v.block] >= v.time }

// access notes that an operation touches a position of the element at addr, and returns an error if that races with what another tile block did.
func (c *blockClock) access(at, addr uint64, e *event) error {
	s := c.races.shard(at)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.visits[at]
	kept := list[:0]
	for _, v := range list {
		conflict := (v.write || e.write) && (v.weak || e.weak)
		if conflict && !c.after(v) {
			x, y, ctas := uint64(c.races.grid[0]), uint64(c.races.grid[1]), c.races.ctas
			by, block := "", v.block/ctas
			if ctas > 1 {
				by = fmt.Sprintf(", CTA %d,", v.block%ctas)
			}
			return wrongf(launch.Race, "races with %s of tile block (%d, %d, %d)%s for address 0x%x: nothing that one released and the other acquired orders them",
				describe(v.op), block%x, block/x%y, block/(x*y), by, addr)
		}
		// What the new access is after, and conflicts with all that the old one would, says no more.
		if c.after(v) && (e.write || !v.write) && (e.weak || !v.weak) {
			continue
		}
		kept = append(kept, v)
	}
	if len(kept) == remembered {
		kept = slices.Delete(kept, 0, 1)
	}
	s.visits[at] = append(kept, visit{c.block, c.now, e.write, e.weak, e.op})
	return nil
}

// release makes what the tile block did so far known to those that acquire the element at addr from now on.
func (c *blockClock) release(addr uint64) {
	s := c.races.shard(addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	to := s.released[addr]
	if to == nil {
		to = make(clock)
		s.released[addr] = to
	}
	to.join(c.known)
	to[c.block] = max(to[c.block], c.now)
	c.now++
}

// acquire learns what was released at addr.
func (c *blockClock) acquire(addr uint64) {
	s := c.races.shard(addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.known.join(s.released[addr])
}

// synchronises returns whether an operation acquires and whether it releases, for other tile blocks.
func synchronises(op ir.Op) (acquires, releases bool) {
	if scope, ok := scopeOf(op); !ok || scope == cudatile.ScopeTileBlock {
		return false, false
	}
	switch orderingOf(op) {
	case cudatile.Acquire:
		return true, false
	case cudatile.Release:
		return false, true
	case cudatile.AcqRel:
		return true, true
	}
	return false, false
}
