package timing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu"
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
	// Registers of a thread, as the assembler says; 0: unknown.
	Registers int
}

// Format is the number of the JSON form.
const Format = 1

// An Estimate is how long a launch may take. All of its times are estimates.
type Estimate struct {
	Format   int  `json:"format"`
	Estimate bool `json:"estimate"` // always
	// Arch is what was modelled, Chip the product that has it.
	Arch string `json:"arch"`
	Chip string `json:"chip"`

	TileBlock     [3]uint32 `json:"tile_block"` // that was traced
	Grid          [3]uint32 `json:"grid"`
	Warps         int       `json:"warps"` // of a tile block
	Registers     int       `json:"registers"`
	RegistersFrom string    `json:"registers_from"` // "ptxas" or "estimate"
	SharedBytes   int       `json:"shared_bytes"`
	Resident      int       `json:"resident"` // tile blocks that an SM holds
	Limit         string    `json:"resident_limit"`
	Modelled      int       `json:"modelled"` // that were on the SM of the model
	Truncated     bool      `json:"truncated,omitempty"`

	Cycles       int64   `json:"cycles"`        // of the SM with these tile blocks
	KernelCycles int64   `json:"kernel_cycles"` // of the entire grid
	Microseconds float64 `json:"microseconds"`

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
	m := &model{arch: a, memory: a.Memory(), async: a.Async(), chip: a.Chip()}
	e := &Estimate{Format: Format, Estimate: true, Arch: a.Name, Chip: m.chip.Name, TileBlock: t.ID, Grid: t.Grid, Warps: len(t.Warps), SharedBytes: t.Shared, Truncated: t.Truncated,
		Registers: in.Registers, RegistersFrom: "ptxas"}
	if e.Registers == 0 {
		e.RegistersFrom = "estimate"
		e.Registers = limitRegisters(a, estimateRegisters(a, in.Code, in.Slots, in.Predicates), e.Warps, in.Entry)
	}
	e.Resident, e.Limit = a.ResidentCTAs(e.Warps, e.Registers, t.Shared)
	if e.Resident == 0 {
		m.note("an SM of %s does not hold a tile block with %d registers a thread and %d bytes of shared memory; it is modelled as if it did", a, e.Registers, t.Shared)
		e.Resident = 1
	}
	total := float64(t.Grid[0]) * float64(t.Grid[1]) * float64(t.Grid[2])
	perSM := max(1, ceil(total/float64(m.chip.SMs)))
	e.Modelled = int(min(float64(e.Resident), perSM))
	if limit := max(1, min(maxIssues/events, maxSlots/max(1, in.Slots*e.Warps))); e.Modelled > limit {
		m.note("%d tile blocks are modelled of %d that an SM holds, since the trace is long", limit, e.Modelled)
		e.Modelled = limit
	}
	// What other tile blocks touch too comes from memory once.
	first := 0.0
	for _, l := range t.Warps {
		for i := range l {
			first += float64(l[i].Memory) + float64(l[i].BulkMemory)
		}
	}
	cold := 1.0
	if touched := float64(t.Touched()); first > 0 && in.Blocks > 0 {
		cold = min(1, touched/(first*in.Blocks))
	}
	c := newCore(m, t, in.Code, in.Slots, e.Modelled, cold, total)
	e.Cycles = c.run(func() bool { return ctx.Err() != nil })
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	e.fill(c, in, total, perSM, float64(events))
	return e, nil
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
		if ratio = in.Mean / float64(t.Counted); perSM <= float64(e.Modelled) {
			ratio = in.Most / float64(t.Counted)
		}
		if e.Truncated {
			ratio *= float64(t.Counted) / events
			c.note("the first %.0f of %d warp instructions of the tile block were timed; the rest counts as if it went on like this", events, t.Counted)
		}
	}
	waves := max(1, perSM/float64(e.Modelled))
	e.KernelCycles = int64(float64(e.Cycles)*waves*ratio + 0.5)
	e.Microseconds = float64(e.KernelCycles) / float64(c.chip.MHz)
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
	clock := float64(c.chip.MHz) * 1e6
	share := 1.0
	if t.Counted > 0 && in.Mean > 0 {
		share = in.Mean / float64(t.Counted)
	}
	r.Flops = c.flops / float64(e.Modelled) * total * share
	r.Bytes = float64(t.Touched()) * 32
	if in.Blocks > 0 {
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
