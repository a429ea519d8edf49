package lit

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tools are small stand-ins for the project's tools.
var tools = map[string]Tool{
	"show": func(args []string, _ io.Reader, stdout, stderr io.Writer) int {
		for _, a := range args {
			text, err := os.ReadFile(a)
			if err != nil {
				fmt.Fprintln(stderr, err)
				return 1
			}
			if _, err := stdout.Write(text); err != nil {
				return 1
			}
		}
		return 0
	},
	"upper": func(_ []string, stdin io.Reader, stdout, _ io.Writer) int {
		text, err := io.ReadAll(stdin)
		if err != nil {
			return 1
		}
		fmt.Fprint(stdout, strings.ToUpper(string(text)))
		return 0
	},
	"echo": func(args []string, _ io.Reader, stdout, _ io.Writer) int {
		fmt.Fprintln(stdout, strings.Join(args, "|"))
		return 0
	},
	"fail": func(args []string, _ io.Reader, stdout, stderr io.Writer) int {
		fmt.Fprintln(stdout, "before")
		fmt.Fprintln(stderr, "failed:", strings.Join(args, " "))
		return 1
	},
	"panic": func([]string, io.Reader, io.Writer, io.Writer) int { panic("out of cheese") },
}

func TestSuite(t *testing.T) {
	t.Parallel()
	s := &Suite{Root: filepath.Join("testdata", "pass"), Tools: tools, Package: "./tests/lit"}
	files, err := s.files()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"golden.mlir", "judge.mlir", "nested/errors.mlir", "pipe.mlir"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Fatalf("files (-want +got):\n%s", diff)
	}
	s.Run(t)
}

func TestFailures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string // parts of the message
	}{
		{"check fails", "// RUN: show %s | upper | FileCheck %s\n// CHECK: nothing\n",
			[]string{"k.mlir:1: RUN: show %s | upper | FileCheck %s\n", "ended with status 1", "k.mlir:2:11: error: CHECK: expected string not found", "<stdin>:1:1: note: scanning from here", "// RUN: SHOW"}},
		{"tool fails", "// RUN: fail now\n", []string{"'fail now' ended with status 1", "-- errors:\nfailed: now", "-- output:\nbefore"}},
		{"tool fails in a pipe", "// RUN: fail now | upper\n", []string{"'fail now' ended with status 1"}},
		{"second line fails", "// RUN: echo\n// RUN: fail\n", []string{"k.mlir:2: RUN: fail"}},
		{"inverted success", "// RUN: not echo x\n", []string{"'echo x' succeeded, and was expected to fail"}},
		{"panic", "// RUN: panic\n", []string{"'panic' ended with status -1", "panic: out of cheese", "lit_test.go"}},
		{"inverted panic", "// RUN: not panic\n", []string{"ended with status -1", "out of cheese"}},
		{"unknown command", "// RUN: nosuch x\n", []string{"unknown command 'nosuch'"}},
		{"inverted unknown command", "// RUN: not nosuch x\n", []string{"unknown command 'nosuch'"}},
		{"nothing inverted", "// RUN: not\n", []string{"'not' needs a command"}},
		{"no line", "// CHECK: x\n", []string{"no RUN line, so nothing would be tested"}},
		{"word like the keyword", "// TRUN: echo\n// PRE-RUN: echo\n", []string{"no RUN line"}},
		{"continued into nothing", "// RUN: echo \\\n", []string{"line 1: RUN: echo: the line is continued and nothing follows"}},
		{"unknown judge", "// REQUIRES: gpu\n// RUN: echo\n", []string{"REQUIRES: unknown judge 'gpu', expected one of cuobjdump, nvdisasm, ptxas"}},
		{"missing judge", "// REQUIRES: ptxas,\n// RUN: echo\n", []string{"line 1: REQUIRES: ptxas,: a name is missing"}},
		{"unknown judge of a line", "// RUN(gpu): echo\n", []string{"unknown judge 'gpu', expected one of cuobjdump, nvdisasm, ptxas"}},
		{"two judges of a line", "// RUN(ptxas, python): echo\n", []string{"line 1: RUN(ptxas, python): a line needs one judge at most, not 'ptxas' and 'python'"}},
		{"golden differs", "// RUN: echo x | golden %s\n", []string{"the output differs from", "-update rewrites it\n-    1 | // RUN: echo", "+    1 | x"}},
		{"golden is missing", "// RUN: echo x | golden %t\n", []string{"no such file"}},
		{"golden without file", "// RUN: echo x | golden\n", []string{"golden: expected one file, got 0"}},
		{"input is missing", "// RUN: upper < %t\n", []string{"no such file"}},
		{"empty stage", "// RUN: echo | | upper\n", []string{"line 1: RUN: echo | | upper: a command is missing"}},
		{"bad option", "// RUN: echo | FileCheck %s --nosuch\n", []string{"line 1: RUN:", "unknown flag: --nosuch"}},
		{"misspelt directive", "// RUN: echo x | FileCheck %s\n// RUN: echo x | FileCheck %s --check-prefix=CHECK-B\n// CHECK: x\n// CHECK-B: x\n// CHECK-BNEXT: x\n",
			[]string{"unknown directive 'CHECK-BNEXT:'"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "k.mlir")
			if err := os.WriteFile(path, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			s := &Suite{Tools: tools}
			_, err := s.runFile(t, path)
			if err == nil {
				t.Fatal("the test passes")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("message\n%v\nlacks %q", err, want)
				}
			}
		})
	}
}

func TestUpdateRewritesGoldenFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	golden := filepath.Join(dir, "out.txt")
	file, err := parseFile("// RUN: echo new | golden %S/out.txt\n")
	if err != nil {
		t.Fatal(err)
	}
	e := &environment{path: filepath.Join(dir, "k.mlir"), temp: dir, file: file, tools: tools, update: true}
	if err := e.runAll(""); err != nil {
		t.Fatal(err)
	}
	e.update = false
	if err := e.runAll(""); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(golden); err != nil || string(text) != "new\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestParseLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		want []command
		err  string
	}{
		{line: "a b  c", want: []command{{words: []string{"a", "b", "c"}}}},
		{line: `a 'b | c' "d \" e"f ''`, want: []command{{words: []string{"a", "b | c", `d " ef`, ""}}}},
		{line: `a b\|c`, want: []command{{words: []string{"a", "b|c"}}}},
		{line: "a|b>c", want: []command{{words: []string{"a"}}, {words: []string{"b"}, stdout: "c"}}},
		{line: "a <in 2>err", want: []command{{words: []string{"a"}, stdin: "in", stderr: "err"}}},
		{line: "a 2>&1 | b", want: []command{{words: []string{"a"}, merged: true}, {words: []string{"b"}}}},
		{line: "a -O2>x", want: []command{{words: []string{"a", "-O2"}, stdout: "x"}}},
		{line: "a --x='p(q)' * ?", want: []command{{words: []string{"a", "--x=p(q)", "*", "?"}}}},
		{line: "", err: "a command is missing"},
		{line: "a |", err: "a command is missing"},
		{line: "a >", err: "'>' needs a file"},
		{line: "a > | b", err: "'>' needs a file"},
		{line: "a > x | b", err: "'a' has a pipe and a file for its output"},
		{line: "a | b < x", err: "'b' has a pipe and a file for its input"},
		{line: "a 2> x 2>&1", err: "'a' redirects its errors twice"},
		{line: "a && b", err: "'&' is not supported here"},
		{line: "a; b", err: "';' is not supported here"},
		{line: "a $x", err: "'$' is not supported here"},
		{line: "a p(q)", err: "'(' is not supported here; quote it"},
		{line: `a "$x"`, err: "'$' is not supported in double quotes"},
		{line: "a 'b", err: "no end of the text quoted with '"},
		{line: `a \`, err: "nothing follows the backslash"},
	}
	for _, tt := range tests {
		got, err := parseLine(tt.line)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, error %v; want error %q", tt.line, got, err, tt.err)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(command{})); err != nil || diff != "" {
			t.Errorf("%s: error %v (-want +got):\n%s", tt.line, err, diff)
		}
	}
}

// TestConditions: a line runs where its condition holds, and only there.
func TestConditions(t *testing.T) {
	t.Parallel()
	file, err := parseFile("// RUN: echo\n// RUN(long): echo\n// RUN(long, ptxas): echo a \\\n// RUN(long, ptxas): b\n// PRE-RUN(x): echo\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []runLine{{line: 1, text: "echo"}, {line: 2, text: "echo", long: true}, {line: 3, text: "echo a b", long: true, judge: "ptxas"}}
	for i := range file.runs {
		file.runs[i].commands = nil
	}
	if diff := cmp.Diff(want, file.runs, cmp.AllowUnexported(runLine{}, command{})); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ptxas"}, file.judges()); diff != "" {
		t.Errorf("judges (-want +got):\n%s", diff)
	}
}

func TestSubstitute(t *testing.T) {
	t.Parallel()
	values := map[string]string{"s": "/d/k.mlir", "t": "/tmp/x", "tool": "my-tool", "tool_two": "other"}
	for word, want := range map[string]string{
		"%s": "/d/k.mlir", "--i=%s.o": "--i=/d/k.mlir.o", "%%s": "%s", "%sum": "%sum", "%": "%", "%q": "%q", "%t%s": "/tmp/x/d/k.mlir",
		"%tool": "my-tool", "%tool_two": "other", "%t2.bc": "/tmp/x2.bc", "%s2": "%s2", "%t2x": "/tmp/x2x", "%%%s": "%/d/k.mlir",
	} {
		if got := substitute(word, values); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

func TestRepeat(t *testing.T) {
	t.Parallel()
	got := repeat("./tests", "TestSuite/a/b.mlir")
	if want := `go test ./tests -run '^TestSuite$/^a$/^b\.mlir$'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", excerptBytes) + "yy\n"
	got := excerpt("output", []byte(long))
	if !strings.Contains(got, "[2 bytes left out]") || !strings.HasSuffix(got, "yy") {
		t.Errorf("got %d bytes, ending in %q", len(got), got[len(got)-10:])
	}
	if got := excerpt("output", []byte("\n")); got != "" {
		t.Errorf("an empty output shows as %q", got)
	}
}
