package machine

import (
	"errors"
	"fmt"
	"math/bits"
)

// A Profile is what launches of one program executed, counted exactly. The zero value is empty, and each launch that
// has it adds to it. Sums do not depend on the order of CTAs, so that the number of workers does not show.
//
// Memory is in proportion to the program and not to the events: counters for each instruction that was executed, once
// for each worker.
type Profile struct {
	// Block, if not nil, is the only CTA that counts.
	Block *[3]uint32

	// Summed makes one line of all instructions. Who times a thousand tile blocks, one by one, needs no more.
	Summed bool

	// Trace, if not nil, keeps what one CTA of the first launch executed.
	Trace *Trace

	// Lines are the counters of the instructions of the program, in its order; nil: never executed. With Summed it is
	// one, of all.
	Lines    []*Counters
	Launches uint64
	Blocks   uint64 // CTAs that were counted
	// Least and Most are, for each counter, the least and the most of any CTA.
	Least, Most Counters
	// Arrivals are the warps that came to each barrier, Phases how often it completed.
	Arrivals, Phases [BarrierCount]uint64
}

// Total is the sum over all instructions.
func (p *Profile) Total() (sum Counters) {
	for _, l := range p.Lines {
		if l != nil {
			sum.AddAll(l)
		}
	}
	return sum
}

// begin checks that the profile is one of the program, and counts a launch.
func (p *Profile) begin(prog *Program, grid [3]uint32) error {
	lines := len(prog.Code)
	if p.Summed {
		lines = 1
	}
	if p.Lines == nil {
		p.Lines = make([]*Counters, lines)
	}
	if len(p.Lines) != lines {
		return fmt.Errorf("the profile is one of a program of %d instructions, the entry has %d", len(p.Lines), len(prog.Code))
	}
	if b := p.Block; b != nil && (b[0] >= grid[0] || b[1] >= grid[1] || b[2] >= grid[2]) {
		return fmt.Errorf("the grid of %d,%d,%d has no CTA %d,%d,%d to count", grid[0], grid[1], grid[2], b[0], b[1], b[2])
	}
	if p.Launches++; p.Launches == 0 {
		return errors.New("the profile has too many launches")
	}
	return nil
}

// sheet returns an empty profile for one worker.
func (p *Profile) sheet() *Profile {
	s := &Profile{Block: p.Block, Summed: p.Summed, Lines: make([]*Counters, len(p.Lines))}
	if p.Trace != nil {
		s.Trace = new(Trace) // for the sectors that are touched
	}
	return s
}

// merge adds what one worker counted.
func (p *Profile) merge(s *Profile) {
	for i, l := range s.Lines {
		switch {
		case l == nil:
		case p.Lines[i] == nil:
			p.Lines[i] = l
		default:
			p.Lines[i].AddAll(l)
		}
	}
	for i := range p.Arrivals {
		p.Arrivals[i] = Sum(p.Arrivals[i], s.Arrivals[i])
		p.Phases[i] = Sum(p.Phases[i], s.Phases[i])
	}
	if s.Blocks > 0 {
		p.extremes(&s.Least, &s.Most)
	}
	p.Blocks = Sum(p.Blocks, s.Blocks)
	if p.Trace != nil {
		p.Trace.touched.merge(&s.Trace.touched)
	}
}

// extremes widens the range of what CTAs have counted.
func (p *Profile) extremes(least, most *Counters) {
	if p.Blocks == 0 {
		p.Least, p.Most = *least, *most
		return
	}
	for k := range p.Least {
		p.Least[k], p.Most[k] = min(p.Least[k], least[k]), max(p.Most[k], most[k])
	}
}

// attach makes the CTAs of a cluster count on the sheet of the worker that executes them now.
func (g *Cluster) attach(sheet *Profile) {
	for _, c := range g.CTAs {
		counts := sheet != nil && (sheet.Block == nil || c.ID == *sheet.Block)
		if c.trace = nil; counts && sheet.Trace != nil && g.run.traced(c.ID) {
			c.trace = g.run.Launch.Profile.Trace
		}
		for _, w := range c.Warps {
			if w.sheet = nil; counts {
				w.sheet = sheet
			}
		}
	}
}

// settle ends the counting of CTAs that have exited.
func (g *Cluster) settle(sheet *Profile) {
	for _, c := range g.CTAs {
		if sheet.Block == nil || c.ID == *sheet.Block {
			if c.trace != nil {
				c.trace.Counted = c.counts[WarpInstructions]
			}
			sheet.extremes(&c.counts, &c.counts)
			sheet.Blocks++
		}
	}
}

// Profiled says that the warp counts what it executes.
func (w *Warp) Profiled() bool { return w.sheet != nil }

// Count counts n events at the instruction that the warp executes, if it counts.
func (w *Warp) Count(k Counter, n uint64) {
	if w.sheet != nil {
		w.count(k, n)
	}
}

func (w *Warp) count(k Counter, n uint64) {
	w.line().Add(k, n)
	w.CTA.counts.Add(k, n)
}

// line is the counters of the current instruction.
func (w *Warp) line() *Counters {
	at := w.Cur.pc
	if w.sheet.Summed {
		at = 0
	}
	l := &w.sheet.Lines[at]
	if *l == nil {
		*l = new(Counters)
	}
	return *l
}

// executeCounted executes as execute does, in steps of one instruction that is counted first. So the loop that
// launches without a profile run has nothing in it of profiles.
func (w *Warp) executeCounted(budget int) {
	for ; budget > 0 && w.Cur != nil && !w.Yield && w.Err == nil; budget-- {
		s := w.Cur
		if s.pc == s.rpc {
			w.drop(s, s.mask)
			budget++
			continue
		}
		in := &w.Program.Code[s.pc]
		m := s.mask
		if in.Guarded {
			m &= w.Pred(in.Guard)
		}
		w.countIssue(in, s.mask, m)
		w.step()
	}
}

// countIssue counts the issue of an instruction to the lanes of mask active, of which those of m execute it.
func (w *Warp) countIssue(in *Inst, active, m uint32) {
	if in.Kind >= KindBarrier && m != 0 && m != active {
		return // lanes that may block part from the others first, and issue it for themselves
	}
	for _, c := range [...]*Counters{w.line(), &w.CTA.counts} {
		c.Add(WarpInstructions, 1)
		c.Add(ActiveThreads, uint64(bits.OnesCount32(active)))
		c.Add(ThreadInstructions, uint64(bits.OnesCount32(m)))
	}
	if t := w.CTA.trace; t != nil {
		t.issue(w, m)
	}
	probe := w.Program.Probes[w.Cur.pc]
	if probe == nil || m == 0 {
		return
	}
	for _, k := range probe.Events {
		n := uint64(1)
		if k == BulkCommits || k == BulkWaits || k == MbarrierArrivals {
			n = uint64(bits.OnesCount32(m))
		}
		w.Count(k, n)
	}
	for i := range probe.Accesses {
		w.access(&probe.Accesses[i], m)
	}
}
