package interp

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Engine runs the entries of a module. It may be used by several goroutines.
type Engine struct {
	// Workers is how many tile blocks run at the same time, beside those that may be waiting for others; 0: as many as there are
	// processors.
	Workers int
	// MaxSteps bounds the operations that a tile block executes; 0: no bound.
	MaxSteps uint64
	// Races finds accesses to the same memory, at least one of which writes and one of which is weak, that no token orders within a tile
	// block, or nothing that was released and acquired between tile blocks. Tile blocks run as with OrderedAtomics then.
	Races bool
	// OpenOrder makes Races report accesses that are stronger than weak too. They do not race, but where nothing orders them the order, and with it the result, is open: two engines may differ.
	OpenOrder bool
	// LooseIndices lets tiles lie outside of the index space of their view, which is undefined: they are out of bounds as a whole.
	LooseIndices bool
	// LooseStrides lets dynamic strides be 0, as those of dimensions that a front end has expanded are, and ignores what is assumed of strides that no address depends on.
	LooseStrides bool
	// LooseStores lets unspecified elements be stored: as zeros here. Indices, addresses and conditions stay errors.
	LooseStores bool
	// LooseBounds lets a tile that is marked in bounds leave its tensor, if there is memory where it ends up.
	LooseBounds bool
	// OrderedAtomics makes what a kernel with atomics computes the same in each run: its tile blocks run one after the other, in the order of
	// their numbers. Without it the order of float atomics, and what atomics return, depend on how tile blocks are scheduled.
	OrderedAtomics bool
	// LooseOverflow lets integers wrap where an overflow clause promises that they do not, and where the most negative number is divided by
	// -1. Both are undefined.
	LooseOverflow bool
	// Adversarial lets asynchronous copies read their source as late as is legal, when they are waited for, instead of when they start, and roles of warps run far ahead of each
	// other.
	Adversarial bool
	// Seed chooses in which order the roles of a tile block run: 0 is turn by turn, and with Adversarial too it is another order for each seed.
	Seed uint64
	// Threads makes accesses of shared memory at nv_tileas an error that different threads make to one byte with no barrier in between. It is for kernels whose barriers have been
	// inserted: before, there is nothing to find.
	Threads bool
	// Output is where print_tko writes; nil: nowhere.
	Output io.Writer
	// Progress, if it is set, is called by any goroutine when a tile block has ended, with how many have.
	Progress func(done, total uint64)
	// Trace, if it is set, is called after each operation of the tile block TraceBlock, with what it computed.
	Trace      func(Event)
	TraceBlock [3]uint32
	// Access, if it is set, is called by any goroutine for each access of an element.
	Access func(Access)

	module   ir.Op
	scribble bool

	decoded *decoded
}

// decoded is what engines of one module share.
type decoded struct {
	mu       sync.Mutex
	programs map[programKey]*program
}

// AsCompiled makes the engine as strict as code of NVIDIA's compiler is in effect: what that gives a meaning to though the specification does not, and producers rely on, is no
// error. What remains are mistakes with consequences.
func (e *Engine) AsCompiled() {
	e.LooseIndices, e.LooseStrides, e.LooseStores, e.LooseBounds = true, true, true, true
}

type programKey struct {
	entry string
	races bool
}

// New returns an engine for a verified module that holds entries of cuda_tile or kernels of nv_tileaa or nv_tileas.
func New(module ir.Op) *Engine {
	return &Engine{module: module, decoded: &decoded{programs: make(map[programKey]*program)}}
}

// Fork returns an engine for the same module, with the same fields, which may then differ. What is decoded is shared, so that each launch of a server can have an engine of its own.
func (e *Engine) Fork() *Engine {
	out := *e
	return &out
}

// program returns the decoded entry of that name, wherever it is nested.
func (e *Engine) program(name string) (*program, error) {
	e.decoded.mu.Lock()
	defer e.decoded.mu.Unlock()
	key := programKey{name, e.Races}
	if p := e.decoded.programs[key]; p != nil {
		return p, nil
	}
	var found ir.Op
	e.module.Walk(func(op ir.Op) ir.WalkResult {
		if entries[op.Def()] {
			if op.SymbolName() == name {
				found = op
				return ir.Interrupt
			}
			return ir.SkipBelow
		}
		return ir.Advance
	})
	if found.IsNil() {
		return nil, fmt.Errorf("module has no entry '%s'", name)
	}
	p, err := decode(found, e.Races)
	if err == nil {
		e.decoded.programs[key] = p
	}
	return p, err
}

// A launchState is one run of an entry.
type launchState struct {
	engine *Engine
	prog   *program
	mem    *memory
	args   []uint64
	grid   [3]uint32

	maxSteps uint64
	races    *blockRaces // nil: not looked for

	schedule
	prints printed
}

// Run implements launch.Engine.
func (e *Engine) Run(ctx context.Context, req *launch.Request) error {
	if err := req.Validate(); err != nil {
		return err
	}
	prog, err := e.program(req.Entry)
	if err != nil {
		return err
	}
	if err := checkArgs(prog.entry, req); err != nil {
		return err
	}
	l := &launchState{engine: e, prog: prog, grid: req.Grid}
	if e.MaxSteps > 0 {
		l.maxSteps = e.MaxSteps + 1
	}
	if e.Races {
		l.races = newBlockRaces(req.Grid, prog.ctas)
	}
	if l.mem, l.args, err = newMemory(req, prog); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	units := uint64(req.Grid[0]) * uint64(req.Grid[1]) * uint64(req.Grid[2])
	if !prog.clustered {
		units *= uint64(prog.ctas)
	}
	l.init(units, e.Races || e.OrderedAtomics && prog.synchronises, stop)
	l.prints.to = e.Output
	workers := e.Workers
	switch {
	case l.ordered:
		workers = 1
	case workers <= 0:
		workers = runtime.GOMAXPROCS(0)
	}
	l.spawn = func() { l.group.Go(func() { l.work(ctx) }) }
	for range min(uint64(workers), l.total) {
		l.spawn()
	}
	l.group.Wait()
	err = l.result()
	if unprinted := l.prints.flush(l.failed.Load()); err == nil {
		err = unprinted
	}
	return err
}

// work runs tile blocks, in order of their numbers, until none is left.
func (l *launchState) work(ctx context.Context) {
	m, prints := newMachine(ctx, l), l.prints.to != nil && l.prog.prints
	for !m.replaced {
		i, ok := l.start()
		if !ok {
			return
		}
		if l.ordered {
			m.turn = l.begin()
		}
		err := m.execute(i)
		if err == nil && prints {
			err = l.prints.end(i)
		}
		if err != nil {
			l.fail(i, err, ctx)
			return
		}
		if done := l.done.Add(1); l.engine.Progress != nil {
			l.engine.Progress(done, l.total)
		}
		if l.ordered && !l.end(m.turn) {
			return
		}
	}
}

// checkArgs reports arguments that do not fit the parameters of the entry.
func checkArgs(entry ir.Op, req *launch.Request) error {
	params := entry.Body().Args()
	if len(params) != len(req.Args) {
		return fmt.Errorf("entry '%s' has %d parameters, but got %d arguments", req.Entry, len(params), len(req.Args))
	}
	for i, p := range params {
		if !isTile(p.Type()) || len(shapeOf(p)) > 0 {
			return fmt.Errorf("parameter %d of '%s' is not a number or pointer", i, req.Entry)
		}
		elem := elemOf(p)
		_, isPtr := pointee(elem)
		a := req.Args[i]
		if isPtr != a.IsPointer() || !isPtr && a.Scalar.DType.Size() != elementBytes(elem) {
			return fmt.Errorf("argument %d: is %s, but the parameter of '%s' is %s", i, a, req.Entry, ir.TypeString(p.Type()))
		}
	}
	return nil
}
