package assignlayouts

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
)

// An arrangement is how many warps share the rows and the columns of a dot, or of the transposed one where its instruction multiplies that.
type arrangement struct {
	m, n       int
	transposed bool
}

// maxTrials bounds the search for arrangements: each trial decides everything else anew. Attention in four warps takes nine, and in eight, with two versions of its loop, fifteen.
const maxTrials = 24

// arrange searches the arrangements of warps of those dots for which more than their operands depends on it.
//
// As square as possible is best for a dot alone, since a warp then reads the least of A and B. But what lies across warps must go through shared memory: a row that is reduced, and a result that the next
// product takes as its A. In attention both want all warps along M, at the price of each warp's reading all of B: FlashAttention 2 chose so for that reason (Dao, arXiv 2307.08691, section 3.3). So the dots of
// such a chain are tried in all arrangements, first all in the same and then one by one, and the least cost of the whole plan decides.
func (c *chooser) arrange() error {
	cost, err := c.solve()
	if err != nil {
		return err
	}
	trials := 0
	try := func(dots []ir.Op, a arrangement) {
		if trials++; trials > maxTrials {
			return
		}
		before := make(map[ir.Op]arrangement)
		changed := false
		for _, op := range dots {
			before[op] = c.arranged[op]
			a.transposed = before[op].transposed // that follows from where factors come from
			if c.fits(op, a) && c.arranged[op] != a {
				c.arranged[op] = a
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
			c.arranged[op] = a
		}
	}
	for _, chain := range c.chains() {
		for wm := c.warps; wm >= 1; wm /= 2 {
			try(chain, arrangement{m: wm, n: c.warps / wm})
		}
		for _, dots := range c.classes.divide(chain) { // the sums of a class have one layout
			for wm := c.warps; wm >= 1 && len(dots) < len(chain); wm /= 2 {
				try(dots, arrangement{m: wm, n: c.warps / wm})
			}
		}
	}
	if trials > 0 { // the last trial need not be the best
		_, err = c.solve()
	}
	return err
}

// fits reports whether no warp would hold a copy of what another one computes.
func (c *chooser) fits(op ir.Op, a arrangement) bool {
	if matrix.Async(op) {
		row, _ := matrix.ChooseAsync(c.arch, op, matrix.Arrangement{M: a.m, N: a.n, Transposed: a.transposed})
		return row != nil
	}
	tiles := c.tiles[op]
	return a.m <= tiles.m && a.n <= tiles.n
}

// solve decides everything for the arrangements as they are, and returns what it costs.
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
	for _, op := range c.ops {
		if c.isCheap(op) {
			continue
		}
		_, n, err := c.signature(op)
		if err != nil {
			return 0, err
		}
		cost += n * c.weight(op)
	}
	return cost, nil
}

// chains returns the dots whose arrangement is worth a search, those together that feed each other: a chain has two dots, or a dot and a reduction of what it computes.
func (c *chooser) chains() (out [][]ir.Op) {
	linked := newClasses() // dots, by their sums
	link := func(a, b ir.Op) { linked.union(a.Result(0), b.Result(0)) }
	searched := make(map[ir.Op]bool)
	sums := make(map[int]ir.Op) // the first dot of a class
	for _, op := range c.ops {
		if _, ok := c.tiles[op]; !ok {
			continue
		}
		class := c.classes.find(op.Result(0))
		if first, ok := sums[class]; ok { // the versions of a loop leave their sums in the same place
			link(first, op)
		} else {
			sums[class] = op
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
	var dots []ir.Op
	for _, op := range c.ops {
		if _, ok := c.tiles[op]; ok {
			dots = append(dots, op)
		}
	}
	for _, chain := range linked.divide(dots) {
		if slices.ContainsFunc(chain, func(op ir.Op) bool { return searched[op] }) {
			out = append(out, chain)
		}
	}
	return out
}

// divide divides dots by the class of their sums.
func (c *classes) divide(dots []ir.Op) (out [][]ir.Op) {
	place := make(map[int]int)
	for _, op := range dots {
		class := c.find(op.Result(0))
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

// follow calls f for each use of what a dot computes, and of what follows from that up to another dot, in the block of the dot: what a loop does behind its products costs little beside them.
func (c *chooser) follow(dot ir.Op, f func(ir.Use)) {
	seen := map[ir.Op]bool{dot: true}
	work := []ir.Op{dot}
	for len(work) > 0 {
		op := work[len(work)-1]
		work = work[:len(work)-1]
		for _, r := range op.Results() {
			if !transfer.IsTensor(r) {
				continue
			}
			for u := range r.Uses() {
				if user := u.Owner(); user.Block() == dot.Block() {
					f(u)
					if !seen[user] && !tileas.IsProduct(user) {
						seen[user] = true
						work = append(work, user)
					}
				}
			}
		}
	}
}

// arrangementOf returns the arrangement of a dot that has so many rows and columns of instruction tiles.
func (c *chooser) arrangementOf(op ir.Op, tiles arrangement) arrangement {
	a, ok := c.arranged[op]
	if !ok {
		a.m, a.n = arrangeWarps(c.warps, tiles.m, tiles.n)
		c.arranged[op], c.tiles[op] = a, tiles
	}
	return a
}
