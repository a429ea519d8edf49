package times

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const kernel = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a)
.reqntid 32, 1, 1
{
	.reg .b32 %r<4>; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [a];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 32, %r1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd1, %rd1, %rd2;
	ld.global.b32 %r1, [%rd1]; add.u32 %r1, %r1, 1; st.global.b32 [%rd1], %r1;
	ret;
}
`

// TestTool: estimates and what is rejected, with the message.
func TestTool(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "k.ptx")
	if err := os.WriteFile(file, []byte(kernel), 0o666); err != nil {
		t.Fatal(err)
	}
	launch := []string{"--grid=1024", "--arg=i32[32768]=uninitialized"}
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{append(launch, file), 0, "us on H100 SXM5 at 1830 MHz, an estimate"},
		{append(launch, "--device=a100-sxm4-80gb", "--clock=1000", file), 0, "us on A100 SXM4 80GB at 1000 MHz, an estimate"},
		{append(launch, "--json", "--timed-by=events", file), 0, `"estimate": true`},
		{[]string{"--devices"}, 0, "GeForce RTX 5090"},
		{append(launch, "--device=H101 NVL", file), 2, "unknown device 'H101 NVL' (did you mean 'H100 NVL'?)"},
		{append(launch, "--clock=0", file), 2, "--clock must be a positive number of MHz, but got 0"},
		{append(launch, "--clock=NaN", file), 2, "--clock must be a positive number"},
		{append(launch, "--timed-by=eye", file), 2, "--timed-by is 'profiler' or 'events', but got 'eye'"},
		{append(launch, "--code=sass", file), 2, "--code is 'machine' or 'ptx', but got 'sass'"},
		{append(launch, "--code=ptx", file), 0, "us on H100 SXM5 at 1830 MHz, an estimate"},
		{[]string{file}, 2, "a launch needs --grid, or --launch"},
		{launch, 2, "expected one case, module or file of PTX, but got 0"},
		{[]string{"--grid=1024", "--arg=i32[32]", file}, 1, "tile block"},
	} {
		var out, errs bytes.Buffer
		status := Main(context.Background(), tt.args, strings.NewReader(""), &out, &errs)
		if said := out.String() + errs.String(); status != tt.status || !strings.Contains(said, tt.want) {
			t.Errorf("%q: status %d, want %d with %q: %.300s", tt.args, status, tt.status, tt.want, said)
		}
	}
}
