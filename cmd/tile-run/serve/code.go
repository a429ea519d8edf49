package serve

import (
	"context"
	"runtime"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emulate"
)

type codeKey struct {
	gpu  string
	opt  int
	math string // as --math; "": the default
}

// compilations are what one process compiles at once. One that nobody waits for any more ends at the next pass, or
// later, and until then counts as those that are waited for. So a client that gives up and asks again holds at most so
// many of them, and the memory of so many.
type compilations chan struct{}

func newCompilations() compilations { return make(compilations, max(2, runtime.GOMAXPROCS(0))) }

// run runs a compilation when there is room for it, or returns the context's error.
func (c compilations) run(ctx context.Context, compile func() error) error {
	select {
	case c <- struct{}{}:
		defer func() { <-c }()
		return compile()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A code is a module compiled for a target. It is made once, for all launches that need it meanwhile; they wait, each
// as long as it may. When the last one that waits has given up, so does the compilation, and the next launch begins
// another.
type code struct {
	done    chan struct{} // closed when the rest is there
	engine  *emulate.Engine
	result  *compile.Result // nil: the module is PTX
	err     error
	waiting int // launches; under the module's lock
	stop    context.CancelFunc
}

// compiled returns the module as code for a target. The compilation runs under the context base, and not that of a
// launch: one that is cancelled must not decide for the others that wait.
func (m *module) compiled(ctx, base context.Context, key codeKey) (*code, error) {
	if m.ptx {
		key = codeKey{}
	}
	m.mu.Lock()
	c := m.code[key]
	if c == nil {
		c = m.begin(base, key)
	}
	c.waiting++
	m.mu.Unlock()
	select {
	case <-c.done:
		m.mu.Lock()
		c.waiting--
		m.mu.Unlock()
		return c, c.err
	case <-ctx.Done():
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.waiting--; c.waiting == 0 && c.stop != nil && m.code[key] == c {
		select {
		case <-c.done: // it has ended meanwhile, and others may use it
		default:
			c.stop()
			delete(m.code, key)
		}
	}
	return nil, ctx.Err()
}

// begin starts a compilation, under the module's lock.
func (m *module) begin(base context.Context, key codeKey) *code {
	ctx, stop := context.WithCancel(base)
	c := &code{done: make(chan struct{}), stop: stop}
	m.code[key] = c
	go func() {
		defer close(c.done)
		defer stop()
		defer func() {
			if p := recover(); p != nil {
				c.err = panicked(p)
			}
		}()
		c.err = m.limit.run(ctx, func() error { return m.compile(ctx, c, key) })
	}()
	return c
}

func (m *module) compile(ctx context.Context, c *code, key codeKey) error {
	op, _, err := m.read()
	if err != nil {
		return err
	}
	var diags []string
	op.Context().Diag.Push(func(d *ir.Diagnostic) {
		if d.Severity == ir.Error && len(diags) < maxDiagnostics {
			diags = append(diags, d.Error())
		}
	})
	options := make(map[string]string)
	tileir.Math(options, key.math)
	if c.result, err = compile.To(ctx, op, compile.Options{GPU: key.gpu, OptLevel: key.opt, PassOptions: options, LineInfo: true, Fallback: true}); err != nil {
		return compileFailure(err, diags)
	}
	for _, f := range c.result.Fallbacks {
		zerolog.Ctx(ctx).Warn().Str("component", "serve").Str("pass", f.Failure.Pass.Name).Str("reproducer", f.Failure.Reproducer).Msg("compiled again " + f.Next)
	}
	if c.engine, err = emulate.New("<PTX of "+m.name+">", c.result.PTX); err != nil {
		return &failure{kindInternal, nil, err}
	}
	c.result.Module = ir.Op{} // its memory is not needed any more
	return nil
}

// on returns an engine for one launch.
func (c *code) on(entry string) *emulate.Engine {
	e := *c.engine
	if c.result != nil {
		c.result.Describe(&e, entry)
	}
	return &e
}
