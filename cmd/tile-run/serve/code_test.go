package serve

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestCompilationEnds lets launches give up on a compilation: it goes on while one waits, and ends with the last one.
func TestCompilationEnds(t *testing.T) {
	t.Parallel()
	compiling, stop := context.WithCancel(t.Context())
	key := codeKey{gpu: "sm_90", opt: 3}
	m := &module{name: "k", code: map[codeKey]*code{key: {done: make(chan struct{}), stop: stop}}}
	first, giveUp := context.WithCancel(t.Context())
	second, timeout := context.WithTimeout(t.Context(), time.Millisecond)
	defer timeout()
	ends := make(chan error, 1)
	go func() {
		_, err := m.compiled(first, t.Context(), key)
		ends <- err
	}()
	for waits := 0; waits == 0; time.Sleep(time.Millisecond) {
		m.mu.Lock()
		waits = m.code[key].waiting
		m.mu.Unlock()
	}
	if _, err := m.compiled(second, t.Context(), key); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
	if compiling.Err() != nil {
		t.Error("the compilation ended while a launch waited for it")
	}
	giveUp()
	if err := <-ends; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	if compiling.Err() == nil || len(m.code) != 0 {
		t.Error("the compilation goes on, and nobody waits for it")
	}
}

// TestCompilationAgain compiles for a launch after one that has given up.
func TestCompilationAgain(t *testing.T) {
	t.Parallel()
	m := &module{name: "k", data: []byte(kernels), limit: newCompilations()}
	if err := m.open(); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if c, err := m.compiled(gone, t.Context(), codeKey{gpu: "sm_90", opt: 3}); err == nil && c.engine == nil {
		t.Error("no code and no error")
	}
	c, err := m.compiled(t.Context(), t.Context(), codeKey{gpu: "sm_90", opt: 3})
	if err != nil || c.engine == nil {
		t.Errorf("got %v", err)
	}
	again, err := m.compiled(t.Context(), t.Context(), codeKey{gpu: "sm_90", opt: 3})
	if err != nil || again != c {
		t.Errorf("compiled twice, %v", err)
	}
}

// TestCompilationsAtOnce lets a client give up on compilations that do not end for it. No more of them go on than may
// be compiled at once, the others end before they begin, and there is room again when these have ended.
func TestCompilationsAtOnce(t *testing.T) {
	t.Parallel()
	limit := newCompilations()
	var begun, running atomic.Int64
	stuck := make(chan struct{})
	compile := func() error {
		begun.Add(1)
		running.Add(1)
		defer running.Add(-1)
		<-stuck
		return nil
	}
	launches, giveUp := context.WithCancel(t.Context())
	ends := make(chan error, 100)
	for range cap(ends) {
		go func() { ends <- limit.run(launches, compile) }()
	}
	for running.Load() < int64(cap(limit)) {
		time.Sleep(time.Millisecond)
	}
	giveUp()
	for range cap(ends) - cap(limit) {
		if err := <-ends; !errors.Is(err, context.Canceled) {
			t.Errorf("a compilation that did not begin ends with %v", err)
		}
	}
	if n := running.Load(); n != int64(cap(limit)) {
		t.Errorf("%d compilations go on, want %d", n, cap(limit))
	}
	close(stuck)
	for range cap(limit) {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	if err := limit.run(t.Context(), compile); err != nil || begun.Load() != int64(cap(limit))+1 {
		t.Errorf("%v, and %d compilations began, want %d", err, begun.Load(), cap(limit)+1)
	}
}

// TestPayloadsTogether holds a payload back until another one has left room for it.
func TestPayloadsTogether(t *testing.T) {
	t.Parallel()
	s, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.ctx, s.stop = context.WithCancel(t.Context())
	defer s.stop()
	if err := s.payloads.Acquire(s.ctx, maxPayload-2); err != nil {
		t.Fatal(err)
	}
	var in strings.Builder
	if err := writeFrame(&in, []byte("{}"), []byte("abc")); err != nil {
		t.Fatal(err)
	}
	read := make(chan frame, 1)
	go func() {
		if f, err := s.read(strings.NewReader(in.String())); err == nil {
			read <- f
		}
	}()
	select {
	case <-read:
		t.Error("a payload came in before there was room for it")
	case <-time.After(20 * time.Millisecond):
	}
	s.payloads.Release(1)
	if f := <-read; string(f.payload) != "abc" {
		t.Errorf("got %q", f.payload)
	}
}
