package ptxas

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/scratch"
)

const good = `.version 8.0
.target sm_90a
.address_size 64
.shared .align 16 .b8 s[64];
.visible .entry first(.param .u64 p) {
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	st.volatile.shared.b32 [s], 0;
	ld.volatile.shared.b32 %r1, [s];
	st.global.b32 [%rd1], %r1;
	bar.sync 0;
	ret;
}
.visible .entry second() { ret; }
`

func tool(t *testing.T) *Tool {
	t.Helper()
	found, err := Find(judges.Ptxas(t))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAssemble(t *testing.T) {
	t.Parallel()
	result, err := tool(t).Assemble(t.Context(), []byte(good), Options{Arch: "sm_90a", OptLevel: 3, LineInfo: true})
	if err != nil {
		t.Fatal(err)
	}
	file, err := elf.NewFile(bytes.NewReader(result.Cubin))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".text.first", ".text.second"} {
		if file.Section(name) == nil {
			t.Errorf("the cubin has no section %s", name)
		}
	}
	byName := make(map[string]Stats)
	for _, s := range result.Entries {
		byName[s.Entry] = s
	}
	if s := byName["first"]; s.Registers == 0 || s.Barriers != 1 || s.Shared != 64 || s.SpillStores != 0 || s.Arch != "sm_90a" {
		t.Errorf("statistics of the first entry: %+v", s)
	}
	if s, ok := byName["second"]; !ok || s.Barriers != 0 || s.Shared != 0 {
		t.Errorf("statistics of the second entry: %+v", s)
	}
}

func TestAssembleRejects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		ptx  string
		arch string
		want Diagnostic
	}{
		{"unknown instruction", strings.Replace(good, "bar.sync 0", "barr.sync 0", 1), "sm_90a",
			Diagnostic{Problem, 12, "Not a name of any known instruction: 'barr'", "barr.sync 0;"}},
		{"syntax", strings.Replace(good, "ret;\n}\n.visible", "ret\n}\n.visible", 1), "sm_90a",
			Diagnostic{Fatal, 14, "Parsing error near '}': syntax error", "}"}},
		{"wrong target", good, "sm_80",
			Diagnostic{Fatal, 0, "SM version specified by .target is higher than default SM version assumed", ""}},
		{"unknown target", good, "sm_1", Diagnostic{Fatal, 0, "Value 'sm_1' is not defined for option 'gpu-name'", ""}},
		{"empty", "", "sm_90a", Diagnostic{Fatal, 1, "Missing .version directive at start of file 'module.ptx'", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			result, err := tool(t).Assemble(t.Context(), []byte(tt.ptx), Options{Arch: tt.arch})
			var rejected *Error
			if result != nil || !errors.As(err, &rejected) || len(rejected.Diagnostics) == 0 {
				t.Fatalf("got %v, %v; want a rejection", result, err)
			}
			if diff := cmp.Diff(tt.want, rejected.Diagnostics[0]); diff != "" {
				t.Errorf("first diagnostic (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStaticSharedMemory(t *testing.T) {
	t.Parallel()
	ptx := strings.NewReplacer("s[64]", "s[60000]", "sm_90a", "sm_90").Replace(good)
	_, err := tool(t).Assemble(t.Context(), []byte(ptx), Options{Arch: "sm_90"})
	if err == nil || !strings.Contains(err.Error(), "uses too much shared data") {
		t.Errorf("60000 bytes of static shared memory: error %v", err)
	}
	result, err := tool(t).Assemble(t.Context(), []byte(ptx), Options{Arch: "sm_90", ExtendedShared: true})
	if err != nil || result.Entries[0].Shared+result.Entries[1].Shared != 60000 {
		t.Errorf("with the extension: %+v, %v", result, err)
	}
}

// script makes a program that stands in for the assembler.
func script(t *testing.T, text string) *Tool {
	t.Helper()
	return &Tool{Path: scratch.Script(t, t.TempDir(), program, "#!/bin/sh\n"+text+"\n")}
}

func TestCancelKills(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	t.Setenv("TMPDIR", t.TempDir())
	start := time.Now()
	_, err := script(t, "exec sleep 60").Assemble(ctx, nil, Options{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v, want %v", err, context.DeadlineExceeded)
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("the assembler outlived its context by %v", d)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) != 0 {
		t.Errorf("temporary files left behind: %v, %v", left, err)
	}
}

func TestBadPrograms(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want string }{
		{"no output", "exit 0", "ptxas succeeded without output"},
		{"empty output", `while [ "$1" != -o ]; do shift; done; : >"$2"`, "ptxas succeeded with an empty output"},
		{"crash", "echo oops; exit 3", "running ptxas: exit status 3: oops"},
		{"silent crash", "exit 3", "running ptxas: exit status 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			result, err := script(t, tt.script).Assemble(t.Context(), nil, Options{})
			if result != nil || err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, error %v; want error %q", result, err, tt.want)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	if v, err := tool(t).Version(t.Context()); err != nil || !strings.HasPrefix(v, "V") {
		t.Errorf("Version = %q, %v", v, err)
	}
	if v, err := script(t, "echo none").Version(t.Context()); err == nil {
		t.Errorf("Version = %q, want an error", v)
	}
}

func TestParseLog(t *testing.T) {
	t.Parallel()
	const log = `ptxas warning : Value of threads per SM for entry k is out of range
ptxas info    : 4 bytes gmem, 16 bytes cmem[4]
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 24 registers, used 1 barriers, 16 bytes cumulative stack size, 1024 bytes smem, 4 bytes lmem, 352 bytes cmem[0], 8 bytes cmem[2]
ptxas info    : Compile time = 10.500 ms
ptxas /dir with, line 3; x/a.ptx, line 7; error   : first
ptxas fatal   : Ptx assembly aborted due to errors
`
	messages, entries := parseLog([]byte(log))
	wantMessages := []Diagnostic{
		{Warning, 0, "Value of threads per SM for entry k is out of range", ""},
		{Problem, 7, "first", ""},
	}
	wantEntries := []Stats{{
		Entry: "k", Arch: "sm_80", Registers: 24, Barriers: 1, Stack: 16, SpillStores: 8, SpillLoads: 12, Shared: 1024,
		Local: 4, Constant: 360, CompileTime: 10500 * time.Microsecond,
	}}
	if diff := cmp.Diff(wantMessages, messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantEntries, entries); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	e := &Error{}
	for range shownDiagnostics + 2 {
		e.Diagnostics = append(e.Diagnostics, Diagnostic{Problem, 3, "bad", "add r;"})
	}
	text := e.Error()
	if !strings.HasPrefix(text, "ptxas rejected the PTX\nline 3: error: bad\n\tadd r;\n") || !strings.HasSuffix(text, "\n2 more") {
		t.Errorf("text:\n%s", text)
	}
}

// TestMachine: the machine code of an entry names lines of its PTX, and its registers are those of the log.
func TestMachine(t *testing.T) {
	tool := tool(t)
	t.Setenv(EnvVar, tool.Path)
	const ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %rd<2>; .reg .f32 %f<3>;\n" +
		"ld.param.u64 %rd1, [a];\nld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%rd1], %f2;\nret;\n}\n"
	code := Machine(t.Context(), []byte(ptx), "sm_90", "k")
	if code.Registers == 0 || code.Spills != 0 {
		t.Errorf("%d registers, %d bytes spilled", code.Registers, code.Spills)
	}
	if _, err := tool.Disassemble(t.Context(), nil); errors.Is(err, ErrNoDisassembler) {
		t.Skip(err)
	}
	lines := make(map[string]int)
	for i := range code.Instructions {
		lines[code.Instructions[i].Name()] = code.Instructions[i].Line
	}
	if lines["LDG"] != 8 || lines["FADD"] != 9 || lines["STG"] != 10 {
		t.Errorf("lines of the machine code: %v", lines)
	}
	if code := Machine(t.Context(), []byte("no PTX"), "sm_90", "k"); code.Registers != 0 || code.Instructions != nil {
		t.Errorf("of text that is no PTX: %+v", code)
	}
}
