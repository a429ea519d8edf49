package dapserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/google/go-dap"
	"github.com/tilewright/tilewright/internal/tooling/debug"
)

// A Launch is what a client says in its request to launch, the fields of a launch.json.
type Launch struct {
	Program     string   `json:"program"` // "": what the debugger was started with
	Args        []string `json:"args"`
	Cwd         string   `json:"cwd"`     // of the program; "": that of the debugger
	Kernels     []string `json:"kernels"` // nil: all
	Block       []uint32 `json:"block"`   // the only tile block to stop in; nil: all
	StopOnEntry bool     `json:"stopOnEntry"`
	Strict      bool     `json:"strict"`
	IR          bool     `json:"ir"` // show Tile IR, not the sources that it comes from
}

// A Config says what a session debugs.
type Config struct {
	// Load returns the kernels that a launch means. It writes what a program prints to the console.
	Load func(ctx context.Context, l *Launch, console func(text string)) ([]*debug.Kernel, error)
	// Texts are sources that are no files, by the name that locations have.
	Texts func(file string) []byte
}

// A session is the state of one connection. The goroutine of Serve owns it.
type session struct {
	Config
	ctx   context.Context
	out   io.Writer
	seq   int
	lost  error // of writing
	ended bool

	begun  bool // initialized
	first  int  // the number of the first line
	column int  // and column
	launch *Launch
	loaded chan loaded
	output chan string

	kernels []*debug.Kernel
	runner  *debug.Runner
	running bool // configured: the runner has been started
	points  map[string][]*point
	lastID  int
	watch   debug.Watchlist
	status  int

	handles []func() []dap.Variable
	frames  []frameID
}

type loaded struct {
	kernels []*debug.Kernel
	err     error
	seq     dap.Request
}

type frameID struct{ block, frame int }

// Serve speaks the protocol until the client disconnects or the context ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &session{Config: c, ctx: ctx, out: out, first: 1, column: 1, loaded: make(chan loaded, 1), output: make(chan string), points: make(map[string][]*point), watch: debug.Watchlist{Errors: true}}
	defer func() {
		cancel()
		if s.runner != nil {
			s.runner.Abandon()
		}
	}()
	messages, broken := make(chan []byte), make(chan error, 1)
	go func() {
		r := bufio.NewReader(in)
		for {
			m, err := readMessage(r)
			if err != nil {
				broken <- err
				return
			}
			select {
			case messages <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	for !s.ended && s.lost == nil {
		var events <-chan debug.Event
		if s.runner != nil {
			events = s.runner.Events()
		}
		select {
		case m := <-messages:
			s.message(m)
		case e := <-events:
			s.event(e)
		case l := <-s.loaded:
			s.ready(l)
		case text := <-s.output:
			s.console("stdout", text)
		case err := <-broken:
			if errors.Is(err, io.EOF) {
				return nil // a client that goes away ends the session
			}
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return s.lost
}

// send writes a message with the next number.
func (s *session) send(m dap.Message) {
	s.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq, m.GetResponse().Type = s.seq, "response"
	case dap.EventMessage:
		m.GetEvent().Seq, m.GetEvent().Type = s.seq, "event"
	}
	if err := dap.WriteProtocolMessage(s.out, m); err != nil && s.lost == nil {
		s.lost = err
	}
}

func event(name string) dap.Event { return dap.Event{Event: name} }

func to(r *dap.Request) dap.Response {
	return dap.Response{RequestSeq: r.Seq, Command: r.Command, Success: true}
}

// fail answers a request with an error.
func (s *session) fail(r *dap.Request, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	m := &dap.ErrorResponse{Response: to(r)}
	m.Success, m.Message = false, text
	m.Body.Error = &dap.ErrorMessage{Id: 1, Format: "{text}", Variables: map[string]string{"text": text}}
	s.send(m)
}

// console shows a text in the client.
func (s *session) console(category, text string) {
	s.send(&dap.OutputEvent{Event: event("output"), Body: dap.OutputEventBody{Category: category, Output: text}})
}

// print is called by other goroutines.
func (s *session) print(ctx context.Context, text string) {
	select {
	case s.output <- text:
	case <-ctx.Done():
	case <-s.ctx.Done():
	}
}

// message handles one message. What is no request is answered as far as it can be.
func (s *session) message(data []byte) {
	var head dap.Request
	if err := json.Unmarshal(data, &head); err != nil {
		s.console("stderr", fmt.Sprintf("a message was passed over: %v\n", err))
		return
	}
	if head.Type != "request" {
		s.console("stderr", fmt.Sprintf("a message of the type %.40q was passed over\n", head.Type))
		return
	}
	m, err := dap.DecodeProtocolMessage(data)
	var unknown *dap.DecodeProtocolMessageFieldError
	switch {
	case errors.As(err, &unknown):
		s.fail(&head, "'%.40s' is not supported", head.Command)
		return
	case err != nil:
		s.fail(&head, "the arguments are not those of '%s': %v", head.Command, err)
		return
	}
	defer func() {
		if v := recover(); v != nil {
			s.fail(&head, "bug in the debugger: %v", v)
		}
	}()
	switch _, first := m.(*dap.InitializeRequest); {
	case first == s.begun && first:
		s.fail(&head, "the session is initialized already")
	case !first && !s.begun:
		s.fail(&head, "the session is not initialized")
	case first:
		s.initialize(&head, data)
	default:
		s.request(&head, m)
	}
}

func (s *session) initialize(r *dap.Request, data []byte) {
	s.begun = true
	// What a client leaves out is true, but false to the library.
	var given struct {
		Arguments struct {
			LinesStartAt1   *bool `json:"linesStartAt1"`
			ColumnsStartAt1 *bool `json:"columnsStartAt1"`
		} `json:"arguments"`
	}
	if err := json.Unmarshal(data, &given); err == nil {
		if n := given.Arguments.LinesStartAt1; n != nil && !*n {
			s.first = 0
		}
		if n := given.Arguments.ColumnsStartAt1; n != nil && !*n {
			s.column = 0
		}
	}
	s.send(&dap.InitializeResponse{Response: to(r), Body: dap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsConditionalBreakpoints: true, SupportsLogPoints: true, SupportsEvaluateForHovers: true, SupportsStepBack: true,
		SupportsRestartRequest: true, SupportsTerminateRequest: true, SupportsExceptionInfoRequest: true, SupportsReadMemoryRequest: true, SupportsSteppingGranularity: true,
		SupportsBreakpointLocationsRequest: true, SupportsClipboardContext: true, SupportsDelayedStackTraceLoading: true,
		ExceptionBreakpointFilters: []dap.ExceptionBreakpointsFilter{
			{Filter: filterErrors, Label: "Errors of kernels", Description: "stop where an access is out of bounds, or a kernel does another thing that is wrong", Default: true},
			{Filter: filterNaN, Label: "First NaN", Description: "stop after the operation that makes NaN of what has none"},
		},
	}})
}

const (
	filterErrors = "errors"
	filterNaN    = "nan"
)

// start loads what the client wants to debug.
func (s *session) start(r *dap.Request, arguments json.RawMessage) {
	if s.launch != nil {
		s.fail(r, "the session has launched already")
		return
	}
	l := &Launch{}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, l); err != nil {
			s.fail(r, "the arguments are not those of '%s': %v", r.Command, err)
			return
		}
	}
	if len(l.Block) > 3 {
		s.fail(r, "'block' has %d numbers, expected at most 3", len(l.Block))
		return
	}
	s.launch = l
	request := *r
	go func() {
		kernels, err := s.Load(s.ctx, l, func(text string) { s.print(s.ctx, text) })
		s.loaded <- loaded{kernels, err, request}
	}()
}

// ready goes on when the kernels are known.
func (s *session) ready(l loaded) {
	if l.err == nil && len(l.kernels) == 0 {
		l.err = errors.New("there is no kernel to debug")
	}
	opts := debug.Options{Strict: s.launch.Strict, Output: s.print}
	if b := s.launch.Block; l.err == nil && b != nil {
		opts.Block = new([3]uint32)
		copy(opts.Block[:], b)
		for _, k := range l.kernels {
			for d, n := range opts.Block {
				if n >= k.Blocks()[d] {
					l.err = fmt.Errorf("there is no tile block (%d, %d, %d): the grid of '%s' is %v", opts.Block[0], opts.Block[1], opts.Block[2], k.Name, k.Blocks())
				}
			}
		}
	}
	if l.err != nil {
		s.fail(&l.seq, "%v", l.err)
		s.send(&dap.TerminatedEvent{Event: event("terminated")})
		return
	}
	s.kernels = l.kernels
	s.runner = debug.NewRunner(s.ctx, l.kernels, opts)
	s.send(&dap.LaunchResponse{Response: to(&l.seq)})
	s.send(&dap.InitializedEvent{Event: event("initialized")})
}

// event reports what the runner says.
func (s *session) event(e debug.Event) {
	s.runner.Take(e)
	s.handles, s.frames = nil, nil
	if stop := e.Stop; stop != nil {
		body := dap.StoppedEventBody{Reason: string(stop.Reason), Text: stop.Text, ThreadId: threadID(stop.Blocks[0]), AllThreadsStopped: true, HitBreakpointIds: stop.IDs}
		if stop.Reason == debug.AtBreakpoint && stop.Text != "" {
			s.console("stderr", stop.Text+"\n")
		}
		if stop.Reason == debug.AtException {
			body.Description = "Paused on an error"
			s.console("stderr", stop.Text+"\n")
		}
		s.send(&dap.StoppedEvent{Event: event("stopped"), Body: body})
		return
	}
	if e.Err != nil {
		s.status = 1
		s.console("stderr", fmt.Sprintf("kernel '%s' has failed: %v\n", s.kernels[e.Index].Name, e.Err))
	}
	if next := e.Index + 1; next < len(s.kernels) {
		s.console("console", fmt.Sprintf("launch %d of %d: %s\n", next+1, len(s.kernels), s.kernels[next].Name))
		s.runner.Start(next, false)
		return
	}
	s.running = false
	s.send(&dap.ExitedEvent{Event: event("exited"), Body: dap.ExitedEventBody{ExitCode: s.status}})
	s.send(&dap.TerminatedEvent{Event: event("terminated")})
}

// threadID is the thread that a tile block is.
func threadID(b *debug.Block) int { return int(b.State.Number()) + 1 }

// path is the absolute path of a source, as far as it is a file.
func (s *session) path(file string) string {
	if !filepath.IsAbs(file) && s.launch != nil && s.launch.Cwd != "" {
		return filepath.Join(s.launch.Cwd, file)
	}
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}
