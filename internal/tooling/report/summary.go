package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/lazy"
	"github.com/tilewright/tilewright/internal/tooling/why"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	model "github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/ptxas"
	"github.com/tilewright/tilewright/target/sm"
)

// A Summary says of one kernel what a reader wants to know first.
type Summary struct {
	Name   string `json:"name"`   // as the program has it
	Symbol string `json:"symbol"` // as the module has it
	// Time is the estimate, and Basis what it is of. Bound is what the kernel is bound by, and Verdict how that is known.
	Time    string `json:"time"`
	Basis   string `json:"basis,omitempty"`
	Bound   string `json:"bound"`
	Verdict string `json:"verdict,omitempty"`
	// Units are cycles of units: of a launch, in proportion to all cycles; else to those of the busiest unit.
	Units    []ProfileShare `json:"units,omitempty"`
	Launched bool           `json:"launched,omitempty"`
	// Facts are resources: registers, spills, shared memory, occupancy.
	Facts []SummaryFact `json:"facts"`
	// Lines are those of the source that cost most, and Cures what is about other lines.
	Lines []*SummaryLine `json:"lines,omitempty"`
	Cures []SummaryCure  `json:"cures,omitempty"`
}

// A SummaryFact is a row. Bad marks what costs time.
type SummaryFact struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Bad  bool   `json:"bad,omitempty"`
}

// A SummaryLine is a line of the source.
type SummaryLine struct {
	Place  string        `json:"place"` // FILE:LINE
	Op     string        `json:"op"`    // of the input, the dearest of the line
	Share  float64       `json:"share"` // of what all lines cost
	Labels []int         `json:"labels"`
	Cures  []SummaryCure `json:"cures,omitempty"`
}

// A SummaryCure is a change of the program.
type SummaryCure struct {
	Place   string `json:"place"`
	Problem string `json:"problem"`
	Cure    string `json:"cure"`
	Worth   string `json:"worth,omitempty"`
}

// Bounds of what a summary names.
const (
	maxSummaryLines = 3
	maxSummaryCures = 3 // of a line, and of all others
)

// A cost is what one line of the source costs.
type cost struct {
	place  string
	labels map[int][sm.NumUnits]int64
	all    [sm.NumUnits]int64
}

// costs counts what the operations of kernels keep busy, before they leave the last level that has a price.
func (m *making) costs(ev *pipeline.Event) {
	if ev.Item.Pass.Level() != property.TileAS || ev.Item.Pass.TargetLevel() == nil {
		return
	}
	count := func(kernel ir.Op) {
		lines := make(map[string]*cost)
		err := price.Each(kernel, m.target, func(op ir.Op, cycles [sm.NumUnits]int64) {
			label, place := -1, ""
			if of := m.labels.of(op.Loc()); len(of) > 0 {
				label = of[0]
				place = m.labels.line(label)
			}
			c := lines[place]
			if c == nil {
				c = &cost{place: place, labels: make(map[int][sm.NumUnits]int64)}
				lines[place] = c
			}
			own := c.labels[label]
			for u, n := range cycles {
				c.all[u] += n
				own[u] += n
			}
			c.labels[label] = own
		})
		if err == nil {
			m.priced[kernel.SymbolName()] = lines
		}
	}
	ev.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op.Name() != property.TileAS.Unit() {
			return ir.Advance
		}
		count(op)
		return ir.SkipBelow
	})
}

// line returns FILE:LINE of a label; "" where it has none.
func (l *labels) line(label int) string {
	if chain := l.at[label]; len(chain) > 0 {
		return fmt.Sprintf("%s:%d", chain[0].File, chain[0].Line)
	}
	return ""
}

// summarize says what is on the page in short.
func (m *making) summarize(ctx context.Context, out *Outcome, kernels []string) {
	var cures []*why.Cure
	if m.in.Cures != nil && m.page.Error == "" {
		var err error
		if cures, err = m.in.Cures(ctx); err != nil {
			m.missing("cures: %v", err)
		}
	}
	named := make(map[string]int)
	for _, symbol := range kernels {
		s := &Summary{Name: ShortName(symbol), Symbol: symbol}
		if named[s.Name]++; named[s.Name] > 1 { // compiled for other types or constants
			s.Name += fmt.Sprintf(" (%d)", named[s.Name])
		}
		bound := m.busiest(s)
		isOwn := func(p *Profile) bool { return p.Kernel == symbol || p.Kernel == "" && len(kernels) == 1 }
		if i := slices.IndexFunc(m.page.Profiles, isOwn); i >= 0 {
			m.launched(s, m.page.Profiles[i])
		} else {
			m.dearest(s, bound)
		}
		m.cured(s, cures)
		m.resources(s, out)
		m.page.Summaries = append(m.page.Summaries, s)
	}
}

// unitWords are the units as a sentence names them.
var unitWords = [sm.NumUnits]string{"issue slots", "tensor cores", "FMA units", "integer units", "f64 units", "special function units", "load/store units", "shared memory", "path to the L2 cache", "barriers"}

// busiest says which unit a CTA keeps busy longest, and for how long.
func (m *making) busiest(s *Summary) (bound sm.Unit) {
	var busy [sm.NumUnits]int64
	for _, c := range m.priced[s.Symbol] {
		for u, n := range c.all {
			busy[u] += n
		}
	}
	for u, n := range busy {
		if n > busy[bound] {
			bound = sm.Unit(u)
		}
	}
	most := busy[bound]
	if most == 0 {
		return bound
	}
	s.Bound = unitWords[bound]
	s.Time = thousands(most) + " cycles for one CTA"
	s.Basis = fmt.Sprintf("For so long its work keeps the %s busy. An estimate, in which a loop of unknown length counts %d iterations.", s.Bound, model.AssumedTrips)
	for u, n := range busy {
		if n > 0 {
			s.Units = append(s.Units, ProfileShare{Name: unitWords[u], Share: float64(n) / float64(most)})
		}
	}
	s.Units = busiestFirst(s.Units)
	return bound
}

func busiestFirst(units []ProfileShare) []ProfileShare {
	slices.SortStableFunc(units, func(a, b ProfileShare) int { return cmp.Compare(b.Share, a.Share) })
	return units
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// dearest names the lines that keep the busiest unit busy.
func (m *making) dearest(s *Summary, bound sm.Unit) {
	var lines []*cost
	var all int64
	for _, c := range m.priced[s.Symbol] {
		all += c.all[bound]
		if c.place != "" && c.all[bound] > 0 {
			lines = append(lines, c)
		}
	}
	slices.SortFunc(lines, func(a, b *cost) int {
		if a.all[bound] != b.all[bound] {
			return int(max(-1, min(1, b.all[bound]-a.all[bound])))
		}
		return strings.Compare(a.place, b.place)
	})
	for _, c := range lines[:min(len(lines), maxSummaryLines)] {
		l := &SummaryLine{Place: c.place, Share: float64(c.all[bound]) / float64(max(1, all))}
		most := int64(-1)
		for label, cycles := range c.labels {
			if label < 0 {
				continue
			}
			l.Labels = append(l.Labels, label)
			if n := cycles[bound]; n > most || n == most && m.labels.all[label].Op < l.Op {
				most, l.Op = n, m.labels.all[label].Op
			}
		}
		slices.Sort(l.Labels)
		s.Lines = append(s.Lines, l)
	}
}

// launched takes time and lines from the profile of a launch.
func (m *making) launched(s *Summary, p *Profile) {
	s.Launched, s.Bound, s.Verdict, s.Time, s.Basis = true, p.Bound, p.Verdict, p.Time, p.Basis
	if p.Units != nil {
		s.Units = busiestFirst(slices.Clone(p.Units))
	}
	for i := range p.Sources[:min(len(p.Sources), maxSummaryLines)] {
		line := &p.Sources[i]
		l := &SummaryLine{Place: withoutColumn(line.Place), Share: line.Share}
		for label := range m.labels.all {
			if m.labels.line(label) == l.Place {
				l.Labels = append(l.Labels, label)
				l.Op = m.labels.all[label].Op
			}
		}
		s.Lines = append(s.Lines, l)
	}
}

// column is what stands after the line in a place.
var column = lazy.Regexp(`^(.*:\d+):\d+$`)

func withoutColumn(place string) string {
	if m := column().FindStringSubmatch(place); m != nil {
		return m[1]
	}
	return place
}

// noCure begins the text of a cure that there is none in the language of the program.
const noCure = "none in "

// cured puts cures to their lines, and the first ones of other lines beside them.
func (m *making) cured(s *Summary, cures []*why.Cure) {
	for _, c := range cures {
		if c.Remark.Decision.Function != s.Symbol || strings.HasPrefix(c.Text, noCure) {
			continue
		}
		text := SummaryCure{Place: place(c.Remark.Loc), Problem: c.Problem, Cure: c.Text}
		to := &s.Cures
		for _, l := range s.Lines {
			if f := ir.FileLocOf(c.Remark.Loc); f != nil && l.Place == fmt.Sprintf("%s:%d", f.File, f.Line) {
				to = &l.Cures
			}
		}
		// Several remarks may have one cure, as TMA and the width of accesses.
		known := slices.ContainsFunc(*to, func(have SummaryCure) bool { return have.Cure == c.Text })
		if !known && len(*to) < maxSummaryCures {
			text.Worth = c.Worth()
			*to = append(*to, text)
		}
	}
}

// resources names what limits how many CTAs share an SM, and what went wrong.
func (m *making) resources(s *Summary, out *Outcome) {
	fact := func(bad bool, name, format string, args ...any) {
		s.Facts = append(s.Facts, SummaryFact{name, fmt.Sprintf(format, args...), bad})
	}
	if out == nil {
		return
	}
	var k *nvvmtoptx.Kernel
	for _, of := range out.Kernels {
		if of.Name == s.Symbol {
			k = of
		}
	}
	var stats *ptxas.Stats
	for i := range m.assembled {
		if m.assembled[i].Entry == s.Symbol {
			stats = &m.assembled[i]
		}
	}
	threads := 1
	if k != nil {
		for _, n := range k.Block {
			threads *= n
		}
		fact(false, "CTA", "%d threads, %s bytes of shared memory", threads, thousands(int64(k.StaticShared+k.DynamicShared)))
	}
	if stats != nil {
		fact(false, "registers", "%d of a thread (ptxas)", stats.Registers)
		spilled := stats.SpillStores + stats.SpillLoads
		fact(spilled > 0, "spills", "%s", map[bool]string{true: fmt.Sprintf("%d bytes stored and %d loaded by each thread", stats.SpillStores, stats.SpillLoads), false: "none"}[spilled > 0])
	}
	if arch, err := m.target.Arch(); err == nil && k != nil && stats != nil {
		n, limit := arch.ResidentCTAs((threads+sm.WarpSize-1)/sm.WarpSize, stats.Registers, k.StaticShared+k.DynamicShared)
		fact(false, "occupancy", "%s on an SM, bound by %s", map[bool]string{true: "1 CTA", false: fmt.Sprintf("%d CTAs", n)}[n == 1], limit)
	}
	if out.Fallbacks > 0 {
		fact(true, "fallbacks", "%d: attempts that failed before this code, which is optimized less; a fault of the compiler", out.Fallbacks)
	}
}

// mangled matches the symbol that cuTile makes of a kernel's name and the types and constants of its arguments.
var mangled = lazy.Regexp(`^_*(\w+?)_Kt\d+_`)

// ShortName returns the name of a kernel as its program has it.
func ShortName(symbol string) string {
	if m := mangled().FindStringSubmatch(symbol); m != nil {
		return m[1]
	}
	return symbol
}
