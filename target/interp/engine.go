package interp

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/launch"
)

// Engine runs the entries of a module.
type Engine struct {
	module ir.Op
	// Workers is how many tile blocks run at the same time; 0: as many as there are processors.
	Workers int
}

// New returns an engine for a verified module that holds cuda_tile entries.
func New(module ir.Op) *Engine { return &Engine{module: module} }

// entry returns the entry of that name, wherever it is nested.
func (e *Engine) entry(name string) (found ir.Op, err error) {
	e.module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.Entry) {
			if op.SymbolName() == name {
				found = op
				return ir.Interrupt
			}
			return ir.SkipBelow
		}
		return ir.Advance
	})
	if found.IsNil() {
		return found, fmt.Errorf("module has no entry '%s'", name)
	}
	return found, nil
}

// Run implements launch.Engine.
func (e *Engine) Run(ctx context.Context, req *launch.Request) error {
	if err := req.Validate(); err != nil {
		return err
	}
	entry, err := e.entry(req.Entry)
	if err != nil {
		return err
	}
	if err := checkArgs(entry, req); err != nil {
		return err
	}
	mem, args := newMemory(req)
	workers := e.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	total := uint64(req.Grid[0]) * uint64(req.Grid[1]) * uint64(req.Grid[2])
	next := make(chan [3]uint32)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(next)
		for i := range total {
			x := uint32(i % uint64(req.Grid[0]))
			y := uint32(i / uint64(req.Grid[0]) % uint64(req.Grid[1]))
			z := uint32(i / (uint64(req.Grid[0]) * uint64(req.Grid[1])))
			select {
			case next <- [3]uint32{x, y, z}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range min(workers, int(min(total, 1<<16))) {
		g.Go(func() error {
			for id := range next {
				m := &machine{ctx: ctx, mem: mem, id: id, grid: req.Grid}
				if err := m.run(entry, args); err != nil {
					return fmt.Errorf("tile block (%d, %d, %d): %w", id[0], id[1], id[2], err)
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// checkArgs reports arguments that do not fit the parameters of the entry.
func checkArgs(entry ir.Op, req *launch.Request) error {
	params := entry.Body().Args()
	if len(params) != len(req.Args) {
		return fmt.Errorf("entry '%s' has %d parameters, but got %d arguments", req.Entry, len(params), len(req.Args))
	}
	for i, p := range params {
		t, ok := p.Type().(*cudatile.TileType)
		if !ok {
			return fmt.Errorf("parameter %d of '%s' is not a tile", i, req.Entry)
		}
		_, isPtr := t.Elem.(*cudatile.PtrType)
		a := req.Args[i]
		switch {
		case isPtr != (a.Buffer != nil):
			return fmt.Errorf("argument %d: is %s, but the parameter of '%s' is %s", i, a, req.Entry, ir.TypeString(p.Type()))
		case !isPtr && a.Scalar.DType.Size() != elementBytes(t.Elem):
			return fmt.Errorf("argument %d: is %s, but the parameter of '%s' is %s", i, a, req.Entry, ir.TypeString(p.Type()))
		}
	}
	return nil
}
