package races

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
)

// Within a tile block this file takes the program order: tokens are race.go's matter. A byte keeps its latest few
// unordered accesses only. If very many race with one access, some of these races may be missed. No ordered pair is
// ever reported.

// remembered is how many accesses a byte keeps.
const remembered = 8

// A Clock holds, by number of a tile block, the time up to which that one's accesses happen before.
//
// It is a map and not a vector: grids have up to 2^31 tile blocks, and one hears from few.
type Clock map[uint64]uint32

// Join makes c know what o knows.
func (c Clock) Join(o Clock) {
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

// Blocks is what the tile blocks of a launch know of each other's accesses.
//
// It is sharded by address, so that tile blocks that run in parallel seldom wait for each other's locks.
type Blocks struct {
	grid   [3]uint32
	ctas   uint64 // that share a tile block
	shards [64]raceShard
}

type raceShard struct {
	mu       sync.Mutex
	visits   map[uint64][]visit // by position
	released map[uint64]Clock   // by address of an element stored with release semantics
}

// NewBlocks returns the state of a launch without accesses.
func NewBlocks(grid [3]uint32, ctas int) *Blocks {
	r := &Blocks{grid: grid, ctas: uint64(ctas)}
	for i := range r.shards {
		r.shards[i] = raceShard{visits: make(map[uint64][]visit), released: make(map[uint64]Clock)}
	}
	return r
}

func (r *Blocks) shard(addr uint64) *raceShard {
	h := addr >> 4
	return &r.shards[(h^h>>6)%uint64(len(r.shards))]
}

// A BlockClock is the view that one tile block has of the others.
type BlockClock struct {
	races *Blocks
	Block uint64
	Now   uint32
	Known Clock
}

// Start begins a CTA, by its number in the launch.
func (r *Blocks) Start(block uint64) *BlockClock {
	return &BlockClock{races: r, Block: block, Now: 1, Known: make(Clock)}
}

func (c *BlockClock) after(v visit) bool { return v.block == c.Block || c.Known[v.block] >= v.time }

// access notes an access of a position of the element at addr. It returns an error if that races with another tile
// block.
func (c *BlockClock) access(at, addr uint64, e *Event) error {
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
			id := [3]uint32{uint32(block % x), uint32(block / x % y), uint32(block / (x * y))}
			return fault.Racing(addr, v.op, &id, "races with %s of tile block (%d, %d, %d)%s for address 0x%x: nothing that one released and the other acquired orders them",
				describe(v.op), id[0], id[1], id[2], by, addr)
		}
		// The new access happens after v, and conflicts with everything that v conflicts with: v is redundant.
		if c.after(v) && (e.write || !v.write) && (e.weak || !v.weak) {
			continue
		}
		kept = append(kept, v)
	}
	if len(kept) == remembered {
		kept = slices.Delete(kept, 0, 1)
	}
	s.visits[at] = append(kept, visit{c.Block, c.Now, e.write, e.weak, e.op})
	return nil
}

// release publishes what the tile block did so far, to those that acquire the element at addr from now on.
func (c *BlockClock) release(addr uint64) {
	s := c.races.shard(addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	to := s.released[addr]
	if to == nil {
		to = make(Clock)
		s.released[addr] = to
	}
	to.Join(c.Known)
	to[c.Block] = max(to[c.Block], c.Now)
	c.Now++
}

// acquire learns what was released at addr.
func (c *BlockClock) acquire(addr uint64) {
	s := c.races.shard(addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Known.Join(s.released[addr])
}
