package races

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/fault"
)

// Within a tile block this file takes the program order: tokens are race.go's matter. A byte keeps its latest few
// unordered accesses only. If very many race with one access, some of these races may be missed. No ordered pair is
// ever reported.

// remembered is how many accesses a byte keeps.
const remembered = 8

// A clock holds, by number of a tile block, the time up to which that one's accesses happen before.
//
// It is a map and not a vector: grids have up to 2^31 tile blocks, and one hears from few.
type clock map[uint64]uint32

// join makes c know what o knows.
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

// visits are the latest ones of a byte, the oldest first. Bytes share them, and they never change.
type visits struct{ list []visit }

// Blocks is what the tile blocks of a launch know of each other's accesses.
//
// It has no locks: tile blocks of a launch that looks for races run one at a time.
type Blocks struct {
	grid     [3]uint32
	ctas     uint64           // that share a tile block
	bytes    shadow[*visits]  // by position
	released map[uint64]clock // by address of an element stored with release semantics
	objects  []*object        // in order
	places   int              // what their lists remember
}

// NewBlocks returns the state of a launch without accesses.
func NewBlocks(grid [3]uint32, ctas int) *Blocks {
	return &Blocks{grid: grid, ctas: uint64(ctas), released: make(map[uint64]clock)}
}

// A BlockClock is the view that one tile block has of the others.
type BlockClock struct {
	races *Blocks
	block uint64
	now   uint32
	known clock         // nil: it knows of none
	memo  memo[*visits] // what the current event makes of visits
}

// Start begins a CTA, by its number in the launch.
func (r *Blocks) Start(block uint64) *BlockClock {
	return &BlockClock{races: r, block: block, now: 1}
}

// Meet makes the accesses of CTAs so far happen before what follows in any of them.
func Meet(ctas []*State) {
	all := make(clock)
	for _, t := range ctas {
		c := t.Blocks
		all.join(c.known)
		all[c.block] = c.now
		c.now++
	}
	for _, t := range ctas {
		t.Blocks.learn(all)
	}
}

// learn makes the tile block know what others knew.
func (c *BlockClock) learn(o clock) {
	if c.memo.forget(); c.known == nil {
		c.known = make(clock)
	}
	c.known.join(o)
}

func (c *BlockClock) after(v visit) bool { return v.block == c.block || c.known[v.block] >= v.time }

// check returns an error if an event races with another tile block's access to positions of the element at addr.
func (c *BlockClock) check(addr, first, end uint64, e *Event) error {
	return c.races.bytes.within(first, end, func(v *visits) error {
		if _, ok := c.memo.of(v); ok {
			return nil
		}
		next, with := c.next(v, e)
		if with == nil {
			c.memo.put(v, next)
			return nil
		}
		x, y, ctas := uint64(c.races.grid[0]), uint64(c.races.grid[1]), c.races.ctas
		by, block := "", with.block/ctas
		if ctas > 1 {
			by = fmt.Sprintf(", CTA %d,", with.block%ctas)
		}
		id := [3]uint32{uint32(block % x), uint32(block / x % y), uint32(block / (x * y))}
		return fault.Racing(addr, with.op, &id, "races with %s of tile block (%d, %d, %d)%s for address 0x%x: nothing that one released and the other acquired orders them",
			describe(with.op), id[0], id[1], id[2], by, addr)
	})
}

// note adds an event to the visits of positions.
func (c *BlockClock) note(first, end uint64, e *Event) {
	c.races.bytes.update(first, end, func(v *visits) *visits {
		next, ok := c.memo.of(v)
		if !ok {
			next, _ = c.next(v, e)
			c.memo.put(v, next)
		}
		return next
	})
}

// next returns the visits of a byte after an event, or the visit that it races with.
func (c *BlockClock) next(v *visits, e *Event) (next *visits, race *visit) {
	this := visit{c.block, c.now, e.write, e.weak, e.op}
	if v == nil {
		v = new(visits)
	}
	kept := make([]visit, 0, len(v.list)+1)
	for i := range v.list {
		v := &v.list[i]
		conflict := (v.write || e.write) && (v.weak || e.weak)
		if conflict && !c.after(*v) {
			return nil, v
		}
		// The new access happens after v, and conflicts with everything that v conflicts with: v is redundant.
		if c.after(*v) && (e.write || !v.write) && (e.weak || !v.weak) {
			continue
		}
		kept = append(kept, *v)
	}
	if len(kept) == remembered {
		kept = slices.Delete(kept, 0, 1)
	}
	kept = append(kept, this)
	if slices.Equal(kept, v.list) {
		return v, nil
	}
	for _, made := range c.memo.made() { // so that what becomes alike is one run
		if slices.Equal(kept, made.list) {
			return made, nil
		}
	}
	return &visits{kept}, nil
}

// release publishes what the tile block did so far, to those that acquire the element at addr from now on.
func (c *BlockClock) release(addr uint64) {
	to := c.races.released[addr]
	if to == nil {
		to = make(clock)
		c.races.released[addr] = to
	}
	to.join(c.known)
	to[c.block] = max(to[c.block], c.now)
	c.now++
	c.memo.forget()
}

// acquire learns what was released at addr.
func (c *BlockClock) acquire(addr uint64) {
	if from := c.races.released[addr]; from != nil {
		c.learn(from)
	}
}
