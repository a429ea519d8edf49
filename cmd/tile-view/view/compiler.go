package view

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/internal/tooling/report"
	"github.com/tilewright/tilewright/internal/tooling/tune"
	"github.com/tilewright/tilewright/internal/tooling/why"
)

const (
	// MaxFile is the most bytes of a kernel: its page shows each line at every level.
	MaxFile = 64 << 20
	// watching is how often the file is looked at. Nothing but its size and time is read unless those change.
	watching = 300 * time.Millisecond
	// longest is how long compiling may take.
	longest = 2 * time.Minute
)

// script is what the page does besides showing the report.
//
//go:embed page/view.js
var script []byte

// A state is what a page receives.
type state struct {
	Generation int    `json:"generation"` // counts the pages that were made
	Busy       bool   `json:"busy"`
	Error      string `json:"error,omitempty"` // why there is no newer page
	Flags      Flags  `json:"flags"`
}

// A compiler makes pages of one file, one at a time. What is being made is given up when the file or the flags change.
type compiler struct {
	opts Options

	mu     sync.Mutex
	now    state
	page   []byte
	news   chan struct{} // closed at the next change of now
	wake   chan struct{} // holds one
	cancel context.CancelFunc
}

func newCompiler(opts Options) *compiler {
	return &compiler{opts: opts, now: state{Busy: true, Flags: opts.Flags}, news: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// set makes other flags those that count.
func (c *compiler) set(f Flags) {
	c.change(func() { c.now.Flags, c.now.Busy = f, true })
	c.restart()
}

func (c *compiler) restart() {
	c.mu.Lock()
	if c.cancel != nil {
		c.cancel()
	}
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default: // it is awake already
	}
}

func (c *compiler) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	close(c.news)
	c.news = make(chan struct{})
}

// look returns the state, the page, and what is closed when they change.
func (c *compiler) look() (state, []byte, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now, c.page, c.news
}

// run makes pages until the context ends.
func (c *compiler) run(ctx context.Context) {
	go c.watch(ctx, c.stamp()) // as it is before it is read
	for {
		c.mu.Lock()
		f := c.now.Flags
		work, cancel := context.WithTimeout(ctx, longest)
		c.cancel = cancel
		c.mu.Unlock()
		start := time.Now()
		page, err := c.make(work, f)
		given := work.Err() == context.Canceled
		log := zerolog.Ctx(ctx)
		log.Debug().Str("file", c.opts.File).Int("bytes", len(page)).Bool("given up", given).Dur("elapsed", time.Since(start)).Msg("page made")
		if err != nil && !given {
			log.Error().Err(err).Msg("no page")
		}
		cancel()
		if !given {
			c.change(func() {
				c.now.Busy, c.now.Error = false, ""
				if err != nil {
					c.now.Error = err.Error()
				} else {
					c.page = page
					c.now.Generation++
				}
			})
		}
		select {
		case <-c.wake:
			c.change(func() { c.now.Busy = true })
		case <-ctx.Done():
			return
		}
	}
}

// watch restarts the work when the file has changed.
func (c *compiler) watch(ctx context.Context, last string) {
	for {
		select {
		case <-time.After(watching):
		case <-ctx.Done():
			return
		}
		if now := c.stamp(); now != last {
			last = now
			c.restart()
		}
	}
}

func (c *compiler) stamp() string {
	if c.opts.Program != nil {
		return stamp(c.opts.Program.Watched()...)
	}
	return stamp(c.opts.File)
}

// stamp tells whether files have changed.
func stamp(files ...string) string {
	var out strings.Builder
	for _, file := range files {
		if info, err := os.Stat(file); err == nil { // editors replace files; there is one again soon
			fmt.Fprintln(&out, file, info.Size(), info.ModTime().UnixNano())
		}
	}
	return out.String()
}

// make compiles the file. That a kernel does not compile is on the page; an error is that there is none.
func (c *compiler) make(ctx context.Context, f Flags) (html []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("bug in the compiler, please report it: %v\n%s", v, debug.Stack())
		}
	}()
	name := c.opts.File
	if p := c.opts.Program; p != nil {
		if err := p.Make(ctx); err != nil {
			return nil, err
		}
		name = p.Name
	}
	data, err := read(c.opts.File)
	if err != nil {
		return nil, err
	}
	in := report.Kernel(name, data, f.options())
	in.Title, in.Tool, in.Command = filepath.Base(name), "tile-view of Tilewright", "tile-view "+name
	in.Sources, in.Assembler = c.opts.Sources, c.opts.Assembler
	if p := c.opts.Program; p != nil {
		if in.Arguments, err = why.ReadArguments(filepath.Join(p.Folder, argumentsFile)); err != nil {
			return nil, err
		}
		if in.Launches, err = tune.Launches(filepath.Join(p.Folder, launchesFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	page, err := report.Make(ctx, in)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := page.WriteServed(&out, script); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func read(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err == nil && len(data) > MaxFile {
		err = fmt.Errorf("'%s' is larger than %d MiB", file, MaxFile>>20)
	}
	return data, err
}
