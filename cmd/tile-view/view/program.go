package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Program is a Python program whose kernels are shown. The package tilewright runs it as far as its launches, which
// do nothing, and writes the kernels.
type Program struct {
	Name      string   // of the program: a file, or a module
	Python    string   // the interpreter that runs it
	Flags     []string // of `python -m tilewright export`
	Arguments []string // of the program
	Folder    string   // gets the kernels

	mu      sync.Mutex
	made    string   // the stamp of the sources that the kernels are of
	sources []string // that the kernels depend on
}

const (
	kernelsFile   = "kernels.tileirbc"
	argumentsFile = "arguments.json"
	launchesFile  = "launches.json"
	sourcesFile   = "sources.txt"
	// maxSources bounds the files that are watched.
	maxSources = 1024
	// maxSaid bounds what is shown of a program that fails.
	maxSaid = 8 << 10
	// clockTick bounds how far the times of files are behind the clock: Linux takes them from its timer (CONFIG_HZ=100
	// is the slowest).
	clockTick = 10 * time.Millisecond
)

// File is where the kernels are.
func (p *Program) File() string { return filepath.Join(p.Folder, kernelsFile) }

// Watched returns the files that the kernels depend on.
func (p *Program) Watched() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append(slices.Clone(p.sources), p.Name)
}

// Make runs the program, if its sources have changed since it ran last. The error of a program that fails is what it
// said.
func (p *Program) Make(ctx context.Context) error {
	known, start := p.Watched(), time.Now()
	before := stamp(known...)
	p.mu.Lock()
	done := p.made != "" && p.made == before
	p.mu.Unlock()
	if done {
		return nil
	}
	args := slices.Concat([]string{"-m", "tilewright", "export", "--output", p.Folder}, p.Flags, []string{p.Name}, p.Arguments)
	cmd := exec.CommandContext(ctx, p.Python, args...)
	cmd.WaitDelay = time.Second
	said := &tail{most: maxSaid}
	cmd.Stderr = said
	if err := cmd.Run(); err != nil {
		var status *exec.ExitError
		switch text := strings.TrimSpace(said.String()); {
		case ctx.Err() != nil:
			return ctx.Err()
		case strings.Contains(text, "No module named tilewright"):
			return fmt.Errorf("%s has no package tilewright, which runs Python programs: install its wheel, or name another Python with --python", p.Python)
		case errors.As(err, &status) && strings.HasPrefix(text, "ModuleNotFoundError"):
			return fmt.Errorf("%s says %s; --python names another Python", p.Python, text)
		case errors.As(err, &status) && text != "":
			return errors.New(text)
		default:
			return fmt.Errorf("%s cannot run '%s': %w", p.Python, p.Name, err)
		}
	}
	list, err := os.ReadFile(filepath.Join(p.Folder, sourcesFile))
	if err != nil {
		return err
	}
	sources := strings.Split(strings.TrimSpace(string(list)), "\n")
	sources = sources[:min(len(sources), maxSources)]
	// The kernels may be of sources as they were before somebody saved them. The next call then makes them again.
	stale := stamp(known...) != before || slices.ContainsFunc(sources, func(file string) bool {
		info, err := os.Stat(file)
		return err != nil || info.ModTime().After(start.Add(-clockTick))
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sources, p.made = sources, ""
	if !stale {
		p.made = stamp(append(slices.Clone(sources), p.Name)...)
	}
	return nil
}

// A tail keeps the last bytes that are written to it.
type tail struct {
	bytes.Buffer
	most int
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	n := len(b)
	_, _ = t.Buffer.Write(b)
	if over := t.Len() - t.most; over > 0 {
		t.Next(over)
	}
	return n, nil
}
