package opttool_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/cmd/tile-opt/opttool"
	"github.com/tilewright/tilewright/internal/testing/testdialect"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/any/canonicalize"
	"github.com/tilewright/tilewright/passes/any/cse"
)

var (
	// No operation is of its dialect, because the module that they stand in is the same for all levels here.
	levelA   = passes.NewLevel("opt_a", "testa", 0, "is at the first level")
	levelB   = passes.NewLevel("opt_b", "testb", 1, "is at the second level")
	levelTxt = passes.NewLevel("opt_text", "", 2, "was written out")
	prepared = passes.NewProperty("opt-prepared", "is prepared", nil, passes.Check{})
)

func pass(name string, run func(*passes.Run) error, edit ...func(*passes.Pass)) *passes.Pass {
	p := &passes.Pass{Name: name, Summary: "do as the name says", Doc: "For tests.", Run: run}
	for _, e := range edit {
		e(p)
	}
	return p
}

func newTool(t testing.TB) *opttool.Tool {
	t.Helper()
	nothing := func(*passes.Run) error { return nil }
	reg := new(passes.Registry)
	for _, p := range []*passes.Pass{
		canonicalize.Pass, cse.Pass,
		pass("remark", func(r *passes.Run) error {
			r.Remarkf(r.Op.Loc(), "target %s -O%d", r.Target.GPU, r.Target.OptLevel)
			return nil
		}, func(p *passes.Pass) { p.On = "test.func" }),
		pass("fail", func(r *passes.Run) error { return r.Op.Errorf("is refused").Note(r.Op.Loc(), "because") }),
		pass("crash", func(*passes.Run) error { panic("boom") }),
		pass("prepare", nothing, func(p *passes.Pass) {
			p.Requires, p.Establishes = []*passes.Property{levelA}, []*passes.Property{prepared}
		}),
		pass("lower", func(r *passes.Run) error {
			r.Op.SetAttr("lowered", r.IR().Unit())
			return nil
		}, func(p *passes.Pass) {
			p.Requires, p.Establishes = []*passes.Property{levelA, prepared}, []*passes.Property{levelB}
		}),
		pass("write-out", func(r *passes.Run) error {
			r.SetArtifact("opt_text", passes.Text("text for "+r.Target.GPU+"\n"))
			return nil
		}, func(p *passes.Pass) {
			p.Requires, p.Establishes = []*passes.Property{levelB}, []*passes.Property{levelTxt}
		}),
	} {
		if err := reg.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	return &opttool.Tool{
		Name: "tile-opt", Dialects: []*ir.Dialect{testdialect.Dialect, forgetful}, Registry: reg,
		Syntax:     func(*ir.Context) asm.ParseOptions { return asm.ParseOptions{ImplicitModule: testdialect.Module} },
		IsBytecode: func(data []byte) bool { return bytes.HasPrefix(data, []byte("\x7fBC")) },
		ReadBytecode: func(ctx *ir.Context, name string, data []byte) (ir.Op, error) {
			if len(data) == 4 {
				panic("reader out of order")
			}
			if len(data) == 3 {
				return ir.Op{}, errors.New("truncated")
			}
			return asm.Parse(ctx, name, data[3:], asm.ParseOptions{})
		},
	}
}

// forgetful is a dialect whose operations do not print all that they have.
var forgetful = &ir.Dialect{Name: "forgetful"}

func init() {
	print := func(ir.AsmPrinter, ir.Op) {}
	forgetful.Op(ir.OpDef{Name: "attr", Attrs: []ir.Field{{Name: "n", Kind: ir.I32Kind, Arity: ir.Optional}},
		Parse: func(ir.AsmParser, *ir.OpState) {}, Print: print})
	forgetful.Op(ir.OpDef{Name: "all", Parse: func(p ir.AsmParser, _ *ir.OpState) { p.ExpectKeyword("word") }, Print: print})
	forgetful.Op(ir.OpDef{Name: "valid", Attrs: []ir.Field{{Name: "n", Kind: ir.I32Kind, Arity: ir.Optional}},
		Parse: func(ir.AsmParser, *ir.OpState) {}, Print: print, Verify: func(op ir.Op) error {
			if op.Attr("n") == nil {
				return op.Errorf("has no number")
			}
			return nil
		}})
}

const input = `"test.func"() <{sym_name = "f"}> ({
^entry(%x: i32):
  %a = "test.sub"(%x, %x) : (i32, i32) -> i32
  %b = "test.sub"(%x, %x) : (i32, i32) -> i32
  "test.use"(%a, %b) : (i32, i32) -> ()
}) : () -> ()
`

func TestMain_(t *testing.T) {
	t.Parallel()
	chunks := "\"test.use\"() : () -> ()\n// -----\n\"test.oops\"() : () -> ()\n// -----\n\"test.write\"() : () -> ()\n"
	tests := []struct {
		name, args, in string
		status         int
		out, err       []string // regular expressions; "!" in front: must not match
	}{
		{"nothing", "", input, 0, []string{`^"test.module"\(\) \({\n  "test.func"`}, []string{"^$"}},
		{"implicit module off", "--no-implicit-module", input, 0, []string{`^"test.func"`}, nil},
		{"pipeline", "--pass-pipeline=test.module(test.func(cse))", input, 0, []string{`use"\(%a, %a\)`}, []string{"^$"}},
		{"single dash", "-pass-pipeline test.module(test.func(cse)) -", input, 0, []string{`use"\(%a, %a\)`}, nil},
		{"pass flags in order", "--remark --cse -gpu-name=sm_1 -O2", input, 0, []string{`use"\(%a, %a\)`}, []string{"1:1: remark: target sm_1 -O2\n"}},
		{"pass flag with options", "--canonicalize=max-iterations=3 --dump-pass-pipeline", input, 0, nil, []string{`^test.module\(canonicalize{max-iterations=3}\)\n$`}},
		{"pass flags are nested", "--cse --remark --dump-pass-pipeline", input, 0, nil, []string{`^test.module\(cse,test.func\(remark\)\)\n`}},
		{"disabled pass", "--cse --disable-pass=cse --dump-pass-pipeline", input, 0, []string{"test.sub.*\n.*test.sub"}, []string{`^test.module\(\)\n$`}},
		{"unknown pass", "--pass-pipeline=any(cce)", input, 2, []string{"^$"}, []string{`1:5: error: unknown pass 'cce' \(did you mean 'cse'\?\)\nany\(cce\)\n    \^\n`}},
		{"wrong option", "--canonicalize=n=3", input, 2, nil, []string{"no option 'n'"}},
		{"wrong flag", "--frob", input, 2, nil, []string{"unknown flag '--frob'"}},
		{"two pipelines", "--cse --lower-to=opt_b", input, 2, nil, []string{"a pass as a flag cannot be combined with --lower-to"}},
		{"optimisation level", "-O4", input, 2, nil, []string{"must be 0 to 3, but got 4"}},
		{"wrong display", "--timing --timing-display=map", input, 2, nil, []string{"must be list, tree, but got 'map'"}},
		{"two inputs", "a b", input, 2, nil, []string{"expected one input file"}},
		{"missing file", "/nonexistent/x.mlir", input, 1, nil, []string{"no such file"}},
		{"root mismatch", "--pass-pipeline=test.func(cse)", input, 1, nil, []string{"cannot run a pipeline for 'test.func' on 'test.module'"}},
		{"matched nothing", "--pass-pipeline=test.module(test.other(cse))", input, 0, nil, []string{"warning: pass 'cse' matched 0 operations: there is no 'test.other'"}},
		{"syntax error", "", "\"test.use\"(%a) : () -> ()", 1, []string{"^$"}, []string{"<stdin>:1:"}},
		{"verifier", "", "\"test.ret\"() : () -> ()\n\"test.use\"() : () -> ()", 1, []string{"^$"}, []string{"<stdin>:1:1: error: 'test.ret' op"}},
		{"unregistered", "", `"foo.bar"() : () -> ()`, 1, nil, []string{"foo.bar"}},
		{"unregistered allowed", "--allow-unregistered-dialect", `"foo.bar"() : () -> ()`, 0, []string{"foo.bar"}, nil},
		{"default pipeline", "--lower-to=opt_b --dump-pass-pipeline", input, 0, []string{`{lowered, tilewright.state = {after = "lower"`}, []string{`^test.module\(prepare,lower\)\n$`}},
		{"default pipeline to an artifact", "--lower-to=opt_text --gpu-name=sm_9", input, 0, []string{"^text for sm_9\n$"}, nil},
		{"unknown level", "--lower-to=opt_c", input, 2, nil, []string{"unknown level 'opt_c'; there is .*'opt_a', .*'opt_b', 'opt_text'"}},
		{"no artifact", "--cse --print-artifact=ptx", input, 1, nil, []string{"no pass left an artifact 'ptx'; there is none"}},
		{"prerequisite does not hold", "--lower", input, 1, nil, []string{"error: pass 'lower' requires 'opt-prepared' .*; 'prepare' would establish it"}},
		{"missing level", "--prepare --lower --prepare", input, 1, nil, []string{"error: pass 'prepare' requires level 'opt_a', but the IR is at level 'opt_b' here; no registered pass establishes it"}},
		{"failing pass", "--fail", input, 1, []string{"^$"}, []string{"error: 'test.module' op is refused", "note: because", "pass 'fail' failed on 'test.module' operation\n"}},
		{"print after all", "-mlir-print-ir-after-all --cse", input, 0, nil, []string{`^// -----// IR Dump After CSE \(cse\) //----- //\n"test.module"`}},
		{"print before", "--print-before=cse --canonicalize --cse", input, 0, nil, []string{`^// -----// IR Dump Before CSE \(cse\) //----- //\n`}},
		{"print unknown", "--print-before=cs --cse", input, 2, nil, []string{"unknown pass 'cs' \\(did you mean 'cse'"}},
		{"print after change", "--print-after-change --cse --canonicalize", input, 0, nil, []string{`After CSE`, `!After Canonicalizer`}},
		{"print after failure", "--print-after-failure --cse --fail", input, 1, nil, []string{`// -----// IR Dump After Fail Failed \(fail\) //----- //`, `!After CSE`}},
		{"generic and locations", "--mlir-print-debuginfo", input, 0, []string{`loc\(`}, nil},
		{"round trip", "--verify-roundtrip", input, 0, nil, []string{"^$"}},
		{"round trip without an attribute", "--verify-roundtrip", `"forgetful.attr"() <{n = 1 : i32}> : () -> ()`, 1, []string{"^$"},
			[]string{`<stdin>:1:1: error: 'forgetful.attr' op reads back as another operation: has attribute 'n' = 1 : i32, then none\n`}},
		{"round trip that does not parse", "--verify-roundtrip", `"forgetful.all"() : () -> ()`, 1, []string{"^$"},
			[]string{`<printed IR>:2:17: error: custom op 'forgetful.all' expected 'word'\n`, "error: the printed IR does not parse"}},
		{"round trip that does not verify", "--verify-roundtrip", `"forgetful.valid"() <{n = 1 : i32}> : () -> ()`, 1, []string{"^$"},
			[]string{`<stdin>:1:1: error: 'forgetful.valid' op has no number`, "error: the printed IR does not verify"}},
		{"timing", "--timing --cse", input, 0, nil, []string{"Execution time report", "  Parser\n", "'test.module' Pipeline\n", "    CSE\n", "Total\n"}},
		{"timing as list", "--mlir-timing --mlir-timing-display=list --cse", input, 0, nil, []string{"  CSE\n"}},
		{"statistics", "--pass-statistics --cse", input, 0, nil, []string{`'test.module' Pipeline\n  CSE\n    \(S\) 1 num-merged - `}},
		{"statistics as list", "--pass-statistics --pass-statistics-display=list --cse", input, 0, nil, []string{`\nCSE\n  \(S\) 1 num-merged - `}},
		{"chunks", "--split-input-file", chunks, 1, []string{`(?s)test.use.*\n// -----\n.*// -----\n.*test.write`}, []string{"<stdin>:3:1: error: .*test.oops", `"test.oops"\(\) : \(\) -> \(\)\n\^`}},
		{"chunks with syntax errors", "--split-input-file", "\"test.use\"(%a) : () -> ()\n// -----\n\"test.use\"() : () -> ()\n// -----\n)", 1,
			[]string{`test.use`}, []string{`(?s)<stdin>:1:18: error: .*<stdin>:5:1: error: `}},
		{"bytecode", "", "\x7fBC" + input, 0, []string{"test.func"}, nil},
		{"bad bytecode", "", "\x7fBC", 1, nil, []string{"error: <stdin>: truncated"}},
		{"panic of the reader", "", "\x7fBCx", 1, []string{"^$"}, []string{"internal error: reader out of order"}},
		{"order hint", "--log=info --pass-pipeline=any(cse,canonicalize)", input, 0, nil, []string{"INF pass 'canonicalize' runs after 'cse', but the pass graph has the opposite order"}},
		{"bisect", "--opt-bisect-limit=1 --cse --canonicalize --prepare --lower", input, 0, []string{`{lowered}`},
			[]string{`^BISECT: running pass \(1\) cse on 'test.module' operation\nBISECT: NOT running pass \(2\) canonicalize on 'test.module' operation\n$`}},
		{"list", "--list-passes", "", 0, []string{`(?m)^cse +any operation  eliminate common`, `(?m)^remark +test.func +do as`}, nil},
		{"help pass", "--help-pass=canonicalize", "", 0, []string{"max-iterations=<integer> \\(default 10\\)", "num-folded - ", "establishes  canonical", "step         canonicalize at cuda_tile from -O1"}, nil},
		{"help unknown pass", "--help-pass=canon", "", 2, nil, []string{"did you mean 'canonicalize'"}},
		{"graph", "--show-pass-graph", "", 0, []string{"all registered passes", "after prepare: establishes 'opt-prepared', which 'lower' requires"}, nil},
		{"graph of a plan", "--show-pass-graph=dot --lower-to=opt_b", "", 0, []string{`"prepare" -> "lower"`}, nil},
		{"graph as picture", "-show-pass-graph=svg", "", 0, []string{"^<svg "}, nil},
		{"graph as music", "-show-pass-graph=midi", "", 2, nil, []string{"must be text, dot, svg"}},
		{"dialects", "--show-dialects", "", 0, []string{"^forgetful\ntest\n$"}, nil},
		{"help", "-help", "", 0, []string{"--pass-pipeline PIPELINE", "(?m)^  --cse +any operation"}, nil},
		{"log", "--log=debug --cse", input, 0, nil, []string{"DBG pass ran .*pass=cse"}},
		{"no reproducer", "--run-reproducer", input, 1, nil, []string{"'<stdin>' is no reproducer"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			status := newTool(t).Main(strings.Fields(tt.args), strings.NewReader(tt.in), &out, &errs)
			if status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
			check := func(what, got string, patterns []string) {
				for _, p := range patterns {
					p, not := strings.CutPrefix(p, "!")
					if regexp.MustCompile(p).MatchString(got) == not {
						t.Errorf("%s does not fit %q", what, p)
					}
				}
			}
			check("output", out.String(), tt.out)
			check("error output", errs.String(), tt.err)
			if t.Failed() {
				t.Logf("tile-opt %s\n%s\n--- stderr\n%s", tt.args, out.String(), errs.String())
			}
		})
	}
}

func TestVerifyDiagnostics(t *testing.T) {
	t.Parallel()
	const bad = `"test.ret"() : () -> ()` + "\n" + `"test.use"() : () -> ()` + "\n"
	const msg = "must be the last operation"
	tests := []struct {
		name, args, in string
		status         int
		err            string
	}{
		{"same line", "", strings.Replace(bad, "\n", " // expected-error {{"+msg+"}}\n", 1), 0, "^$"},
		{"next line", "", "// expected-error@+1 {{" + msg + "}}\n" + bad, 0, "^$"},
		{"line before", "", strings.Replace(bad, "\n", "\n// expected-error@-1 {{"+msg+"}}\n", 1), 0, "^$"},
		{"below", "", "// expected-error@below {{" + msg + "}}\n" + bad, 0, "^$"},
		{"above", "", strings.Replace(bad, "\n", "\n// expected-error@above {{"+msg+"}}\n", 1), 0, "^$"},
		{"pattern", "", "// expected-error-re@below {{must be the {{l[a-z]+}} operation}}\n" + bad, 0, "^$"},
		{"pattern that does not match", "", "// expected-error-re@below {{must be the {{l[0-9]+}} operation}}\n" + bad, 1, "was not produced"},
		{"not expected", "", bad, 1, "<stdin>:1:1: error: unexpected error: 'test.ret' op must be the last"},
		{"not produced", "", "// expected-error@below {{oops}}\n\"test.use\"() : () -> ()\n", 1, `^<stdin>:1: error: expected error "oops" was not produced\n$`},
		{"wrong severity", "", "// expected-warning@below {{" + msg + "}}\n" + bad, 1, "unexpected error(?s).*expected warning"},
		{"wrong line", "", "// expected-error@+2 {{" + msg + "}}\n" + bad, 1, "unexpected error(?s).*was not produced"},
		{"once is not twice", "", "// expected-error@below {{" + msg + "}}\n// expected-error@below {{" + msg + "}}\n" + bad, 1, "was not produced"},
		{"only expected", "=only-expected", bad, 0, "^$"},
		{"no such line", "", "// expected-error@-5 {{x}}\n", 1, "there is no line -5"},
		{"nothing below", "", "\"test.use\"() : () -> ()\n// expected-error@below {{x}}", 1, "there is no line below"},
		{"broken pattern", "", "// expected-error-re {{a {{( }} }}\n", 1, "error parsing regexp"},
		{"note", " --fail", "// expected-error@-9 {{x}}", 1, "there is no line"},
		{"chunks", " --split-input-file", "\"test.use\"() : () -> ()\n// -----\n// expected-error@below {{" + msg + "}}\n" + bad, 0, "^$"},
		{"error and note of a pass", " --no-implicit-module --fail",
			"// expected-error@below {{is refused}}\n// expected-note@below {{because}}\n" + input, 0, "^$"},
		{"note is missing", " --no-implicit-module --fail", "// expected-error@below {{is refused}}\n" + input, 1, "unexpected note: because"},
		{"remark", " --remark --gpu-name=sm_3", "// expected-remark@below {{target sm_3}}\n" + input, 0, "^$"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			args := strings.Fields("--verify-diagnostics" + tt.args)
			status := newTool(t).Main(args, strings.NewReader(tt.in), &out, &errs)
			if status != tt.status || !regexp.MustCompile(tt.err).MatchString(errs.String()) {
				t.Errorf("status %d, want %d; error output\n%s", status, tt.status, errs.String())
			}
		})
	}
}

func TestUnknownLocation(t *testing.T) {
	t.Parallel()
	for text, status := range map[string]int{"// expected-error@unknown {{truncated}}": 1, "": 0} {
		var out, errs bytes.Buffer
		// The comment is no part of bytecode, so that nothing is expected there.
		if got := newTool(t).Main([]string{"--verify-diagnostics=only-expected"}, strings.NewReader(text+"\n\"test.use\"() : () -> ()"), &out, &errs); got != status {
			t.Errorf("%q: status %d, want %d\n%s", text, got, status, errs.String())
		}
	}
}

func TestOutputFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "out.mlir")
	in := filepath.Join(dir, "in.mlir")
	if err := os.WriteFile(in, []byte(input), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, errs bytes.Buffer
	if status := newTool(t).Main([]string{"--cse", in, "-o", out}, nil, &stdout, &errs); status != 0 || stdout.Len() > 0 {
		t.Fatalf("status %d, %s %s", status, stdout.String(), errs.String())
	}
	before, err := os.ReadFile(out)
	if err != nil || !bytes.Contains(before, []byte("(%a, %a)")) {
		t.Fatalf("%s, %v", before, err)
	}
	if status := newTool(t).Main([]string{"--fail", in, "-o", out}, nil, &stdout, &errs); status != 1 {
		t.Errorf("status %d", status)
	}
	if after, _ := os.ReadFile(out); !bytes.Equal(before, after) {
		t.Error("a failed run changed the output file")
	}
}

// TestReproducer lets a pass crash and repeats the crash from the file that is written.
func TestReproducer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "repro.mlir")
	var out, errs bytes.Buffer
	status := newTool(t).Main([]string{"--crash-reproducer", path, "--gpu-name=sm_5", "-O1", "--remark", "--cse", "--crash"}, strings.NewReader(input), &out, &errs)
	if status != 1 || !strings.Contains(errs.String(), "boom") || !strings.Contains(errs.String(), fmt.Sprintf("'tile-opt --run-reproducer %s' repeats this", path)) {
		t.Fatalf("status %d\n%s", status, errs.String())
	}
	errs.Reset()
	if status := newTool(t).Main([]string{"--run-reproducer", path}, nil, &out, &errs); status != 1 || !strings.Contains(errs.String(), "boom") {
		t.Errorf("status %d\n%s", status, errs.String())
	}
	if want := "remark: target sm_5 -O1"; !strings.Contains(errs.String(), want) {
		t.Errorf("no %q in\n%s", want, errs.String())
	}
}

// TestReproducerElsewhere asks for a reproducer in a folder that there is not: it is not lost.
func TestReproducerElsewhere(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "none", "repro.mlir")
	var out, errs bytes.Buffer
	status := newTool(t).Main([]string{"--crash-reproducer", path, "--cse", "--crash"}, strings.NewReader(input), &out, &errs)
	_, file, _ := strings.Cut(errs.String(), "'tile-opt --run-reproducer ")
	file, why, _ := strings.Cut(file, "'")
	if status != 1 || !strings.Contains(why, "the reproducer was put there because of: ") {
		t.Fatalf("status %d\n%s", status, errs.String())
	}
	errs.Reset()
	if status := newTool(t).Main([]string{"--run-reproducer", file}, nil, &out, &errs); status != 1 || !strings.Contains(errs.String(), "boom") {
		t.Errorf("status %d\n%s", status, errs.String())
	}
}

func TestListJSON(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	if status := newTool(t).Main([]string{"--list-passes", "--json"}, nil, &out, &errs); status != 0 {
		t.Fatal(errs.String())
	}
	var list []map[string]any
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p["name"] == "canonicalize" && len(p["options"].([]any)) == 6 && p["title"] == "Canonicalizer" {
			return
		}
	}
	t.Errorf("canonicalize is missing or incomplete:\n%s", out.String())
}

func TestDiscardValueNames(t *testing.T) {
	t.Parallel()
	const in = "%here = \"test.region\"() ({\n^bb0(%there: i32):\n  \"test.ret\"() : () -> ()\n}) : () -> i32\n"
	for args, want := range map[string]string{"": "%here = ", "--discard-value-names": "%0 = "} {
		var out, errs bytes.Buffer
		status := newTool(t).Main(strings.Fields(args), strings.NewReader(in), &out, &errs)
		if got := out.String(); status != 0 || !strings.Contains(got, want) || strings.Contains(got, "there") == (args != "") {
			t.Errorf("%s: status %d\n%s%s", args, status, got, errs.String())
		}
	}
}

func TestDialectFlags(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	seen := false
	tool.Flags = func(fs *pflag.FlagSet) func(ir.Op) bool {
		v := fs.Bool("Wodd", false, "warn about what is odd")
		return func(op ir.Op) bool {
			seen = op.Is(testdialect.Module)
			return !*v
		}
	}
	for args, want := range map[string]int{"": 0, "-Wodd": 1} {
		var out, errs bytes.Buffer
		if status := tool.Main(strings.Fields(args), strings.NewReader(input), &out, &errs); status != want || !seen {
			t.Errorf("%s: status %d, seen %v: %s", args, status, seen, errs.String())
		}
	}
}
