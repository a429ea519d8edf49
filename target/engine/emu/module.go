package emu

import (
	"fmt"
	"slices"
)

// Module is a parsed and decoded PTX file. It is immutable, so any number
// of launches may use it at once.
type Module struct {
	Name    string
	Version string // of .version
	Target  string // of .target

	src     string
	scope   *scope
	vars    []*symbol // .global and .const
	funcs   []*function
	taken   []*function // whose address is taken
	named   uint64      // functions that have an address
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
	// Directives are all performance-tuning directives as written.
	Directives []Directive
	// SharedBytes is the static shared memory, LocalBytes the local memory
	// of one thread.
	SharedBytes, LocalBytes int
	// Instructions is the number of decoded instructions, with those of the
	// functions that the entry calls.
	Instructions int

	prog *program
}

// Param is a kernel parameter.
type Param struct {
	Name                string
	Type                string // element type, for example "u64"
	Size, Align, Offset int
}

// Parse reads and decodes PTX. The name stands in errors, which have type
// *Error. An instruction that the emulator does not know is an error here,
// not at run time.
func Parse(name string, src []byte) (m *Module, err error) {
	if len(src) > maxSource {
		return nil, &Error{name, 1, 1, fmt.Sprintf("source of %d bytes exceeds the limit of %d", len(src), maxSource)}
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			m, err = nil, e
		}
	}()
	m = &Module{Name: name, src: string(src), scope: newScope(nil)}
	p := &parser{lexer: lexer{name: name, src: m.src, line: 1}, m: m, scope: m.scope}
	p.advance()
	p.module()
	total := 0
	called := map[*function]bool{}
	for _, f := range m.funcs {
		if f.entry {
			prog := link(m, f)
			for g := range prog.starts {
				called[g] = true
			}
			if total += len(prog.code); total > 4*maxStatements {
				p.fail(f.pos, "entries and the functions that they call exceed %d instructions", 4*maxStatements)
			}
			m.entries = append(m.entries, newEntry(f, prog))
		}
	}
	for _, f := range m.funcs {
		if !called[f] { // decode for its errors only
			link(m, f)
		}
	}
	return m, nil
}

// takes records that the address of a function is taken.
func (m *Module) takes(f *function) {
	if !slices.Contains(m.taken, f) {
		m.taken = append(m.taken, f)
	}
}

func newEntry(f *function, prog *program) *Entry {
	e := &Entry{
		Name: f.name, ParamBytes: prog.paramBytes,
		ReqNTID: f.perf.reqntid, MaxNTID: f.perf.maxntid, Cluster: f.perf.cluster,
		Directives:  f.perf.directives,
		SharedBytes: prog.sharedSize, LocalBytes: prog.localSize, Instructions: len(prog.code),
		prog: prog,
	}
	for _, s := range f.params {
		e.Params = append(e.Params, Param{s.name, s.typ.String(), int(s.size), int(s.align), int(s.offset)})
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
