package passes_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

var (
	propA  = passes.NewProperty("test-a", "is a", nil, passes.Check{})
	levelX = passes.NewLevel("test_x", "x", 0, "is at x")
	levelY = passes.NewLevel("test_y", "y", 1, "is at y")
)

func nothing(*passes.Run) error { return nil }

func pass(name string, edit func(*passes.Pass)) *passes.Pass {
	p := &passes.Pass{Name: name, Summary: "does nothing", Doc: "Nothing at all.", Run: nothing}
	if edit != nil {
		edit(p)
	}
	return p
}

func TestValidate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		pass *passes.Pass
		want string // "" for accepted
	}{
		{"minimal", pass("p", nil), ""},
		{"digits", pass("lower-x86-64", nil), ""},
		{"camel case", pass("fuseFMA", nil), "not in kebab case"},
		{"empty name", pass("", nil), "not in kebab case"},
		{"double hyphen", pass("a--b", nil), "not in kebab case"},
		{"trailing hyphen", pass("a-", nil), "not in kebab case"},
		{"no doc", pass("p", func(p *passes.Pass) { p.Doc = " \n" }), "has no documentation"},
		{"no run", pass("p", func(p *passes.Pass) { p.Run = nil }), "no Run function"},
		{"full stop", pass("p", func(p *passes.Pass) { p.Summary = "does it." }), "summary"},
		{"anchor", pass("p", func(p *passes.Pass) { p.On = "entry" }), "not the full name"},
		{"undeclared property", pass("p", func(p *passes.Pass) { p.Requires = []*passes.Property{{Name: "test-a"}} }), "requires a property that was not declared"},
		{"two levels", pass("p", func(p *passes.Pass) { p.Requires = []*passes.Property{levelX, levelY} }), "more than one level"},
		{"no reason", pass("p", func(p *passes.Pass) { p.After = []passes.Edge{{Pass: "q"}} }), "without a reason"},
		{"itself", pass("p", func(p *passes.Pass) { p.After = []passes.Edge{{Pass: "p", Reason: "r"}} }), "relative to itself"},
		{"step without level", pass("p", func(p *passes.Pass) { p.Steps = []passes.Step{{}} }), "without a level"},
		{"step at property", pass("p", func(p *passes.Pass) { p.Steps = []passes.Step{{Level: propA}} }), "is no level"},
		{"step at other level", pass("p", func(p *passes.Pass) {
			p.Requires = []*passes.Property{levelX}
			p.Steps = []passes.Step{{Level: levelY}}
		}), "but requires"},
		{"step on what is no operation", pass("p", func(p *passes.Pass) { p.Steps = []passes.Step{{Level: levelX, On: "module"}} }), "not the full name"},
		{"step elsewhere", pass("p", func(p *passes.Pass) {
			p.On = "x.func"
			p.Steps = []passes.Step{{Level: levelX, On: "x.module"}}
		}), "one of its own"},
		{"equal labels", pass("p", func(p *passes.Pass) { p.Steps = []passes.Step{{Level: levelX}, {Level: levelY}} }), "two steps"},
		{"options value", pass("p", func(p *passes.Pass) { p.Options = func() any { return struct{}{} } }), "no pointer to a struct"},
		{"options type", pass("p", func(p *passes.Pass) {
			p.Options = func() any {
				return &struct {
					C chan int `opt:"c" help:"h"`
				}{}
			}
		}), "unsupported type"},
		{"options help", pass("p", func(p *passes.Pass) {
			p.Options = func() any {
				return &struct {
					C int `opt:"c"`
				}{}
			}
		}), "without help"},
		{"target without words", pass("p", func(p *passes.Pass) { p.When = func(*passes.Target) bool { return true } }), "WhenDoc"},
		{"statistic", pass("p", func(p *passes.Pass) { p.Statistics = []*passes.Statistic{passes.NewStatistic("n", "")} }), "statistic"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := passes.Validate(tt.pass)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestRegistry(t *testing.T) {
	t.Parallel()
	var r passes.Registry
	p := pass("p", func(p *passes.Pass) { p.After = []passes.Edge{{Pass: "q#late", Reason: "r"}} })
	if err := r.Add(p); err != nil {
		t.Fatal(err)
	}
	if err := r.Add(pass("p", nil)); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("duplicate: got %v", err)
	}
	if err := r.CheckEdges(); err == nil || !strings.Contains(err.Error(), "not registered") {
		t.Errorf("edge to unknown pass: got %v", err)
	}
	q := pass("q", nil)
	if err := r.Add(q); err != nil {
		t.Fatal(err)
	}
	if err := r.CheckEdges(); err == nil || !strings.Contains(err.Error(), "no such step") {
		t.Errorf("edge to unknown step: got %v", err)
	}
	if got := r.Passes(); len(got) != 2 || got[0] != p || got[1] != q || r.Lookup("q") != q || r.Lookup("x") != nil {
		t.Errorf("passes: %v", got)
	}
}

// TestFormerNames renames a pass, an option and a property: the old names mean them, and belong to nothing else.
func TestFormerNames(t *testing.T) {
	t.Parallel()
	var r passes.Registry
	p := pass("p", func(p *passes.Pass) { p.Formerly = []string{"old", "older"} })
	if err := r.Add(p); err != nil {
		t.Fatal(err)
	}
	if r.Lookup("p") != p || r.Lookup("old") != p || r.Lookup("older") != p || len(r.Passes()) != 1 {
		t.Errorf("old names do not stand for the pass, or are listed: %v", r.Passes())
	}
	if !p.Called("p") || !p.Called("older") || p.Called("oldest") {
		t.Error("Called does not know the names of the pass")
	}
	for _, bad := range []*passes.Pass{
		pass("old", nil),
		pass("q", func(q *passes.Pass) { q.Formerly = []string{"p"} }),
		pass("q", func(q *passes.Pass) { q.Formerly = []string{"older"} }),
		pass("q", func(q *passes.Pass) { q.Formerly = []string{"q"} }),
		pass("q", func(q *passes.Pass) { q.Formerly = []string{"Old"} }),
	} {
		if err := r.Add(bad); err == nil {
			t.Errorf("pass '%s', formerly %v, was added", bad.Name, bad.Formerly)
		}
	}
	o := &struct {
		N int `opt:"n" formerly:"count,number" help:"h"`
	}{}
	if err := passes.SetOption(o, "number", "3"); err != nil || o.N != 3 {
		t.Errorf("a former name of an option sets %d, %v", o.N, err)
	}
	if d := passes.DescribeOptions(o); len(d) != 1 || d[0].Name != "n" {
		t.Errorf("options are described as %v", d)
	}
	clash := pass("q", func(q *passes.Pass) {
		q.Options = func() any {
			return &struct {
				N int `opt:"n" formerly:"m" help:"h"`
				M int `opt:"m" help:"h"`
			}{}
		}
	})
	if err := passes.Validate(clash); err == nil || !strings.Contains(err.Error(), "occurs twice") {
		t.Errorf("an option with a former name of another: %v", err)
	}
	prop := passes.NewProperty("now", "is so", nil, passes.Check{}).Formerly("then")
	if passes.PropertyNamed("then") != prop {
		t.Error("the former name of a property does not stand for it")
	}
}

func TestDisplayTitle(t *testing.T) {
	t.Parallel()
	if got := pass("convert-cuda-tile-to-tileaa", nil).DisplayTitle(); got != "ConvertCudaTileToTileAA" {
		t.Errorf("got %s", got)
	}
	if got := pass("cse", func(p *passes.Pass) { p.Title = "Merge" }).DisplayTitle(); got != "Merge" {
		t.Errorf("got %s", got)
	}
}

type mode int

func (m mode) MarshalText() ([]byte, error) { return []byte([]string{"fast", "slow"}[m]), nil }
func (m *mode) UnmarshalText(b []byte) error {
	switch string(b) {
	case "fast":
		*m = 0
	case "slow":
		*m = 1
	default:
		return errors.New("expected fast or slow")
	}
	return nil
}

type options struct {
	Flag  bool     `opt:"flag" help:"h"`
	N     int      `opt:"n" help:"h"`
	U     uint64   `opt:"u" help:"h"`
	X     float64  `opt:"x" help:"h"`
	S     string   `opt:"s" help:"h"`
	List  []int64  `opt:"list" help:"h"`
	Names []string `opt:"names" help:"h"`
	Mode  mode     `opt:"mode" help:"h"`
	inner int
}

func TestOptions(t *testing.T) {
	t.Parallel()
	o := &options{N: 10, inner: 1}
	for _, kv := range [][2]string{{"flag", "true"}, {"n", "-3"}, {"u", "0x10"}, {"x", "0.5"}, {"s", "a b"}, {"list", "1, 2"}, {"names", "a,b"}, {"mode", "slow"}} {
		if err := passes.SetOption(o, kv[0], kv[1]); err != nil {
			t.Errorf("%s=%s: %v", kv[0], kv[1], err)
		}
	}
	var got []string
	for _, d := range passes.DescribeOptions(o) {
		got = append(got, d.Name+":"+d.Type+"="+d.Value)
	}
	want := "flag:bool=true n:integer=-3 u:unsigned integer=16 x:number=0.5 s:string=a b list:list of integer=1,2 names:list of string=a,b mode:mode=slow"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	for _, bad := range [][3]string{
		{"flag", "yes", "option 'flag' must be a bool, but got 'yes': expected true or false"},
		{"n", "x", "option 'n' must be an integer, but got 'x'"},
		{"n", "99999999999999999999", "value out of range"},
		{"list", "1,x", "option 'list' must be a list of integer, but got '1,x'"},
		{"mode", "medium", "expected fast or slow"},
		{"m", "1", "no option 'm'; it has 'flag', 'n'"},
	} {
		if err := passes.SetOption(o, bad[0], bad[1]); err == nil || !strings.Contains(err.Error(), bad[2]) {
			t.Errorf("%s=%s: got %v, want %q", bad[0], bad[1], err, bad[2])
		}
	}
	if err := passes.SetOption(nil, "x", "1"); err == nil || !strings.Contains(err.Error(), "takes no options") {
		t.Errorf("no options: got %v", err)
	}
}

type sink struct{ counts int64 }

func (*sink) Report(*ir.Diagnostic)                {}
func (s *sink) Count(_ *passes.Statistic, n int64) { s.counts += n }
func (*sink) Artifact(string, passes.Artifact)     {}

func TestAnalysisCache(t *testing.T) {
	t.Parallel()
	ctx := ir.NewContext()
	def := ctx.UnregisteredOp("x.op")
	b := ir.NewBuilder(ctx.NewArena())
	st := b.NewState(def, nil)
	blk := ir.BuilderAtEnd(st.AddRegion().AddBlock())
	inner := blk.Create(def, nil, nil)
	op := b.Insert(st)

	runs := 0
	count := passes.NewAnalysis("count", "counts", func(*passes.Cache) int { runs++; return runs })
	twice := passes.NewAnalysis("twice", "doubles", func(c *passes.Cache) int { return 2 * count.At(c) })
	var self passes.AnalysisOf[int]
	self = passes.NewAnalysis("self", "loops", func(c *passes.Cache) int { return self.At(c) })

	r := passes.NewRun(context.Background(), pass("p", nil), op, nil, nil, &sink{})
	for range 2 {
		if v := twice.Get(r); v != 2 {
			t.Errorf("twice: %d", v)
		}
	}
	if v := count.At(r.Analyses.Nested(inner)); v != 2 {
		t.Errorf("nested: got %d", v)
	}
	r.Analyses.Invalidate([]*passes.Analysis{count.Analysis})
	if _, ok := twice.Cached(r.Analyses); ok {
		t.Error("twice survives")
	}
	if v, ok := count.Cached(r.Analyses); v != 1 || !ok {
		t.Error("count was preserved but is gone")
	}
	r.Analyses.Invalidate(nil)
	if _, ok := count.Cached(r.Analyses.Nested(inner)); ok {
		t.Error("nested result survives")
	}
	defer func() {
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "depends on itself") {
			t.Errorf("self: %v", v)
		}
	}()
	self.Get(r)
}

func TestTargetValues(t *testing.T) {
	t.Parallel()
	k := passes.NewTargetKey[int]("warps")
	var target passes.Target
	if _, ok := k.Get(&target); ok {
		t.Error("value before Set")
	}
	k.Set(&target, 4)
	if v, ok := k.Get(&target); v != 4 || !ok {
		t.Errorf("got %d %v", v, ok)
	}
}

// TestRejected registers a pass that lacks something: it is no panic while the program starts, but an error with the
// place for those who ask.
func TestRejected(t *testing.T) {
	before := passes.Default.Err()
	passes.Register(&passes.Pass{Name: "without-documentation", Summary: "does nothing", Run: func(*passes.Run) error { return nil }})
	err := passes.Default.Err()
	if before != nil || err == nil || !strings.Contains(err.Error(), "passes_test.go:") || !strings.Contains(err.Error(), "pass 'without-documentation' has no documentation (Doc)") {
		t.Errorf("before %v, after %v", before, err)
	}
	if passes.Default.Lookup("without-documentation") != nil {
		t.Error("the pass was registered")
	}
}
