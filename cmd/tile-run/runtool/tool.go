package runtool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tilewright/tilewright/internal/cli"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/target/sm"
)

// Main runs the tool and returns its exit status. args are without the program's name.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Checked(name, stdout, stderr, func(stdout io.Writer) int { return run(ctx, args, stdin, stdout, stderr) })
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fail := func(status int, err error) int {
		fmt.Fprintf(stderr, "%s: error: %v\n", name, cli.Why(ctx, err))
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
	if errors.Is(err, cli.ErrHelp) {
		writeHelp(stdout)
		return cli.OK
	}
	var missing *inputError
	if errors.As(err, &missing) {
		return fail(cli.Rejected, err)
	}
	if err != nil {
		return fail(cli.Usage, err)
	}
	if c.about.Asked() {
		if err := c.about.Answer(stdout, c.tool()); err != nil {
			return fail(cli.StatusOf(err, cli.Usage), err)
		}
		return cli.OK
	}
	if c.demo {
		if err := c.runDemo(ctx, stdout, stderr); err != nil {
			return fail(cli.Rejected, err)
		}
		return cli.OK
	}
	if c.serve {
		if err := c.runServe(ctx, stdin, stdout); err != nil {
			return fail(cli.Rejected, err)
		}
		return cli.OK
	}
	if c.fuzz > 0 {
		switch clean, err := c.runFuzz(ctx, stdout, stderr); {
		case err != nil:
			return fail(cli.Rejected, err)
		case !clean:
			return cli.Rejected
		}
		return cli.OK
	}
	var outcomes []*outcome
	lines := &lineWriter{to: stdout}
	prints := io.Writer(lines)
	if c.json || c.profileAlone() {
		prints = stderr
	}
	if c.oneModule() {
		t, status, err := c.loadModule(stdin, prints, stderr)
		if err != nil {
			return fail(status, err)
		}
		outcomes, left := c.run(ctx, t)
		lines.end()
		err = errors.Join(c.write(stdout, stderr, outcomes, c.compares()), c.writeReports(ctx, t))
		status = c.status(outcomes, err, fail)
		if c.saveCase != "" && err == nil {
			if status != cli.OK {
				return fail(cli.Rejected, fmt.Errorf("the launch is not saved as '%s', since it did not go well", c.saveCase))
			}
			if err := c.save(t, left); err != nil {
				return fail(cli.Rejected, fmt.Errorf("cannot save the launch: %w", err))
			}
		}
		return status
	}
	var files []string
	for _, in := range c.inputs {
		found, err := find(in)
		if err != nil {
			return fail(cli.Rejected, err)
		}
		files = append(files, found...)
	}
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
	err = c.write(stdout, stderr, outcomes, len(files) > 1 || c.compares())
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
			fmt.Fprintf(stderr, "%s: error: %s: %s\n", name, o.Case, source.Printable(o.explained))
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
