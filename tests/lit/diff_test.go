package lit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, same, blank, other := file("a", "x\ny\n"), file("same", "x\ny\n"), file("blank", "x\n\n\ny\n"), file("other", "x\nz\n")
	tests := []struct {
		args   []string
		status int
		out    string
	}{
		{[]string{a, same}, 0, ""},
		{[]string{a, blank}, 1, "-    2 | y\n"},
		{[]string{a, blank, "-B"}, 0, ""},
		{[]string{"--ignore-blank-lines", a, other}, 1, "-    2 | y\n-    3 | \n+    2 | z\n"},
		{[]string{a}, 2, "expected two files, got 1"},
		{[]string{a, filepath.Join(dir, "none")}, 2, "no such file"},
		{[]string{a, same, "-u"}, 2, "unknown option '-u'"},
	}
	for _, tt := range tests {
		var out, errs bytes.Buffer
		status := Diff(tt.args, &out, &errs)
		if got := out.String() + errs.String(); status != tt.status || !strings.Contains(got, tt.out) || (tt.out == "") != (got == "") {
			t.Errorf("%v: status %d, want %d:\n%s", tt.args, status, tt.status, got)
		}
	}
}

// TestExpectedFailures has files that are not to run, or not to pass.
func TestExpectedFailures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		runs       int
		err        string
	}{
		{"fails as expected", "// XFAIL: *\n// RUN: fail\n", 1, ""},
		{"passes unexpectedly", "// XFAIL: *\n// RUN: echo\n// RUN: echo\n", 2, "the test passes, but a line XFAIL says that it fails"},
		{"fails elsewhere", "// XFAIL: system-plan9\n// RUN: fail\n", 1, "ended with status 1"},
		{"not supported", "// UNSUPPORTED: system-plan9, *\n// RUN: fail\n", 0, "UNSUPPORTED: system-plan9, *"},
		{"not supported elsewhere", "// UNSUPPORTED: system-plan9\n// RUN: echo\n", 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "k.mlir")
			if err := os.WriteFile(path, []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			runs, err := (&Suite{Tools: tools}).runFile(t, path)
			if runs != tt.runs || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%d runs, error %v", runs, err)
			}
		})
	}
}
