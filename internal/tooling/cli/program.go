package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/ir/source"
)

// grace is how long the body of a program may take to end by itself after a signal.
const grace = 3 * time.Second

// An Interrupted is the cause with which the context of a program ends.
type Interrupted struct{ Signal os.Signal }

// Error implements error.
func (e *Interrupted) Error() string { return "stopped by a signal: " + e.Signal.String() }

// status is the exit status by which a shell tells that a signal ended a program.
func (e *Interrupted) status() int {
	if n, ok := e.Signal.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return Rejected
}

// reserve is how much a program allocates before garbage is collected first, and the least between two collections. Most
// compilations need less, so they end without one.
const reserve = 32 << 20 // bytes

// leastHeap is the size at which Go first collects garbage, for each 100 of GOGC (runtime, "heapMinimum").
const leastHeap = 4 << 20 // bytes

// collectLess makes the reserve hold, unless the user has set GOGC. The first collection waits until the heap has that
// size. From then on memory of that size, which nothing uses and which the system does not give before it is used,
// counts as part of the heap. It is not there from the start, since its allocation would start a collection.
func collectLess() (unused *[]byte) {
	unused = new([]byte)
	if os.Getenv("GOGC") != "" {
		return unused
	}
	usual := debug.SetGCPercent(100 * reserve / leastHeap)
	runtime.AddCleanup(&struct{ _ *byte }{}, func(reserved *[]byte) {
		*reserved = make([]byte, reserve)
		debug.SetGCPercent(usual)
	}, unused)
	return unused
}

// Program runs the body of a program and exits with the status that it returns. A signal that asks the program to end
// ends the context, whose cause is an *Interrupted. After a while it ends the program too. A signal that the reader of
// the output has gone away ends the program at once. In both cases no temporary file is left. A body that does not
// follow the context says so by patient = false.
func Program(patient bool, body func(ctx context.Context) int) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	end := func(by *Interrupted) {
		cleanup.Now()
		os.Exit(by.status())
	}
	onClosedPipe.Store(&end)
	go func() {
		by := &Interrupted{<-signals}
		if !patient || by.Signal == syscall.SIGPIPE {
			end(by)
		}
		cancel(by)
		select {
		case <-time.After(grace):
		case <-signals: // the user insists
		}
		end(by)
	}()
	logged, err := WithLog(ctx, os.Stderr, "")
	if err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(Usage)
	}
	unused := collectLess()
	status := body(logged)
	runtime.KeepAlive(unused)
	var by *Interrupted
	if errors.As(context.Cause(ctx), &by) {
		end(by)
	}
	os.Exit(status)
}

// onClosedPipe ends the program whose reader has gone away; nil in tests that call a tool as a function.
var onClosedPipe atomic.Pointer[func(*Interrupted)]

// Why returns the reason for which a context ended in place of an error that says only that it did.
func Why(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		return cause
	}
	return err
}

// Complain reports an error of a tool. Names of files in it may hold what a terminal would take for a command.
func Complain(stderr io.Writer, tool string, err error) {
	fmt.Fprintf(stderr, "%s: error: %s\n", tool, source.Printable(err.Error()))
}

// Warn reports what a tool goes on without.
func Warn(stderr io.Writer, format string, args ...any) {
	fmt.Fprintf(stderr, "warning: %s\n", source.Printable(fmt.Sprintf(format, args...)))
}

// A stdout remembers the first error of writing to it.
type stdout struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (s *stdout) Write(b []byte) (int, error) {
	n, err := s.Writer.Write(b)
	if err == nil {
		return n, nil
	}
	if end := onClosedPipe.Load(); end != nil && errors.Is(err, syscall.EPIPE) {
		(*end)(&Interrupted{syscall.SIGPIPE}) // the signal is on its way, but may come late
	}
	err = &WriteError{"", err}
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// Checked runs the body of a tool, and makes a failure of what it wrote to standard output without asking for the
// error: a result that was lost is none. An error that the body has reported, with an exit status other than OK, is
// not reported again.
func Checked(tool string, out, stderr io.Writer, body func(stdout io.Writer) int) int {
	s := &stdout{Writer: out}
	status := body(s)
	if status == OK && s.err != nil {
		Complain(stderr, tool, s.err)
		return Rejected
	}
	return status
}

// StatusOf is the exit status for an error: the one given, but Rejected for a result that could not be written, which
// is nothing of the command line.
func StatusOf(err error, status int) int {
	var unwritten *WriteError
	if errors.As(err, &unwritten) {
		return Rejected
	}
	return status
}

// fileOf returns the file that a writer stands for, or nil.
func fileOf(w io.Writer) *os.File {
	if s, ok := w.(*stdout); ok {
		w = s.Writer
	}
	f, _ := w.(*os.File)
	return f
}

// Colours reports whether what goes to a writer may be coloured: a terminal, unless the environment says NO_COLOR
// (no-color.org) or that the terminal has none.
func Colours(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// IsTerminal reports whether a writer is a terminal.
func IsTerminal(w io.Writer) bool {
	f := fileOf(w)
	return f != nil && isatty.IsTerminal(f.Fd())
}
