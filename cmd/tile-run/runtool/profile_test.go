package runtool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// doubled stores twice the number of each thread.
const doubled = `.version 7.8
.target sm_80
.address_size 64
.file 1 "double.py"
.visible .entry double(.param .u64 out)
.reqntid 32, 1, 1
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	.loc 1 3 5
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	.loc 1 4 5
	add.u32 %r2, %r1, %r1;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.b32 [%rd3], %r2;
	ret;
}
`

func profileArgs(t *testing.T, more ...string) []string {
	file := filepath.Join(t.TempDir(), "double.ptx")
	if err := os.WriteFile(file, []byte(doubled), 0o666); err != nil {
		t.Fatal(err)
	}
	return append([]string{"--engine=ptx", file, "--entry=double", "--grid=3", "--arg=i32[32]"}, more...)
}

func TestProfileJSON(t *testing.T) {
	t.Parallel()
	type launched struct {
		Case string
		emu.Report
	}
	for _, tt := range []struct {
		flags    []string
		requests uint64
	}{{[]string{"--profile=json"}, 3}, {[]string{"--profile=json", "--profile-block=1"}, 1}, {[]string{"--profile", "--json"}, 3}} {
		status, out, errs := run(profileArgs(t, tt.flags...)...)
		if status != 0 {
			t.Fatalf("%v: status %d: %s", tt.flags, status, errs)
		}
		var got []launched
		if slices.Contains(tt.flags, "--json") {
			var outcomes []struct{ Profile emu.Report }
			if err := json.Unmarshal([]byte(out), &outcomes); err != nil {
				t.Fatal(err)
			}
			got = append(got, launched{Report: outcomes[0].Profile})
		} else if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%v: %v in %s", tt.flags, err, out)
		}
		if len(got) != 1 || got[0].Entry != "double" || got[0].Format != 1 || got[0].Total.Counters[machine.GlobalStore] != tt.requests || len(got[0].Lines) != 7 {
			t.Errorf("%v: got %+v", tt.flags, got)
		}
		if s := got[0].Sources; len(s) != 2 || s[1].Source.String() != "double.py:4" || s[1].Counters.Counters[machine.WarpInstructions] != 5*tt.requests {
			t.Errorf("%v: sources %+v", tt.flags, s)
		}
	}
}

func TestProfileText(t *testing.T) {
	t.Parallel()
	status, out, errs := run(profileArgs(t, "--profile", "--profile-lines=1")...)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, want := range []string{"double sm_80: 1 launch, 3 tile blocks", "global store  3         12       12     4          384", "double.py:4"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func TestProfileFlags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--profile=xml"}, "unknown form 'xml' of profiles; forms: text, json, pprof, trace"},
		{[]string{"--profile="}, "unknown form '' of profiles"},
		{[]string{"--profile=json", "--json"}, "--profile=json writes in place of --json"},
		{[]string{"--profile-block=1"}, "--profile-block is for --profile"},
		{[]string{"--profile-lines=1"}, "--profile-lines is for --profile"},
		{[]string{"--profile", "--profile-lines=-1"}, "--profile-lines must not be negative"},
		{[]string{"--profile", "--profile-block=x"}, "'x' is not a number"},
		{[]string{"--profile", "--profile-block=3"}, "--profile-block=3,0,0 is outside of the grid"},
	} {
		if status, _, errs := run(profileArgs(t, tt.flags...)...); status == 0 || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: status %d, no %q in: %s", tt.flags, status, tt.want, errs)
		}
	}
	args := profileArgs(t, "--profile")
	args[0] = "--engine=interp"
	if status, _, errs := run(args...); status == 0 || !strings.Contains(errs, "--profile is for the engine 'ptx'") {
		t.Errorf("interp: status %d: %s", status, errs)
	}
}

// TestProfileDocument checks that the page about profiles names every counter, and no other.
func TestProfileDocument(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "profile.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(string(page), -1) {
		named[m[1]] = true
	}
	known := map[string]bool{}
	for k := range machine.NumCounters {
		known[k.String()] = true
	}
	for _, a := range machine.Accesses() {
		if !named[a.Name] && !strings.HasSuffix(a.Name, "_load") {
			t.Errorf("the page has no '%s'", a.Name)
		}
	}
	for k := range machine.NumCounters {
		if !machine.OfAccess(k) && !named[k.String()] {
			t.Errorf("the page has no '%s'", k)
		}
	}
	for name := range named {
		if strings.HasPrefix(name, "global_load_") || strings.HasPrefix(name, "shared_load_") {
			if !known[name] {
				t.Errorf("there is no counter '%s'", name)
			}
		}
	}
}

func run(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = runtool.Main(context.Background(), args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}
