package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tilewright/tilewright/internal/leaf/cleanup"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// binEnv tells the Python package where the tools are.
const binEnv = "TILEWRIGHT_BIN"

// errorLine is a line of a traceback that says what went wrong.
var errorLine = regexp.MustCompile(`(?m)^.*(?:Error|Exception|Interrupt|error): .*$`)

// isProgram reports whether a path is that of a Python program.
func isProgram(path string) bool { return strings.HasSuffix(path, ".py") }

// A recording is what a program launched.
type recording struct {
	Launches  int `json:"launches"`
	Different int `json:"different"`
	LeftOut   int `json:"left_out"`
	cases     []*launch.Case
	draws     map[*launch.Case][]*launch.Case
	failed    string // why the program did not end as it should
}

// record runs a program and keeps its launches as cases (python/tilewright/_cases.py), which forget removes.
func (c *config) record(ctx context.Context, program string, args []string, stderr io.Writer) (r *recording, forget func(), err error) {
	dir, err := os.MkdirTemp("", "tile-judge-")
	if err != nil {
		return nil, nil, err
	}
	remove := cleanup.Add(dir)
	all := func() { os.RemoveAll(dir); remove() }
	defer func() {
		if err != nil {
			all()
		}
	}()
	folder := filepath.Join(dir, "launches")
	line := []string{"-m", "tilewright", "record", "--out", folder, "--seed", strconv.FormatUint(c.Seed>>1, 10)}
	if c.Reference != "" {
		line = append(line, "--reference", c.Reference, "--draws", strconv.Itoa(c.Launches))
	}
	cmd := exec.CommandContext(ctx, c.python, append(append(line, program), args...)...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = stderr, io.MultiWriter(stderr, &said)
	if os.Getenv(binEnv) == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, nil, err
		}
		cmd.Env = append(os.Environ(), binEnv+"="+filepath.Dir(self))
	}
	failed := cmd.Run()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	r = &recording{draws: make(map[*launch.Case][]*launch.Case)}
	text, err := os.ReadFile(filepath.Join(folder, "launches.json"))
	if err != nil {
		return nil, nil, fmt.Errorf("'%s' could not be recorded: %w", program, errors.Join(failed, err))
	}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, nil, err
	}
	if failed != nil {
		r.failed = failed.Error()
		if lines := errorLine.FindAllString(said.String(), -1); lines != nil {
			r.failed += ": " + strings.TrimSpace(lines[len(lines)-1])
		}
	}
	return r, all, r.load(folder)
}

// load reads the cases of a folder: those with the name of another one and .draw behind it belong to that.
func (r *recording) load(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	byName := make(map[string]*launch.Case)
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		c, err := launch.LoadCase(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		if of, _, isDraw := strings.Cut(e.Name(), ".draw-"); isDraw && byName[of] != nil {
			r.draws[byName[of]] = append(r.draws[byName[of]], c)
			continue
		}
		byName[e.Name()] = c
		r.cases = append(r.cases, c)
	}
	return nil
}

// judgeProgram judges each launch of a program that is unlike the others.
func (c *config) judgeProgram(ctx context.Context, program string, args []string, stderr io.Writer) ([]*Verdict, error) {
	r, forget, err := c.record(ctx, program, args, stderr)
	if err != nil {
		return nil, err
	}
	defer forget()
	runs := Check{"runs", OK, fmt.Sprintf("%d launches, %d of them different", r.Launches, r.Different+r.LeftOut)}
	switch {
	case r.failed != "":
		runs.Result, runs.Detail = Wrong, r.failed
	case r.Launches == 0:
		runs.Result, runs.Detail = Undecided, "the program launches no kernel"
	case r.LeftOut > 0:
		runs.Result, runs.Detail = Undecided, fmt.Sprintf("%s: %d are not judged", runs.Detail, r.LeftOut)
	}
	name := filepath.Base(program)
	all := []*Verdict{{Schema: schema, Case: name, Right: runs.Result == OK, Checks: []Check{runs}, Seed: c.Seed}}
	for _, k := range r.cases {
		opts := c.Options
		if c.Reference != "" {
			opts.Draws = slices.Concat([]*launch.Case{}, r.draws[k])
		}
		v, err := Of(ctx, k, opts)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", program, err)
		}
		v.Case = name + ": " + v.Case
		all = append(all, v)
	}
	return all, nil
}
