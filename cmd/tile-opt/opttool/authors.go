package opttool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
)

// authors are the flags for those who write passes.
type authors struct {
	before, after []string // splices, as given on the command line
	debug         []string // of -d, as given on the command line
	debugOnly     []string
	trace         string // a file
	users         bool
	listPipelines bool
	bisect        bool

	splices  []*pipeline.Splice
	settings []setting
	listener pipeline.Listener
}

// A setting is one that -d makes for the passes at a place.
type setting struct {
	place pipeline.Place
	off   bool
	stats bool
	dump  string // a file
	limit int    // of rewrites; negative: none
}

func (a *authors) define(fs *pflag.FlagSet) {
	fs.StringArrayVar(&a.before, "before", nil, "run passes before another, as in `PASS:PASSES`: licm#nvvm:my-pass,dce; PASS, PASS#STEP or PASS#NUMBER names which")
	fs.StringArrayVar(&a.after, "after", nil, "run passes after another, as `PASS:PASSES`")
	fs.StringArrayVarP(&a.debug, "debug-pass", "d", nil, "treat a pass apart, as in `PASS/SETTINGS`: off, stats (its statistics), dump=FILE (the IR after it), rewrites=N (at most; passes that rewrite say which may be left out)")
	fs.StringSliceVar(&a.debugOnly, "debug-only", nil, "trace what these `COMPONENTS` do, at --log=trace unless it is given: passes by name, pass-manager, rewrites, bisect")
	fs.StringVar(&a.trace, "trace-rewrites", "", "write when each pass ran and what it rewrote to `FILE`, for Perfetto or chrome://tracing")
	fs.BoolVar(&a.users, "print-value-users", false, "print after each operation which operations use its values")
	fs.BoolVar(&a.listPipelines, "list-pipelines", false, "list the pipelines that have names, and exit")
	fs.BoolVar(&a.bisect, "bisect-exec", false, "name the first pass that changes what --exec-case computes, and the first rewrite in it, and print a small module that shows it; of --lower-to=ptx unless another pipeline is given")
}

// check reads what can be read before any input is.
func (a *authors) check(t *Tool) error {
	for _, list := range []struct {
		texts []string
		after bool
		flag  string
	}{{a.before, false, "before"}, {a.after, true, "after"}} {
		for _, text := range list.texts {
			s, err := pipeline.ParseSplice(t.Registry, text, list.after)
			var syntax *pipeline.SyntaxError
			if errors.As(err, &syntax) {
				return err
			}
			if err != nil {
				return fmt.Errorf("--%s=%s: %w", list.flag, text, err)
			}
			a.splices = append(a.splices, s)
		}
	}
	for _, text := range a.debug {
		s, err := parseSetting(t.Registry, text)
		if err != nil {
			return fmt.Errorf("-d=%s: %w", text, err)
		}
		a.settings = append(a.settings, s)
	}
	var err error
	a.listener, err = pipeline.ListenTo(t.Registry, a.debugOnly)
	return err
}

// parseSetting reads PASS/off,stats,dump=F,rewrites=N.
func parseSetting(reg *passes.Registry, text string) (s setting, err error) {
	s.limit = -1
	name, list, ok := strings.Cut(text, "/")
	if s.place, err = pipeline.ParsePlace(reg, name); err != nil {
		return s, err
	}
	if !ok || list == "" {
		return s, fmt.Errorf("expected PASS/SETTINGS, where settings are off, stats, dump=FILE and rewrites=N")
	}
	for _, part := range strings.Split(list, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch {
		case part == "off":
			s.off = true
		case part == "stats":
			s.stats = true
		case key == "dump" && value != "":
			s.dump = value
		case key == "rewrites":
			if s.limit, err = strconv.Atoi(value); err != nil || s.limit < 0 {
				return s, fmt.Errorf("rewrites must be a number from 0, but is '%s'", value)
			}
		default:
			return s, fmt.Errorf("unknown setting '%s'; there is off, stats, dump=FILE and rewrites=N", part)
		}
	}
	if s.off && (s.stats || s.dump != "" || s.limit >= 0) {
		return s, fmt.Errorf("a pass that is off has no other settings")
	}
	return s, nil
}

// off returns the places of passes that are not to run.
func (c *config) off() (out []pipeline.Place) {
	out = append(out, c.disabledPlaces...)
	for _, s := range c.authors.settings {
		if s.off {
			out = append(out, s.place)
		}
	}
	return out
}

// splice puts the passes of --before and --after into a pipeline.
func (s *session) splice(p *pipeline.Pipeline, ctx *ir.Context, target *passes.Target) error {
	for _, sp := range s.config.authors.splices {
		if err := sp.Into(p, s.tool.Registry, ctx, target); err != nil {
			return err
		}
	}
	return nil
}

// A watch is what the flags for authors of passes let happen while a pipeline runs.
type watch struct {
	k      *chunk
	p      *pipeline.Pipeline
	trace  *pipeline.Trace
	dumps  []*dump
	stats  map[*pipeline.Item]bool
	limits map[*pipeline.Item]int
}

// comment returns what prints a comment after each operation, or nil.
func (a *authors) comment() func(p ir.AsmPrinter, op ir.Op) {
	if a.users {
		return printUsers
	}
	return nil
}

// A dump is what dump=FILE asks for.
type dump struct {
	*pipeline.PrintIR
	text bytes.Buffer
	path string
}

// watch prepares the manager. The error is that a setting is about no pass of the pipeline.
func (k *chunk) watch(m *pipeline.Manager, p *pipeline.Pipeline) (*watch, error) {
	a := &k.config.authors
	w := &watch{k: k, p: p, stats: make(map[*pipeline.Item]bool), limits: make(map[*pipeline.Item]int)}
	for _, s := range a.settings {
		items := p.Items(s.place)
		if len(items) == 0 && !s.off {
			return nil, fmt.Errorf("-d: pass '%s' does not stand in the pipeline", s.place)
		}
		for _, it := range items {
			if s.stats {
				w.stats[it] = true
			}
			if s.limit >= 0 {
				w.limits[it] = s.limit
			}
		}
		if s.dump != "" {
			d := &dump{path: s.dump}
			d.PrintIR = &pipeline.PrintIR{W: &d.text, Print: k.printOp, Items: items}
			w.dumps = append(w.dumps, d)
			m.Instruments = append(m.Instruments, d)
		}
	}
	if a.trace != "" {
		w.trace = pipeline.NewTrace()
		m.Instruments = append(m.Instruments, w.trace)
	}
	m.Listener = a.listener
	if len(w.limits) > 0 || w.trace != nil {
		m.Rewrites = &pipeline.RewriteWatch{Limit: w.limit}
		if w.trace != nil {
			m.Rewrites.Made = append(m.Rewrites.Made, w.trace.Rewrite)
		}
	}
	return w, nil
}

func (w *watch) limit(ev *pipeline.Event) int {
	if n, ok := w.limits[ev.Item]; ok {
		return n
	}
	return -1
}

// done writes what was collected, also when a pass failed.
func (w *watch) done(result *pipeline.Result) error {
	for _, d := range w.dumps {
		if err := os.WriteFile(d.path, d.text.Bytes(), 0o666); err != nil {
			return fmt.Errorf("cannot write a dump: %w", err)
		}
	}
	if w.trace != nil {
		if err := w.writeTrace(); err != nil {
			return err
		}
	}
	if result != nil && len(w.stats) > 0 {
		values := slices.DeleteFunc(slices.Clone(result.Statistics), func(v pipeline.StatisticValue) bool { return !w.stats[v.Item] })
		return pipeline.WriteStatistics(w.k.stderr, w.p, values)
	}
	return nil
}

func (w *watch) writeTrace() error {
	out := cli.NewOutput(w.k.config.authors.trace, io.Discard)
	if err := w.trace.Write(out); err != nil {
		out.Discard()
		return fmt.Errorf("cannot write the trace: %w", err)
	}
	if w.trace.Lost > 0 {
		fmt.Fprintf(w.k.stderr, "%s: warning: %d rewrites are not in the trace, which would be too long for a viewer\n", w.k.tool.Name, w.trace.Lost)
	}
	return out.Commit()
}
