package serve

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tilewright/tilewright/internal/tooling/syncreport"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
)

// A prepared launch has its memory in place.
type prepared struct {
	req  *launch.Request
	put  []func() error // of each segment: makes its contents those of the shared memory
	sent []bool         // it came in the payload, and goes back so
}

// launch runs a kernel.
func (s *Server) launch(r *request, payload []byte) (response, [][]byte, error) {
	defer s.finish(r)
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-r.ctx.Done():
		return response{}, nil, failf(kindCanceled, "the launch was canceled")
	}
	s.mu.Lock()
	m := s.modules[r.Module]
	s.mu.Unlock()
	if m == nil {
		return response{}, nil, failf(kindRequest, "no module %d is loaded", r.Module)
	}
	if r.Progress < 0 || r.Progress > maxTimeout {
		return response{}, nil, failf(kindRequest, "got a pause of %d ms, expected 0 to %d", r.Progress, maxTimeout)
	}
	if r.Timeout < 0 || r.Timeout > maxTimeout || r.Workers < 0 || r.Workers > maxWorkers {
		return response{}, nil, failf(kindRequest, "got a limit of %d ms and %d workers, expected 0 to %d and 0 to %d", r.Timeout, r.Workers, maxTimeout, maxWorkers)
	}
	if r.Relative != nil && *r.Relative < 0 || r.Absolute != nil && *r.Absolute < 0 {
		return response{}, nil, failf(kindRequest, "a tolerance is negative")
	}
	p, err := s.prepare(m, &r.launchRequest, payload)
	if err != nil {
		return response{}, nil, err
	}
	ctx, timeout := r.ctx, time.Duration(r.Timeout)*time.Millisecond
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	start := time.Now()
	outside, err := s.repeats.launch(m, r, p.req, func() (beyond []outside, silent bool, err error) {
		found, output := new(outsiders), &sender{s: s, id: r.ID}
		err = interrupted(ctx, timeout, s.run(ctx, m, r, p.req, found, output))
		return found.list(), !output.printed.Load(), err
	})
	if err != nil {
		return response{}, nil, err
	}
	out := response{Seconds: time.Since(start).Seconds(), Written: []int{}, Outside: outside}
	var extra [][]byte
	for i, g := range p.req.Segments {
		if !g.Written() {
			continue
		}
		out.Written = append(out.Written, i)
		if p.sent[i] {
			extra = append(extra, g.Data)
		} else if err := p.put[i](); err != nil {
			return response{}, nil, err
		}
	}
	return out, extra, nil
}

// prepare makes a request for the engines.
func (s *Server) prepare(m *module, r *launchRequest, payload []byte) (*prepared, error) {
	entry, err := m.entry(r.Entry)
	if err != nil {
		return nil, err
	}
	if len(r.Args) > maxArgs || len(r.Segments) > maxSegments {
		return nil, failf(kindRequest, "got %d arguments and %d segments, at most %d and %d are accepted", len(r.Args), len(r.Segments), maxArgs, maxSegments)
	}
	p := &prepared{req: &launch.Request{Entry: r.Entry}}
	if len(r.Grid) != len(p.req.Grid) {
		return nil, failf(kindRequest, "grid: got %d numbers, expected %d", len(r.Grid), len(p.req.Grid))
	}
	copy(p.req.Grid[:], r.Grid)
	if p.req.Args, err = entry.arguments(r.Args); err != nil {
		return nil, err
	}
	for i, g := range r.Segments {
		seg := &launch.Segment{Name: g.Name, Addr: g.Address, ReadOnly: g.ReadOnly}
		if g.DType != "" {
			if seg.DType, err = launch.ParseDType(g.DType); err != nil {
				return nil, failf(kindRequest, "segment %d: %w", i, err)
			}
		}
		var put func() error
		if g.At != nil {
			if seg.Data, put, err = s.shared.get(*g.At, g.Bytes); err != nil {
				return nil, fmt.Errorf("segment %d: %w", i, err)
			}
		} else {
			if g.Bytes > uint64(len(payload)) {
				return nil, failf(kindRequest, "segment %d has %d bytes, but %d are left in the payload", i, g.Bytes, len(payload))
			}
			seg.Data, payload = payload[:g.Bytes:g.Bytes], payload[g.Bytes:]
		}
		p.req.Segments, p.put, p.sent = append(p.req.Segments, seg), append(p.put, put), append(p.sent, g.At == nil)
	}
	if len(payload) > 0 {
		return nil, failf(kindRequest, "%d bytes of the payload belong to no segment", len(payload))
	}
	if err := p.req.Validate(); err != nil {
		return nil, &failure{kindRequest, nil, err}
	}
	return p, nil
}

// run runs a request on the engine that is asked for.
func (s *Server) run(ctx context.Context, m *module, r *request, req *launch.Request, beyond *outsiders, output io.Writer) error {
	opt, gpu := 3, passes.DefaultGPU
	if r.OptLevel != nil {
		opt = *r.OptLevel
	}
	if r.GPU != "" {
		gpu = r.GPU
	}
	if opt < 0 || opt > 3 {
		return failf(kindRequest, "got optimisation level %d, expected 0 to 3", opt)
	}
	if err := tileir.CheckMath(r.Math); err != nil {
		return failf(kindRequest, "unknown math: %v", err)
	}
	if _, err := sm.Lookup(gpu); err != nil {
		return &failure{kindRequest, nil, err}
	}
	interpret := func(req *launch.Request, w io.Writer) error {
		if m.ptx {
			return failf(kindRequest, "'%s' is PTX, which only engine ptx runs", m.name)
		}
		e := m.interp.Fork()
		if !r.Strict {
			e.AsCompiled()
			e.Outside = beyond.add
		}
		if r.Progress > 0 {
			done := new(atomic.Uint64)
			e.Progress = func(n, _ uint64) { done.Store(n) }
			total := uint64(req.Grid[0]) * uint64(req.Grid[1]) * uint64(req.Grid[2])
			ctx, stop := context.WithCancel(ctx)
			ended := make(chan struct{})
			defer func() { stop(); <-ended }() // nothing comes after the answer
			go func() {
				defer close(ended)
				s.tell(ctx, r, done, total)
			}()
		}
		e.Races, e.OrderedAtomics, e.MaxSteps, e.Workers, e.Output = r.Races, r.Ordered, r.MaxSteps, r.Workers, w
		return e.Run(ctx, req)
	}
	emulate := func(req *launch.Request, w io.Writer) error {
		c, err := m.compiled(ctx, s.ctx, codeKey{gpu, opt, r.Math})
		if err != nil {
			return err
		}
		e := c.on(r.Entry)
		e.MaxSteps, e.Stdout = r.MaxSteps, w
		if !r.SyncCheck {
			return e.Run(ctx, req)
		}
		e.Sync = new(emu.SyncReport)
		if err := e.Run(ctx, req); err != nil {
			return err
		}
		return syncreport.New(m.name, r.Entry, e.Sync, nil).Fault()
	}
	switch r.Engine {
	case "", "interp":
		if r.SyncCheck {
			return failf(kindRequest, "sync_check is for the engines ptx and both")
		}
		return interpret(req, output)
	case "ptx":
		return emulate(req, output)
	case "both":
		second := req.Clone()
		if err := interpret(req, output); err != nil {
			return err
		}
		if err := emulate(second, io.Discard); err != nil {
			return err
		}
		return compare(r, m.rounded, gpu, req, second)
	}
	return failf(kindRequest, "unknown engine %q, expected interp, ptx or both", r.Engine)
}

// tell sends how far a launch is, again and again until the context ends.
func (s *Server) tell(ctx context.Context, r *request, done *atomic.Uint64, total uint64) {
	every := time.NewTicker(time.Duration(r.Progress) * time.Millisecond)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			n := min(done.Load(), total)
			s.answer(response{ID: r.ID, Event: "progress", Done: &n, Total: total})
		case <-ctx.Done():
			return
		}
	}
}

// compare reports a segment that the engines left different. rounded holds the types that the kernel rounds to on the
// way. Segments whose type the client has not said are compared byte by byte.
func compare(r *request, rounded []launch.DType, gpu string, a, b *launch.Request) error {
	for i, seg := range a.Segments {
		want := seg.Buffer()
		tol := tolerance(want.DType, rounded)
		if r.Relative != nil {
			tol.Relative = *r.Relative
		}
		if r.Absolute != nil {
			tol.Absolute = *r.Absolute
		}
		report, err := launch.Check(seg.Label(), b, []launch.Expect{{Arg: i, Segment: true, Want: want, Tolerance: tol}})
		if err != nil {
			return err
		}
		if !report.OK() {
			var text strings.Builder
			report.WriteText(&text)
			return failf(kindMismatch, "compiled code for %s and the interpreter differ: %s", gpu, strings.TrimSpace(text.String()))
		}
	}
	return nil
}

// A sender sends what a kernel prints.
type sender struct {
	s       *Server
	id      uint64
	printed atomic.Bool
}

func (w *sender) Write(p []byte) (int, error) {
	w.printed.Store(true)
	w.s.answer(response{ID: w.id, Event: "output"}, p)
	return len(p), nil
}
