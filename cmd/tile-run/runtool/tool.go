package runtool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/internal/tooling/syncreport"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/target/sm"
)

// Main runs the tool and returns its exit status. args are without the program's name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		cli.Complain(stderr, name, cli.Why(ctx, err))
		var unknown *sm.UnknownError
		if status == cli.Usage && !errors.As(err, &unknown) {
			fmt.Fprintf(stderr, "%s: '%s --help' lists the flags\n", name, name)
		}
		return status
	}
	if err := passes.Default.Err(); err != nil {
		return fail(cli.Rejected, err)
	}
	c, err := parse(args)
	var missing *inputError
	switch {
	case errors.Is(err, cli.ErrHelp):
		writeHelp(stdout)
		return cli.OK
	case errors.As(err, &missing):
		return fail(cli.Rejected, err)
	case err != nil:
		return fail(cli.Usage, err)
	case c.about.Asked():
		if err := c.about.Answer(stdout, c.tool()); err != nil {
			return fail(cli.StatusOf(err, cli.Usage), err)
		}
		return cli.OK
	}
	if ctx, err = cli.WithLog(ctx, stderr, c.log); err != nil {
		return fail(cli.Usage, err)
	}
	if mode := c.mode(); mode != nil {
		clean, err := mode(ctx, stdin, stdout, stderr)
		switch {
		case err != nil:
			return fail(cli.Rejected, err)
		case !clean:
			return cli.Rejected
		}
		return cli.OK
	}
	if c.oneModule() {
		return c.runModule(ctx, stdin, stdout, stderr, fail)
	}
	return c.runCases(ctx, stdout, stderr, fail)
}

// mode returns what the tool does instead of running inputs; nil: nothing. It reports whether all went well.
func (c *config) mode() func(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) (bool, error) {
	switch {
	case c.demo:
		return func(ctx context.Context, _ io.Reader, stdout, stderr io.Writer) (bool, error) {
			return true, c.runDemo(ctx, stdout, stderr)
		}
	case c.serve:
		return func(ctx context.Context, stdin io.Reader, stdout, _ io.Writer) (bool, error) {
			return true, c.runServe(ctx, stdin, stdout)
		}
	case c.fuzz > 0:
		return func(ctx context.Context, _ io.Reader, stdout, stderr io.Writer) (bool, error) {
			return c.runFuzz(ctx, stdout, stderr)
		}
	}
	return nil
}

// printsTo returns where kernels print: to stderr where stdout is for a program.
func (c *config) printsTo(lines *lineWriter, stderr io.Writer) io.Writer {
	if c.json || c.profileAlone() {
		return stderr
	}
	return lines
}

// runModule runs one module whose launch the command line describes.
func (c *config) runModule(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, fail func(int, error) int) int {
	lines := &lineWriter{to: stdout}
	t, status, err := c.loadModule(stdin, c.printsTo(lines, stderr), stderr)
	if err != nil {
		return fail(status, err)
	}
	outcomes, left := c.run(ctx, t)
	lines.end()
	err = errors.Join(c.write(stdout, stderr, outcomes, c.compares()), c.writeReports(ctx, t))
	status = c.status(outcomes, err, fail)
	if c.saveCase == "" || err != nil {
		return status
	}
	if status != cli.OK {
		return fail(cli.Rejected, fmt.Errorf("the launch is not saved as '%s', since it did not go well", c.saveCase))
	}
	if err := c.save(t, left); err != nil {
		return fail(cli.Rejected, fmt.Errorf("cannot save the launch: %w", err))
	}
	return status
}

// runCases runs cases and the cases of folders. One that cannot be read is an outcome like others.
func (c *config) runCases(ctx context.Context, stdout, stderr io.Writer, fail func(int, error) int) int {
	var files []string
	for _, in := range c.inputs {
		found, err := find(in)
		if err != nil {
			return fail(cli.Rejected, err)
		}
		files = append(files, found...)
	}
	var outcomes []*outcome
	lines := &lineWriter{to: stdout}
	prints := c.printsTo(lines, stderr)
	for _, file := range files {
		if ctx.Err() != nil {
			return fail(cli.Rejected, context.Cause(ctx))
		}
		t, err := c.loadCase(file, prints, stderr)
		if err != nil {
			outcomes = append(outcomes, (&outcome{Case: file}).fail(errors.New(strings.TrimPrefix(err.Error(), file+": "))))
			continue
		}
		done, _ := c.run(ctx, t)
		outcomes = append(outcomes, done...)
		lines.end()
		if err := c.writeReports(ctx, t); err != nil {
			return fail(cli.Rejected, err)
		}
	}
	err := c.write(stdout, stderr, outcomes, len(files) > 1 || c.compares())
	return c.status(outcomes, err, fail)
}

// A lineWriter takes what a kernel prints, so that what follows begins on a line of its own.
type lineWriter struct {
	to  io.Writer
	mid bool // the last line has not ended
}

func (w *lineWriter) Write(p []byte) (int, error) {
	if len(p) > 0 {
		w.mid = p[len(p)-1] != '\n'
	}
	return w.to.Write(p)
}

func (w *lineWriter) end() {
	if w.mid {
		io.WriteString(w, "\n")
	}
}

// status returns the exit status for what was run and written.
func (c *config) status(outcomes []*outcome, err error, fail func(int, error) int) int {
	if err != nil {
		return fail(cli.Rejected, err)
	}
	for _, o := range outcomes {
		if o.Verdict != verdictOK {
			return cli.Rejected
		}
	}
	return cli.OK
}

// write writes the outcomes: errors to stderr, what was measured to stdout.
func (c *config) write(stdout, stderr io.Writer, outcomes []*outcome, many bool) error {
	for _, o := range outcomes {
		if o.Verdict == verdictError {
			cli.Complain(stderr, name, fmt.Errorf("%s: %s", o.Case, o.explained))
		}
	}
	if c.profileAlone() {
		return c.writeProfiles(stdout, outcomes)
	}
	if c.json {
		enc := json.NewEncoder(stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(outcomes)
	}
	for _, o := range outcomes {
		if o.Timing != nil {
			fmt.Fprintf(stdout, "%s: %v\n", o.title(), o.Timing)
		}
		if o.Sync != nil && (!many || o.Sync.Verdict != syncreport.OK) {
			if _, err := stdout.Write(o.Sync.Text()); err != nil {
				return err
			}
		}
		if o.report == nil || many && o.Verdict == verdictOK {
			continue
		}
		if err := o.report.WriteText(stdout); err != nil {
			return err
		}
	}
	if many {
		if err := writeTable(stdout, outcomes); err != nil {
			return err
		}
	}
	return c.writeProfiles(stdout, outcomes)
}
