package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline/check/bound"
	"github.com/tilewright/tilewright/pipeline/check/exact"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sass"
	"github.com/tilewright/tilewright/target/sm"
)

// Options say what to ask.
type Options struct {
	GPUs      []string // to compile for; the first one is that of the estimate
	Reference string   // an entry of the module that computes the same; "": none
	Launches  int      // drawn for each check
	Sizes     bool     // draw smaller sizes too, where the kernel can be asked so
	Bound     bool     // compare with what is expected by a bound that is derived, not by the tolerances of the case
	// Draws are launches like the case with other numbers. They, and the case, expect what the reference of a program
	// computes, which has the name Reference.
	Draws    []*launch.Case
	Drawn    bool // the launch itself is drawn: that it fails may not be the kernel's mistake
	Seed     uint64
	MaxSteps uint64 // of a CTA in the interpreter, of a launch in the emulator; 0: no limit
}

// The answers of checks.
const (
	OK        = "ok"
	Wrong     = "wrong"
	Undecided = "undecided"
)

// A Check is a question and its answer.
type Check struct {
	Name   string `json:"name"`
	Result string `json:"result"`
	Detail string `json:"detail"`
}

// A Verdict is what became of all checks of a case.
type Verdict struct {
	Schema int     `json:"schema"` // 1
	Case   string  `json:"case"`
	Right  bool    `json:"right"`
	Checks []Check `json:"checks"`
	// Microseconds is the estimated time of the launch of the case, and Bound what bounds it; 0 if there is no estimate.
	Microseconds float64 `json:"estimated_microseconds,omitempty"`
	Bound        string  `json:"bound,omitempty"`
	Seed         uint64  `json:"seed"` // repeats the launches
}

// schema is the number of the JSON form.
const schema = 1

// A judge is about one case.
type judge struct {
	Options
	kase    *launch.Case
	data    []byte
	sizes   *sizes
	bound   launch.Tolerance // the largest so far
	bits    bool             // the kernel looks at the bits of floats, of which NaNs have several
	verdict Verdict
}

// Of judges a case. The error is that it cannot be read, or that ctx ended.
func Of(ctx context.Context, c *launch.Case, opts Options) (*Verdict, error) {
	data, err := c.ReadModule()
	if err != nil {
		return nil, err
	}
	j := &judge{Options: opts, kase: c, data: data, verdict: Verdict{Schema: schema, Case: c.Name, Seed: opts.Seed}}
	module, err := j.read()
	if err != nil {
		return nil, err
	}
	entry := entryOf(module, c.Entry)
	if entry.IsNil() {
		return nil, fmt.Errorf("the module has no entry '%s'", c.Entry)
	}
	j.sizes = sizesOf(entry, c.Request())
	entry.Walk(func(op ir.Op) ir.WalkResult {
		j.bits = j.bits || op.Is(cudatile.Bitcast) || op.Is(cudatile.Pack) || op.Is(cudatile.Unpack)
		return ir.Advance
	})
	checks := []struct {
		name string
		ask  func(ctx context.Context) (result, detail string)
	}{{"compiles", j.compiles}, {"defined", j.defined}, {"expected", j.expected}, {"reference", j.equalsReference}, {"engines", j.engines}, {"synchronised", j.synchronised}, {"time", j.time}}
	j.verdict.Right = true
	for _, k := range checks {
		result, detail := k.ask(ctx)
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if result == "" { // there is nothing to ask
			continue
		}
		j.verdict.Checks = append(j.verdict.Checks, Check{k.name, result, detail})
		j.verdict.Right = j.verdict.Right && result == OK
		if result != OK && (k.name == "compiles" || k.name == "defined" && j.Drawn) {
			break
		}
	}
	return &j.verdict, nil
}

// read reads the module, which compiling and rewriting change.
func (j *judge) read() (ir.Op, error) {
	var said bytes.Buffer
	ctx := tileir.NewContext()
	ctx.Diag.Push(ctx.Diag.PrintTo(&said))
	module, err := tileir.Read(ctx, j.kase.Module, j.data)
	if err != nil {
		line, _, _ := strings.Cut(said.String(), "\n")
		return ir.Op{}, fmt.Errorf("%w: %s", err, line)
	}
	ctx.Diag.Push(func(*ir.Diagnostic) {})
	return module, nil
}

// entryOf finds an entry.
func entryOf(module ir.Op, name string) (entry ir.Op) {
	module.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.Entry) && op.SymbolName() == name {
			entry = op
		}
		return ir.Advance
	})
	return entry
}

func (j *judge) compile(ctx context.Context, gpu string, isExact bool) (*compile.Result, error) {
	module, err := j.read()
	if err == nil && isExact {
		err = exact.Module(ctx, module)
	}
	if err != nil {
		return nil, err
	}
	return compile.To(ctx, module, compile.Options{GPU: gpu, OptLevel: 3})
}

func (j *judge) compiles(ctx context.Context) (string, string) {
	for _, gpu := range j.GPUs {
		if _, err := j.compile(ctx, gpu, false); err != nil {
			return Wrong, fmt.Sprintf("%s: %v", gpu, err)
		}
	}
	return OK, strings.Join(j.GPUs, ", ")
}

// interpreter returns the interpreter for a module, which rejects what is not defined.
func (j *judge) interpreter(module ir.Op) *interp.Engine {
	e := interp.New(module)
	e.LooseIndices = true // a tile outside of the index space is empty, as compilers take it
	e.Races, e.MaxSteps = true, j.MaxSteps
	return e
}

// request draws the launch number i, 0 being the case's own. It says which sizes changed. A launch for a comparison that
// is exact has other floats among its scalars too, and NaNs and infinities.
func (j *judge) request(i int, isExact bool) (req *launch.Request, sizes string) {
	req = j.kase.Request()
	if i == 0 {
		return req, ""
	}
	seed := j.Seed + uint64(i)
	exact.Redraw(req, seed)
	if isExact && !j.bits && i%2 == 0 {
		exact.AddSpecial(req, seed, specials)
	}
	if !isExact {
		for k := range req.Args {
			req.Args[k].Scalar = j.kase.Args[k].Scalar
		}
	}
	if j.Sizes && i > 1 {
		sizes = j.sizes.draw(req, rand.New(rand.NewPCG(seed, 0x73697a65)))
	}
	return req, sizes
}

// specials is one in how many elements of a launch with special values is one.
const specials = 64

func (j *judge) defined(ctx context.Context) (string, string) {
	module, err := j.read()
	if err != nil {
		return Wrong, err.Error()
	}
	outputs, launches := "", j.Launches+1
	for i := range launches {
		req, sizes := j.request(i, false)
		switch err := j.interpreter(module).Run(ctx, req); {
		case err != nil && i > 0 && outside(err, sizes):
			launches--
		case err != nil:
			if j.Drawn {
				return Undecided, fmt.Sprintf("the launch that was drawn may make no sense; --grid and --arg describe one: %v", err)
			}
			return Wrong, fmt.Sprintf("launch %d%s: %v", i, of(sizes), err)
		}
		if req.Uninitialized() {
			outputs = ", and nothing is read that was not written"
		}
	}
	return OK, fmt.Sprintf("%d launches: in bounds, ordered accesses%s%s", launches, outputs, j.asked())
}

// outside reports whether a launch that was drawn may be outside of what the kernel is for: its numbers, or its sizes on
// the grid that stays, need not be what the kernel is written for.
func outside(err error, sizes string) bool {
	f := (*launch.Fault)(nil)
	if !errors.As(err, &f) {
		return false
	}
	switch f.Kind {
	case launch.Unspecified, launch.AssertFails, launch.Assumption, launch.Division, launch.Overflow:
		return true
	}
	return sizes != ""
}

// asked says which sizes launches had.
func (j *judge) asked() string {
	switch {
	case !j.Sizes || len(j.sizes.unit) == 0:
		return ""
	case j.sizes.fixed != "":
		return "; sizes stay: " + j.sizes.fixed
	}
	return "; with other sizes too"
}

// of says which sizes a launch has.
func of(sizes string) string {
	if sizes == "" {
		return ""
	}
	return " (size " + sizes + ")"
}

func (j *judge) expected(ctx context.Context) (string, string) {
	if len(j.kase.Expect) == 0 || j.Draws != nil {
		return "", ""
	}
	return j.leaves(ctx, j.kase, j.Bound)
}

// leaves runs a launch and compares what it leaves with what is expected.
func (j *judge) leaves(ctx context.Context, c *launch.Case, derived bool) (result, detail string) {
	module, err := j.read()
	if err != nil {
		return Wrong, err.Error()
	}
	req := c.Request()
	if err := j.interpreter(module).Run(ctx, req); err != nil {
		return Wrong, err.Error()
	}
	if !derived {
		return compared(req, c.Expect, "the case's buffers, within its tolerances")
	}
	want, most, err := bounded(module, c)
	if err != nil {
		return Undecided, err.Error()
	}
	j.bound.Absolute, j.bound.Relative = max(j.bound.Absolute, most.Absolute), max(j.bound.Relative, most.Relative)
	if most == (launch.Tolerance{}) {
		return compared(req, want, bitForBit)
	}
	return compared(req, want, within(most))
}

// equalsProgram compares with the reference of a program. Where launches of small integers are equal, others need no bound.
func (j *judge) equalsProgram(ctx context.Context) (string, string) {
	equal, rounded, undecided := 0, 0, ""
	for i, c := range append([]*launch.Case{j.kase}, j.Draws...) {
		result, detail := j.leaves(ctx, c, true)
		switch {
		case result == Wrong:
			return Wrong, fmt.Sprintf("launch %d is unlike '%s': %s", i, j.Reference, detail)
		case result == Undecided:
			undecided = detail
		case detail == bitForBit:
			equal++
		default:
			rounded++
		}
	}
	if undecided != "" && equal == 0 {
		return Undecided, undecided
	}
	said := fmt.Sprintf("%d launches equal '%s'", equal+rounded, j.Reference)
	if equal > 0 {
		said += fmt.Sprintf("; %d %s", equal, bitForBit)
	}
	if rounded > 0 {
		said += fmt.Sprintf("; %d %s", rounded, within(j.bound))
	}
	if undecided != "" {
		said += "; of the others " + undecided
	}
	return OK, said
}

// bitForBit is said of a launch that does not round.
const bitForBit = "bit for bit: nothing is rounded"

// useful is the part of the largest expected magnitude that a bound may be: one as large as the numbers says nothing.
const useful = 1.0 / 16

// bounded returns what is expected, with tolerances that are derived. The expectation was rounded once itself.
func bounded(module ir.Op, c *launch.Case) (out []launch.Expect, largest launch.Tolerance, err error) {
	bounds, err := bound.Of(module, c.Request())
	if err != nil {
		return nil, largest, fmt.Errorf("there is no bound of errors: %w", err)
	}
	for _, x := range c.Expect {
		f, float := x.Want.DType.Format()
		b := bounds[x.Arg]
		if x.Tolerance = b; float && b != (launch.Tolerance{}) {
			most := 0.0
			for i := range x.Want.Len() {
				if n := math.Abs(f.Decode(x.Want.DType.Load(x.Want.Data, i))); n > most && !math.IsInf(n, 0) {
					most = n
				}
			}
			spec := f.Spec()
			x.Absolute += math.Ldexp(1, 1-spec.Bias-spec.Man)
			x.Relative += 2 * math.Ldexp(1, -f.Precision())
			if x.Absolute > useful*most && b.Absolute > 0 {
				return nil, largest, fmt.Errorf("the bound of errors, %.2g, says nothing of numbers up to %.2g", x.Absolute, most)
			}
			largest.Absolute, largest.Relative = max(largest.Absolute, x.Absolute), max(largest.Relative, x.Relative)
		}
		out = append(out, x)
	}
	return out, largest, nil
}

// within says a bound.
func within(b launch.Tolerance) string {
	return fmt.Sprintf("within %.2g + %.2g |x|, which follows from types and lengths of sums", b.Absolute, b.Relative)
}

// compared compares what a launch left.
func compared(got *launch.Request, want []launch.Expect, detail string) (string, string) {
	report, err := launch.Check("", got, want)
	if err != nil {
		return Wrong, err.Error()
	}
	for _, o := range report.Outputs {
		if !o.Diff.OK() {
			return Wrong, fmt.Sprintf("argument %d: %d of %d elements differ, first %d: %s", o.Arg, o.Diff.Mismatches, o.Diff.Elements, o.Diff.First, o.Diff.FirstPair)
		}
	}
	return OK, detail
}

func (j *judge) equalsReference(ctx context.Context) (string, string) {
	switch {
	case j.Draws != nil:
		return j.equalsProgram(ctx)
	case j.Reference == "":
		return "", ""
	}
	module, err := j.read()
	if err != nil {
		return Wrong, err.Error()
	}
	comparable, err := exact.Comparable(ctx, module)
	switch {
	case err != nil:
		return Undecided, err.Error()
	case !comparable:
		return Undecided, "values could become too large to be exact in any order"
	}
	var all []string
	launches := j.Launches
	for i := 1; i <= j.Launches; i++ {
		got, sizes := j.request(i, true)
		want := got.Clone()
		want.Entry = j.Reference
		if err := j.interpreter(module).Run(ctx, want); err != nil && sizes != "" && outside(err, sizes) {
			launches--
			continue
		} else if err != nil {
			return Undecided, fmt.Sprintf("the reference fails in launch %d%s: %v", i, of(sizes), err)
		}
		if err := j.interpreter(module).Run(ctx, got); err != nil {
			return Wrong, fmt.Sprintf("launch %d%s: %v", i, of(sizes), err)
		}
		if result, detail := compared(got, exact.Expect(want), ""); result != OK {
			return result, fmt.Sprintf("launch %d%s: %s", i, of(sizes), detail)
		}
		if sizes != "" {
			all = append(all, sizes)
		}
	}
	if launches == 0 {
		return Undecided, "the reference fails in all launches with drawn sizes"
	}
	detail := fmt.Sprintf("%d launches equal '%s', bit for bit", launches, j.Reference)
	if all != nil {
		return OK, detail + "; sizes: " + strings.Join(all, "; ")
	}
	return OK, detail + j.asked()
}

// engineLaunches is how many launches are compared in the emulator, which is slower than the interpreter.
const engineLaunches = 2

func (j *judge) engines(ctx context.Context) (string, string) {
	module, err := j.read()
	if err == nil {
		err = exact.Module(ctx, module)
	}
	if err != nil {
		return Undecided, err.Error()
	}
	for _, gpu := range j.GPUs {
		e, err := j.emulator(ctx, gpu, true)
		if err != nil {
			return Wrong, fmt.Sprintf("%s: %v", gpu, err)
		}
		for i := 1; i <= min(engineLaunches, j.Launches); i++ {
			want, sizes := j.request(i, true)
			got := want.Clone()
			if err := j.interpreter(module).Run(ctx, want); err != nil && outside(err, sizes) {
				continue
			} else if err != nil {
				return Wrong, fmt.Sprintf("launch %d%s: %v", i, of(sizes), err)
			}
			if err := e.Run(ctx, got); err != nil {
				return Wrong, fmt.Sprintf("%s: launch %d%s: %v", gpu, i, of(sizes), err)
			}
			if result, detail := compared(got, exact.Expect(want), ""); result != OK {
				return result, fmt.Sprintf("%s: launch %d%s: %s", gpu, i, of(sizes), detail)
			}
		}
	}
	return OK, fmt.Sprintf("PTX of %d targets equals the tiles, bit for bit", len(j.GPUs))
}

// synchronised asks the emulator whether anything orders what threads and asynchronous operations do to the same memory.
func (j *judge) synchronised(ctx context.Context) (string, string) {
	schedules := "for all schedules"
	for _, gpu := range j.GPUs {
		e, err := j.emulator(ctx, gpu, false)
		if err != nil {
			return Wrong, fmt.Sprintf("%s: %v", gpu, err)
		}
		e.Sync = new(emu.SyncReport)
		req, _ := j.request(0, false)
		if err := e.Run(ctx, req); err != nil {
			return Wrong, fmt.Sprintf("%s: %v", gpu, err)
		}
		switch r := e.Sync; {
		case len(r.Findings) > 0:
			return Wrong, fmt.Sprintf("%s: %v", gpu, &r.Findings[0])
		case len(r.Unchecked) > 0:
			return Undecided, fmt.Sprintf("%s: not checked: %s", gpu, strings.Join(r.Unchecked, ", "))
		case !r.AllSchedules:
			schedules = "for the schedule that ran: " + strings.Join(r.Because, ", ")
		}
	}
	return OK, schedules
}

// emulator returns an engine for the code of a target.
func (j *judge) emulator(ctx context.Context, gpu string, isExact bool) (*emulate.Engine, error) {
	code, err := j.compile(ctx, gpu, isExact)
	if err != nil {
		return nil, err
	}
	e, err := code.Emulator("k.ptx", j.kase.Entry)
	if err == nil {
		e.MaxSteps = j.MaxSteps
	}
	return e, err
}

func (j *judge) time(ctx context.Context) (string, string) {
	gpu := j.GPUs[0]
	arch, err := sm.Lookup(gpu)
	if err != nil {
		return Wrong, err.Error()
	}
	e, err := j.emulator(ctx, gpu, false)
	if err != nil {
		return Wrong, err.Error()
	}
	e.Profile = &emu.Profile{Trace: new(emu.Trace)}
	if err := e.Run(ctx, j.kase.Request()); err != nil {
		return Wrong, err.Error()
	}
	estimate, err := e.Estimate(ctx, j.kase.Entry, arch, sass.Code{})
	if err != nil {
		return Undecided, err.Error()
	}
	j.verdict.Microseconds, j.verdict.Bound = estimate.Microseconds, estimate.Roofline.Bound
	return OK, fmt.Sprintf("%.1f us on %s, an estimate; bound by %s", estimate.Microseconds, gpu, estimate.Roofline.Bound)
}

// Wrongs are the checks that are not ok.
func (v *Verdict) Wrongs() []Check {
	return slices.DeleteFunc(slices.Clone(v.Checks), func(c Check) bool { return c.Result == OK })
}
