package compiletool

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/tooling/cli"
)

// A batch compiles many inputs for many targets: each input for each target, to a folder. Results and messages are
// the same whatever the number of jobs: a result has the name of its input and target, and messages come in the order
// of the inputs.
type batch struct {
	*config
	jobs []*job
}

// A job is one compilation of a batch.
type job struct {
	config *config
	said   bytes.Buffer
	status int
}

// isBatch reports whether the command line asks for one.
func (c *config) isBatch() bool { return c.outputDir != "" }

// checkBatch checks the flags of a batch, and makes its jobs.
func (c *config) checkBatch() error {
	switch {
	case c.parallel < 0:
		return flagErrorf(badFlag, "--jobs must not be negative, but got %d", c.parallel)
	case !c.isBatch() && c.flags.Changed("jobs"):
		return flagErrorf(badCombination, "--jobs is for --output-dir")
	case !c.isBatch() && len(c.flags.Args()) > 1:
		return flagErrorf(badFlag, "expected one input file, but got '%s' and '%s'; --output-dir takes several", c.flags.Args()[0], c.flags.Args()[1])
	case !c.isBatch() && strings.Contains(c.gpu, ","):
		return flagErrorf(badFlag, "--gpu-name=%s names several architectures, which is for --output-dir", c.gpu)
	case !c.isBatch():
		return nil
	case c.flags.Changed("output-file"):
		return flagErrorf(badCombination, "--output-file cannot be combined with --output-dir")
	case len(c.flags.Args()) == 0:
		return flagErrorf(badFlag, "--output-dir is for input files, but none is named")
	case c.launchJSON != "":
		return flagErrorf(badCombination, "--launch-json is for one output, but --output-dir asks for several")
	case c.printing.Any():
		return flagErrorf(badCombination, "IR is printed of one compilation, and --output-dir is for several")
	}
	return nil
}

// newBatch makes the jobs, each with the flags of the command line and its own input, target and output.
func newBatch(c *config) (*batch, error) {
	b := &batch{config: c}
	var shared []string
	c.flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "gpu-name", "output-dir", "jobs", "remarks-output-file":
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, v := range list.GetSlice() {
				shared = append(shared, "--"+f.Name+"="+v)
			}
			return
		}
		shared = append(shared, "--"+f.Name+"="+f.Value.String())
	})
	ending := c.emit
	if ending == "" {
		ending = c.fallback()
	}
	taken := make(map[string]string)
	for _, input := range c.flags.Args() {
		for gpu := range strings.SplitSeq(c.gpu, ",") {
			stem := strings.TrimSuffix(filepath.Base(input), filepath.Ext(input)) + "." + gpu
			name := stem + "." + ending
			if other := taken[name]; other != "" {
				return nil, flagErrorf(badCombination, "'%s' and '%s' would both be written to '%s'", other, input, name)
			}
			taken[name] = input
			args := append(shared[:len(shared):len(shared)], "--gpu-name="+gpu, "--output-file="+filepath.Join(c.outputDir, name), "--emit="+ending)
			if c.remarks.asked() && c.remarks.format == remarksYAML {
				args = append(args, "--remarks-output-file="+filepath.Join(c.outputDir, stem+".remarks.yaml"))
			}
			one, err := parseOne(c.persona, append(args, "--", input))
			if err != nil {
				return nil, err
			}
			one.given, one.added = one.asReference(input), c.added
			b.jobs = append(b.jobs, &job{config: one})
		}
	}
	return b, nil
}

// asReference is a command line of tileiras for the compilation of an input: what a dump says, and what another
// compiler is given.
func (c *config) asReference(input string) []string {
	args := []string{"--gpu-name=" + c.gpu, "--opt-level=" + strconv.Itoa(c.optLevel)}
	if c.lineInfo {
		args = append(args, "--lineinfo")
	}
	if c.debug {
		args = append(args, "--device-debug")
	}
	return append(args, "--", input)
}

// run runs the jobs and returns the exit status of the first that failed.
func (b *batch) run(ctx context.Context, stderr io.Writer) int {
	fail := func(f failure, err error) int {
		b.complain(stderr, err)
		return b.status[f]
	}
	if err := os.MkdirAll(b.outputDir, 0o777); err != nil {
		return fail(notWritten, err)
	}
	store, err := b.caching.open(stderr)
	if err != nil {
		return fail(badFlag, err)
	}
	defer store.Close()
	workers := b.parallel
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	bar := batchProgress(stderr, len(b.jobs))
	next := make(chan *job)
	var wg sync.WaitGroup
	for range min(workers, len(b.jobs)) {
		wg.Go(func() {
			for j := range next {
				s := newSession(j.config, &j.said)
				s.cache = store
				j.status = s.start(ctx, strings.NewReader(""), io.Discard)
				bar()
			}
		})
	}
	for _, j := range b.jobs {
		if ctx.Err() != nil {
			j.status = b.status[notCompiled]
			continue
		}
		next <- j
	}
	close(next)
	wg.Wait()
	return b.conclude(ctx, stderr)
}

// conclude writes what the jobs said, in their order, and how many failed.
func (b *batch) conclude(ctx context.Context, stderr io.Writer) int {
	status, failed := cli.OK, 0
	for _, j := range b.jobs {
		_, _ = j.said.WriteTo(stderr)
		if j.status != cli.OK {
			if failed++; status == cli.OK {
				status = j.status
			}
		}
	}
	switch {
	case ctx.Err() != nil:
		b.complain(stderr, context.Cause(ctx))
	case failed > 0:
		b.complain(stderr, fmt.Errorf("%d of %d compilations failed", failed, len(b.jobs)))
	}
	return status
}

// batchProgress shows on a terminal how many jobs have ended.
func batchProgress(w io.Writer, jobs int) func() {
	if !cli.IsTerminal(w) {
		return func() {}
	}
	bar := progressbar.NewOptions(jobs, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription("compiling"), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	return func() { _ = bar.Add(1) } // a bar that cannot be drawn stops nothing
}
