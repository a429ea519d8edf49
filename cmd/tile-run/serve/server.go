package serve

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
	"golang.org/x/sync/semaphore"
)

// A Server answers one client.
type Server struct {
	shared *sharedMemory
	ctx    context.Context
	stop   context.CancelFunc

	out sync.Mutex // of frames
	to  io.Writer

	mu      sync.Mutex
	next    uint64
	modules map[uint64]*module
	byKey   map[[sha256.Size]byte]*module
	running map[uint64]*request // launches, by the number of their request

	watched bool // the parent's end is looked for; of the goroutine that reads requests

	repeats  *repeats
	compiles compilations
	slots    chan struct{}       // launches that run; the others wait
	payloads *semaphore.Weighted // bytes of requests that have not been answered
	loaded   int                 // bytes of modules
	group    sync.WaitGroup
}

// Limits on what one client may hold.
const (
	maxModules  = 1 << 16
	maxArgs     = 1 << 16
	maxSegments = 1 << 20
	maxWorkers  = 1 << 12
	maxTimeout  = int64(math.MaxInt64 / time.Millisecond)
	maxLoaded   = 4 << 30 // bytes of modules
	maxWaiting  = 1 << 12 // requests that have not been answered: what comes after them is not read
)

// New returns a server. It shares the memory after a file with its client, unless the file is nil. The server
// borrows the file: the caller closes it, after Serve has returned. So New takes no number: a second os.File for a
// descriptor closes it when it is collected, and by then the number may be another file's.
func New(shared *os.File) (*Server, error) {
	s := &Server{modules: map[uint64]*module{}, byKey: map[[sha256.Size]byte]*module{}, running: map[uint64]*request{},
		repeats: newRepeats(), compiles: newCompilations(), slots: make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0))), payloads: semaphore.NewWeighted(maxPayload)}
	if shared != nil {
		var err error
		if s.shared, err = newShared(shared); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Serve answers the frames of a reader until it ends, or something is wrong with the frames themselves, which is its
// error. Launches that run then are stopped: nobody waits for them.
func (s *Server) Serve(ctx context.Context, from io.Reader, to io.Writer) error {
	s.ctx, s.stop = context.WithCancel(ctx)
	defer s.group.Wait()
	defer s.stop()
	s.to = to
	waiting := make(chan struct{}, maxWaiting)
	frames := make(chan frame)
	failed := make(chan error, 1)
	go func() {
		for {
			f, err := s.read(from)
			if err != nil {
				failed <- err
				return
			}
			select {
			case frames <- f:
			case <-s.ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-s.ctx.Done():
			return nil
		case err := <-failed:
			if err == io.EOF {
				return nil
			}
			s.answer(response{Error: &fault{Kind: kindProtocol, Message: err.Error()}})
			return err
		case f := <-frames:
			r := new(request)
			if err := decode(f.header, r); err != nil {
				s.release(f)
				s.answer(response{ID: r.ID, Error: &fault{Kind: kindRequest, Message: "header: " + err.Error()}})
				continue
			}
			if inOrder[r.Op] {
				s.handle(r, f.payload)
				s.release(f)
				continue
			}
			select {
			case waiting <- struct{}{}:
			case <-s.ctx.Done():
				return nil
			}
			s.begin(r)
			s.group.Go(func() {
				defer func() { <-waiting }()
				defer s.release(f)
				s.handle(r, f.payload)
			})
		}
	}
}

// read reads a frame. A payload waits until those of requests that are not answered yet leave room for it: together
// they take no more memory than one may.
func (s *Server) read(from io.Reader) (frame, error) {
	return readFrame(from, func(payload uint64) error { return s.payloads.Acquire(s.ctx, int64(payload)) })
}

// release makes room for other payloads.
func (s *Server) release(f frame) { s.payloads.Release(int64(len(f.payload))) }

// inOrder are the requests that are answered before the next one is read: they take no time, and what follows may
// rely on them.
var inOrder = map[string]bool{"hello": true, "cancel": true, "unload": true}

// begin makes a launch one that can be cancelled, before the next request, which may do so, is read.
func (s *Server) begin(r *request) {
	if r.Op != "launch" {
		return
	}
	r.ctx, r.cancel = context.WithCancel(s.ctx)
	s.mu.Lock()
	s.running[r.ID] = r
	s.mu.Unlock()
}

// finish forgets a launch, unless the client has given its number to another one.
func (s *Server) finish(r *request) {
	r.cancel()
	s.mu.Lock()
	if s.running[r.ID] == r {
		delete(s.running, r.ID)
	}
	s.mu.Unlock()
}

// handle answers a request. A panic is a bug of ours, which the others need not die of.
func (s *Server) handle(r *request, payload []byte) {
	var out response
	var extra [][]byte
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = panicked(p)
			}
		}()
		switch r.Op {
		case "hello":
			out, err = s.hello(r)
		case "load":
			out, err = s.load(r, payload)
		case "unload":
			err = s.unload(r)
		case "launch":
			out, extra, err = s.launch(r, payload)
		case "cancel":
			s.cancel(r.Target)
		default:
			err = failf(kindRequest, "unknown operation %q", r.Op)
		}
		return err
	}()
	zerolog.Ctx(s.ctx).Debug().Str("component", "serve").Str("request", r.Op).Uint64("id", r.ID).Err(err).Msg("answered")
	if err != nil {
		out, extra = response{Error: faultOf(err)}, nil
	}
	out.ID = r.ID
	s.answer(out, extra...)
}

// panicked makes an error of a panic, whose place is on standard error.
func panicked(p any) error {
	fmt.Fprintf(os.Stderr, "tile-run: error: %v\n%s", p, debug.Stack())
	return failf(kindInternal, "%v", p)
}

// answer writes a frame. If it cannot, nobody is there, and the reader will see it too.
func (s *Server) answer(r response, payload ...[]byte) {
	header, err := json.Marshal(r)
	if err != nil {
		header = []byte(fmt.Sprintf(`{"id":%d,"error":{"kind":%q,"message":"the answer is no JSON"}}`, r.ID, kindInternal))
		payload = nil
	}
	s.out.Lock()
	defer s.out.Unlock()
	if err := writeFrame(s.to, header, payload...); err != nil && s.stop != nil {
		s.stop()
	}
}

func (s *Server) hello(r *request) (response, error) {
	if r.Version != Version {
		return response{}, failf(kindRequest, "version %d of the protocol is asked for, this is version %d", r.Version, Version)
	}
	if r.Parent != 0 && r.Parent == os.Getppid() && !s.watched {
		s.watched = true
		go s.watch(r.Parent)
	}
	out := response{Version: Version, Engines: []string{"interp", "ptx", "both"}, PID: os.Getpid(), Shared: s.shared.how()}
	for _, a := range sm.All() {
		out.GPUs = append(out.GPUs, a.Name)
	}
	return out, nil
}

// watch ends the server when its parent has ended: a pipe that the parent's other children hold would not tell.
func (s *Server) watch(parent int) {
	for os.Getppid() == parent {
		select {
		case <-time.After(time.Second):
		case <-s.ctx.Done():
			return
		}
	}
	s.stop()
}

func (s *Server) load(r *request, payload []byte) (response, error) {
	key := keyOf(r.Name, payload)
	s.mu.Lock()
	if m := s.byKey[key]; m != nil {
		m.uses++
		s.mu.Unlock()
		return response{Module: m.id, Entries: m.entries}, nil
	}
	full, large := len(s.modules) >= maxModules, s.loaded+len(payload) > maxLoaded
	s.mu.Unlock()
	if full {
		return response{}, failf(kindRequest, "%d modules are loaded, which is the most", maxModules)
	}
	if large {
		return response{}, failf(kindRequest, "with %d bytes more the modules that are loaded take more than %d", len(payload), maxLoaded)
	}
	m := &module{key: key, name: r.Name, data: payload, uses: 1, limit: s.compiles}
	if m.name == "" {
		m.name = "module"
	}
	if err := m.open(); err != nil {
		return response{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.byKey[key]; other != nil { // loaded meanwhile
		other.uses++
		return response{Module: other.id, Entries: other.entries}, nil
	}
	s.next++
	m.id = s.next
	s.modules[m.id], s.byKey[key] = m, m
	s.loaded += len(payload)
	return response{Module: m.id, Entries: m.entries}, nil
}

// keyOf identifies a module. The length comes first, so that no other name and bytes look the same.
func keyOf(name string, data []byte) (key [sha256.Size]byte) {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s", len(name), name)
	h.Write(data)
	h.Sum(key[:0])
	return key
}

func (s *Server) unload(r *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.modules[r.Module]
	if m == nil {
		return failf(kindRequest, "no module %d is loaded", r.Module)
	}
	if m.uses--; m.uses == 0 {
		delete(s.modules, m.id)
		delete(s.byKey, m.key)
		s.loaded -= len(m.data)
	}
	return nil
}

func (s *Server) cancel(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.running[id]; r != nil {
		r.cancel()
	}
}

// interrupted makes the error of a launch that was stopped one that says why.
func interrupted(ctx context.Context, timeout time.Duration, err error) error {
	kind, why := kindCanceled, errors.New("the launch was canceled")
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		kind, why = kindTimeout, fmt.Errorf("the launch took longer than %v", timeout)
	case ctx.Err() == nil:
		return err
	}
	if u := (*launch.Unfinished)(nil); errors.As(err, &u) {
		u.Err = why
		why = &explained{u}
	}
	return &failure{kind: kind, error: why}
}

// explained is a launch that did not end, whose message says where it stood.
type explained struct{ *launch.Unfinished }

// Error has no lines of the source, which are the client's to show.
func (e *explained) Error() string { return launch.Explain(e.Unfinished, nil) }

func (e *explained) Unwrap() error { return e.Unfinished }
