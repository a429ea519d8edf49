package interp

import (
	"context"
	"fmt"
	"sync"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// Engine runs the entries of a module. It may be used by several goroutines.
type Engine struct {
	core.Options

	module   ir.Op
	scribble bool

	decoded *decoded
}

// decoded is what engines of one module share.
type decoded struct {
	mu       sync.Mutex
	programs map[programKey]*core.Program
}

type programKey struct {
	entry       string
	races, keep bool
}

// New returns an engine for a verified module that holds entries of cuda_tile or kernels of nv_tileaa or nv_tileas.
func New(module ir.Op) *Engine {
	return &Engine{module: module, decoded: &decoded{programs: make(map[programKey]*core.Program)}}
}

// Fork returns an engine for the same module, with the same fields, which may then differ. What is decoded is shared,
// so that each launch of a server can have an engine of its own.
func (e *Engine) Fork() *Engine {
	out := *e
	return &out
}

// program returns the decoded entry of that name, wherever it is nested.
func (e *Engine) program(name string) (*core.Program, error) {
	e.decoded.mu.Lock()
	defer e.decoded.mu.Unlock()
	key := programKey{name, e.Races, e.Debug != nil}
	if p := e.decoded.programs[key]; p != nil {
		return p, nil
	}
	var found ir.Op
	e.module.Walk(func(op ir.Op) ir.WalkResult {
		if core.IsEntry(op) {
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
	p, err := core.Decode(found, e.Races, e.Debug != nil)
	if err == nil {
		e.decoded.programs[key] = p
	}
	return p, err
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
	if err := checkArgs(prog.Entry, req); err != nil {
		return err
	}
	return core.Run(ctx, req, prog, &e.Options, e.scribble)
}

// checkArgs reports arguments that do not fit the parameters of the entry.
func checkArgs(entry ir.Op, req *launch.Request) error {
	params := entry.Body().Args()
	if len(params) != len(req.Args) {
		return fmt.Errorf("entry '%s' has %d parameters, but got %d arguments", req.Entry, len(params), len(req.Args))
	}
	for i, p := range params {
		if !values.IsTile(p.Type()) || len(values.ShapeOf(p)) > 0 {
			return fmt.Errorf("parameter %d of '%s' is not a number or pointer", i, req.Entry)
		}
		elem := values.ElemOf(p)
		_, isPtr := values.Pointee(elem)
		a := req.Args[i]
		if isPtr != a.IsPointer() || !isPtr && a.Scalar.DType.Size() != values.ElementBytes(elem) {
			return fmt.Errorf("argument %d: is %s, but the parameter of '%s' is %s", i, a, req.Entry, ir.TypeString(p.Type()))
		}
	}
	return nil
}
