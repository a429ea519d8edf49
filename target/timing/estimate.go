package timing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/sass"
	"github.com/tilewright/tilewright/target/sm"
)

// An Input is a launch that was executed with a trace.
type Input struct {
	Arch  *sm.Arch
	Entry *emu.Entry
	Code  []emu.Instruction
	// Slots are registers and predicates, which begin at Predicates.
	Slots, Predicates int
	Trace             *emu.Trace
	// Mean and Most are the warp instructions of a CTA of the launch, if they were counted.
	Mean, Most float64
	Blocks     float64 // that were counted
	// Machine is what the assembler made of the entry, as far as it is known.
	Machine sass.Code

	// Chip is the product that the launch is timed on, nil for that which stands for the architecture. MHz is the clock
	// of its SMs; 0: the clock of the product's peaks.
	Chip *sm.Chip
	MHz  float64
	// Traffic is what the grid asks of memory. Without it, that is what the CTAs touched that were counted.
	Traffic *Traffic
	// Events says that events around the launch take the time, and not a profiler.
	Events bool
}

// Format is the number of the JSON form.
const Format = 1

// An Estimate is how long a launch may take. All of its times are estimates.
type Estimate struct {
	Format   int  `json:"format"`
	Estimate bool `json:"estimate"` // always
	// Arch is what was modelled, Chip the product that has it.
	Arch string  `json:"arch"`
	Chip string  `json:"chip"`
	MHz  float64 `json:"clock_mhz"`

	TileBlock     [3]uint32 `json:"tile_block"` // that was traced
	Grid          [3]uint32 `json:"grid"`
	Warps         int       `json:"warps"` // of a tile block
	Registers     int       `json:"registers"`
	RegistersFrom string    `json:"registers_from"` // "ptxas" or "estimate"
	// MaySpill says that more registers live at once than a thread has, where registers are estimated. The time has no
	// part for spills.
	MaySpill    bool    `json:"may_spill,omitempty"`
	SharedBytes int     `json:"shared_bytes"`
	Resident    int     `json:"resident"` // tile blocks that an SM holds
	Limit       string  `json:"resident_limit"`
	Modelled    int     `json:"modelled"` // that ran on the SM of the model
	Waves       float64 `json:"waves"`    // of tile blocks on all SMs
	Truncated   bool    `json:"truncated,omitempty"`

	Cycles       int64   `json:"cycles"`        // of the SM with these tile blocks
	KernelCycles int64   `json:"kernel_cycles"` // of the entire grid
	Microseconds float64 `json:"microseconds"`
	// LaunchMicroseconds is what a launch takes besides; KernelCycles and Microseconds are without it.
	LaunchMicroseconds float64 `json:"launch_microseconds"`

	Units    []UnitShare `json:"units"`
	Stalls   Stalls      `json:"stalls"` // cycles of warps
	Issued   int64       `json:"issued"` // instructions
	Roofline Roofline    `json:"roofline"`
	Lines    []Line      `json:"lines"`
	Sources  []Line      `json:"sources"`
	Notes    []string    `json:"notes"`

	Timeline []Span `json:"-"`
}

// UnitShare is how busy a unit was.
type UnitShare struct {
	Unit  string  `json:"unit"`
	Share float64 `json:"share"` // of the cycles
}

// A Named estimate is one of several that a file has.
type Named struct {
	Name string // of the launch
	*Estimate
}

// Stalls are cycles of warps by the reason for which they did not issue; those that are 0 are left out of the JSON
// form.
type Stalls [numReasons]int64

// Reasons are the names of the reasons, in the order of Stalls.
func Reasons() []string { return reasonNames[:] }

// MarshalJSON implements json.Marshaler.
func (s Stalls) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for i, n := range s {
		if n == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%d", reasonNames[i], n)
	}
	return []byte("{" + b.String() + "}"), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Stalls) UnmarshalJSON(data []byte) error {
	var all map[string]int64
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for i, name := range reasonNames {
		s[i] = all[name]
	}
	return nil
}

func (s *Stalls) sum() (n int64) {
	for _, x := range s {
		n += x
	}
	return n
}

// worst is the reason for most of the cycles.
func (s *Stalls) worst() string {
	k := 0
	for i := range s {
		if s[i] > s[k] {
			k = i
		}
	}
	if s[k] == 0 {
		return ""
	}
	return reasonNames[k]
}

// A Line is an instruction of the PTX, or all those of a line of the source, over all modelled tile blocks.
type Line struct {
	Function string           `json:"function,omitempty"`
	Line     int              `json:"line,omitempty"`
	Text     string           `json:"text,omitempty"`
	Source   *emu.SourcePlace `json:"source,omitempty"`
	Issued   uint64           `json:"issued"`
	Cycles   int64            `json:"cycles"` // of warps: issued, and waited for before
	Share    float64          `json:"share"`  // of the cycles of all warps
	Stalls   Stalls           `json:"stalls"`
}

// Worst is the reason for most of the cycles that the line waited, "" if it did not.
func (l *Line) Worst() string { return l.Stalls.worst() }

// Roofline is where the kernel is between what units compute and what memory moves. Peaks are those of the
// instructions that it uses; bytes are those that it touches, each once.
type Roofline struct {
	Flops     float64 `json:"operations"`
	Bytes     float64 `json:"memory_bytes"`
	Intensity float64 `json:"operations_per_byte"`
	Ridge     float64 `json:"ridge"` // the intensity at which memory and units are busy alike
	Bound     string  `json:"bound"` // "memory" or "compute", by the intensity
	Attained  float64 `json:"attained"`
	Peak      float64 `json:"peak_per_second"`
	Bandwidth float64 `json:"memory_bytes_per_second"`
}

// A Span is a piece of the timeline of one tile block: a wait of a warp, or work of a unit.
type Span struct {
	Lane   string `json:"lane"`
	Start  int64  `json:"start"`
	Cycles int64  `json:"cycles"`
	Name   string `json:"name"`
	Line   int    `json:"line"`
}

const laneTensor = "tensor cores"

func laneWarp(id int) string { return fmt.Sprintf("warp %d", id) }

// maxIssues bounds the work of a run, and maxSlots its registers.
const (
	maxIssues = 6 << 20
	maxSlots  = 16 << 20
)

// New estimates how long a launch takes.
func New(ctx context.Context, in *Input) (*Estimate, error) {
	t := in.Trace
	events := 0
	for _, l := range t.Warps {
		events += len(l)
	}
	if events == 0 {
		return nil, fmt.Errorf("tile block %d,%d,%d was not traced", t.ID[0], t.ID[1], t.ID[2])
	}
	a := in.Arch
	m := &model{arch: a, memory: a.Memory(), async: a.Async(), chip: in.Chip, mhz: in.MHz}
	if m.chip == nil {
		m.chip = a.Chip()
	}
	if m.mhz <= 0 {
		m.mhz = float64(m.chip.MHz)
	}
	e := &Estimate{Format: Format, Estimate: true, Arch: a.Name, Chip: m.chip.Name, MHz: m.mhz, TileBlock: t.ID, Grid: t.Grid, Warps: len(t.Warps), SharedBytes: t.Shared, Truncated: t.Truncated}
	var live int
	e.Registers, live, e.RegistersFrom = in.registers()
	e.MaySpill = live > mostRegisters(in.Code, e.Registers)
	e.Resident, e.Limit = a.ResidentCTAs(e.Warps, e.Registers, t.Shared)
	if e.Resident == 0 {
		m.note("an SM of %s does not hold a tile block with %d registers a thread and %d bytes of shared memory; it is modelled as if it did", a, e.Registers, t.Shared)
		e.Resident = 1
	}
	total := float64(t.Grid[0]) * float64(t.Grid[1]) * float64(t.Grid[2])
	perSM := max(1, ceil(total/float64(m.chip.SMs)))
	slots := int(min(float64(e.Resident), perSM))
	if limit := max(1, maxSlots/max(1, in.Slots*e.Warps)); slots > limit {
		m.note("%d tile blocks are modelled at once of %d that an SM holds, since they have many registers", limit, slots)
		slots = limit
	}
	// Some CTAs follow those that come first, so that the beginning of one overlaps with the end of another.
	e.Modelled = int(min(perSM, float64(followers*slots), float64(max(1, maxIssues/events))))
	slots = min(slots, e.Modelled)
	if e.Modelled < e.Resident && float64(e.Modelled) < perSM {
		m.note("%d tile blocks are modelled of %d that an SM holds, since the trace is long", e.Modelled, e.Resident)
	}
	c := newCore(m, in, slots, total)
	c.budget = e.Modelled - slots
	c.cold, c.kept = in.shares(m.chip.L2, total)
	e.Cycles = c.run(func() bool { return ctx.Err() != nil })
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	e.fill(c, in, total, perSM, float64(events))
	return e, nil
}

// registers are those of a thread, how many live at once, and who says so.
func (in *Input) registers() (n, live int, from string) {
	if n := in.Machine.Registers; n > 0 {
		return n, 0, "ptxas"
	}
	n, live = estimateRegisters(in.Arch, in.Code, in.Slots, in.Predicates)
	return limitRegisters(in.Arch, n, len(in.Trace.Warps), in.Entry), live, "estimate"
}

// Resident is how many CTAs of a launch an SM holds, at least one.
func Resident(in *Input) int {
	registers, _, _ := in.registers()
	n, _ := in.Arch.ResidentCTAs(len(in.Trace.Warps), registers, in.Trace.Shared)
	return max(1, n)
}

// followers is by how many CTAs of the model each place on the SM is taken.
const followers = 3

// shares are the part of what CTAs touch first that comes from memory, and the part of what they write first that L2
// still has at the end.
func (in *Input) shares(l2, total float64) (cold, kept float64) {
	t := in.Trace
	first, written := 0.0, 0.0
	for _, l := range t.Warps {
		for i := range l {
			n := float64(l[i].Memory) + float64(l[i].BulkMemory)
			first += n
			if stores(&in.Code[l[i].PC]) {
				written += n
			}
		}
	}
	if in.Traffic != nil {
		if in.Traffic.Asked > 0 {
			cold = min(1, in.Traffic.Memory/in.Traffic.Asked)
		}
		if written *= total * sectorBytes * cold; written > 0 {
			// The other half holds what is read.
			kept = min(1, l2/2/written)
		}
		return cold, kept
	}
	// What other CTAs touch too comes from memory once.
	if touched := float64(t.Touched()); first > 0 && in.Blocks > 0 {
		return min(1, touched/(first*in.Blocks)), 0
	}
	return 1, 0
}

func ceil(x float64) float64 {
	n := float64(int64(x))
	if n < x {
		n++
	}
	return n
}

// fill makes the result of a run.
func (e *Estimate) fill(c *core, in *Input, total, perSM, events float64) {
	t := in.Trace
	// The traced tile block stands for all: more or less work in others counts in proportion to their instructions.
	ratio := 1.0
	if t.Counted > 0 && in.Mean > 0 {
		if ratio = in.Mean / float64(t.Counted); perSM <= float64(e.Resident) {
			ratio = in.Most / float64(t.Counted)
		}
		if e.Truncated {
			ratio *= float64(t.Counted) / events
			c.note("the first %.0f of %d warp instructions of the tile block were timed; the rest counts as if it went on like this", events, t.Counted)
		}
	}
	e.KernelCycles = int64(c.grid(e.Cycles, total, perSM)*ratio + 0.5)
	e.Waves = total / float64(c.chip.SMs*e.Resident)
	e.Microseconds = float64(e.KernelCycles) / c.mhz
	if maps := tensorMaps(t, in.Code); maps > 0 {
		serial := float64(maps) * total * sm.Starts.TensorMap
		c.note("tensor maps that tile blocks make cost %.1f us: %s", serial, sm.Starts.Source)
		e.Microseconds += serial
		e.KernelCycles = int64(e.Microseconds * c.mhz)
	}
	e.LaunchMicroseconds = sm.Starts.Kernel
	if in.Events {
		e.LaunchMicroseconds += sm.Starts.Events
	}
	for u := range c.busy {
		share := c.busy[u] / float64(max(1, e.Cycles))
		if unit(u) < unitParts {
			share /= sm.Subpartitions
		}
		if c.busy[u] > 0 {
			e.Units = append(e.Units, UnitShare{unitNames[u], min(1, share)})
		}
	}
	e.roofline(c, in, total, t)
	e.lines(c)
	e.Timeline = c.spans
	if c.chip.Estimate {
		c.note("%s: %s", c.chip.Name, c.chip.Source)
	}
	if c.memory.Estimate {
		c.note("memory of %s: %s", c.arch, c.memory.Source)
	}
	if len(c.spans) == maxSpans {
		c.note("the timeline has the first %d spans", maxSpans)
	}
	e.Notes = append([]string{}, c.notes...)
}

func (e *Estimate) roofline(c *core, in *Input, total float64, t *emu.Trace) {
	r := &e.Roofline
	clock := c.mhz * 1e6
	share := 1.0
	if t.Counted > 0 && in.Mean > 0 {
		share = in.Mean / float64(t.Counted)
	}
	r.Flops = c.flops / float64(e.Modelled) * total * share
	r.Bytes = float64(t.Touched()) * 32
	switch {
	case in.Traffic != nil:
		r.Bytes = in.Traffic.Unique
	case in.Blocks > 0:
		r.Bytes *= total / in.Blocks
	}
	r.Peak = c.peak * clock * float64(c.chip.SMs)
	r.Bandwidth = c.chip.GBytes * 1e9
	r.Bound = "memory"
	if r.Bytes > 0 {
		r.Intensity, r.Ridge = r.Flops/r.Bytes, r.Peak/r.Bandwidth
		if r.Intensity > r.Ridge {
			r.Bound = "compute"
		}
	}
	seconds := e.Microseconds * 1e-6
	if seconds <= 0 {
		return
	}
	if r.Bound == "compute" && r.Peak > 0 {
		r.Attained = r.Flops / seconds / r.Peak
	} else {
		r.Attained = r.Bytes / seconds / r.Bandwidth
	}
}

// lines adds up what instructions and source lines did.
func (e *Estimate) lines(c *core) {
	e.Lines, e.Sources = []Line{}, []Line{}
	at := make(map[string]int)
	var all int64
	for pc, l := range c.lines {
		if l == nil {
			continue
		}
		in := &c.code[pc]
		issued := int64(l.issues) * int64(c.costs[pc].slots)
		if c.costs[pc].what == nothing {
			issued = 0
		}
		x := Line{Function: in.Function, Line: in.Line, Text: in.Text, Source: in.Source, Issued: l.issues, Stalls: l.stalls}
		x.Cycles = issued + x.Stalls.sum()
		all += x.Cycles
		e.Issued += issued
		for i, n := range l.stalls {
			e.Stalls[i] += n
		}
		e.Lines = append(e.Lines, x)
		if in.Source == nil {
			continue
		}
		key := in.Source.String()
		i, ok := at[key]
		if !ok {
			i = len(e.Sources)
			at[key] = i
			e.Sources = append(e.Sources, Line{Source: &emu.SourcePlace{File: in.Source.File, Line: in.Source.Line}})
		}
		s := &e.Sources[i]
		s.Issued += x.Issued
		s.Cycles += x.Cycles
		for k, n := range x.Stalls {
			s.Stalls[k] += n
		}
	}
	for _, list := range [][]Line{e.Lines, e.Sources} {
		for i := range list {
			list[i].Share = float64(list[i].Cycles) / float64(max(1, all))
		}
	}
	slices.SortStableFunc(e.Sources, func(a, b Line) int {
		if c := strings.Compare(a.Source.File, b.Source.File); c != 0 {
			return c
		}
		return a.Source.Line - b.Source.Line
	})
}
