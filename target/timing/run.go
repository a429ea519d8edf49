package timing

import (
	"slices"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sm"
)

// signals are those of a trace by warp and event.
type signals struct {
	list [][]emu.Signal // by warp, in the order of events
	by   []bool         // instructions that signal
	need []int32        // by phase
}

func newSignals(t *emu.Trace, code int) *signals {
	s := &signals{list: make([][]emu.Signal, len(t.Warps)), by: make([]bool, code), need: make([]int32, t.Phases)}
	for _, x := range t.Signals {
		if int(x.Event) >= len(t.Warps[x.Warp]) {
			continue
		}
		s.list[x.Warp] = append(s.list[x.Warp], x)
		s.by[t.Warps[x.Warp][x.Event].PC] = true
		s.need[x.Phase]++
	}
	for _, l := range s.list {
		slices.SortStableFunc(l, func(a, b emu.Signal) int { return int(a.Event) - int(b.Event) })
	}
	return s
}

// signal gives the signals of an event at a time.
func (c *core) signal(w *warp, event int32, at int64) {
	l := c.signals.list[w.id]
	i, _ := slices.BinarySearchFunc(l, event, func(s emu.Signal, e int32) int { return int(s.Event) - int(e) })
	for ; i < len(l) && l[i].Event == event; i++ {
		k := int64(w.cta)*int64(c.phases) + int64(l[i].Phase)
		c.over[k] = max(c.over[k], at)
		c.left[k]--
	}
}

// memoryBytes is the part of an SM in what memory moves in a cycle, if a grid of so many CTAs is all that there is.
func (m *model) memoryBytes(ctas float64) float64 {
	sms := float64(m.chip.SMs)
	all := m.chip.GBytes * 1000 * sm.MemoryShare / m.mhz
	return min(m.memory.L2Bytes, all/min(sms, max(1, ctas)))
}

// newCore puts copies of the traced CTA on an SM.
func newCore(m *model, in *Input, ctas int, total float64) *core {
	t, code := in.Trace, in.Code
	c := &core{model: m, code: code, signals: newSignals(t, len(code)), cold: 1, perCycle: m.memoryBytes(total), phases: t.Phases,
		useful: make(map[sm.Elem]float64), lines: make([]*tally, len(code)), fills: make(map[place]int64)}
	// Memory has a clock of its own.
	c.beyond = float64(m.memory.Global-m.memory.L2) * m.mhz / float64(m.chip.MHz)
	used := make([]bool, len(code))
	for _, l := range t.Warps {
		for i := range l {
			used[l[i].PC] = true
		}
	}
	c.costs = make([]cost, len(code))
	for i := range code {
		if used[i] {
			c.costs[i] = m.classify(&code[i])
		}
	}
	m.machine(code, c.costs, in.Machine.Instructions)
	ord := newOrders(code, c.costs, m.place)
	orders := make([][]int32, len(t.Warps))
	for i, l := range t.Warps {
		orders[i] = ord.warp(l)
	}
	c.tensor = make([]int64, ctas)
	c.alive = make([]int, ctas)
	for cta := range ctas {
		c.left = append(c.left, c.signals.need...)
		for id := range t.Warps {
			n := len(c.warps)
			w := &warp{cta: cta, slot: cta, id: id, part: n % sm.Subpartitions, list: t.Warps[id], order: orders[id], phase: emu.NoPhase, who: -1,
				ready: make([]int64, in.Slots), cause: make([]reason, in.Slots)}
			c.warps = append(c.warps, w)
			c.parts[w.part] = append(c.parts[w.part], w)
			c.alive[cta]++
		}
	}
	c.over = make([]int64, len(c.left))
	return c
}

// run executes the trace. It returns the cycle at which the last warp has ended, and what it asked of memory is done.
//
// What happens next is found quarter by quarter. Times only grow as units get busy, so that the earliest known time is
// right if it is found again.
func (c *core) run(stop func() bool) int64 {
	var best [sm.Subpartitions]int64
	var who [sm.Subpartitions]*warp
	find := func(p int) {
		best[p], who[p] = never, nil
		for _, w := range c.parts[p] {
			if t := c.when(w); t < best[p] || t == best[p] && t < never && w.last > who[p].last {
				best[p], who[p] = t, w // the one that issued last goes on, as greedy schedulers do
			}
		}
	}
	for p := range best {
		find(p)
	}
	for steps := 0; ; steps++ {
		if steps%4096 == 0 && stop() {
			break
		}
		p := 0
		for q := range best {
			if best[q] < best[p] {
				p = q
			}
		}
		if best[p] == never {
			if !c.release() {
				break
			}
			for p := range best {
				find(p)
			}
			continue
		}
		if t := best[p]; true {
			if find(p); best[p] != t {
				continue
			}
		}
		w := who[p]
		signalled := c.signals.by[w.list[w.order[w.at]].PC]
		c.issue(w, best[p])
		if !c.prepare(w) && c.leave(w) {
			signalled = true // all quarters have new warps
		}
		find(p)
		for q := range best {
			if q != p && signalled {
				find(q)
			}
		}
	}
	// A kernel ends when memory has what it stored.
	return max(c.now, int64(c.mem), int64(c.l2))
}

// leave says that a warp has executed all of its events. With the last one of a CTA, the next CTA takes its place, which
// it reports.
func (c *core) leave(w *warp) bool {
	if c.alive[w.slot]--; c.alive[w.slot] > 0 {
		return false
	}
	end := int64(0)
	for _, x := range c.warps {
		if x.slot == w.slot {
			end = max(end, x.next)
		}
	}
	c.ended = append(c.ended, end)
	if c.budget == 0 {
		return false
	}
	c.budget--
	cta := len(c.tensor)
	c.left = append(c.left, c.signals.need...)
	c.over = append(c.over, make([]int64, c.phases)...)
	c.tensor = append(c.tensor, 0)
	for _, x := range c.warps {
		if x.slot != w.slot {
			continue
		}
		c.alive[w.slot]++
		clear(x.ready)
		clear(x.cause)
		*x = warp{cta: cta, slot: x.slot, id: x.id, part: x.part, list: x.list, order: x.order, phase: emu.NoPhase, who: -1, ready: x.ready, cause: x.cause,
			next: end + int64(sm.Starts.CTA), last: end + int64(sm.Starts.CTA)}
	}
	return true
}

// grid is how many cycles a grid of so many CTAs takes, of which an SM gets perSM at most.
//
// The SM of the model ran the first of them, until cycle end. Others follow at the pace of those after the first wave. Where memory or
// the L2 cache bounds the pace, SMs with fewer CTAs leave their part to the others, so that the mean counts and not the
// most.
func (c *core) grid(end int64, total, perSM float64) float64 {
	n := len(c.ended)
	cycles := float64(end)
	slots := len(c.alive)
	if more := perSM - float64(n); n > 0 && more > 0 {
		pace := cycles / float64(n)
		if n > slots {
			pace = float64(c.ended[n-1]-c.ended[slots-1]) / float64(n-slots)
		}
		// What no warp waits for, such as stores, bounds the pace too.
		pace = max(pace, c.busy[unitMemory]/float64(n), c.busy[unitL2]/float64(n))
		cycles += more * pace
	}
	shared := min(1, max(c.busy[unitMemory], c.busy[unitL2])/float64(max(1, end)))
	mean := min(1, total/(perSM*float64(c.chip.SMs)))
	if total < float64(c.chip.SMs) {
		mean = 1 // each SM of those that are used has one, and memoryBytes knows how many they are
	}
	return cycles * (1 - shared*(1-mean))
}

// release lets warps go on that wait for what the trace does not have: what CTAs do that were not traced, or came
// after its end. It reports whether there were any.
func (c *core) release() bool {
	any := false
	for _, w := range c.warps {
		if w.phase == emu.NoPhase {
			continue
		}
		at := int64(w.cta)*int64(c.phases) + int64(w.phase)
		c.left[at], c.over[at] = 0, max(c.over[at], c.now)
		any = true
	}
	if any {
		c.note("some waits are for what the traced tile block does not do itself; they end when nothing else happens")
	}
	return any
}
