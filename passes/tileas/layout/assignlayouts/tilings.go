package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/tileas/analysis/layouts"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// maxTrials bounds the search for warp tilings: each trial decides everything else again. Attention takes nine in
// four warps, and fifteen in eight warps with two versions of its loop.
const maxTrials = 24

// searchTilings searches the warp tilings of those dots for which more than their operands depends on it.
//
// For a dot alone, the squarest tiling is best, since a warp then reads the least of A and B. But values that are
// exchanged between warps go through shared memory: a row that is reduced, and a result that the next MMA takes
// as its A. In attention, both are best with all warps along M, although each warp then reads all of B.
// FlashAttention 2 does so for that reason (Dao, arXiv 2307.08691, section 3.3).
//
// So the dots of such a chain are tried in all warp tilings, first all in the same one and then each by itself.
// The least cost of the entire plan decides.
func (c *chooser) searchTilings() error {
	cost, err := c.solve()
	if err != nil {
		return err
	}
	trials := 0
	try := func(dots []ir.Op, a mma.WarpTiling) {
		if trials++; trials > maxTrials {
			return
		}
		before := make(map[ir.Op]mma.WarpTiling)
		changed := false
		for _, op := range dots {
			before[op] = c.tilings[op]
			a.Transposed = before[op].Transposed // that follows from where operands come from
			if c.fits(op, a) && c.tilings[op] != a {
				c.tilings[op] = a
				changed = true
			}
		}
		if !changed {
			return
		}
		n, err := c.solve()
		if err == nil && n < cost {
			cost = n
			return
		}
		for op, a := range before {
			c.tilings[op] = a
		}
	}
	for _, chain := range c.chains() {
		for wm := c.warps; wm >= 1; wm /= 2 {
			try(chain, mma.WarpTiling{M: wm, N: c.warps / wm})
		}
		for _, dots := range divide(c.classes, chain) { // the accumulators of a class have one layout
			for wm := c.warps; wm >= 1 && len(dots) < len(chain); wm /= 2 {
				try(dots, mma.WarpTiling{M: wm, N: c.warps / wm})
			}
		}
	}
	if trials > 0 { // the last trial need not be the best
		_, err = c.solve()
	}
	return err
}

// fits reports whether no warp would hold a copy of what another one computes.
func (c *chooser) fits(op ir.Op, a mma.WarpTiling) bool {
	if instr.Async(op) {
		row, _ := mma.ChooseAsync(c.arch, op, a)
		return row != nil
	}
	tiles := c.tiles[op]
	return a.M <= tiles.M && a.N <= tiles.N
}

// solve decides everything else for the current warp tilings, and returns the cost.
//
// The order matters. A price needs a home for every operand, so the search begins after propagation. Propagation spreads
// what seeds have reasons for. All but improve are linear in the operations, and improve is bounded per class. The time
// for an operation stays the same from 124 to 10,957 operations (docs/measurements/passes.md).
func (c *chooser) solve() (cost int, err error) {
	clear(c.homes)
	clear(c.fixed)
	clear(c.dots)
	if err := c.seed(); err != nil {
		return 0, err
	}
	if err := c.propagate(); err != nil {
		return 0, err
	}
	c.improve()
	c.signatures = make([]transfer.Signature, len(c.ops))
	for i, op := range c.ops {
		if c.isCheap(op) {
			continue
		}
		n := 0
		if c.signatures[i], n, err = c.signature(op); err != nil {
			return 0, err
		}
		cost += n * c.weight(op)
	}
	return cost + c.crowded(), nil
}

// crowded is the cost of loading again, in each iteration of a loop, what has no room in a thread's registers: operands of
// its MMAs that it does not change, beside its accumulators. In 1 x 8 each warp holds all rows of A. Of K and V of 64x128,
// which gradients of keys and values take as A, those are 256 registers.
func (c *chooser) crowded() (cost int) {
	type place struct {
		loop ir.Op
		v    ir.Value
	}
	held, seen := make(map[ir.Op]int), make(map[place]bool)
	for _, op := range c.ops {
		s, isDot := c.dots[op]
		loop := ir.LoopAround(op, false)
		if !isDot || loop.IsNil() || instr.Async(op) {
			continue
		}
		for i, v := range op.Operands()[:2] {
			if from := (place{loop, transfer.Source(v)}); !seen[from] && !loop.IsAncestorOf(from.v.Block().ParentOp()) {
				seen[from] = true
				held[loop] += layouts.Words(s.Operands[i], layouts.Bits(v.Type()))
			}
		}
		if !seen[place{loop, op.Operand(2)}] {
			held[loop] += layouts.Words(s.Results[0], layouts.Bits(op.Result(0).Type()))
		}
		seen[place{loop, op.Result(0)}] = true // an MMA that adds to it takes over its registers
	}
	for loop, n := range held {
		cost += max(0, n-c.registers) * c.weight(loop.Region(0).First().First())
	}
	return cost
}

// chains returns the dots whose warp tiling is worth a search, grouped by which feed each other. A chain has two
// dots, or a dot and a reduction of its result.
func (c *chooser) chains() [][]ir.Op {
	linked := ir.NewValueClasses(c.fn) // dots, by their accumulators
	link := func(a, b ir.Op) { linked.Union(a.Result(0), b.Result(0)) }
	searched := make(map[ir.Op]bool)
	accumulators := make(map[int]ir.Op) // the first dot of a class
	dots := ir.Filter(c.ops, func(op ir.Op) bool { _, ok := c.tiles[op]; return ok })
	for _, op := range dots {
		class := c.classes.Find(op.Result(0))
		if first, ok := accumulators[class]; ok { // the versions of a loop leave their accumulators in the same place
			link(first, op)
		} else {
			accumulators[class] = op
		}
		c.follow(op, func(u ir.Use) {
			switch _, isDot := c.tiles[u.Owner()]; {
			case u.Owner().Is(tileas.Level.Reduce):
				searched[op] = true
			case isDot && u.Index() < 2:
				searched[op] = true
				link(op, u.Owner())
			}
		})
	}
	return ir.Filter(divide(linked, dots), func(chain []ir.Op) bool {
		return slices.ContainsFunc(chain, func(op ir.Op) bool { return searched[op] })
	})
}

// divide divides dots by the class of their accumulators.
func divide(classes *ir.ValueClasses, dots []ir.Op) (out [][]ir.Op) {
	place := make(map[int]int)
	for _, op := range dots {
		class := classes.Find(op.Result(0))
		i, ok := place[class]
		if !ok {
			i = len(out)
			place[class] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], op)
	}
	return out
}

// follow calls f for each use of what a dot computes, and of what is computed from that, up to another dot. It
// stays in the block of the dot: what a loop does after its MMAs costs little compared to them.
func (c *chooser) follow(dot ir.Op, f func(ir.Use)) {
	work := ir.NewWorklist(dot)
	for op := range work.All() {
		for _, r := range ir.Filter(op.Results(), ir.IsTensor) {
			for u := range r.Uses() {
				if user := u.Owner(); user.Block() == dot.Block() {
					if f(u); !tileas.IsMMA(user) {
						work.Add(user)
					}
				}
			}
		}
	}
}

// warpTilingOf returns the warp tiling of a dot that has so many rows and columns of instruction tiles.
func (c *chooser) warpTilingOf(op ir.Op, tiles mma.WarpTiling) mma.WarpTiling {
	a, ok := c.tilings[op]
	if !ok {
		a.M, a.N = squareTiling(c.warps, tiles.M, tiles.N)
		c.tilings[op], c.tiles[op] = a, tiles
	}
	return a
}
