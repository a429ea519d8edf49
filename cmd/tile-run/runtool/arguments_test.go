package runtool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/tooling/demo"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// TestArrays runs the MMA of the demo with arrays in the place of fifteen arguments, and gets what the case
// expects.
func TestArrays(t *testing.T) {
	t.Parallel()
	dir, err := demo.Extract(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	zeros := &npy.Array{DType: npy.Float16, Shape: []int{9000}, Data: make([]byte, 18000)}
	if err := npy.WriteFile(in("zeros.npy"), zeros); err != nil {
		t.Fatal(err)
	}
	shaped := []string{in("k.tileirbc"), "--grid=12", "--array=a=f16[100x80]=" + in("a.npy"), "--array=b=f16[80x90]=" + in("b.npy"), "--array=c=f16[100x90]=zeros"}
	for _, tt := range []struct {
		args   []string
		status int
		want   string // part of what it says
	}{
		{append(shaped[:5:5], "--check=a="+in("a.npy"), "--out=c="+in("c.npy")), 0, "arg 0 (f16[8000]): ok"},
		{append(shaped[:5:5], "--engine=ptx", "--check=c="+in("c.npy")+",rtol=0.002,atol=0.02"), 0, "arg 10 (f16[9000]): ok"},
		{append(shaped[:5:5], "--check=c="+in("zeros.npy")), 1, "elements differ"},
		{append(shaped[:4:4], "--array=f16[100x90]=random"), 0, ""},
		{append(shaped[:4:4], "--arg=@a", "--arg=i32:100", "--arg=i32:80", "--arg=i32:80", "--arg=i32:1"), 0, ""},
		{append(shaped[:4:4], "--arg=@9"), 2, "there is no buffer '9' before it"},
		{append(shaped[:4:4], "--array=a=f16[2]"), 2, "two arrays are called 'a'"},
		{append(shaped[:4:4], "--array=i32:3"), 2, "is a scalar, which --arg passes"},
		{append(shaped[:5:5], "--out=d="+in("d.npy")), 2, "\"d\" is not the index of an argument"},
	} {
		var out, errs strings.Builder
		status := Main(t.Context(), tt.args, nil, &out, &errs)
		if status != tt.status || !strings.Contains(out.String()+errs.String(), tt.want) {
			t.Errorf("%v: status %d, want %d\n%s%s", tt.args[2:], status, tt.status, out.String(), errs.String())
		}
	}
	if _, err := os.Stat(in("c.npy")); err != nil {
		t.Error(err)
	}
}

// TestOnlyEntry leaves out --entry, for IR and PTX.
func TestOnlyEntry(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		text   string
		args   []string
		status int
		want   string
	}{
		"one.mlir":  {"entry @k() {\n  return\n}\n", nil, 0, "k [interp]"},
		"two.mlir":  {"entry @k() {\n  return\n}\nentry @l() {\n  return\n}\n", nil, 1, "has 2 entries, and --entry does not say which; entries: k, l"},
		"none.mlir": {"cuda_tile.module @m {\n}\n", nil, 1, "has no entry"},
		"one.ptx":   {".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry p()\n{\n\tret;\n}\n", []string{"--engine=ptx", "--block=32"}, 0, "p [ptx]"},
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs strings.Builder
		status := Main(t.Context(), append(tt.args, file, "--grid=1"), nil, &out, &errs)
		if status != tt.status || !strings.Contains(out.String()+errs.String(), tt.want) {
			t.Errorf("%s: status %d, want %d\n%s%s", name, status, tt.status, out.String(), errs.String())
		}
	}
}
