package debug

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/tilewright/tilewright/internal/tooling/debug/expr"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
)

// Options say how kernels run.
type Options struct {
	Strict bool // what the specification leaves undefined is an error
	// Block is the only tile block to stop in; nil: all.
	Block *[3]uint32
	// Output takes what kernels and logs of breakpoints print. It returns when the context ends, at the latest.
	Output func(ctx context.Context, text string)
}

// A Breakpoint stops at an operation if its condition holds.
type Breakpoint struct {
	ID   int
	Line int
	Cond *expr.Expr // nil: always
	// Log is written instead of a stop; nil: stop.
	Log func(s *Stop) string
}

// A Watchlist is what a run stops at. It is replaced, never changed.
type Watchlist struct {
	Breakpoints map[ir.Op][]*Breakpoint
	Errors      bool // stop where a tile block fails
	NaN         bool // stop behind the operation that makes the first NaN of what has none
}

// A Mode says how far a run goes.
type Mode uint8

// The modes.
const (
	Continue Mode = iota // to the next breakpoint
	NextOp               // to the next operation of the tile block
	NextLine             // to the next line of the function, or of its caller
	Out                  // until the function returns
)

// A Reason says why a run has stopped, in the words of the Debug Adapter Protocol.
type Reason string

// The reasons.
const (
	AtEntry      Reason = "entry"
	AtStep       Reason = "step"
	AtBreakpoint Reason = "breakpoint"
	AtPause      Reason = "pause"
	AtException  Reason = "exception"
)

// A Stop is a stopped run.
type Stop struct {
	Kernel *Kernel
	Index  int // of the kernel
	Reason Reason
	// Text says more: an error, or what is wrong with a condition.
	Text   string
	Err    error // of the tile block, if it has failed
	IDs    []int // of breakpoints
	Count  uint64
	Blocks []*Block // those that have begun and not ended; the first is the one that runs
}

// A Block is a tile block of a stopped run.
type Block struct {
	State *interp.State
	at    *place
	last  uint64 // the count of the stop where it is
	prev  uint64 // of the stop before that
	// Depth is how many frames a user sees. A step over a call stops in the first line of the call, and shows it as
	// where it is called.
	Depth int
}

// An Event is a stop, or the end of a launch.
type Event struct {
	Stop  *Stop // nil: the launch has ended
	Index int
	Err   error // of the launch
}

// A Runner runs kernels. One goroutine may use it, which receives the events.
type Runner struct {
	kernels []*Kernel
	opts    Options
	ctx     context.Context
	events  chan Event
	watch   atomic.Pointer[Watchlist]
	now     *run
	stop    *Stop // nil while it runs
}

// NewRunner returns a runner of kernels, which ends with the context.
func NewRunner(ctx context.Context, kernels []*Kernel, opts Options) *Runner {
	r := &Runner{kernels: kernels, opts: opts, ctx: ctx, events: make(chan Event)}
	r.watch.Store(&Watchlist{Errors: true})
	return r
}

// Events are what happens. Each must be given to Take.
func (r *Runner) Events() <-chan Event { return r.events }

// Take notes an event.
func (r *Runner) Take(e Event) { r.stop = e.Stop }

// Stopped returns where the run stands; nil while it runs.
func (r *Runner) Stopped() *Stop { return r.stop }

// Watch replaces what runs stop at.
func (r *Runner) Watch(w *Watchlist) { r.watch.Store(w) }

// Watched is what runs stop at.
func (r *Runner) Watched() *Watchlist { return r.watch.Load() }

// Start begins a launch. atEntry stops at its first operation.
func (r *Runner) Start(index int, atEntry bool) {
	g := goal{mode: Continue}
	if atEntry {
		g = goal{until: 1, here: AtEntry}
	}
	r.start(index, g)
}

func (r *Runner) start(index int, g goal) {
	r.Abandon()
	ctx, cancel := context.WithCancel(r.ctx)
	n := &run{runner: r, kernel: r.kernels[index], index: index, ctx: ctx, cancel: cancel, goals: make(chan goal), done: make(chan struct{}), goal: g}
	r.now, r.stop = n, nil
	go n.main()
}

// Abandon ends the run and waits for its end.
func (r *Runner) Abandon() {
	if r.now == nil {
		return
	}
	r.now.cancel()
	<-r.now.done
	r.now, r.stop = nil, nil
}

// Resume goes on from a stop.
func (r *Runner) Resume(mode Mode) {
	b := r.stop.Blocks[0]
	if mode == NextOp && b.Depth < len(b.at.frames) && r.stop.Err == nil {
		// Into the call that is shown as a line: nothing runs.
		b.Depth = len(b.at.frames)
		r.again(AtStep)
		return
	}
	g := goal{mode: mode, until: r.stop.Count + 1, block: b.State.Number(), depth: b.Depth - 1}
	if b.Depth > 0 {
		g.line = b.at.line(b.Depth - 1)
	}
	n := r.now
	r.stop = nil
	select {
	case n.goals <- g:
	case <-n.done:
	}
}

// again reports the same stop another time.
func (r *Runner) again(why Reason) {
	e := Event{Stop: r.stop, Index: r.stop.Index}
	e.Stop.Reason, e.Stop.Text, e.Stop.IDs = why, "", nil
	r.stop = nil
	go func() {
		select {
		case r.events <- e:
		case <-r.ctx.Done():
		}
	}()
}

// Back goes to the operation before, of the same tile block. There is nothing before the first one.
func (r *Runner) Back() {
	s := r.stop
	b := s.Blocks[0]
	to := b.prev
	switch {
	case s.Err != nil:
		to = s.Count // the operation that failed, or the last stop before it
	case to == 0:
		to = s.Count - 1
	}
	if to == 0 {
		r.again(AtEntry)
		return
	}
	r.start(s.Index, goal{until: to, here: AtStep})
}

// Reverse goes to the last breakpoint before, else to the first operation.
func (r *Runner) Reverse() {
	limit := r.stop.Count
	if r.stop.Err != nil {
		limit++
	}
	r.start(r.stop.Index, goal{search: limit})
}

// Pause makes a run stop at its next operation.
func (r *Runner) Pause() {
	if n := r.now; n != nil && r.stop == nil {
		n.pause.Store(true)
	}
}

// A goal is how far a run goes from where it stands.
type goal struct {
	until  uint64 // stops before this one do not count
	here   Reason // stop at until, for this reason; "": not
	mode   Mode
	block  uint64 // of steps: the number of the CTA
	depth  int    // of steps: the frame, counted from the outermost one
	line   string // of steps: where it stands
	search uint64 // not 0: find the last breakpoint before this one, and go there
}

// A run is a launch from its beginning. It is the debugger of the interpreter.
type run struct {
	runner *Runner
	kernel *Kernel
	index  int
	ctx    context.Context
	cancel context.CancelFunc
	goals  chan goal
	done   chan struct{}
	pause  atomic.Bool

	// Of the goroutine that runs:
	goal  goal
	count uint64
	found uint64 // of a search
	cur   *Block
	live  []*Block
	nan   string

	// The operation that was executed last, and where, to look for NaN.
	before   ir.Op
	beforeIn *interp.State
}

// errReached ends a search.
var errReached = errors.New("the search has reached its limit")

// main runs the launch. A search begins the launch again, to go to what it has found.
func (n *run) main() {
	defer close(n.done)
	for {
		req := n.kernel.Request()
		e := interp.New(n.kernel.Module)
		if !n.runner.opts.Strict {
			e.AsCompiled()
		}
		e.Debug, e.Output = n, &replayed{n}
		err := e.Run(n.ctx, req)
		if n.ctx.Err() != nil {
			return
		}
		if n.goal.search > 0 {
			n.goal = goal{until: max(1, n.found), here: AtBreakpoint}
			if n.found == 0 {
				n.goal.here = AtEntry
			}
			n.count, n.cur, n.live, n.before, n.nan = 0, nil, nil, ir.Op{}, ""
			continue
		}
		n.send(Event{Index: n.index, Err: err})
		return
	}
}

func (n *run) send(e Event) {
	select {
	case n.runner.events <- e:
	case <-n.ctx.Done():
	}
}

// replayed passes on what a kernel prints, unless it has been seen.
type replayed struct{ n *run }

// Write implements io.Writer.
func (w *replayed) Write(text []byte) (int, error) {
	g := w.n.goal
	if out := w.n.runner.opts.Output; out != nil && g.search == 0 && w.n.count >= g.until {
		out(w.n.ctx, string(text))
	}
	return len(text), nil
}

// Before implements interp.Debugger.
func (n *run) Before(s *interp.State) error {
	w := n.runner.watch.Load()
	if w.NaN && n.goal.search == 0 && n.count >= n.goal.until {
		n.checkNaN(s)
	}
	p := n.kernel.stops[s.Op()]
	only := n.runner.opts.Block
	if p == nil || only != nil && s.Block() != *only {
		return n.ctx.Err()
	}
	b := n.block(s)
	n.count++
	b.at, b.prev, b.last, b.Depth = p, b.last, n.count, len(p.frames)
	if n.goal.search > 0 {
		if n.count >= n.goal.search {
			return errReached
		}
		if ids, bad := n.hits(w, true); len(ids) > 0 && bad == "" {
			n.found = n.count
		}
		return n.ctx.Err()
	}
	if n.count < n.goal.until {
		return n.ctx.Err()
	}
	if stop := n.reason(w, b); stop != nil {
		return n.halt(stop)
	}
	return n.ctx.Err()
}

// block returns the tile block of a state.
func (n *run) block(s *interp.State) *Block {
	if n.cur != nil && n.cur.State == s {
		return n.cur
	}
	for _, b := range n.live {
		if b.State == s {
			n.cur = b
			return b
		}
	}
	n.cur = &Block{State: s}
	n.live = append(n.live, n.cur)
	return n.cur
}

// Ended implements interp.Debugger.
func (n *run) Ended(s *interp.State) {
	for i, b := range n.live {
		if b.State == s {
			n.live = append(n.live[:i], n.live[i+1:]...)
			n.cur = nil
			return
		}
	}
}

// Failed implements interp.Debugger.
func (n *run) Failed(s *interp.State, err error) {
	if n.ctx.Err() != nil || n.goal.search > 0 || !n.runner.watch.Load().Errors || errors.Is(err, errReached) {
		return
	}
	b := n.block(s)
	if p := n.placeOf(s.Op()); p != nil {
		b.at, b.Depth = p, len(p.frames)
	}
	if b.at == nil {
		return
	}
	_ = n.halt(&Stop{Reason: AtException, Text: err.Error(), Err: err})
}

// placeOf returns the place of an operation, or of the nearest one around it that has one.
func (n *run) placeOf(op ir.Op) *place {
	for ; !op.IsNil() && op != n.kernel.entry; op = op.ParentOp() {
		if p := at(op); p != nil {
			return p
		}
	}
	return nil
}

// halt reports a stop, and waits for what to do next.
func (n *run) halt(s *Stop) error {
	s.Kernel, s.Index, s.Count = n.kernel, n.index, n.count
	s.Blocks = []*Block{n.cur}
	for _, b := range n.live {
		if b != n.cur && b.at != nil {
			s.Blocks = append(s.Blocks, b)
		}
	}
	n.pause.Store(false)
	n.send(Event{Stop: s, Index: n.index})
	select {
	case n.goal = <-n.goals:
		return nil
	case <-n.ctx.Done():
		return n.ctx.Err()
	}
}
