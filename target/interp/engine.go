package interp

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/launch"
)

// Engine runs the entries of a module. It may be used by several goroutines.
type Engine struct {
	// Workers is how many tile blocks run at the same time, beside those that may be waiting for others; 0: as many as there are
	// processors.
	Workers int
	// MaxSteps bounds the operations that a tile block executes; 0: no bound.
	MaxSteps uint64
	// Races finds accesses to the same memory, at least one of which writes and one of which is weak, that no token orders within a tile
	// block, or nothing that was released and acquired between tile blocks.
	Races bool
	// LooseIndices lets tiles lie outside of the index space of their view, which is undefined: they are out of bounds as a whole.
	LooseIndices bool
	// Output is where print_tko writes; nil: nowhere.
	Output io.Writer
	// Progress, if it is set, is called by any goroutine when a tile block has ended, with how many have.
	Progress func(done, total uint64)
	// Trace, if it is set, is called after each operation of the tile block TraceBlock, with what it computed.
	Trace      func(Event)
	TraceBlock [3]uint32

	module   ir.Op
	scribble bool

	mu       sync.Mutex
	programs map[programKey]*program
}

type programKey struct {
	entry string
	races bool
}

// New returns an engine for a verified module that holds entries of cuda_tile or kernels of nv_tileaa or nv_tileas.
func New(module ir.Op) *Engine {
	return &Engine{module: module, programs: make(map[programKey]*program)}
}

// program returns the decoded entry of that name, wherever it is nested.
func (e *Engine) program(name string) (*program, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := programKey{name, e.Races}
	if p := e.programs[key]; p != nil {
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
		e.programs[key] = p
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

	next  atomic.Uint64 // the tile block to start next
	done  atomic.Uint64
	total uint64
	spawn func()
	out   sync.Mutex
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
		l.races = newBlockRaces(req.Grid)
	}
	l.mem, l.args = newMemory(req, prog)
	l.total = uint64(req.Grid[0]) * uint64(req.Grid[1]) * uint64(req.Grid[2])
	workers := e.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	g, ctx := errgroup.WithContext(ctx)
	l.spawn = func() { g.Go(func() error { return l.work(ctx) }) }
	for range min(uint64(workers), l.total) {
		l.spawn()
	}
	return g.Wait()
}

// work runs tile blocks, in order of their numbers, until none is left.
func (l *launchState) work(ctx context.Context) error {
	m := newMachine(ctx, l)
	for !m.replaced {
		i := l.next.Add(1) - 1
		if i >= l.total {
			return nil
		}
		x, y := uint64(l.grid[0]), uint64(l.grid[1])
		if err := m.block([3]uint32{uint32(i % x), uint32(i / x % y), uint32(i / (x * y))}); err != nil {
			return err
		}
		if done := l.done.Add(1); l.engine.Progress != nil {
			l.engine.Progress(done, l.total)
		}
	}
	return nil
}

// replace starts one more worker because a tile block may be waiting; its own worker ends with it.
func (l *launchState) replace() {
	if l.next.Load() < l.total {
		l.spawn()
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
		if isPtr != (a.Buffer != nil) || !isPtr && a.Scalar.DType.Size() != elementBytes(elem) {
			return fmt.Errorf("argument %d: is %s, but the parameter of '%s' is %s", i, a, req.Entry, ir.TypeString(p.Type()))
		}
	}
	return nil
}
