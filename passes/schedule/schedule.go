package schedule

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// A Plan is a schedule of a loop, and why it is as it is.
type Plan struct {
	Shape
	At    []int  // of each node, in units of time
	Bound string // what keeps II from being smaller
	MinII int    // the lower bound, in cycles
}

// A Scheduler places the operations of a graph. An error says why the loop is better left as it is; it is shown as a remark.
type Scheduler struct {
	Name, Summary string
	Schedule      func(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error)
}

var schedulers []*Scheduler

// Register makes a scheduler known, from an init function or a package-level variable.
func Register(s *Scheduler) *Scheduler {
	if s.Name == "" || s.Schedule == nil || Lookup(s.Name) != nil {
		panic(fmt.Sprintf("schedule: scheduler %q is registered twice, or lacks a name or a function", s.Name))
	}
	schedulers = append(schedulers, s)
	slices.SortFunc(schedulers, func(a, b *Scheduler) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// Lookup returns a scheduler by its name, or nil.
func Lookup(name string) *Scheduler {
	for _, s := range schedulers {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Names returns the names of all schedulers.
func Names() (out []string) {
	for _, s := range schedulers {
		out = append(out, s.Name)
	}
	return out
}

// Iterative is the default.
var Iterative = Register(&Scheduler{
	Name:     "iterative",
	Summary:  "Rau's iterative modulo scheduling, with the fewest overlapping iterations that come near the best II",
	Schedule: iterative,
})

const (
	// resolution is into how many units of time the busiest unit's work is divided: fine enough to tell operations apart, and the search looks at each.
	resolution = 48
	// stretched is by how much a latency measured on an idle machine is stretched, in halves: other tile blocks use the same memory. It is an estimate.
	stretched = 3
	// mostCopies is how many turns copies run ahead at most: each is code in front of the loop, and when so many are needed the tile is small, so that other tile blocks hide the latency too.
	mostCopies = 4
	// mostLoads is how many turns loads to registers run ahead at most: ptxas gives each further turn registers that a kernel of small tiles has not.
	mostLoads = 1
	// worth is what an overlap of iterations must save to be taken, in percent: it costs registers for both, and a copy of the overlapping part in front of and behind the loop.
	worth = 10
)

func iterative(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error) {
	p, err := withLoads(ctx, g, l)
	if err == nil || onlyCopies(g) {
		return p, err
	}
	// Loads that run ahead keep registers; the copies may still.
	for i := range g.Nodes {
		g.Stay(i)
	}
	if p, again := withLoads(ctx, g, l); again == nil {
		return p, nil
	}
	return nil, err
}

// withLoads schedules a graph with the loads that it has run ahead.
func withLoads(ctx context.Context, g *ddg.Graph, l Limits) (*Plan, error) {
	lead, err := newLeads(g, l)
	if err != nil {
		return nil, err
	}
	work, unit := busiest(g)
	s := Shape{Unit: max(1, (work+resolution-1)/resolution)}
	low := max(1, (work+s.Unit-1)/s.Unit)
	serial := 1
	for _, n := range g.Nodes {
		serial += s.units(max(n.Timing.Work(), n.Timing.Latency))
	}
	search := func(overlap, high int, l Limits) (*Plan, string) {
		why := ""
		for ii := low; ii <= high; ii += max(1, ii/resolution) {
			if ctx.Err() != nil {
				return nil, "it takes too long"
			}
			s := s
			s.II, s.Overlap = ii, overlap
			s.Lead = lead.at(ii * s.Unit)
			found, reason, err := modulo.At(Problem(g, s, l), ii, modulo.Options{})
			switch {
			case err != nil:
				return nil, err.Error()
			case found != nil:
				return &Plan{Shape: s, At: found.Cycle, MinII: work, Bound: "unit " + unit.String()}, ""
			}
			why = reason
		}
		return nil, why
	}
	// Registers are no limit to the order of the text, which ptxas has anyway; but loads that run ahead take more.
	plain := Limits{Shared: l.Shared}
	if !onlyCopies(g) {
		plain.Registers = l.Registers
	}
	best, why := search(0, serial, plain)
	if best == nil {
		return nil, fmt.Errorf("no schedule was found: %s", why)
	}
	// What waits in this block, others use: only where they cannot keep the units busy either is there something to be won.
	pressure := (&modulo.Schedule{II: best.II, Cycle: best.At}).Pressure(Problem(g, best.Shape, Limits{}))
	others := l.Blocks(pressure[classRegisters], pressure[classShared]) * low
	if high := best.II * (100 - worth) / 100; high > others && multiplies(g) {
		if p, _ := search(1, high, l); p != nil {
			best = p
		}
	}
	return best, nil
}

func onlyCopies(g *ddg.Graph) bool {
	for _, n := range g.Nodes {
		if n.Role == ddg.Ahead && !n.Async() {
			return false
		}
	}
	return true
}

// multiplies reports whether a loop has a unit that works while the issue port does something else, and nothing to wait for but that. Without the unit, other warps fill the gaps as well as other
// iterations; a load in the middle would be what runs ahead, in registers, which it was found not to be worth.
func multiplies(g *ddg.Graph) (ok bool) {
	for _, n := range g.Nodes {
		if n.Role == ddg.Compute && n.Timing.Busy[sm.UnitGlobal] > 0 {
			return false
		}
		ok = ok || n.Timing.Busy[sm.UnitTensor] > 0
	}
	return ok
}

// busiest returns the unit with the most work in an iteration.
func busiest(g *ddg.Graph) (cycles int, unit sm.Unit) {
	var sum [sm.NumUnits]int
	for _, n := range g.Nodes {
		for u, c := range n.Timing.Busy {
			sum[u] += c
		}
	}
	for u, c := range sum {
		if c > cycles {
			cycles, unit = c, sm.Unit(u)
		}
	}
	return max(1, cycles), unit
}

// leads decides how many turns copies run ahead.
type leads struct {
	latency int // cycles until the last copy has arrived
	most    int
	asked   int // by the kernel
}

func newLeads(g *ddg.Graph, l Limits) (d leads, err error) {
	bytes, ahead, transfer := 0, 0, 0
	for _, n := range g.Nodes {
		if n.Role == ddg.Ahead {
			ahead++
			transfer += n.Timing.Busy[sm.UnitGlobal]
			d.latency = max(d.latency, n.Timing.Latency-n.Timing.Busy[sm.UnitGlobal])
		}
	}
	d.latency += transfer // they share the way
	for _, b := range g.Buffers {
		if g.Nodes[b.Copy].Role == ddg.Ahead {
			bytes += SlotBytes(g, b)
		}
	}
	switch {
	case ahead == 0:
		return d, fmt.Errorf("nothing in it can run ahead")
	case l.Stages == 1:
		return d, fmt.Errorf("the kernel asks for one stage")
	case bytes == 0:
		d.most = mostLoads
		return d, nil
	}
	d.latency = d.latency * stretched / 2
	d.most = min(l.Shared/bytes-1, max(mostCopies, l.Stages-1))
	if d.most < 1 {
		return d, fmt.Errorf("two slots of its buffers need %d bytes of shared memory, and %d are left", 2*bytes, l.Shared)
	}
	d.asked = l.Stages
	return d, nil
}

// at returns the turns for an II in cycles.
func (d leads) at(ii int) int {
	n := (d.latency + ii - 1) / ii
	if d.asked > 0 {
		n = d.asked - 1
	}
	return min(max(1, n), d.most)
}
