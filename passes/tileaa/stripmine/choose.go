package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// runs are how many bytes a part keeps together along the dimension in which elements are adjacent. The most is
// an access of 16 bytes by each thread of a warp, the least a line of the cache.
var runs = []int64{512, 256, 128}

// A choice is how a chain is split.
type choice struct {
	plan  *plan
	parts int64
}

// maxOps is how many operations a chain may have to be split: pairs of loads and writes are compared.
const maxOps = 4096

// choose returns how a chain is split next, or nil; and then the operation that prevents it, if it should be
// split.
func (c *chain) choose(l limits) (*choice, ir.Op) {
	live := c.live()
	if len(c.ops) > maxOps {
		return nil, c.ops[maxOps]
	}
	var once, several []*plan
	var culprit ir.Op
	// Plans with one phase and no kept tile read each element once. All others read memory again or keep tiles
	// there.
	for _, info := range c.list {
		if info.most < 2 {
			continue
		}
		if !info.culprit.IsNil() {
			culprit = info.culprit
			continue
		}
		p := c.plan(info.id)
		switch {
		case !p.stuck.IsNil():
			culprit = p.stuck
		case len(p.phases) == 0:
		case len(p.phases) == 1 && len(p.stage) == 0:
			once = append(once, p)
		default:
			several = append(several, p)
		}
	}
	c.sort(once)
	c.sort(several)
	for i, run := range runs {
		// A transpose has adjacent elements along both dimensions. Splitting one to the shortest run and the other
		// hardly at all would cost more than two runs in between.
		if i < len(runs)-1 && c.reach(once, run) < live/l.target {
			continue
		}
		if best := c.best(once, l.target, run); best != nil {
			return best, ir.Op{}
		}
	}
	// Several phases load more than once. As long as a larger CTA holds the chain, that is not profitable.
	if live <= l.keep {
		return nil, ir.Op{}
	}
	for _, run := range append(runs, 1) {
		if best := c.best(several, l.target, run); best != nil {
			return best, ir.Op{}
		}
	}
	// Short runs are better than spills: the last resort is one phase without regard to runs.
	return c.best(once, l.target, 1), culprit
}

// sort puts plans into the order in which they are tried. Plans that load less twice and keep less in memory come
// first, and then those without values carried from part to part. Equal ones are sorted by their outermost
// dimension.
func (c *chain) sort(plans []*plan) {
	cost := func(p *plan) int {
		n := 2*len(p.phases) + 8*len(p.stage)
		if c.infos[p.id].ordered {
			n++
		}
		return n
	}
	slices.SortStableFunc(plans, func(a, b *plan) int {
		if d := cost(a) - cost(b); d != 0 {
			return d
		}
		return c.infos[a.id].rank - c.infos[b.id].rank
	})
}

// best returns the first plan that can be split while runs of adjacent elements keep so many bytes, and the
// number of parts. There are as few parts as meet the target, or as many as there can be.
func (c *chain) best(plans []*plan, target, run int64) *choice {
	for _, p := range plans {
		most := c.most(p.id, run)
		n := int64(1)
		for n < most && p.live(n) > target {
			n *= 2
		}
		if n > 1 {
			return &choice{p, n}
		}
	}
	return nil
}

// reach returns into how many parts all plans together split the chain while runs keep so many bytes.
func (c *chain) reach(plans []*plan, run int64) int64 {
	n := int64(1)
	for _, p := range plans {
		n = min(n*c.most(p.id, run), 1<<32)
	}
	return n
}

// most returns into how many parts a class can be split while runs keep so many bytes.
func (c *chain) most(id int, run int64) int64 {
	most, largest := c.infos[id].most, c.largestAccess()
	for _, op := range c.ops {
		a, ok := c.axisIn(op, id)
		if !ok || tile.Pointer(op).IsNil() {
			continue
		}
		for _, d := range a.Dims {
			t := valueAt(op, d).Type().(*ir.TensorType)
			if d.Dim != contiguous(op, t) || t.NumElements()*minor < largest {
				continue
			}
			keep := max(1, run/int64(tile.ElementBytes(pointee(op))))
			most = min(most, max(1, t.Shape[d.Dim]/keep))
		}
	}
	return most
}

// The lengths of runs do not matter for an access that is minor times smaller than the largest access of its
// chain, such as that of row sums.
const minor = 16

// largestAccess returns the number of elements of the largest access.
func (c *chain) largestAccess() (n int64) {
	for _, op := range c.ops {
		if tile.Pointer(op).IsNil() {
			continue
		}
		for _, v := range append(op.Operands(), op.Results()...) {
			if t, ok := v.Type().(*ir.TensorType); ok {
				n = max(n, t.NumElements())
			}
		}
	}
	return n
}

func pointee(op ir.Op) ir.Type {
	return ir.ElementType(tile.Pointer(op).Type()).(*tile.PtrType).Pointee
}

// contiguous returns the dimension along which elements of an access are adjacent; for pointers, of which that is not
// known, the last one.
func contiguous(op ir.Op, t *ir.TensorType) int {
	if op.Def().OperandField("offsets") >= 0 {
		return tile.AccessOf(op).ContiguousDim()
	}
	return len(t.Shape) - 1
}
