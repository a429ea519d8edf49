package runtool

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/check/exact"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A task is a launch to run on the engines.
type task struct {
	name    string
	program *program
	request func() *launch.Request // a fresh one
	expect  []launch.Expect
	outputs []launch.Out // where buffers go; with several engines, those of the last one
	bytes   float64      // what a launch moves, for its rate; 0: not known
	flops   float64      // what a launch computes; 0: not known
	dir     string       // when set, the folder that gets the buffers of the expectations
}

const caseFile = "case.json"

// isCase reports whether an input is a case or a folder of cases, not a module.
func isCase(input string) bool {
	if strings.HasSuffix(input, ".json") {
		return true
	}
	info, err := os.Stat(input)
	return err == nil && info.IsDir() && !isDumps(input)
}

// find returns the case files that an input names: itself, the one of the folder, or those of the folders in it.
func find(input string) ([]string, error) {
	info, err := os.Stat(input)
	if err != nil {
		return nil, &inputError{input}
	}
	if !info.IsDir() {
		return []string{input}, nil
	}
	if path := filepath.Join(input, caseFile); exists(path) {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(input)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if path := filepath.Join(input, e.Name(), caseFile); exists(path) {
			found = append(found, path)
		}
	}
	if found == nil {
		return nil, fmt.Errorf("no %s in '%s' or a folder in it", caseFile, input)
	}
	return found, nil
}

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// loadCase reads a case. A case that cannot be read is an error of this case alone.
func (c *config) loadCase(path string, prints, errs io.Writer) (*task, error) {
	k, err := launch.LoadCase(path)
	if err != nil {
		return nil, err
	}
	module, err := k.ReadModule()
	if err != nil {
		return nil, err
	}
	t := &task{name: k.Name, expect: k.Expect, request: k.Request, bytes: k.Bytes, flops: k.Flops,
		program: &program{name: filepath.Join(filepath.Dir(path), k.Module), data: module, errs: errs, prints: prints}}
	if err := t.program.disassemble(); err != nil {
		return nil, err
	}
	if err := c.makeExact(t); err != nil {
		return nil, err
	}
	if len(c.out) > 0 {
		t.dir = filepath.Join(c.out[0], k.Name)
	}
	return t, nil
}

// loadModule makes a task of what the command line describes. The status is that of an error.
func (c *config) loadModule(stdin io.Reader, prints, errs io.Writer) (t *task, status int, err error) {
	input := c.inputs[0]
	if isDumps(input) {
		if input, err = c.dumpOf(input); err != nil {
			return nil, cli.Rejected, err
		}
	}
	file, data, err := cli.Read(input, stdin)
	if err != nil {
		return nil, cli.Rejected, err
	}
	p := &program{name: file, data: data, errs: errs, prints: prints}
	if err := p.disassemble(); err != nil {
		return nil, cli.Rejected, err
	}
	module, err := c.signature(p)
	if err != nil {
		return nil, cli.Rejected, err
	}
	req, names, status, err := c.request(file, p.data, module)
	if err != nil {
		return nil, status, err
	}
	t = &task{name: req.Entry, request: func() *launch.Request { return req.Clone() }, program: p}
	if err := c.makeExact(t); err != nil {
		return nil, cli.Rejected, err
	}
	for _, s := range c.checks {
		e, err := launch.ParseCheck(numbered(s, names), req.Args, nil)
		if err != nil {
			return nil, cli.Usage, err
		}
		t.expect = append(t.expect, e)
	}
	for _, s := range c.out {
		o, err := launch.ParseOut(numbered(s, names))
		if err != nil {
			return nil, cli.Usage, err
		}
		if o.Arg >= len(req.Args) || req.Args[o.Arg].Buffer == nil {
			return nil, cli.Usage, fmt.Errorf("output %q: argument %d is not a buffer", s, o.Arg)
		}
		t.outputs = append(t.outputs, o)
	}
	return t, cli.OK, nil
}

// makeExact makes a task one on which engines must agree bit for bit, if --exact says so. What was expected of it does
// not hold then.
func (c *config) makeExact(t *task) error {
	if !c.exact {
		return nil
	}
	if emulate.IsPTX(t.program.data) {
		return fmt.Errorf("'%s' is PTX, and --exact rewrites modules at level cuda_tile", t.program.name)
	}
	drawn := t.request
	t.program.exact, t.expect = true, nil
	t.request = func() *launch.Request {
		req := drawn()
		exact.Redraw(req, c.seed)
		return req
	}
	return nil
}

// signature reads the module where something is asked of it before it runs: the name of its entry, or the types of
// what arrays expand to. It is nil for PTX, and where nothing is asked.
func (c *config) signature(p *program) (ir.Op, error) {
	if emulate.IsPTX(p.data) || c.entry != "" && !slices.ContainsFunc(c.args, func(a argument) bool { return a.array }) {
		return ir.Op{}, nil
	}
	return p.read()
}
