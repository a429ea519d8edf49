package serve

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// An Entry is a kernel of a module with its parameters.
type Entry struct {
	Name   string  `json:"name"`
	Params []Param `json:"params"`
}

// A Param is a parameter of a kernel.
type Param struct {
	Kind  string `json:"kind"` // pointer, scalar, or bits where PTX does not say
	Type  string `json:"type"` // of the scalar, or of what the pointer points to, as Tile IR spells it
	Bytes int    `json:"bytes"`
}

// A module is what a client loaded, with what was made of it.
type module struct {
	id      uint64
	key     [sha256.Size]byte
	name    string
	data    []byte
	uses    int // loads less unloads
	ptx     bool
	entries []Entry
	byViews bool           // its kernels access memory by views only, and do not see addresses
	rounded []launch.DType // what its kernels make wider floats

	limit  compilations // of the server
	mu     sync.Mutex
	interp *interp.Engine
	code   map[codeKey]*code
}

// read parses the module again, since compiling changes it.
func (m *module) read() (ir.Op, []string, error) {
	ctx := tileir.NewContext()
	var diags []string
	ctx.Diag.Push(func(d *ir.Diagnostic) {
		if len(diags) < maxDiagnostics {
			diags = append(diags, d.Error())
		}
	})
	op, err := tileir.Read(ctx, m.name, m.data)
	if err != nil {
		return op, diags, &failure{kindRejected, diags, fmt.Errorf("'%s' was rejected", m.name)}
	}
	return op, diags, nil
}

// maxDiagnostics bounds what an answer repeats of a compiler's complaints.
const maxDiagnostics = 20

// open finds out what a module holds.
func (m *module) open() error {
	if emulate.IsPTX(m.data) {
		m.ptx = true
		e, err := emulate.New(m.name, m.data)
		if err != nil {
			return &failure{kindRejected, nil, err}
		}
		m.code = map[codeKey]*code{}
		done := make(chan struct{})
		close(done)
		m.code[codeKey{}] = &code{engine: e, done: done}
		for _, k := range e.Entries() {
			entry := Entry{Name: k.Name, Params: []Param{}}
			for _, p := range k.Params {
				entry.Params = append(entry.Params, Param{"bits", p.Type, p.Size})
			}
			m.entries = append(m.entries, entry)
		}
		return nil
	}
	op, _, err := m.read()
	if err != nil {
		return err
	}
	m.interp, m.code = interp.New(op), map[codeKey]*code{}
	m.entries, m.rounded, m.byViews = entriesOf(op), roundedTo(op), accessesByViews(op)
	return nil
}

// entriesOf lists the entries of a module and their parameters.
func entriesOf(module ir.Op) []Entry {
	out := []Entry{}
	module.Walk(func(op ir.Op) ir.WalkResult {
		if !op.Is(cudatile.Entry) {
			return ir.Advance
		}
		e := Entry{Name: op.SymbolName(), Params: []Param{}}
		for _, a := range op.Body().Args() {
			e.Params = append(e.Params, paramOf(ir.ElementType(a.Type())))
		}
		out = append(out, e)
		return ir.SkipBelow
	})
	return out
}

// accessesByViews reports whether all accesses to memory in a module are to views of arguments. Where the memory is then
// makes no difference to a kernel, except for its alignment.
func accessesByViews(module ir.Op) bool {
	byAddress := []*ir.OpDef{cudatile.PtrToInt, cudatile.IntToPtr, cudatile.PtrToPtr, cudatile.LoadPtr, cudatile.StorePtr, cudatile.AtomicRMW, cudatile.AtomicCAS}
	return !module.Contains(func(op ir.Op) bool {
		if op.Is(cudatile.LoadView) {
			_, pointers := ir.ElementType(op.Result(0).Type()).(*cudatile.PtrType)
			return pointers
		}
		return slices.ContainsFunc(byAddress, op.Is)
	})
}

func paramOf(elem ir.Type) Param {
	if p, ok := elem.(*cudatile.PtrType); ok {
		return Param{"pointer", ir.TypeString(p.Pointee), 8}
	}
	return Param{"scalar", ir.TypeString(elem), max(1, ir.BitWidth(elem)/8)}
}

// entry returns the entry of that name.
func (m *module) entry(name string) (*Entry, error) {
	for i := range m.entries {
		if m.entries[i].Name == name {
			return &m.entries[i], nil
		}
	}
	return nil, failf(kindRequest, "module '%s' has no entry '%s'", m.name, name)
}

// arguments makes bits arguments of an entry.
func (e *Entry) arguments(bits []uint64) ([]launch.Arg, error) {
	if len(bits) != len(e.Params) {
		return nil, failf(kindRequest, "entry '%s' has %d parameters, but got %d arguments", e.Name, len(e.Params), len(bits))
	}
	out := make([]launch.Arg, len(bits))
	for i, p := range e.Params {
		s := &out[i].Scalar
		s.Bits = bits[i]
		if p.Bytes < 8 {
			s.Bits &= 1<<(8*p.Bytes) - 1
		}
		switch {
		case p.Kind == "pointer":
			s.DType = launch.Ptr
		case p.Type == "i1":
			s.DType, s.Bits = launch.I1, bits[i]&1
		default:
			d, ok := map[int]launch.DType{1: launch.U8, 2: launch.U16, 4: launch.U32, 8: launch.U64}[p.Bytes]
			if !ok {
				return nil, failf(kindRequest, "parameter %d of '%s' has %d bytes, which no argument has", i, e.Name, p.Bytes)
			}
			s.DType = d
		}
	}
	return out, nil
}
