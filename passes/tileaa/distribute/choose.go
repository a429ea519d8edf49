package distribute

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
	"github.com/tilewright/tilewright/target/sm"
)

const (
	beam      = 4    // partial plans that are kept
	maxSinks  = 48   // bounds the work for a kernel, as does maxOps
	maxOps    = 4096 //
	worthwile = 0.85 // of what a CTA does alone, at most
)

// distribute shares a kernel; it returns how many operations are cut, or why it was left alone.
func distribute(r *passes.Run, arch *sm.Arch, ctas, exchange int) (parts int, reason string) {
	aliases, err := alias.Analysis.Get(r)
	if err != nil {
		return 0, err.Error()
	}
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

const tooLong = "its CTAs would wait for each other longer than they win"

// A partial is the choices for some sinks, and what the plan for these costs.
type partial struct {
	choices []variant
	joined  map[ir.Op]bool
	cost    float64
}

// choose finds the plan that costs a CTA least: by beam search over the sinks, once without reductions and scans that CTAs do together and once with all of them, and then by turning over single ones of these.
func (k *kernel) choose() (*plan, string) {
	if len(k.sinks) > maxSinks || len(k.all) > maxOps {
		return nil, "it has too many operations to try plans for"
	}
	plans, reason := k.search(nil)
	untold := math.Inf(1) // the least cost if CTAs told each other everything at once
	if len(k.joins) > 0 {
		all := make(map[ir.Op]bool)
		for _, op := range k.joins {
			all[op] = true
		}
		more, _ := k.search(all)
		for _, c := range more {
			untold = min(untold, c.cost-k.try(c.choices, all).told())
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
		if untold = min(untold, c.cost-p.told()); c.cost > worthwile*alone {
			continue
		}
		p.checkOrder()
		switch {
		case p.reason != "":
			reason = p.reason
		case c.cost+p.waits() <= worthwile*alone:
			return p, ""
		default:
			reason = tooLong
		}
	}
	switch {
	case reason != "":
	case untold <= worthwile*alone:
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

// improve turns over whether CTAs do a reduction or scan together, wherever that makes the plan cheaper.
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
	perStep   = 1.0 / 64 // of a product: multiply-adds on tensor cores
	perLoop   = 8        // iterations that a loop is taken to have
	maxDepth  = 4

	// perExchange is of the time in which CTAs tell each other something: two barriers of the cluster and a load from another SM, some 600 cycles (arXiv 2402.13499: 180 of these for the load), in which a CTA with 4 warps would
	// do a step on an element in one of four of its lanes.
	perExchange = 600 * 128 / 4
)

// cost estimates what a CTA does.
func (p *plan) cost() (sum float64) {
	for _, op := range p.all {
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
	return sum + p.told()
}

// told is what it costs that CTAs tell each other something. All terms are whole numbers, of which sums of floats are exact: the order in which maps give them does not show.
func (p *plan) told() (sum float64) {
	p.exchanges(func(at ir.Op, n float64) { sum += (p.exchange + perAccess*n) * p.often(at) })
	return sum
}

// alone is what a CTA does that has the tile block to itself.
func (p *plan) alone() float64 {
	clear(p.shared)
	return p.cost()
}

func (p *plan) often(op ir.Op) float64 {
	n := 1.0
	for depth := 0; depth < maxDepth; depth++ {
		if op = alias.LoopAround(op, false); op.IsNil() {
			break
		}
		n *= perLoop
	}
	return n
}

func elements(v ir.Value) float64 {
	n := 1.0
	for _, d := range tile.Shape(v.Type()) {
		n *= float64(d)
	}
	return n
}

func (p *plan) costOf(op ir.Op, v variant) float64 {
	if _, ok := tile.Products.Of(op); ok {
		return p.costOfProduct(op, v)
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

// costOfProduct: a part that is too small for the target's matrix instructions takes slower ones.
func (p *plan) costOfProduct(op ir.Op, v variant) float64 {
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

// fullRows are the rows that matrix instructions of the target have: with fewer they take as long, or others take their place.
func (p *plan) fullRows() []int64 {
	switch {
	case p.arch.TMEM.Columns > 0:
		return []int64{16, 64, 128}
	case p.arch.Has(sm.WgmmaSync):
		return []int64{16, 64}
	}
	return []int64{16}
}
