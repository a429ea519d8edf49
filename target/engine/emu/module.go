package emu

import (
	"context"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/target/engine/emu/decode"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
	"github.com/tilewright/tilewright/target/engine/emu/profile"
	"github.com/tilewright/tilewright/target/engine/emu/syntax"
)

// Module is a parsed and decoded PTX file. It is immutable, so any number
// of launches may use it at once.
type Module struct {
	Name    string
	Version string // of .version
	Target  string // of .target

	entries []*Entry
}

// Entry is a kernel of a module.
type Entry struct {
	Name string
	// Params are the parameters in order.
	Params []Param
	// ParamBytes is the size of the parameter block.
	ParamBytes int
	// ReqNTID is .reqntid, or zero.
	ReqNTID [3]uint32
	// MaxNTID is .maxntid, or zero.
	MaxNTID [3]uint32
	// Cluster is .reqnctapercluster, or zero.
	Cluster [3]uint32
	// BlocksAreClusters says that the grid of a launch counts clusters (.blocksareclusters).
	BlocksAreClusters bool
	// Directives are all performance-tuning directives as written.
	Directives []syntax.Directive
	// SharedBytes is the static shared memory, LocalBytes the local memory
	// of one thread.
	SharedBytes, LocalBytes int
	// Instructions is the number of decoded instructions, with those of the
	// functions that the entry calls.
	Instructions int

	prog *machine.Program
}

// Param is a kernel parameter.
type Param struct {
	Name                string
	Type                string // element type, for example "u64"
	Size, Align, Offset int
	Hidden              bool // filled by the driver, and no argument of a launch
}

// Parse reads and decodes PTX. The name stands in errors, which have type
// *Error. An instruction that the emulator does not know is an error here,
// not at run time.
func Parse(name string, src []byte) (m *Module, err error) {
	text, err := syntax.Parse(name, src)
	if err != nil {
		return nil, err
	}
	m = &Module{Name: name, Version: text.Version, Target: text.Target}
	total := 0
	called := map[*syntax.Function]bool{}
	for _, f := range text.Funcs {
		if !f.Entry {
			continue
		}
		prog, err := decode.Link(text, f, instructions)
		if err != nil {
			return nil, err
		}
		for g := range prog.Starts {
			called[g] = true
		}
		if total += len(prog.Code); total > 4*syntax.MaxStatements {
			return nil, text.Errorf(f.Pos, "entries and the functions that they call exceed %d instructions", 4*syntax.MaxStatements)
		}
		m.entries = append(m.entries, newEntry(f, prog))
	}
	for _, f := range text.Funcs {
		if !called[f] { // decode for its errors only
			if _, err := decode.Link(text, f, instructions); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

func newEntry(f *syntax.Function, prog *machine.Program) *Entry {
	e := &Entry{
		Name: f.Name, ParamBytes: prog.ParamBytes,
		ReqNTID: f.Tuning.ReqNTID, MaxNTID: f.Tuning.MaxNTID, Cluster: f.Tuning.Cluster, BlocksAreClusters: f.Tuning.BlocksAreClusters,
		Directives:  f.Tuning.Directives,
		SharedBytes: prog.SharedSize, LocalBytes: prog.LocalSize, Instructions: len(prog.Code),
		prog: prog,
	}
	for _, s := range f.Params {
		e.Params = append(e.Params, Param{s.Name, s.Type.String(), int(s.Size), int(s.Align), int(s.Offset), s.Hidden})
	}
	return e
}

// Entries returns the kernels in source order.
func (m *Module) Entries() []*Entry { return m.entries }

// Entry returns the kernel of that name, or nil.
func (m *Module) Entry(name string) *Entry {
	for _, e := range m.entries {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Observes says that the kernel reads what other CTAs may be writing: by a strong load, or as an atomic operation's
// result.
func (e *Entry) Observes() bool { return e.prog.Observes }

// Run executes a kernel to its end. An error of the program is a *Fault or
// a *Deadlock.
func (m *Module) Run(ctx context.Context, mem *machine.Memory, l machine.Launch) (machine.Stats, error) {
	e := m.Entry(l.Entry)
	if e == nil {
		return machine.Stats{}, fmt.Errorf("%s: launch of '%s': no such entry, the module has %s", m.Name, l.Entry, m.quoteEntries())
	}
	return machine.Run(ctx, e.prog, mem, l)
}

// Report makes what launches of an entry with a profile counted readable.
func (m *Module) Report(entry string, p *machine.Profile) (*profile.Report, error) {
	e := m.Entry(entry)
	switch {
	case e == nil:
		return nil, fmt.Errorf("%s: profile of '%s': no such entry, the module has %s", m.Name, entry, m.quoteEntries())
	case len(p.Lines) != len(e.prog.Code):
		return nil, fmt.Errorf("%s: profile of '%s': it is not one of this entry, of which nothing has been launched with it", m.Name, entry)
	}
	return profile.New(p, e.prog), nil
}

// Code lists the instructions of an entry, to which the events of a trace refer. The first predicate has the number
// predicates, after all registers; slots is the number of both.
func (m *Module) Code(entry string) (list []profile.Instruction, predicates, slots int, err error) {
	e := m.Entry(entry)
	if e == nil {
		return nil, 0, 0, fmt.Errorf("%s: code of '%s': no such entry, the module has %s", m.Name, entry, m.quoteEntries())
	}
	return profile.Code(e.prog), e.prog.Regs, e.prog.Regs + e.prog.Preds, nil
}

// quoteEntries lists the names of the kernels for a message.
func (m *Module) quoteEntries() string {
	if len(m.entries) == 0 {
		return "none"
	}
	var names []string
	for _, e := range m.entries {
		names = append(names, e.Name)
	}
	return "'" + strings.Join(names, "', '") + "'"
}
