package runtool

import (
	"path/filepath"
	"strings"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// save keeps a launch as a case.
func (c *config) save(t *task, left *launch.Request) error {
	// The module is what was read, bytecode out of a crash dump and PTX out of a cubin included.
	name := filepath.Base(t.program.name)
	if _, inner, ok := strings.Cut(name, ".zip:"); ok {
		name = inner
	}
	if t.program.assembled {
		name = strings.TrimSuffix(strings.TrimSuffix(name, ":ptx"), ".cubin") + ".ptx"
	}
	return launch.Save(c.saveCase, launch.Saved{Module: name, Text: t.program.data, Before: t.request(), After: left, Tolerances: t.expect, Note: c.runs[0].name + " computed what is expected"})
}

// compares reports whether several engines or targets were asked for by lists, which one table shows.
func (c *config) compares() bool { return len(c.runs) > 1 && (c.diff == nil || len(c.gpus) > 1) }
