package pipeline

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// A small compiler in the shape of the real one: three levels, canonical form, and a schedule.
var (
	lvlHigh = passes.NewLevel("high", "high", 0, "is as it was written").WithUnit("high.func")
	lvlMid  = passes.NewLevel("mid", "mid", 1, "has layouts")
	lvlLow  = passes.NewLevel("low", "low", 2, "is code of one thread")
	canon   = passes.NewProperty("test-canonical", "is in canonical form", nil, passes.Check{})
	laidOut = passes.NewProperty("test-laid-out", "has a layout everywhere", lvlMid, passes.Check{})
	planned = passes.NewProperty("test-planned", "has a schedule on every loop", lvlMid, passes.Check{})
	checked = passes.NewProperty("test-checked", "can be checked", lvlHigh, passes.Check{Unit: func(op ir.Op, _ *passes.Target) *ir.Diagnostic { return op.Errorf("is what it is") }})
	magic   = passes.NewProperty("test-magic", "is magic", nil, passes.Check{})
)

type props = []*passes.Property

func needs(ps ...*passes.Property) func(*passes.Pass) {
	return func(p *passes.Pass) { p.Requires = append(p.Requires, ps...) }
}

func makes(ps ...*passes.Property) func(*passes.Pass) {
	return func(p *passes.Pass) { p.Establishes = append(p.Establishes, ps...) }
}

func breaks(ps ...*passes.Property) func(*passes.Pass) {
	return func(p *passes.Pass) { p.Destroys = append(p.Destroys, ps...) }
}

func after(name, reason string) func(*passes.Pass) {
	return func(p *passes.Pass) { p.After = append(p.After, passes.Edge{Pass: name, Reason: reason}) }
}

func before(name, reason string) func(*passes.Pass) {
	return func(p *passes.Pass) { p.Before = append(p.Before, passes.Edge{Pass: name, Reason: reason}) }
}

func step(s passes.Step) func(*passes.Pass) {
	return func(p *passes.Pass) { p.Steps = append(p.Steps, s) }
}

func forGPU(gpu string) func(*passes.Pass) {
	return func(p *passes.Pass) {
		p.When = func(t *passes.Target) bool { return t.GPU == gpu }
		p.WhenDoc = gpu + " only"
	}
}

func compilerPasses() []*passes.Pass {
	return []*passes.Pass{
		testPass("canonicalize", makes(canon), withOptions),
		testPass("fuse", on("high.func"), needs(lvlHigh), breaks(canon), step(passes.Step{MinOpt: 2}), before("unroll", "fusing sees one body, not copies of it")),
		testPass("unroll", on("high.func"), needs(lvlHigh, canon), breaks(canon), step(passes.Step{MinOpt: 2})),
		testPass("merge", step(passes.Step{Level: lvlHigh, MinOpt: 1}), step(passes.Step{Label: "late", Level: lvlLow, MinOpt: 1}),
			after("fuse", "fusing leaves equal operations")),
		testPass("lower-high", needs(lvlHigh, canon), makes(lvlMid), breaks(lvlHigh, canon)),
		testPass("lay-out-old", needs(lvlMid), makes(laidOut), forGPU("old")),
		testPass("lay-out", needs(lvlMid), makes(laidOut)),
		testPass("plan-loops", withOptions, needs(lvlMid, laidOut), makes(planned), step(passes.Step{MinOpt: 2, Options: "n=3"})),
		testPass("lower-mid", needs(lvlMid, laidOut), makes(lvlLow), breaks(lvlMid, canon, laidOut, planned)),
		testPass("unused", needs(lvlMid)),
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		from, to *passes.Property
		gpu      string
		opt      int
		want     string
	}{
		{"no optimisation", lvlHigh, lvlLow, "new", 0, "canonicalize lower-high lay-out lower-mid"},
		{"merging", lvlHigh, lvlLow, "new", 1, "merge canonicalize lower-high lay-out lower-mid merge#late"},
		{"restored property", lvlHigh, lvlLow, "new", 2, "fuse merge canonicalize unroll canonicalize#2 lower-high lay-out plan-loops lower-mid merge#late"},
		{"other target", lvlHigh, lvlLow, "old", 0, "canonicalize lower-high lay-out-old lower-mid"},
		{"half way", lvlHigh, lvlMid, "new", 2, "fuse merge canonicalize unroll canonicalize#2 lower-high lay-out plan-loops"},
		{"input below", lvlMid, lvlLow, "new", 1, "lay-out lower-mid merge#late"},
		{"nowhere", lvlHigh, lvlHigh, "new", 1, "merge canonicalize"},
		{"property", lvlHigh, planned, "new", 0, "canonicalize lower-high lay-out plan-loops"},
		{"property of a step", lvlHigh, planned, "new", 2, "fuse merge canonicalize unroll canonicalize#2 lower-high lay-out plan-loops"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			reg := registryOf(t, compilerPasses()...)
			for range 20 { // the order must not depend on map iteration
				p, err := NewPlan(reg, Goal{From: tt.from, To: tt.to, Target: &passes.Target{GPU: tt.gpu, OptLevel: tt.opt}})
				if err != nil {
					t.Fatal(err)
				}
				if got := p.String(); got != tt.want {
					t.Fatalf("got  %s\nwant %s", got, tt.want)
				}
			}
		})
	}
}

func TestPlanErrors(t *testing.T) {
	t.Parallel()
	goal := Goal{From: lvlHigh, To: lvlLow}
	tests := []struct {
		name  string
		extra []*passes.Pass
		goal  Goal
		want  string
	}{
		{"cycle", []*passes.Pass{
			testPass("a", needs(lvlHigh), step(passes.Step{}), after("c", "c makes room")),
			testPass("b", needs(lvlHigh), step(passes.Step{}), after("a", "a is first")),
			testPass("c", needs(lvlHigh), step(passes.Step{}), after("b", "b feeds c")),
		}, goal, "the order of passes has a cycle: 'c' before 'a' (c makes room), 'a' before 'b' (a is first), 'b' before 'c' (b feeds c)"},
		{"no supplier", []*passes.Pass{testPass("wish", needs(lvlMid, magic), step(passes.Step{}))}, goal,
			"pass 'wish' requires 'test-magic' (the IR is magic), and no registered pass establishes it at level 'mid' or before"},
		{"supplier at a later level", []*passes.Pass{testPass("wish", needs(lvlHigh, laidOut), step(passes.Step{}))}, goal,
			"pass 'wish' requires 'test-laid-out' (the IR has a layout everywhere), and no registered pass establishes it at level 'high' or before"},
		{"no way back", nil, Goal{From: lvlLow, To: lvlHigh}, "no registered pass lowers 'low' towards 'high'"},
		{"no way", nil, Goal{From: lvlHigh, To: magic, Target: &passes.Target{GPU: "new"}}, "no registered pass establishes 'test-magic' for new"},
		{"unknown input", nil, Goal{To: lvlLow}, "the level of the input is not known"},
		{"unknown edge", []*passes.Pass{testPass("x", after("y", "r"))}, goal, "pass 'x' is ordered relative to 'y', which is not registered"},
		{"lost for ever", []*passes.Pass{
			testPass("bless", needs(lvlHigh), makes(magic)),
			testPass("curse", needs(lvlMid), breaks(magic), step(passes.Step{}), before("use", "a curse comes first")),
			testPass("use", needs(lvlMid, magic), step(passes.Step{})),
		}, goal, "'use' requires 'test-magic' (the IR is magic), which 'curse' destroys, and no registered pass establishes it again at level 'mid'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := NewPlan(registryOf(t, append(compilerPasses(), tt.extra...)...), tt.goal)
			if err == nil || err.Error() != tt.want && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestCycleErrorIsTyped(t *testing.T) {
	t.Parallel()
	reg := registryOf(t, testPass("a", needs(lvlHigh), step(passes.Step{}), after("b", "x")), testPass("b", needs(lvlHigh), step(passes.Step{}), after("a", "y")))
	_, err := NewPlan(reg, Goal{From: lvlHigh, To: lvlHigh})
	var cycle *CycleError
	if !errors.As(err, &cycle) || len(cycle.IDs) != 2 || len(cycle.Reasons) != 2 {
		t.Errorf("got %v", err)
	}
}

func TestPlanPipeline(t *testing.T) {
	t.Parallel()
	reg := registryOf(t, compilerPasses()...)
	p, err := NewPlan(reg, Goal{From: lvlHigh, To: lvlLow, Target: &passes.Target{OptLevel: 2}})
	if err != nil {
		t.Fatal(err)
	}
	pl, err := p.Pipeline(reg, "builtin.module", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "builtin.module(high.func(fuse,merge,canonicalize,unroll,canonicalize),lower-high,lay-out,plan-loops{n=3},lower-mid,merge)"
	if reg2 := pl.String(); reg2 != want {
		t.Errorf("got  %s\nwant %s", reg2, want)
	}
	if _, err := Check(reg, pl, Input{Level: lvlHigh}); err != nil {
		t.Errorf("the default pipeline does not pass the check: %v", err)
	}
}

// TestStepOn puts a step of a pass that runs on any operation on one that is not the unit of the level.
func TestStepOn(t *testing.T) {
	t.Parallel()
	reg := registryOf(t, append(compilerPasses(), testPass("sweep", step(passes.Step{Level: lvlHigh, On: "high.module"}), after("unroll", "last")))...)
	p, err := NewPlan(reg, Goal{From: lvlHigh, To: lvlMid, Target: &passes.Target{OptLevel: 2}})
	if err != nil {
		t.Fatal(err)
	}
	pl, err := p.Pipeline(reg, "builtin.module", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := pl.String(), "high.func(fuse,merge,canonicalize,unroll),high.module(sweep)"; !strings.Contains(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	reg := registryOf(t, append(compilerPasses(), testPass("bless-use", needs(checked)))...)
	tests := []struct {
		text    string
		in      Input
		err     string
		warning string
	}{
		{"any(canonicalize,lower-high)", Input{Level: lvlHigh}, "", ""},
		{"any(lower-high)", Input{Level: lvlHigh}, "pass 'lower-high' requires 'test-canonical' (the IR is in canonical form), which no earlier pass establishes; 'canonicalize' would establish it", ""},
		{"any(bless-use)", Input{Level: lvlHigh}, "pass 'bless-use' requires 'test-checked' (the IR can be checked), which no earlier pass establishes; no registered pass establishes it", ""},
		{"any(canonicalize,lower-high,plan-loops)", Input{Level: lvlHigh}, "pass 'plan-loops' requires 'test-laid-out'", ""},
		{"any(lower-high)", Input{Level: lvlHigh, Have: props{canon}}, "", ""},
		{"any(canonicalize,high.func(unroll),lower-high)", Input{Level: lvlHigh}, "which 'unroll' destroys; 'canonicalize' would establish it", ""},
		{"any(lower-mid)", Input{Level: lvlHigh}, "pass 'lower-mid' requires level 'mid', but the IR is at level 'high' here; 'lower-high' would establish it", ""},
		{"any(plan-loops)", Input{Level: lvlMid}, "pass 'plan-loops' requires 'test-laid-out' (the IR has a layout everywhere), which no earlier pass establishes; 'lay-out-old' or 'lay-out' would establish it", ""},
		{"any(lay-out,plan-loops)", Input{}, "", ""},
		{"any(canonicalize,lower-high,high.func(fuse))", Input{}, "pass 'fuse' requires level 'high', but the IR is at level 'mid' here; no registered pass establishes it", ""},
		{"any(canonicalize,high.func(unroll,fuse))", Input{Level: lvlHigh}, "", "pass 'fuse' runs after 'unroll', but the pass graph has the opposite order: fusing sees one body, not copies of it"},
		{"any(merge,high.func(fuse))", Input{Level: lvlHigh}, "", "pass 'fuse' runs after 'merge', but the pass graph has the opposite order: fusing leaves equal operations"},
	}
	for _, tt := range tests {
		p, err := Parse(reg, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		hints, err := Check(reg, p, tt.in)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: got error  %v\nwant %s", tt.text, err, tt.err)
		}
		if got := strings.Join(hints, "\n"); got != tt.warning {
			t.Errorf("%s: got warnings %q, want %q", tt.text, got, tt.warning)
		}
	}
}

// golden compares got with a file under testdata. TILEWRIGHT_UPDATE=1 rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("TILEWRIGHT_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (TILEWRIGHT_UPDATE=1 rewrites it); got\n%s", path, got)
	}
}

func TestShowGraph(t *testing.T) {
	t.Parallel()
	reg := registryOf(t, compilerPasses()...)
	p, err := NewPlan(reg, Goal{From: lvlHigh, To: lvlLow, Target: &passes.Target{GPU: "new", OptLevel: 2}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := ViewRegistry(reg)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]*GraphView{"plan": ViewPlan(p), "registry": all} {
		for ext, write := range map[string]func(io.Writer) error{"txt": v.WriteText, "dot": v.WriteDOT, "svg": v.WriteSVG} {
			var buf bytes.Buffer
			if err := write(&buf); err != nil {
				t.Fatal(err)
			}
			golden(t, name+"."+ext, buf.String())
			if ext == "svg" {
				checkSVG(t, buf.String(), v)
			}
		}
	}
}

// checkSVG checks that the drawing is well-formed and shows every step and every reason.
func checkSVG(t *testing.T, svg string, v *GraphView) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(svg))
	var text strings.Builder
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("drawing is not well-formed: %v", err)
		}
		if s, ok := tok.(xml.CharData); ok {
			text.Write(s)
			text.WriteByte('\n')
		}
	}
	for _, lane := range v.Lanes {
		for _, s := range lane.Steps {
			if !strings.Contains(text.String(), "\n"+s.ID+"\n") {
				t.Errorf("step %s is not drawn", s.ID)
			}
		}
	}
	for _, e := range v.Edges {
		if !strings.Contains(text.String(), e.Reason()) {
			t.Errorf("the reason %q is not in the drawing", e.Reason())
		}
	}
}
