package report

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/target/timing"
)

// A Profile is what a launch of the kernel did, by the model of time. All of its times are estimates.
type Profile struct {
	Kernel string `json:"kernel"` // its symbol; "" for the only one
	Title  string `json:"title"`
	// Bound is a unit, or latency where no unit is busy; Verdict says how that is known.
	Bound    string         `json:"bound"`
	Verdict  string         `json:"verdict"`
	Time     string         `json:"time"`  // of the launch
	Basis    string         `json:"basis"` // what the time is of
	Facts    []ProfileFact  `json:"facts"`
	Units    []ProfileShare `json:"units"`
	Warps    []ProfileShare `json:"warps"`
	Lines    []ProfileLine  `json:"lines"`
	Sources  []ProfileLine  `json:"sources"`
	Roofline ProfileRoof    `json:"roofline"`
	Cycles   int64          `json:"cycles"`
	Kinds    []string       `json:"kinds"` // names that spans have
	Lanes    []ProfileLane  `json:"lanes"`
	Notes    []string       `json:"notes"`
}

// A ProfileFact is a line of the summary.
type ProfileFact struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// A ProfileShare is a part of the cycles.
type ProfileShare struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	Means string  `json:"means,omitempty"` // the name in words
}

// A ProfileLine is an instruction or a line of the source.
type ProfileLine struct {
	Place  string  `json:"place"`
	Text   string  `json:"text"`
	Cycles int64   `json:"cycles"`
	Issued int64   `json:"issued"`
	Share  float64 `json:"share"`
	Why    string  `json:"why"` // warps wait most
}

// A ProfileRoof is the position under the roofline.
type ProfileRoof struct {
	Intensity float64 `json:"intensity"`
	Ridge     float64 `json:"ridge"`
	Attained  float64 `json:"attained"`
	Bound     string  `json:"bound"`
}

// A ProfileLane is a warp or a unit over time.
type ProfileLane struct {
	Name  string        `json:"name"`
	Spans []ProfileSpan `json:"spans"`
}

// A ProfileSpan is a wait or work.
type ProfileSpan struct {
	Start  int64 `json:"start"`
	Cycles int64 `json:"cycles"`
	Kind   int   `json:"kind"` // in Kinds
	Line   int   `json:"line"` // of the PTX that ran
}

// Bounds of what a page has of a profile.
const (
	maxProfileLines = 400
	maxProfileSpans = 6000
	maxKinds        = 64
)

// NewProfile makes what a page shows of an estimate.
func NewProfile(e *timing.Estimate) *Profile {
	p := &Profile{Title: fmt.Sprintf("estimate of time on %s (%s), by a model", e.Arch, e.Chip), Cycles: e.Cycles, Notes: e.Notes,
		Roofline: ProfileRoof{e.Roofline.Intensity, e.Roofline.Ridge, e.Roofline.Attained, e.Roofline.Bound}}
	p.Time = fmt.Sprintf("%.3g us", e.Microseconds+e.LaunchMicroseconds)
	p.Basis = fmt.Sprintf("A grid of %d x %d x %d on %s, by a model: an estimate.", e.Grid[0], e.Grid[1], e.Grid[2], e.Chip)
	if e.LaunchMicroseconds > 0 {
		p.Basis += fmt.Sprintf(" The launch itself takes %.2g us of it.", e.LaunchMicroseconds)
	}
	fact := func(name, format string, args ...any) {
		p.Facts = append(p.Facts, ProfileFact{name, fmt.Sprintf(format, args...)})
	}
	fact("kernel", "%d cycles, %.3g us (estimate)", e.KernelCycles, e.Microseconds)
	fact("an SM", "%d cycles with %d tile blocks, %d instructions issued", e.Cycles, e.Modelled, e.Issued)
	fact("tile block", "%d,%d,%d of %d x %d x %d: %d warps", e.TileBlock[0], e.TileBlock[1], e.TileBlock[2], e.Grid[0], e.Grid[1], e.Grid[2], e.Warps)
	fact("resident", "%d tile blocks an SM, bound by %s: %d registers a thread (%s), %d bytes of shared memory", e.Resident, e.Limit, e.Registers, e.RegistersFrom, e.SharedBytes)
	fact("roofline", "%.3g operations and %.3g bytes of memory: %.3g a byte, balance at %.3g; bound by %s, of which %.1f%% is attained (estimate)",
		e.Roofline.Flops, e.Roofline.Bytes, e.Roofline.Intensity, e.Roofline.Ridge, e.Roofline.Bound, 100*e.Roofline.Attained)
	for _, u := range e.Units {
		p.Units = append(p.Units, ProfileShare{u.Unit, u.Share, unitMeanings[u.Unit]})
	}
	all := float64(max(1, e.Issued))
	for _, n := range e.Stalls {
		all += float64(n)
	}
	p.Warps = append(p.Warps, ProfileShare{issuing, float64(e.Issued) / all, "instructions"})
	for i, n := range e.Stalls {
		if n > 0 {
			name := timing.Reasons()[i]
			p.Warps = append(p.Warps, ProfileShare{name, float64(n) / all, waitMeanings[name]})
		}
	}
	p.Lines, p.Sources = profileLines(e.Lines), profileLines(e.Sources)
	p.timeline(e.Timeline)
	p.conclude()
	return p
}

// issuing is what warps do that do not wait.
const issuing = "issuing"

// unitMeanings are the units of the model of time in words.
var unitMeanings = map[string]string{"issue": "issue slots", "tensor": "tensor cores", "fma": "FMA units", "alu": "integer units", "f64": "f64 units", "special": "special function units",
	"lsu": "load/store units", "shared": "shared memory", "bulk": "bulk copies (TMA)", "l2": "path to the L2 cache", "memory": "memory"}

// waitMeanings say what warps wait for, by the reasons of the model of time.
var waitMeanings = map[string]string{"fixed_latency": "results of arithmetic", "short_scoreboard": "shared memory, special functions", "long_scoreboard": "loads from memory",
	"tensor": "tensor cores", "copies": "groups of copies", "mbarrier": "mbarriers", "barrier": "other warps at barriers", "fence": "fences", "branch": "branches",
	"unit_busy": "busy units", "not_selected": "other warps to issue"}

// saturated is the share of the cycles from which on a unit is what bounds a kernel. Nsight Compute takes the same 60% of
// the peak, below which it calls a kernel bound by latency.
const saturated = 0.6

// conclude says what bounds the launch: the busiest unit, or what warps wait for where none is busy.
func (p *Profile) conclude() {
	most := func(list []ProfileShare) (top ProfileShare) {
		for _, s := range list {
			if s.Share > top.Share && s.Name != issuing {
				top = s
			}
		}
		if top.Means == "" {
			top.Means = top.Name
		}
		return top
	}
	unit, wait := most(p.Units), most(p.Warps)
	waits := ""
	if wait.Share > 0 {
		waits = fmt.Sprintf(" Warps wait most for %s: %.0f%% of their cycles.", wait.Means, 100*wait.Share)
	}
	if unit.Share >= saturated {
		p.Bound = unit.Means
		p.Verdict = fmt.Sprintf("This unit is busy for %.0f%% of the cycles.%s", 100*unit.Share, waits)
		return
	}
	p.Bound = "latency"
	p.Verdict = fmt.Sprintf("No unit is busy for more than %.0f%% of the cycles (%s).%s", 100*unit.Share, unit.Means, waits)
}

// profileLines are the lines that take most cycles.
func profileLines(lines []timing.Line) (out []ProfileLine) {
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b timing.Line) int { return int(max(-1, min(1, b.Cycles-a.Cycles))) })
	for i := range lines[:min(len(lines), maxProfileLines)] {
		l := &lines[i]
		place := fmt.Sprintf("PTX %d", l.Line)
		if l.Source != nil {
			place = l.Source.String()
		}
		out = append(out, ProfileLine{place, l.Text, l.Cycles, int64(l.Issued), l.Share, l.Worst()})
	}
	return out
}

// timeline takes the longest spans.
func (p *Profile) timeline(spans []timing.Span) {
	if len(spans) > maxProfileSpans {
		spans = slices.Clone(spans)
		slices.SortStableFunc(spans, func(a, b timing.Span) int { return int(max(-1, min(1, b.Cycles-a.Cycles))) })
		spans = spans[:maxProfileSpans]
		p.Notes = append(slices.Clone(p.Notes), fmt.Sprintf("the timeline has the %d longest waits", maxProfileSpans))
	}
	kinds, lanes := make(map[string]int), make(map[string]int)
	for _, s := range spans {
		name := s.Name
		if !slices.Contains(timing.Reasons(), name) { // instructions of units
			name = "at work"
		}
		k, ok := kinds[name]
		if !ok && len(p.Kinds) < maxKinds {
			k = len(p.Kinds)
			kinds[name] = k
			p.Kinds = append(p.Kinds, name)
		}
		l, ok := lanes[s.Lane]
		if !ok {
			l = len(p.Lanes)
			lanes[s.Lane] = l
			p.Lanes = append(p.Lanes, ProfileLane{Name: s.Lane})
		}
		p.Lanes[l].Spans = append(p.Lanes[l].Spans, ProfileSpan{s.Start, s.Cycles, k, s.Line})
	}
	slices.SortFunc(p.Lanes, func(a, b ProfileLane) int {
		if len(a.Name) != len(b.Name) {
			return len(a.Name) - len(b.Name)
		}
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
}

// Values are those that the operations of a CTA computed, in order.
type Values struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}
