package stripmine

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// Chains with MMAs. Their operands are in shared memory, and the number of warps follows from what a kernel
// needs, so their budget is not that of other chains. They are split if no number of warps holds what is live
// (package pressure): along the rows or columns of accumulators, or both. The cost is that each part reloads the
// operands that the split does not divide. The order in which an element is accumulated stays.

const (
	// leastWarps is how many warps a kernel has at least.
	leastWarps = 4
	// leastPart is how many rows or columns of an MMA a part keeps: those of a matrix instruction of each of some
	// warps.
	leastPart = 32
	// maxLoops bounds how many loops a kernel gets.
	maxLoops = 64
)

// cutMMAs splits the chains of a block that have MMAs.
func (m *miner) cutMMAs(b ir.Block) {
	for _, c := range m.chains(b) {
		if !c.multiplies() {
			continue
		}
		if _, fits, warps := c.need(cut{}); fits {
			// More warps are cheaper than a split, which loads operands again.
			m.take(warps, pressure.Warps(m.kernel, pressure.Of(m.kernel, m.arch, pressure.View{Entire: m.entire}).Most(), leastWarps, m.arch))
			continue
		}
		pick, culprit := c.chooseMMAs()
		if pick == nil {
			if !culprit.IsNil() {
				m.whole = append(m.whole, culprit)
			}
			continue
		}
		loops := pick.plan.emit(pick.parts)
		m.made += len(loops)
		m.forget()
		for _, loop := range loops {
			m.cutMMAs(loop.Body())
		}
		if m.made < maxLoops {
			m.cutMMAs(b) // the other chains, whose operations the plan may have moved
		}
		return
	}
}

// need returns what a thread needs for a chain after a split, whether it has that, and in how many warps. The
// tensors alone determine a number of warps. If these leave too little room for the operands of a step, more
// warps are tried.
func (c *chain) need(t cut) (words int64, fits bool, warps int) {
	view := pressure.View{Entire: c.entire, Cut: c.partsOf(t), First: c.ops[0]}
	view.Summed = func(v ir.Value) bool {
		return slices.ContainsFunc(t.plans, func(p *plan) bool {
			def := v.DefiningOp()
			if def.IsNil() || !c.member[def] {
				return false
			}
			a, ok := c.axisIn(def, p.id)
			return ok && a.Kind == strip.Summed
		})
	}
	warps = max(c.warps, pressure.Warps(c.kernel, pressure.Of(c.kernel, c.arch, view).Most(), leastWarps, c.arch))
	view.Staged, view.InShared = true, c.fitsSharedAtOnce(t)
	profile := pressure.Of(c.kernel, c.arch, view)
	most := warps
	// A hint fixes the number of warps.
	if contract.KernelSpecOf(c.kernel).NumWarps == 0 {
		most = max(warps, pressure.MostWarps)
	}
	for ; ; warps *= 2 {
		words = profile.Within(c.ops[0], c.ops[len(c.ops)-1], warps)
		room := c.room
		if room == 0 {
			room = int64(budget.Of(c.kernel, c.arch).WithWarps(warps).Registers(budget.ForLoops))
		}
		if words <= room || warps*2 > most {
			return words, words <= room, warps
		}
	}
}

// multiplies reports whether a chain has MMAs, which have another budget.
func (c *chain) multiplies() bool { return slices.ContainsFunc(c.ops, tile.HasMMA) }

// take gives the kernel more warps than it would get.
func (m *miner) take(warps, given int) {
	if warps <= given || m.room > 0 {
		return
	}
	m.warps = warps
	tileaa.SetNumWarps(m.kernel, warps)
}

// A cut is a way to split a chain: the number of parts of some of its classes.
type cut struct {
	plans []*plan
	parts []int64
}

// chooseMMAs returns the first of the splits that a chain needs. Of those after which it fits, that is the one that
// repeats the least loads and MMAs. If none is enough, it is the one that leaves the least live.
func (c *chain) chooseMMAs() (*choice, ir.Op) {
	plans, culprit := c.mmaPlans()
	var best cut
	var bestNeed, bestCost int64
	bestFits := false
	// A split that does not make the chain fit must at least save a quarter, or it only adds loads.
	whole, _, _ := c.need(best)
	try := func(t cut) {
		need, fits, _ := c.need(t)
		cost := c.costOf(t)
		switch {
		case !fits && (bestFits || need > whole*3/4):
		case len(best.plans) == 0, fits && !bestFits, fits && cost < bestCost, !fits && need < bestNeed:
			best, bestNeed, bestCost, bestFits = t, need, cost, fits
		}
	}
	for _, p := range plans { // first, so that one loop is made if two cost as much
		for n := int64(2); n <= c.mostParts(p); n *= 2 {
			try(cut{[]*plan{p}, []int64{n}})
		}
	}
	for i, p := range plans {
		for n := int64(2); n <= c.mostParts(p); n *= 2 {
			for _, q := range plans[i+1:] {
				for k := int64(2); k <= c.mostParts(q); k *= 2 {
					try(cut{[]*plan{p, q}, []int64{n, k}})
				}
			}
		}
	}
	if len(best.plans) == 0 {
		return nil, culprit
	}
	// Only the first split is made now. The parts are looked at again, so the second one follows if it is still
	// needed.
	return &choice{best.plans[0], best.parts[0]}, ir.Op{}
}

// mmaPlans returns the plans that need one loop, by their outermost dimensions, and the operation that others fail at.
func (c *chain) mmaPlans() (plans []*plan, culprit ir.Op) {
	for _, info := range c.list {
		if info.most < 2 {
			continue
		}
		if culprit = info.culprit; !culprit.IsNil() {
			continue
		}
		switch p := c.plan(info.id); {
		case !p.stuck.IsNil():
			culprit = p.stuck
		// A staged operand would take the shared memory of others, and each part would load it from there.
		case len(p.stage) > 0:
			culprit = p.stage[0]
		case len(p.phases) == 1 && c.mostParts(p) > 1 && !p.leavesLoop():
			plans = append(plans, p)
		}
	}
	slices.SortStableFunc(plans, func(a, b *plan) int { return c.infos[a.id].rank - c.infos[b.id].rank })
	return plans, culprit
}

// leavesLoop reports whether a loop of the program would have to run in addition to the parts, for results that the
// class does not split and others use.
func (p *plan) leavesLoop() bool {
	ph := p.phases[0]
	for op := range ph.pulled {
		a, ok := p.axisIn(op, p.id)
		if p.carriers[op] == nil || !ok {
			continue
		}
		for i, v := range op.Results() {
			if tokens.Is(v) { // those of the parts replace them
				continue
			}
			for u := range v.Uses() {
				if user := u.Owner().AncestorIn(p.block.Region()); a.Dim(true, i) < 0 && !ph.pulled[user] && !slices.Contains(ph.sinks, user) {
					return true
				}
			}
		}
	}
	return false
}

// mostParts returns into how many parts a class of a chain with MMAs may be split.
func (c *chain) mostParts(p *plan) int64 {
	if c.room > 0 {
		return c.infos[p.id].most
	}
	return c.infos[p.id].most / leastPart
}

// partsOf returns into how many parts a split divides values.
func (c *chain) partsOf(t cut) func(ir.Value) int64 {
	parts := make(map[ir.Value]int64)
	for i, p := range t.plans {
		c.eachCut(p.id, func(v ir.Value) { parts[v] = max(1, parts[v]) * t.parts[i] })
	}
	// Free tensors belong to no class. A subtile of what they are combined with rematerializes a subtile of them.
	var of func(v ir.Value) int64
	of = func(v ir.Value) int64 {
		if n, ok := parts[v]; ok || !ir.IsTensor(v) || !c.free(v) {
			return max(1, n)
		}
		n := int64(1)
		parts[v] = n // ends recursion through loops
		for u := range v.Uses() {
			for _, x := range slices.Concat(u.Owner().Operands(), u.Owner().Results()) {
				if x != v && ir.IsTensor(x) && slices.Equal(tile.Shape(x.Type()), tile.Shape(v.Type())) {
					n = max(n, of(x))
				}
			}
		}
		parts[v] = n
		return n
	}
	return of
}

// eachCut calls add for the values that a class splits, in loops too.
func (c *chain) eachCut(id int, add func(ir.Value)) {
	seen := make(map[ir.Value]bool)
	for _, p := range c.places {
		if c.find(c.at[p]) == id && !seen[p.v] {
			seen[p.v] = true
			add(p.v)
		}
	}
	for _, op := range c.ops {
		if l := c.carriers[op]; l != nil {
			if _, k, ok := c.numberedAxis(op, id); ok {
				l.body.eachCut(l.ids[k], add)
			}
		}
	}
}

// costOf returns what a chain loads and multiplies if it is split: an operation that a class does not split is
// repeated in each part.
func (c *chain) costOf(t cut) (cost int64) {
	ids := make([]int, len(t.plans))
	for i, p := range t.plans {
		ids[i] = p.id
	}
	return c.cost(ids, t.parts, 1)
}

func (c *chain) cost(ids []int, parts []int64, weight int64) (sum int64) {
	for _, op := range c.ops {
		times, inner := weight, make([]int, len(ids))
		for i, id := range ids {
			_, k, ok := c.numberedAxis(op, id)
			inner[i] = -1
			if l := c.carriers[op]; l != nil && ok {
				inner[i] = l.ids[k]
			} else if !ok {
				times *= parts[i]
			}
		}
		if l := c.carriers[op]; l != nil {
			sum += l.body.cost(inner, parts, cost.Times(weight, op))
			continue
		}
		sum += times * c.opCost(op)
	}
	return sum
}

// opCost is the cost of an operation, as the bytes that can be loaded in its time.
func (c *chain) opCost(op ir.Op) int64 {
	if _, ok := tile.MMAs.Of(op); ok {
		shape := tile.Shape(op.Operand(0).Type())
		n := float64(op.Result(0).Type().(*ir.TensorType).NumElements() * shape[len(shape)-1])
		rate := c.arch.MultiplyAdds(mma.Types(op))
		if rate == 0 { // operands are converted (tileas-legalize-dot)
			rate = c.arch.MultiplyAdds(sm.MatrixTypes{A: sm.F16, B: sm.F16, D: sm.F32})
		}
		return int64(n / rate * c.arch.Memory().L2Bytes)
	}
	if ir.HasNoEffects(op) {
		return 0
	}
	var bytes int64
	for _, v := range op.Results() {
		if t, ok := v.Type().(*ir.TensorType); ok {
			bytes += t.NumElements() * int64(tile.ElementBytes(t.Elem))
		}
	}
	return bytes
}
