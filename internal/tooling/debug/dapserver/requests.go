package dapserver

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/google/go-dap"
	"github.com/tilewright/tilewright/internal/tooling/debug"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// request answers a request of an initialized session. Those that are about kernels need them to be loaded, and those
// about values need them to stand still.
func (s *session) request(head *dap.Request, m dap.Message) {
	switch m := m.(type) {
	case *dap.LaunchRequest:
		s.start(head, m.Arguments)
		return
	case *dap.AttachRequest:
		s.start(head, m.Arguments)
		return
	case *dap.DisconnectRequest:
		s.send(&dap.DisconnectResponse{Response: to(head)})
		s.ended = true
		return
	}
	if s.runner == nil {
		s.fail(head, "nothing has been launched")
		return
	}
	switch m := m.(type) {
	case *dap.SetBreakpointsRequest:
		s.setBreakpoints(m)
	case *dap.BreakpointLocationsRequest:
		s.breakpointLocations(m)
	case *dap.SetExceptionBreakpointsRequest:
		s.watch.Errors, s.watch.NaN = slices.Contains(m.Arguments.Filters, filterErrors), slices.Contains(m.Arguments.Filters, filterNaN)
		s.rewatch()
		s.send(&dap.SetExceptionBreakpointsResponse{Response: to(head)})
	case *dap.ConfigurationDoneRequest:
		s.send(&dap.ConfigurationDoneResponse{Response: to(head)})
		if !s.running {
			s.running = true
			s.runner.Start(0, s.launch.StopOnEntry)
		}
	case *dap.RestartRequest:
		s.send(&dap.RestartResponse{Response: to(head)})
		s.running, s.status = true, 0
		s.runner.Start(0, s.launch.StopOnEntry)
	case *dap.TerminateRequest:
		s.send(&dap.TerminateResponse{Response: to(head)})
		s.runner.Abandon()
		s.running = false
		s.send(&dap.TerminatedEvent{Event: event("terminated")})
	case *dap.ThreadsRequest:
		s.threads(m)
	case *dap.SourceRequest:
		s.source(m)
	case *dap.PauseRequest:
		s.runner.Pause()
		s.send(&dap.PauseResponse{Response: to(head)})
	default:
		if s.runner.Stopped() == nil {
			s.fail(head, "the kernel is running")
			return
		}
		s.stopped(head, m)
	}
}

// stopped answers a request that needs a stop.
func (s *session) stopped(head *dap.Request, m dap.Message) {
	switch m := m.(type) {
	case *dap.ContinueRequest:
		s.send(&dap.ContinueResponse{Response: to(head), Body: dap.ContinueResponseBody{AllThreadsContinued: true}})
		s.runner.Resume(debug.Continue)
	case *dap.NextRequest:
		s.send(&dap.NextResponse{Response: to(head)})
		if m.Arguments.Granularity == "instruction" {
			s.runner.Resume(debug.NextOp)
		} else {
			s.runner.Resume(debug.NextLine)
		}
	case *dap.StepInRequest:
		s.send(&dap.StepInResponse{Response: to(head)})
		s.runner.Resume(debug.NextOp)
	case *dap.StepOutRequest:
		s.send(&dap.StepOutResponse{Response: to(head)})
		s.runner.Resume(debug.Out)
	case *dap.StepBackRequest:
		s.send(&dap.StepBackResponse{Response: to(head)})
		s.runner.Back()
	case *dap.ReverseContinueRequest:
		s.send(&dap.ReverseContinueResponse{Response: to(head)})
		s.runner.Reverse()
	case *dap.StackTraceRequest:
		s.stackTrace(m)
	case *dap.ScopesRequest:
		s.scopes(m)
	case *dap.VariablesRequest:
		s.variables(m)
	case *dap.EvaluateRequest:
		s.evaluate(m)
	case *dap.ExceptionInfoRequest:
		s.exceptionInfo(m)
	case *dap.ReadMemoryRequest:
		s.readMemory(m)
	default:
		s.fail(head, "'%.40s' is not supported", head.Command)
	}
}

// maxThreads bounds the tile blocks that are listed: of a launch whose tile blocks wait for each other, all may have
// begun.
const maxThreads = 256

func (s *session) threads(r *dap.ThreadsRequest) {
	list := []dap.Thread{}
	if stop := s.runner.Stopped(); stop != nil {
		for _, b := range stop.Blocks[:min(len(stop.Blocks), maxThreads)] {
			at := b.State.Block()
			list = append(list, dap.Thread{Id: threadID(b), Name: fmt.Sprintf("%s, tile block (%d, %d, %d)", stop.Kernel.Name, at[0], at[1], at[2])})
		}
	} else {
		list = append(list, dap.Thread{Id: 1, Name: "tile blocks"})
	}
	s.send(&dap.ThreadsResponse{Response: to(&r.Request), Body: dap.ThreadsResponseBody{Threads: list}})
}

func (s *session) stackTrace(r *dap.StackTraceRequest) {
	stop := s.runner.Stopped()
	at := slices.IndexFunc(stop.Blocks, func(b *debug.Block) bool { return threadID(b) == r.Arguments.ThreadId })
	if at < 0 {
		s.fail(&r.Request, "there is no thread %d", r.Arguments.ThreadId)
		return
	}
	total := stop.Blocks[at].Frames()
	from := min(max(0, r.Arguments.StartFrame), total)
	until := total
	if n := r.Arguments.Levels; n > 0 && n < total-from {
		until = from + n
	}
	list := []dap.StackFrame{}
	for i := from; i < until && len(s.frames) < maxHandles; i++ {
		f := stop.Frame(at, i)
		place := f.Place()
		name := place.Function
		if name == "" {
			name = stop.Kernel.Name
		}
		s.frames = append(s.frames, frameID{at, i})
		list = append(list, dap.StackFrame{Id: len(s.frames), Name: name, Source: s.sourceOf(place.File), Line: int(place.Line) - 1 + s.first, Column: s.columnOf(place.File, int(place.Column))})
	}
	s.send(&dap.StackTraceResponse{Response: to(&r.Request), Body: dap.StackTraceResponseBody{StackFrames: list, TotalFrames: total}})
}

// columnOf is a column as the client counts it. Python's count from 0.
func (s *session) columnOf(file string, column int) int {
	if filepath.Ext(file) != ".py" {
		column = max(0, column-1)
	}
	return column + s.column
}

// frame returns the frame of a number; the innermost one for 0.
func (s *session) frame(id int) (*debug.Frame, error) {
	stop := s.runner.Stopped()
	if id == 0 {
		return stop.Frame(0, 0), nil
	}
	if id < 0 || id > len(s.frames) {
		return nil, fmt.Errorf("there is no frame %d at this stop", id)
	}
	return stop.Frame(s.frames[id-1].block, s.frames[id-1].frame), nil
}

func (s *session) exceptionInfo(r *dap.ExceptionInfoRequest) {
	stop := s.runner.Stopped()
	if stop.Reason != debug.AtException {
		s.fail(&r.Request, "the kernel has not stopped at an error")
		return
	}
	id := "NaN"
	if stop.Err != nil {
		id = "error"
		var f *launch.Fault
		if errors.As(stop.Err, &f) && f.Kind != "" {
			id = string(f.Kind)
		}
	}
	s.send(&dap.ExceptionInfoResponse{Response: to(&r.Request), Body: dap.ExceptionInfoResponseBody{ExceptionId: id, Description: stop.Text, BreakMode: "always"}})
}

// maxMemory bounds the bytes of memory of one answer.
const maxMemory = 1 << 20

func (s *session) readMemory(r *dap.ReadMemoryRequest) {
	a := r.Arguments
	base, err := strconv.ParseUint(a.MemoryReference, 0, 64)
	if err != nil || a.Count < 0 {
		s.fail(&r.Request, "expected a reference of this debugger and a count, but got %.40q and %d", a.MemoryReference, a.Count)
		return
	}
	addr := base + uint64(int64(a.Offset))
	f := s.runner.Stopped().Frame(0, 0)
	data := f.Memory(addr, uint64(min(a.Count, maxMemory)))
	s.send(&dap.ReadMemoryResponse{Response: to(&r.Request), Body: dap.ReadMemoryResponseBody{
		Address: fmt.Sprintf("%#x", addr), Data: base64.StdEncoding.EncodeToString(data), UnreadableBytes: a.Count - len(data)}})
}
