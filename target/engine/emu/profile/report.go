package profile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Format is the number of the JSON form. Fields may be added to it; a change of meaning makes a new one.
const Format = 1

// A Report is a profile that can be read: its fields are those of the JSON form.
type Report struct {
	Format     int          `json:"format"`
	Module     string       `json:"module"`
	Entry      string       `json:"entry"`
	Target     string       `json:"target"`
	Launches   uint64       `json:"launches"`
	TileBlocks uint64       `json:"tile_blocks"`
	Total      Counters     `json:"total"`
	Least      Counters     `json:"least_of_a_tile_block"`
	Most       Counters     `json:"most_of_a_tile_block"`
	Units      []UnitUse    `json:"units"`
	Barriers   []BarrierUse `json:"barriers"`
	Lines      []Line       `json:"lines"`
	Sources    []Line       `json:"sources"`
	// Uncounted are instructions that were executed and access memory in ways that the counters of memory leave out.
	Uncounted []string `json:"memory_not_counted"`
}

// Counters are the counters of a line or a sum, by name; those that are 0 are left out.
type Counters struct{ machine.Counters }

// MarshalJSON implements json.Marshaler: an object in the order of the table.
func (c Counters) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for k, n := range c.Counters {
		if n == 0 {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%d", machine.Counter(k).String(), n)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Counters) UnmarshalJSON(data []byte) error {
	var all map[string]uint64
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	c.Counters = machine.Counters{}
	for k := range c.Counters {
		name := machine.Counter(k).String()
		c.Counters[k] = all[name]
		delete(all, name)
	}
	for name := range all {
		return fmt.Errorf("unknown counter '%s'", name)
	}
	return nil
}

// UnitUse is what one unit had to do.
type UnitUse struct {
	Unit               string `json:"unit"`
	WarpInstructions   uint64 `json:"warp_instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"`
}

// BarrierUse is how a barrier of the tile blocks was used.
type BarrierUse struct {
	ID       int    `json:"id"`
	Arrivals uint64 `json:"arrivals"` // of warps
	Phases   uint64 `json:"phases"`   // that completed
}

// Place is a place in a source.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
}

func (p *Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// A Line is an instruction of the PTX, or all those of a line of the source.
type Line struct {
	Function string   `json:"function,omitempty"`
	Line     int      `json:"line,omitempty"` // of the PTX
	Text     string   `json:"text,omitempty"`
	Target   int      `json:"target,omitempty"` // of a branch: the line that it goes to
	Unit     string   `json:"unit,omitempty"`
	Source   *Place   `json:"source,omitempty"`
	Counters Counters `json:"counters"`
}

// New makes a report. The profile is one of the program.
func New(p *machine.Profile, prog *machine.Program) *Report {
	m := prog.Module
	r := &Report{Format: Format, Module: m.Name, Entry: prog.Entry.Name, Target: m.Target, Launches: p.Launches, TileBlocks: p.Blocks,
		Total: Counters{p.Total()}, Least: Counters{p.Least}, Most: Counters{p.Most}, Barriers: []BarrierUse{}, Lines: []Line{}, Sources: []Line{}, Uncounted: []string{}}
	functions := make(map[int32]string)
	for f, at := range prog.Starts {
		functions[at] = f.Name
	}
	units := make(map[string]*UnitUse)
	for _, u := range UnitNames {
		units[u] = &UnitUse{Unit: u}
	}
	function := ""
	for i, c := range p.Lines {
		if name, ok := functions[int32(i)]; ok {
			function = name
		}
		if c == nil {
			continue
		}
		s := prog.Code[i].Stmt
		unit := Unit(s)
		if u := units[unit]; u != nil {
			u.WarpInstructions = machine.Sum(u.WarpInstructions, c[machine.WarpInstructions])
			u.ThreadInstructions = machine.Sum(u.ThreadInstructions, c[machine.ThreadInstructions])
		}
		if row := rowOf(s); row != nil && row.uncounted && c[machine.ThreadInstructions] > 0 {
			if name := row.name(); !slices.Contains(r.Uncounted, name) {
				r.Uncounted = append(r.Uncounted, name)
			}
		}
		line := Line{Function: function, Line: int(s.Pos.Line), Text: s.Text, Unit: unit, Source: place(m, s.Loc), Counters: Counters{*c}}
		if in := &prog.Code[i]; in.Kind == machine.KindBranch {
			line.Target = int(prog.Code[in.Target].Stmt.Pos.Line)
		}
		r.Lines = append(r.Lines, line)
	}
	for _, u := range UnitNames {
		r.Units = append(r.Units, *units[u])
	}
	for id := range p.Arrivals {
		if p.Arrivals[id] > 0 {
			r.Barriers = append(r.Barriers, BarrierUse{id, p.Arrivals[id], p.Phases[id]})
		}
	}
	r.Sources = sources(r.Lines)
	return r
}

// name is what reports call the instructions of a row.
func (r *unitRow) name() string {
	if r.mod == "" {
		return r.ops
	}
	return r.ops + "." + r.mod
}

func place(m *syntax.Module, l syntax.Loc) *Place {
	if l.File == 0 || l.Line == 0 {
		return nil
	}
	file, ok := m.Files[l.File]
	if !ok {
		file = fmt.Sprintf("file %d", l.File)
	}
	return &Place{file, int(l.Line), int(l.Column)}
}

// sources adds lines up by their source lines, in the order of files and lines.
func sources(lines []Line) []Line {
	type key struct {
		file string
		line int
	}
	at := make(map[key]int)
	out := []Line{}
	for _, l := range lines {
		if l.Source == nil {
			continue
		}
		k := key{l.Source.File, l.Source.Line}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, Line{Source: &Place{File: k.file, Line: k.line}})
		}
		out[i].Counters.AddAll(&l.Counters.Counters)
	}
	slices.SortStableFunc(out, func(a, b Line) int {
		if c := strings.Compare(a.Source.File, b.Source.File); c != 0 {
			return c
		}
		return a.Source.Line - b.Source.Line
	})
	return out
}
