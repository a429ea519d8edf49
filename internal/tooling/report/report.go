package report

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/internal/tooling/why"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/source"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/convert/nvvmtoptx"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/ptxas"
)

// An Input is what a report is about.
type Input struct {
	// Title names the kernel; Tool and Command are the program and the command line that repeat the report.
	Title, Tool, Command string
	// Name is the file that Data is from, as locations of text name it.
	Name string
	Data []byte
	// Read reads the module into a context of its own, which nobody else uses.
	Read func() (ir.Op, error)
	// Target is what it is compiled for.
	Target func(module ir.Op) (*passes.Target, error)
	// Run compiles it for that, watched by these instruments.
	Run func(ctx context.Context, module ir.Op, t *passes.Target, watch []pipeline.Instrument) (*Outcome, error)
	// Sources are the folders whose files are shown when a location names them; nil: any file.
	Sources []string
	// Profile and Values are of a launch, and Missing says why there are none; nil where nothing was launched.
	Profile *Profile
	Values  *Values
	Missing []string
	// Arguments are what the parameters are in the program that launches the kernels.
	Arguments why.Arguments
	// Launches are launches of kernels whose time is estimated, of the code that Compile makes.
	Launches []*launch.Request
	Compile  func(ctx context.Context) (*compile.Result, error)
	// Cures are what would let the compiler do better; nil: nobody asks.
	Cures func(ctx context.Context) ([]*why.Cure, error)
	// Assembler is nil where there is no ptxas.
	Assembler *ptxas.Tool
}

// An Outcome is what compiling came to, as far as it came.
type Outcome struct {
	PTX        []byte // with .loc
	Arch       string // the target as the assembler spells it
	Plan       *pipeline.Plan
	Statistics []pipeline.StatisticValue
	Kernels    []*nvvmtoptx.Kernel // how they are launched
	Fallbacks  int                 // attempts at compiling that failed before
}

// Kernel returns an Input for a kernel that the default pipeline compiles. Line information is added, since that is
// how PTX says where it came from.
func Kernel(name string, data []byte, opts compile.Options) *Input {
	opts.LineInfo, opts.Decisions, opts.Reproducer, opts.Record = true, true, nil, false
	read := func() (ir.Op, error) { return tileir.Read(tileir.NewContext(), name, data) }
	var in *Input
	in = &Input{Title: name, Name: name, Data: data, Read: read,
		Cures: func(ctx context.Context) ([]*why.Cure, error) {
			return (&why.Source{Read: read, Options: opts, Arguments: in.Arguments}).Cures(ctx)
		},
		Compile: func(ctx context.Context) (*compile.Result, error) {
			module, err := read()
			if err != nil {
				return nil, err
			}
			return compile.To(ctx, module, opts)
		},
		Target: func(module ir.Op) (*passes.Target, error) {
			return tileir.Target(module, tileir.Asked{GPU: opts.GPU, OptLevel: opts.OptLevel, AnyOptLevel: opts.AnyOptLevel, TensorMaps: opts.TensorMaps})
		},
		Run: func(ctx context.Context, module ir.Op, _ *passes.Target, watch []pipeline.Instrument) (*Outcome, error) {
			plan, _, err := compile.Plan(module, opts)
			if err != nil {
				return nil, err
			}
			opts := opts
			opts.Instruments = watch
			out := &Outcome{Plan: plan}
			result, err := compile.To(ctx, module, opts)
			if err != nil {
				return out, err
			}
			out.PTX, out.Statistics = result.PTX, result.Statistics
			if result.Launch != nil {
				out.Arch, out.Kernels = result.Launch.Target, result.Launch.Kernels
			}
			out.Fallbacks = len(result.Fallbacks)
			return out, nil
		}}
	return in
}

// Make compiles the input and returns the page. That it does not compile is on the page, with what was seen until
// then; an error is that there is nothing to show.
func Make(ctx context.Context, in *Input) (*Page, error) {
	page := &Page{Title: in.Title, Tool: in.Tool, Command: in.Command, Values: in.Values, Missing: in.Missing}
	if in.Profile != nil {
		page.Profiles = append(page.Profiles, in.Profile)
	}
	module, err := in.Read()
	if err != nil {
		return nil, err
	}
	m := &making{in: in, page: page, labels: put(module), book: newBook(), priced: make(map[string]map[string]*cost)}
	kernels := pipeline.KernelNames(module)
	m.files.Under = in.Sources
	r := &recorder{page: page, labels: m.labels, book: m.book, passes: make(map[*pipeline.Item]int), said: make(map[[3]string]*Remark), current: -1, left: maxDumps}
	diag := module.Context().Diag
	defer diag.Push(r.diagnostic)()
	r.input(module)
	if m.target, err = in.Target(module); err != nil {
		return nil, err
	}
	page.Target = fmt.Sprintf("%s -O%d", m.target.GPU, m.target.OptLevel)
	m.watch(r)
	r.before = m.costs
	out, err := in.Run(ctx, module, m.target, []pipeline.Instrument{r})
	if err != nil {
		page.Error = reason(err)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if out != nil {
		r.statistics(out.Statistics)
		page.Graph = graphOf(out.Plan)
		m.ptx(out.PTX)
		m.sass(ctx, out)
	}
	m.launches(ctx)
	m.sources()
	m.summarize(ctx, out, kernels)
	page.Labels, page.Text = m.labels.all, m.book.text
	clean(page)
	return page, nil
}

// making is the work on one page.
type making struct {
	in     *Input
	page   *Page
	labels *labels
	book   *book
	target *passes.Target
	files  source.Reader

	priced    map[string]map[string]*cost // by kernel and line
	assembled []ptxas.Stats
}

// missing says on the page that something is not shown.
func (m *making) missing(format string, args ...any) {
	m.page.Missing = append(m.page.Missing, fmt.Sprintf(format, args...))
}

// reason is an error without what the remarks say already.
func reason(err error) string {
	var f *pipeline.Failure
	if errors.As(err, &f) {
		return strings.TrimSpace(f.What())
	}
	return err.Error()
}

// statistics adds the counters to the passes.
func (r *recorder) statistics(values []pipeline.StatisticValue) {
	for _, v := range values {
		if at, ok := r.passes[v.Item]; ok {
			p := r.page.Passes[at]
			p.Stats = append(p.Stats, Stat{v.Statistic.Name, v.Statistic.Doc, v.Value})
		}
	}
}

func graphOf(p *pipeline.Plan) *Graph {
	if p == nil {
		return nil
	}
	view := pipeline.ViewPlan(p)
	g := &Graph{Title: view.Title}
	for _, lane := range view.Lanes {
		l := Lane{Title: "any level"}
		if lane.Level != nil {
			l.Title = lane.Level.Level()
		}
		for _, s := range lane.Steps {
			l.Steps = append(l.Steps, Step{s.ID, s.Pass.Summary, s.Why})
		}
		g.Lanes = append(g.Lanes, l)
	}
	for _, e := range view.Edges {
		g.Edges = append(g.Edges, Edge{e.From, e.To, e.Reason()})
	}
	return g
}
