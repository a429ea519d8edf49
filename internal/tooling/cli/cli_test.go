package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func flags() (fs *pflag.FlagSet, values func() []string) {
	fs = NewFlags("tool", map[string]string{"mlir-print-all": "print-all"})
	out := fs.StringP("output", "o", "", "")
	opt := fs.IntP("opt-level", "O", 0, "")
	all := fs.Bool("print-all", false, "")
	pipe := fs.String("pass-pipeline", "", "")
	var passes []string
	fs.Var(Func{func(v string) error { passes = append(passes, v); return nil }, "options"}, "cse", "")
	fs.Lookup("cse").NoOptDefVal = " "
	form := fs.String("form", "", "write `text|dot`")
	fs.Lookup("form").NoOptDefVal = "text"
	return fs, func() []string {
		got := []string{*out, string(rune('0' + *opt)), *pipe, strings.Join(passes, "|"), strings.Join(fs.Args(), ",")}
		if *all {
			got = append(got, "all")
		}
		if *form != "" {
			got = append(got, *form)
		}
		return got
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args string
		want []string // output, level, pipeline, passes, files[, all]
		err  string
	}{
		{"", []string{"", "0", "", "", ""}, ""},
		{"-o out -O3 in", []string{"out", "3", "", "", "in"}, ""},
		{"in -O 2 -output=out", []string{"out", "2", "", "", "in"}, ""},
		{"-pass-pipeline=any(cse) -print-all -", []string{"", "0", "any(cse)", "", "-", "all"}, ""},
		{"--pass-pipeline any(cse) a b", []string{"", "0", "any(cse)", "", "a,b"}, ""},
		{"-pass-pipeline -print-all", []string{"", "0", "-print-all", "", ""}, ""},
		{"-o -print-all in", []string{"-print-all", "0", "", "", "in"}, ""},
		{"-cse --cse=a=1 -cse=b in", []string{"", "0", "", " |a=1|b", "in"}, ""},
		{"-mlir-print-all --mlir-print-all", []string{"", "0", "", "", "", "all"}, ""},
		{"--form -o out in", []string{"out", "0", "", "", "in", "text"}, ""},
		{"--form dot in", []string{"", "0", "", "", "in", "dot"}, ""},
		{"-form=dot text", []string{"", "0", "", "", "text", "dot"}, ""},
		{"--form in dot", []string{"", "0", "", "", "in,dot", "text"}, ""},
		{"-- -cse -o", []string{"", "0", "", "", "-cse,-o"}, ""},
		{"-pass-pipelin=x", nil, "unknown flag '-pass-pipelin' (did you mean 'pass-pipeline'?)"},
		{"--frobnicate", nil, "unknown flag '--frobnicate'"},
		{"-x", nil, "unknown flag '-x'"},
		{"-O", nil, "flag needs an argument: 'O' in -O"},
		{"-O3x", nil, "--opt-level takes an integer, but got '3x'"},
		{"--print-all=maybe", nil, "--print-all takes true or false, but got 'maybe'"},
	}
	for _, tt := range tests {
		fs, values := flags()
		err := Parse(fs, strings.Fields(tt.args))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: got error %v, want %s", tt.args, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.args, err)
		} else if got := values(); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.args, got, tt.want)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"-h", "-help", "--help"} {
		fs, _ := flags()
		if err := Parse(fs, []string{arg}); err != ErrHelp {
			t.Errorf("%s: got %v", arg, err)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for i, to := range []string{path, path, link} {
		text := strings.Repeat("x", 10-i)
		if err := Write(to, []byte(text), nil); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); string(got) != text {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Error("the link was replaced by a file")
	}
	if err := Write(filepath.Join(dir, "none", "out"), nil, nil); err == nil || !strings.Contains(err.Error(), "cannot write") {
		t.Errorf("missing folder: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
	if err := Write(os.DevNull, []byte("x"), nil); err != nil {
		t.Error(err)
	}
	var buf bytes.Buffer
	if err := Write("-", []byte("x"), &buf); err != nil || buf.String() != "x" {
		t.Errorf("standard output: %q, %v", buf.String(), err)
	}
}

// A file has its name once it is complete, and not before; one that is given up leaves nothing on disk.
func TestOutput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	content := func() string {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%d bytes in %d files", len(data), len(entries))
	}
	big := bytes.Repeat([]byte("x"), 3*outputBuffer)
	o := NewOutput(path, nil)
	if _, err := o.Write(big); err != nil {
		t.Fatal(err)
	}
	if got := content(); got != "3 bytes in 2 files" {
		t.Errorf("while it is written: %s", got)
	}
	o.Discard()
	if got := content(); got != "3 bytes in 1 files" {
		t.Errorf("given up: %s", got)
	}
	o = NewOutput(path, nil)
	for _, part := range [][]byte{big, nil, []byte("\n"), []byte("end")} {
		if _, err := o.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := o.EndLine(); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	if got, want := content(), fmt.Sprintf("%d bytes in 1 files", len(big)+1+1+4); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestOutputFails(t *testing.T) {
	t.Parallel()
	for path, stdout := range map[string]io.Writer{"-": closedPipe{}, filepath.Join(t.TempDir(), "none", "out"): nil} {
		o := NewOutput(path, stdout)
		_, _ = o.Write(make([]byte, 2*outputBuffer))
		var want *WriteError
		if err := o.Commit(); !errors.As(err, &want) || err != o.Err() {
			t.Errorf("%s: got %v, want %v", path, err, o.Err())
		}
	}
}

func TestReadAndInput(t *testing.T) {
	t.Parallel()
	if name, data, err := Read("-", strings.NewReader("x")); name != StdinName || string(data) != "x" || err != nil {
		t.Errorf("got %q %q %v", name, data, err)
	}
	if _, _, err := Read(filepath.Join(t.TempDir(), "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := Input([]string{"a", "b"}); err == nil {
		t.Error("two inputs are accepted")
	}
}

func TestLogger(t *testing.T) {
	t.Parallel()
	var buf bytes.Buffer
	log, err := Logger(&buf, "info")
	if err != nil {
		t.Fatal(err)
	}
	log.Info().Int("n", 1).Msg("shown")
	log.Debug().Msg("hidden")
	if got := buf.String(); got != "INF shown n=1\n" {
		t.Errorf("got %q", got)
	}
	if _, err := Logger(&buf, "loud"); err == nil {
		t.Error("unknown level is accepted")
	}
}
