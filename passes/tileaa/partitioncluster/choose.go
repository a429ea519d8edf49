package partitioncluster

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	beam       = 4    // partial plans that are kept
	maxSinks   = 48   // bounds the work for a kernel, as does maxOps
	maxOps     = 4096 //
	worthwhile = 0.85 // of what a CTA does alone, at most
)

// partition partitions a kernel; it returns how many operations are partitioned, or why it was left alone.
func partition(r *passes.Run, arch *sm.Arch, ctas, exchange int) (parts int, reason string) {
	aliases := alias.Analysis.Get(r)
	k, reason := newKernel(r.Op, ctas, arch, aliases)
	if reason != "" {
		return 0, reason
	}
	k.exchange = float64(exchange)
	p, reason := k.choose()
	if reason != "" {
		return 0, reason
	}
	return p.emit(), ""
}

const tooLong = "cluster synchronization would cost more than it saves"

// A partial is the choices for some sinks, and what the plan for these costs.
type partial struct {
	choices []variant
	joined  map[ir.Op]bool
	cost    float64
}

// choose finds the plan that costs a CTA least. It runs a beam search over the sinks, once without joint
// reductions and scans and once with all of them joint. Then it changes that for one reduction or scan at a time.
func (k *kernel) choose() (*plan, string) {
	if len(k.sinks) > maxSinks || len(k.all) > maxOps {
		return nil, "it has too many operations to try plans for"
	}
	plans, reason := k.search(nil)
	leastAlone := math.Inf(1) // the least cost if exchanges cost nothing
	// Only some of 2^n sets of joint reductions are tried, since each is a search: none, all, and changes of
	// these by one.
	if len(k.joins) > 0 {
		all := make(map[ir.Op]bool)
		for _, op := range k.joins {
			all[op] = true
		}
		more, _ := k.search(all)
		// Costs without exchanges tell in the remark whether it is exchanges that make partitioning unprofitable.
		for _, c := range more {
			leastAlone = min(leastAlone, c.cost-k.try(c.choices, all).exchangeCost())
		}
		plans = append(plans, more...)
		for i := range plans {
			k.improve(&plans[i])
		}
		sortByCost(plans)
	}
	alone := k.try(slices.Repeat([]variant{uncut}, len(k.sinks)), nil).alone()
	for _, c := range plans {
		p := k.try(c.choices, c.joined)
		// Plans are by cost, and the order of memory is checked last: it compares pairs of accesses.
		if leastAlone = min(leastAlone, c.cost-p.exchangeCost()); c.cost > worthwhile*alone {
			continue
		}
		p.checkOrder()
		switch {
		case p.reason != "":
			reason = p.reason
		case c.cost+p.waits() <= worthwhile*alone:
			return p, ""
		default:
			reason = tooLong
		}
	}
	switch {
	case reason != "":
	case leastAlone <= worthwhile*alone:
		reason = tooLong
	default:
		reason = "each would compute almost all of it"
	}
	return nil, reason
}

// search finds the cheapest plans in which CTAs do certain reductions and scans together, or why there is none.
func (k *kernel) search(joined map[ir.Op]bool) (plans []partial, reason string) {
	plans = []partial{{joined: joined}}
	for _, s := range k.sinks {
		var next []partial
		// A choice for one sink may be expensive alone, and cheap with others that want the same values. So a few
		// plans are kept, and not only the best.
		for _, have := range plans {
			for _, v := range k.options(s) {
				choices := append(slices.Clip(have.choices), v)
				p := k.try(choices, joined)
				if p.reason != "" {
					reason = p.reason
					continue
				}
				next = append(next, partial{choices, joined, p.cost()})
			}
		}
		if sortByCost(next); len(next) == 0 {
			return nil, reason
		}
		plans = next[:min(len(next), beam)]
	}
	return plans, ""
}

func sortByCost(plans []partial) {
	slices.SortStableFunc(plans, func(a, b partial) int { return cmp.Compare(a.cost, b.cost) })
}

// improve changes for one reduction or scan after the other whether CTAs do it jointly, if that makes the plan
// cheaper.
func (k *kernel) improve(c *partial) {
	for _, op := range k.joins[:min(len(k.joins), maxSinks)] {
		other := maps.Clone(c.joined)
		if other == nil {
			other = make(map[ir.Op]bool)
		}
		if other[op] {
			delete(other, op)
		} else {
			other[op] = true
		}
		if p := k.try(c.choices, other); p.reason == "" {
			if cost := p.cost(); cost < c.cost {
				c.joined, c.cost = other, cost
			}
		}
	}
}

// options returns the ways to execute a sink.
func (k *kernel) options(s ir.Op) (out []variant) {
	if k.private[s] || everywhere(s) {
		return []variant{uncut}
	}
	for i, a := range k.axes(s) {
		if a.Kind == strip.Parallel && k.divides(s, a) {
			out = append(out, variant(i))
		}
	}
	return append(out, uncut)
}

// Costs of an element, against that of arithmetic.
const (
	perAccess = 4
	perStep   = 1.0 / 64 // of an MMA: multiply-adds on tensor cores
	maxDepth  = 4
)

// perExchange is the cost of an exchange: two barriers of the cluster and a load from another SM. In each cycle, one of
// four lanes of a CTA with 4 warps would do a step on an element.
var perExchange = sm.ClusterExchange() * 4 * sm.WarpSize / 4

// cost estimates the work of one CTA.
func (p *plan) cost() (sum float64) {
	for _, op := range p.all {
		// Taken as free: no access to memory, and little or no arithmetic.
		if row, ok := strip.Rows.Of(op); ok && row.Rearranges || op.Is(tileaa.Level.Splat) || op.Is(tileaa.Level.Range) || ir.ConstantOf(op) != nil {
			continue
		}
		for _, v := range p.variants[op] {
			sum += p.costOf(op, v) * p.often(op)
		}
	}
	for w := range p.slices {
		sum += 2 * elements(w.v)
	}
	return sum + p.exchangeCost()
}

// exchangeCost is the cost of the exchanges of a plan. All terms are integers, which floats add exactly, so the order
// of maps does not matter.
func (p *plan) exchangeCost() (sum float64) {
	p.exchanges(func(at ir.Op, n float64) { sum += (p.exchange + perAccess*n) * p.often(at) })
	return sum
}

// alone is the cost for a single CTA.
func (p *plan) alone() float64 {
	// A single CTA does what happens once without any exchange.
	clear(p.shared)
	return p.cost()
}

func (p *plan) often(op ir.Op) float64 {
	n := int64(1)
	for depth := 0; depth < maxDepth; depth++ {
		if op = ir.LoopAround(op, false); op.IsNil() {
			break
		}
		n = cost.Times(n, op)
	}
	return float64(n)
}

func elements(v ir.Value) float64 {
	n := 1.0
	for _, d := range tile.Shape(v.Type()) {
		n *= float64(d)
	}
	return n
}

func (p *plan) costOf(op ir.Op, v variant) float64 {
	if _, ok := tile.MMAs.Of(op); ok {
		return p.costOfMMA(op, v)
	}
	most := 0.0
	size := func(x ir.Value, result bool, i int) {
		n := elements(x)
		if v != uncut && p.axes(op)[v].Dim(result, i) >= 0 {
			n /= float64(p.ctas)
		}
		most = max(most, n)
	}
	for i, x := range op.Operands() {
		size(x, false, i)
	}
	for i, x := range op.Results() {
		size(x, true, i)
	}
	if !tile.Pointer(op).IsNil() {
		most *= perAccess
	}
	return most
}

// costOfMMA counts an MMA as slower if its subtile is too small for the target's matrix instructions.
func (p *plan) costOfMMA(op ir.Op, v variant) float64 {
	a, c := tile.Shape(op.Operand(0).Type()), tile.Shape(op.Operand(2).Type())
	r := len(c)
	rows, columns := c[r-2], c[r-1]
	steps := elements(op.Operand(2)) * float64(a[r-1]) * perStep
	if v == uncut {
		return steps
	}
	steps /= float64(p.ctas)
	switch p.axes(op)[v].Dim(true, 0) {
	case r - 2:
		for _, least := range p.fullRows() {
			if rows >= least && rows/int64(p.ctas) < least {
				steps *= 2
			}
		}
	case r - 1:
		if least := int64(16); columns/int64(p.ctas) < least {
			steps *= 2
		}
	}
	return steps
}

// fullRows are the rows of the target's matrix instructions: an MMA with fewer rows takes as long, or needs another
// instruction.
func (p *plan) fullRows() []int64 {
	switch {
	case p.arch.TMEM.Columns > 0:
		return []int64{16, 64, 128}
	case p.arch.Has(sm.WgmmaSync):
		return []int64{16, 64}
	}
	return []int64{16}
}
