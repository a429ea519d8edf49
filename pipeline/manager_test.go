package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
)

var (
	testDialect = &ir.Dialect{Name: "test"}
	symKind     = &ir.AttrKind{Name: "symbol name", Desc: "a string", Check: func(a ir.Attribute) bool { _, ok := a.(*ir.StringAttr); return ok }}
	symField    = ir.Field{Name: ir.SymName, Kind: symKind, Arity: ir.Optional}

	_ = testDialect.Op(ir.OpDef{Name: "module", Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.SingleBlock | ir.NoTerminator | ir.Symbol,
		Attrs: []ir.Field{symField}, Regions: []ir.Field{{Name: "body"}}})
	_ = testDialect.Op(ir.OpDef{Name: "func", Traits: ir.IsolatedFromAbove | ir.Symbol | ir.NoTerminator | ir.SingleBlock,
		Attrs: []ir.Field{symField}, Regions: []ir.Field{{Name: "body"}}})
	testWrap = testDialect.Op(ir.OpDef{Name: "wrap", Traits: ir.NoTerminator, Regions: []ir.Field{{Name: "body"}}})
	testOp   = testDialect.Op(ir.OpDef{Name: "op", Operands: []ir.Field{{Name: "in", Type: ir.AnyType, Arity: ir.Variadic}},
		Results: []ir.Field{{Name: "out", Type: ir.AnyType, Arity: ir.Variadic}}})
	testBad = testDialect.Op(ir.OpDef{Name: "bad", Verify: func(op ir.Op) error { return op.Errorf("is never right") }})
)

func parse(t testing.TB, text string) ir.Op {
	t.Helper()
	ctx := ir.NewContext(testDialect)
	op, err := asm.Parse(ctx, "t.mlir", []byte(text), asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return op
}

// funcs returns a module with the named functions, each with one test.op, nested in a second module.
func funcs(names ...string) string {
	var sb strings.Builder
	sb.WriteString("\"test.module\"() ({\n  \"test.module\"() <{sym_name = \"inner\"}> ({\n")
	for _, n := range names {
		fmt.Fprintf(&sb, "    \"test.func\"() <{sym_name = %q}> ({\n      \"test.op\"() : () -> ()\n    }) : () -> ()\n", n)
	}
	sb.WriteString("  }) : () -> ()\n}) : () -> ()\n")
	return sb.String()
}

var numSeen = passes.NewStatistic("num-seen", "operations seen")

// managerPasses are passes that do what their name says.
func managerPasses() []*passes.Pass {
	see := func(r *passes.Run) error {
		r.Remarkf(r.Op.Loc(), "saw @%s", r.Op.SymbolName())
		r.Add(numSeen, 1)
		r.SetArtifact("last", passes.Text(r.Op.SymbolName()))
		return nil
	}
	addOp := func(r *passes.Run) error {
		ir.BuilderAtEnd(r.Op.Body()).Create(testOp, nil, nil)
		return nil
	}
	addBad := func(r *passes.Run) error {
		ir.BuilderAtEnd(r.Op.Body()).Create(testBad, nil, nil)
		return nil
	}
	failOn := func(name string) func(*passes.Run) error {
		return func(r *passes.Run) error {
			if r.Op.SymbolName() == name || name == "" {
				return r.Op.Errorf("is not to my taste")
			}
			return nil
		}
	}
	with := func(run func(*passes.Run) error) func(*passes.Pass) {
		return func(p *passes.Pass) { p.Run = run; p.Statistics = []*passes.Statistic{numSeen} }
	}
	return []*passes.Pass{
		testPass("see", with(see)),
		testPass("see-func", with(see), on("test.func")),
		testPass("add-op", with(addOp), func(p *passes.Pass) { p.Title = "OpAdder" }),
		testPass("add-bad", with(addBad)),
		testPass("fail", with(failOn(""))),
		testPass("fail-b", with(failOn("b"))),
		testPass("fail-twice", with(func(r *passes.Run) error {
			return errors.Join(r.Op.Errorf("is one"), r.Op.Errorf("is two"))
		})),
		testPass("crash", with(func(*passes.Run) error { panic("out of cheese") })),
		testPass("nop", with(nothing)),
	}
}

// runPipeline parses and runs, and returns the diagnostics as text, one in a line.
func runPipeline(t testing.TB, m *Manager, text, input string) (op ir.Op, res *Result, diags string, err error) {
	t.Helper()
	p, perr := Parse(registryOf(t, managerPasses()...), text)
	if perr != nil {
		t.Fatal(perr)
	}
	op = parse(t, input)
	var sb strings.Builder
	defer op.Context().Diag.Push(func(d *ir.Diagnostic) { sb.WriteString(d.Error() + "\n") })()
	res, err = m.Run(context.Background(), p, op)
	return op, res, sb.String(), err
}

func TestRunMatching(t *testing.T) {
	t.Parallel()
	tests := []struct{ pipeline, want, unmatched string }{
		{"test.module(see)", "saw @", ""},
		{"any(see)", "saw @", ""},
		{"test.module(test.module(test.func(see)))", "saw @a saw @b", ""},
		{"test.module(test.func(see-func))", "saw @a saw @b", ""}, // through the inner module
		{"test.module(any(see))", "saw @inner", ""},
		{"test.module(any(any(see)))", "saw @a saw @b", ""},
		{"test.module(test.other(see),see)", "saw @", "pass 'see' matched 0 operations: there is no 'test.other' where the pipeline looks for one"},
		{"test.module(test.func(see,see-func),see)", "saw @a saw @a saw @b saw @b saw @", ""},
	}
	for _, tt := range tests {
		for _, workers := range []int{1, 4} {
			_, res, diags, err := runPipeline(t, &Manager{Workers: workers}, tt.pipeline, funcs("a", "b"))
			if err != nil {
				t.Errorf("%s: %v", tt.pipeline, err)
				continue
			}
			var got []string
			for _, line := range strings.Split(strings.TrimSpace(diags), "\n") {
				_, msg, _ := strings.Cut(line, "remark: ")
				got = append(got, msg)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("%s: got %q, want %q", tt.pipeline, s, tt.want)
			}
			var unmatched []string
			for _, u := range res.Unmatched {
				unmatched = append(unmatched, u.String())
			}
			if s := strings.Join(unmatched, "\n"); s != tt.unmatched {
				t.Errorf("%s: unmatched %q, want %q", tt.pipeline, s, tt.unmatched)
			}
		}
	}
}

func TestRunRejectsNest(t *testing.T) {
	t.Parallel()
	if _, _, _, err := runPipeline(t, &Manager{}, "test.func(see)", funcs("a")); err == nil || err.Error() != "cannot run a pipeline for 'test.func' on 'test.module'" {
		t.Errorf("wrong root: %v", err)
	}
	_, _, diags, err := runPipeline(t, &Manager{}, "test.module(test.module(test.func(test.op(see))))", funcs("a"))
	if want := "t.mlir:4:7: error: 'test.op' op is not isolated from above, so that no pass can be nested on it\n"; err == nil || diags != want {
		t.Errorf("nest on an operation that is not isolated: got %q, %v", diags, err)
	}
}

// TestRunOrder checks that reports do not depend on the number of workers.
func TestRunOrder(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("f%d", i))
	}
	outcome := func(workers int, pipeline string) string {
		op, res, diags, err := runPipeline(t, &Manager{Workers: workers}, pipeline, funcs(names...))
		if res == nil {
			return diags + err.Error()
		}
		return fmt.Sprintf("%s%s %v %s", diags, asm.String(op), res.Statistics[0].Value, res.Artifacts["last"])
	}
	for _, p := range []string{"test.module(test.func(see,add-op,see))", "test.module(test.func(see,fail))"} {
		one := outcome(1, p)
		for range 5 {
			if many := outcome(8, p); many != one {
				t.Fatalf("%s: reports differ between 1 and 8 workers", p)
			}
		}
	}
	if !strings.HasSuffix(outcome(8, "test.module(test.func(see))"), " 200 f199") {
		t.Error("statistics or artifacts are not merged in order")
	}
}

func TestRunFailures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pipeline string
		kind     FailureKind
		err      string
		diags    string
	}{
		{"test.module(test.func(fail-b,nop))", Rejected,
			"pass 'fail-b' failed on 'test.func' operation: @b: t.mlir:6:5: error: 'test.func' op is not to my taste",
			"t.mlir:6:5: error: 'test.func' op is not to my taste\n"},
		{"test.module(fail-twice)", Rejected, "pass 'fail-twice' failed on 'test.module' operation: ",
			"t.mlir:1:1: error: 'test.module' op is one\nt.mlir:1:1: error: 'test.module' op is two\n"},
		{"test.module(test.func(add-bad))", Invalid, "pass 'add-bad' left invalid IR in 'test.func' operation: @a: ",
			"error: 'test.bad' op is never right\nerror: 'test.bad' op is never right\n"},
		{"test.module(nop,crash)", Crashed, "pass 'crash' crashed on 'test.module' operation: panic: out of cheese",
			"t.mlir:1:1: error: pass 'crash' crashed on 'test.module' operation: panic: out of cheese\n"},
	}
	for _, tt := range tests {
		for _, workers := range []int{1, 4} {
			_, _, diags, err := runPipeline(t, &Manager{Workers: workers}, tt.pipeline, funcs("a", "b"))
			var f *Failure
			if !errors.As(err, &f) || f.Kind != tt.kind || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: got %v, want %s", tt.pipeline, err, tt.err)
				continue
			}
			if got := strings.ReplaceAll(diags, "loc(unknown): ", ""); got != tt.diags {
				t.Errorf("%s: got diagnostics\n%swant\n%s", tt.pipeline, got, tt.diags)
			}
			if (f.Stack != nil) != (tt.kind == Crashed) {
				t.Errorf("%s: stack %q", tt.pipeline, f.Stack)
			}
		}
	}
	if _, _, _, err := runPipeline(t, &Manager{NoVerify: true}, "test.module(test.func(add-bad))", funcs("a")); err != nil {
		t.Errorf("without verification: %v", err)
	}
	// With less verification the last pass in a row is named, also where it changes nothing itself.
	for text, want := range map[string]string{
		"test.module(test.func(add-bad,nop,nop))":        "pass 'nop' left invalid IR in 'test.func' operation: @a: ",
		"test.module(test.func(add-bad),nop,fail-twice)": "pass 'add-bad' left invalid IR in 'test.func' operation: @a: ",
	} {
		if _, _, _, err := runPipeline(t, &Manager{VerifyLast: true}, text, funcs("a")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s with less verification: got %v, want %s", text, err, want)
		}
	}
}

func TestRunCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := Parse(registryOf(t, managerPasses()...), "any(nop)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := new(Manager).Run(ctx, p, parse(t, funcs("a"))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func printer(w io.Writer, op ir.Op) error { return asm.Print(w, op, asm.PrintOptions{}) }

func TestPrintIR(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, pipeline string
		print          PrintIR
	}{
		{"after-all", "test.module(nop,test.func(add-op))", PrintIR{AfterAll: true}},
		{"before-and-after", "test.module(test.func(add-op,nop))", PrintIR{Before: []string{"nop"}, After: []string{"add-op"}}},
		{"changed", "test.module(nop,test.func(add-op,nop))", PrintIR{OnlyChanged: true}},
		{"failed", "test.module(nop,test.func(add-op,fail-b))", PrintIR{OnlyFailed: true}},
		{"module-scope", "test.module(test.func(add-op))", PrintIR{AfterAll: true, ModuleScope: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var buf bytes.Buffer
			p := tt.print
			p.W, p.Print = &buf, printer
			_, _, _, _ = runPipeline(t, &Manager{Instruments: []Instrument{&p}}, tt.pipeline, funcs("a", "b"))
			if p.Err() != nil {
				t.Error(p.Err())
			}
			golden(t, "print-"+tt.name+".txt", buf.String())
		})
	}
}

func TestPrintTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := &PrintIR{AfterAll: true, Tree: dir, Print: printer}
	if _, _, _, err := runPipeline(t, &Manager{Instruments: []Instrument{p}}, "test.module(nop,test.func(nop,add-op),nop)", funcs("a", "../x")); err != nil || p.Err() != nil {
		t.Fatal(err, p.Err())
	}
	var got []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			got = append(got, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	root := "test_module_no-symbol-name/"
	want := []string{
		root + "0_nop.mlir",
		root + "1_nop.mlir",
		root + "test_module_inner/test_func_%2e%2e%2fx/1_0_0_nop.mlir",
		root + "test_module_inner/test_func_%2e%2e%2fx/1_0_1_add-op.mlir",
		root + "test_module_inner/test_func_a/1_0_0_nop.mlir",
		root + "test_module_inner/test_func_a/1_0_1_add-op.mlir",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	wrap := func(body string) string { return "\"test.func\"() ({\n" + body + "\n}) : () -> ()" }
	ctx := ir.NewContext(testDialect)
	of := func(text string) Fingerprint {
		op, err := asm.Parse(ctx, "t.mlir", []byte(text), asm.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		op.Walk(func(o ir.Op) ir.WalkResult { o.SetLoc(ctx.UnknownLoc()); return ir.Advance })
		return FingerprintOf(op)
	}
	base := "%a = \"test.op\"() : () -> i32 \"test.op\"(%a, %a) : (i32, i32) -> ()"
	if of(wrap(base)) != of(wrap(strings.ReplaceAll(base, "%a", "%other"))) {
		t.Error("names count")
	}
	for _, different := range []string{
		"%a = \"test.op\"() : () -> i32 \"test.op\"(%a) : (i32) -> ()",
		"%a = \"test.op\"() : () -> i64 \"test.op\"(%a, %a) : (i64, i64) -> ()",
		"%a = \"test.op\"() {x} : () -> i32 \"test.op\"(%a, %a) : (i32, i32) -> ()",
		"\"test.wrap\"() ({ %a = \"test.op\"() : () -> i32 \"test.op\"(%a, %a) : (i32, i32) -> () }) : () -> ()",
		"%a = \"test.op\"() : () -> i32 \"test.op\"(%a, %a) : (i32, i32) -> () \"test.op\"() : () -> ()",
	} {
		if of(wrap(different)) == of(wrap(base)) {
			t.Errorf("%s has the fingerprint of %s", different, base)
		}
	}
	moved := "\"test.wrap\"() ({ \"test.op\"() : () -> () }) : () -> () \"test.op\"() : () -> ()"
	if of(wrap(moved)) == of(wrap("\"test.wrap\"() ({ \"test.op\"() : () -> () \"test.op\"() : () -> () }) : () -> ()")) {
		t.Error("the end of a region does not count")
	}
	_ = testWrap
}

func TestReports(t *testing.T) {
	t.Parallel()
	reg := registryOf(t, managerPasses()...)
	p, err := Parse(reg, "test.module(test.func(see,add-op),see)")
	if err != nil {
		t.Fatal(err)
	}
	timing := NewTiming()
	timing.Add("Parser", 0)
	m := &Manager{Instruments: []Instrument{timing}}
	res, err := m.Run(context.Background(), p, parse(t, funcs("a", "b")))
	if err != nil {
		t.Fatal(err)
	}
	var stats, list, tree, flat bytes.Buffer
	if err := errors.Join(WriteStatistics(&stats, p, res.Statistics), WriteStatisticsList(&list, res.Statistics), timing.WriteTree(&tree, p), timing.WriteList(&flat)); err != nil {
		t.Fatal(err)
	}
	golden(t, "statistics.txt", stats.String())
	golden(t, "statistics-list.txt", list.String())
	for _, want := range []string{"... Execution time report ...", "Total Execution Time: 0.", "  Parser\n", "  'test.module' Pipeline\n", "    'test.func' Pipeline\n", "      OpAdder\n", "        (V) verifier\n", "  Rest\n", "(100.0%)  Total\n"} {
		if !strings.Contains(tree.String(), want) {
			t.Errorf("tree has no %q:\n%s", want, tree.String())
		}
	}
	if n := strings.Count(flat.String(), "See"); n != 1 {
		t.Errorf("list has See %d times:\n%s", n, flat.String())
	}
}

func TestReproducer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "crash.mlir")
	input := func() (ir.Op, error) { return parse(t, funcs("a")), nil }
	m := &Manager{Workers: 1, Target: &passes.Target{GPU: "sm_90", OptLevel: 3}, Reproducer: &Reproducer{Path: path, Input: input}}
	const text = "test.module(test.func(add-op),crash)"
	_, _, _, err := runPipeline(t, m, text, funcs("a"))
	if err == nil || !strings.Contains(err.Error(), "(reproducer: "+path+")") {
		t.Fatalf("got %v", err)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var groups []asm.ResourceGroup
	op, err := asm.Parse(ir.NewContext(testDialect), path, src, asm.ParseOptions{Resources: &groups})
	if err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	if asm.String(op) != asm.String(parse(t, funcs("a"))) {
		t.Errorf("the IR is not that before the pipeline:\n%s", src)
	}
	rec, ok := RecipeFrom(groups)
	if want := (Recipe{Pipeline: text, VerifyEach: true, DisableThreading: true, Target: passes.Target{GPU: "sm_90", OptLevel: 3}}); !ok || !reflect.DeepEqual(rec, want) {
		t.Errorf("recipe: got %+v, want %+v", rec, want)
	}
	m.Reproducer.Path = ""
	if _, _, _, err := runPipeline(t, m, "test.module(fail)", funcs("a")); strings.Contains(err.Error(), "reproducer") {
		t.Errorf("a reproducer was written unasked for a failure that is no crash: %v", err)
	}
	_, _, _, err = runPipeline(t, m, "test.module(crash)", funcs("a"))
	var f *Failure
	if !errors.As(err, &f) || f.Reproducer == "" {
		t.Fatalf("no reproducer by default for a crash: %v", err)
	}
	if err := os.Remove(f.Reproducer); err != nil {
		t.Error(err)
	}
}

// TestAnalysisCaching counts how often an analysis is computed.
func TestAnalysisCaching(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	computed := 0
	count := passes.NewAnalysis("count", "counts", func(c *passes.Cache) int {
		mu.Lock()
		defer mu.Unlock()
		computed++
		return 0
	})
	use := func(edit func(*passes.Run), preserves ...*passes.Analysis) func(*passes.Pass) {
		return func(p *passes.Pass) {
			p.Preserves = preserves
			p.Run = func(r *passes.Run) error {
				if edit != nil {
					edit(r)
				}
				count.Get(r)
				return nil
			}
		}
	}
	change := func(r *passes.Run) error {
		ir.BuilderAtEnd(r.Op.Body()).Create(testOp, nil, nil)
		return nil
	}
	reg := registryOf(t,
		testPass("use", use(func(*passes.Run) {})),
		testPass("use-keep", use(nil, count.Analysis)),
		testPass("change", func(p *passes.Pass) { p.Run = change }),
		testPass("change-keep", func(p *passes.Pass) { p.Run = change; p.Preserves = []*passes.Analysis{count.Analysis} }),
	)
	tests := []struct {
		pipeline string
		want     int
	}{
		{"any(use,use,use)", 1},
		{"any(use,change,use)", 2},
		{"any(use,change-keep,use)", 1},
		{"any(use-keep,use)", 1},
		{"any(test.func(use,use))", 2},
		{"any(use,test.func(use),use)", 3},
		{"any(use,test.func(change),use)", 2},
		{"any(use,test.func(change-keep),use)", 1},
		{"any(test.func(use),change,test.func(use))", 4},
	}
	for _, tt := range tests {
		p, err := Parse(reg, tt.pipeline)
		if err != nil {
			t.Fatal(err)
		}
		computed = 0
		if _, err := (&Manager{}).Run(context.Background(), p, parse(t, funcs("a", "b"))); err != nil {
			t.Fatal(err)
		}
		if computed != tt.want {
			t.Errorf("%s: computed %d times, want %d", tt.pipeline, computed, tt.want)
		}
	}
}
