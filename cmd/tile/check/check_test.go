package check

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/internal/tooling/syncreport"
	"github.com/tilewright/tilewright/target/engine/npy"
)

// exchange has each thread read what one of the other warp has written.
const exchange = `.version 8.0
.target sm_90
.address_size 64
.file 1 "k.py"
.visible .entry k(.param .u64 out, .param .u32 n)
.reqntid 64, 1, 1
{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<4>;
	.shared .align 4 .b8 s[256];
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	setp.lt.u32 %p1, %r1, 32;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, s;
	add.u32 %r4, %r3, %r2;
	.loc 1 7 3
	st.shared.u32 [%r4], %r1;
	bar.sync 0;
	xor.b32 %r5, %r2, 128;
	add.u32 %r6, %r3, %r5;
	ld.shared.u32 %r7, [%r6];
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r7;
	ret;
}
`

// call runs the command on the kernel with an edit, in which a line number of a message does not move.
func call(t *testing.T, old, replacement string, args ...string) (status int, out, errs string) {
	t.Helper()
	if !strings.Contains(exchange, old) {
		t.Fatalf("the kernel has no '%s'", old)
	}
	t.Helper()
	file := filepath.Join(t.TempDir(), "k 1.ptx")
	if err := os.WriteFile(file, []byte(strings.Replace(exchange, old, replacement, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	status = Main(context.Background(), append([]string{file}, args...), strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

var launchArgs = []string{"--grid=1", "--arg=i32[64]", "--arg=i32:64"}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, old, replacement string
		args                   []string
		status                 int
		want                   []string
	}{
		{"right", "", "", launchArgs, 0, []string{"'k': nothing found, for all schedules of this launch"}},
		{"race", "bar.sync 0;", "", launchArgs, 1, []string{"k 1.ptx:23: race: an order between the write and the read", "first line 19 'st.shared.u32 [%r4], %r1;'", "writes 32 bytes of shared memory at 0x0", "from k.py:7:3"}},
		{"deadlock", "bar.sync 0;", "@%p1 bar.sync 1, 128;", launchArgs, 1, []string{"deadlock: ", "cta 0,0,0 warp 0 waiting at line 20 '@%p1 bar.sync 1, 128;'", "for this schedule only"}},
		{"endless", "ret;", "L: bra L;", append([]string{"--max-steps=1000"}, launchArgs...), 1, []string{"step limit reached", "cta 0,0,0 warp 1: at line 27 'bra L;'"}},
		{"too slow", "ret;", "L: bra L;", append([]string{"--timeout=50ms"}, launchArgs...), 1, []string{"the launch took longer than 50ms", "at line 27 'bra L;'"}},
		{"fault", "", "", []string{"--grid=1", "--arg=i32[4]", "--arg=i32:64"}, 1, []string{"fault: ", "out of bounds", "for this schedule only"}},
		{"instruction that the emulator lacks", "ret;", "tex.1d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [t, {%r1}];", launchArgs, 3, []string{"tex.1d.v4.s32.s32", "nothing is claimed"}},
		{"no launch", "", "", nil, 2, []string{"needs --grid, or --launch"}},
		{"few arguments", "", "", []string{"--grid=1"}, 2, []string{"has 2 parameters, but got 0 arguments"}},
		{"no such entry", "", "", append([]string{"--entry=x"}, launchArgs...), 2, []string{"no entry 'x'"}},
		{"bad format", "", "", append([]string{"--format=sarfi"}, launchArgs...), 2, []string{"unknown format 'sarfi' (did you mean 'sarif'?)"}},
		{"case and arguments", "", "", []string{"--launch=case.json", "--arg=i32[64]"}, 2, []string{"--arg does nothing with --launch"}},
		{"no PTX", exchange, "module {}", launchArgs, 2, []string{"is no PTX"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := call(t, tt.old, tt.replacement, tt.args...)
			if status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
			for _, want := range tt.want {
				if !strings.Contains(out+errs, want) {
					t.Errorf("it does not say %q:\n%s%s", want, out, errs)
				}
			}
		})
	}
}

// TestLaunchOfCase takes the arguments of a numeric case.
func TestLaunchOfCase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "case.json")
	a := npy.Array{DType: npy.Int32, Shape: []int{64}, Data: make([]byte, 256)}
	if err := npy.WriteFile(filepath.Join(dir, "out.npy"), &a); err != nil {
		t.Fatal(err)
	}
	text := `{"module": "none.mlir", "entry": "other", "grid": [1, 1, 1], "args": [{"buffer": "out.npy"}, {"scalar": "i32", "value": 64}], "expect": [{"arg": 0, "file": "out.npy", "rtol": 0, "atol": 0}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, errs := call(t, "bar.sync 0;", "", "--launch="+file)
	if status != 1 || !strings.Contains(out, "23: race: ") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	status, out, errs := call(t, "bar.sync 0;", "", append([]string{"--format=json"}, launchArgs...)...)
	var r syncreport.Report
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil || status != 1 {
		t.Fatalf("status %d, %v\n%s%s", status, err, out, errs)
	}
	if r.Format != syncreport.Format || r.Verdict != syncreport.Findings || r.Schedules != "all" || r.Entry != "k" || len(r.Findings) == 0 {
		t.Errorf("the report is %+v", r)
	}
	for _, f := range r.Findings {
		if f.Kind == "" || f.Missing == "" || f.First == nil || f.First.Line == 0 || f.Second.Line == 0 || f.Second.Instruction == "" || f.Second.Warp == nil || f.Second.Space != "shared" {
			t.Errorf("a finding lacks something: %+v", f)
		}
	}
}
