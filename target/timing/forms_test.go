package timing_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/tilewright/tilewright/target/engine/emu"
	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sass"
	"github.com/tilewright/tilewright/target/timing"
	"github.com/tilewright/tilewright/target/timing/pprof"
)

// copiesAndMMAs waits for several things, under a name that must be harmless in all forms.
func copiesAndMMAs() *micro {
	return &micro{arch: "sm_80", warps: 4, grid: 200, body: ".file 1 \"</script>\\n.py\"\n.loc 1 7 3\nmul.wide.u32 %rd2, %r1, 16; add.u64 %rd2, %rd2, %rd1; ld.global.f32 %f1, [%rd2]; fma.rn.f32 %f2, %f1, %f1, %f1;\n.loc 1 8 1\nbar.sync 0;" +
		repeat(8, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%%f1, %%f2, %%f3, %%f4}, {%%r10, %%r10, %%r10, %%r10}, {%%r10, %%r10}, {%%f1, %%f2, %%f3, %%f4};")}
}

// TestForms: the text says that it is an estimate; JSON comes back as it was; pprof's own reader takes the profile,
// in which cycles are those of the lines; the trace is one that viewers read.
func TestForms(t *testing.T) {
	t.Parallel()
	_, e := copiesAndMMAs().run(t)
	list := []timing.Named{{Name: "a \x1b[31m <b>", Estimate: e}, {Name: "second", Estimate: e}}

	var text bytes.Buffer
	if err := e.WriteText(&text, 3); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"estimate of time on sm_80 (A100 SXM4 40GB), by a model", "busy (estimate)", "of their cycles (estimate)", "registers a thread by estimate", "roofline: "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in:\n%s", want, text.String())
		}
	}

	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back timing.Estimate
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if back.Timeline = e.Timeline; !reflect.DeepEqual(&back, e) {
		t.Errorf("JSON changes the estimate: %+v\n%+v", e, back)
	}
	if !strings.Contains(string(data), `"estimate":true`) {
		t.Error("JSON does not say that it is an estimate")
	}

	var cycles int64
	for _, l := range e.Lines {
		cycles += l.Cycles
	}
	if len(e.Sources) != 2 || cycles == 0 {
		t.Fatalf("%d cycles, sources %+v", cycles, e.Sources)
	}
	var pb bytes.Buffer
	if err := pprof.Write(&pb, list); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&pb)
	if err != nil {
		t.Fatal(err)
	}
	var sampled int64
	for _, s := range p.Sample {
		sampled += s.Value[0]
	}
	if sampled != 2*cycles {
		t.Errorf("pprof has %d cycles, two estimates of %d", sampled, cycles)
	}

	var chrome bytes.Buffer
	if err := timing.WriteChrome(&chrome, list); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []struct {
			Name, Ph string
			Ts, Dur  int64
		}
	}
	if err := json.Unmarshal(chrome.Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	waits := 0
	for _, x := range trace.TraceEvents {
		if x.Ph == "X" && (x.Dur <= 0 || x.Ts < 0 || x.Ts+x.Dur > 2*e.Cycles) {
			t.Errorf("span %+v of %d cycles", x, e.Cycles)
		}
		if x.Name == "long_scoreboard" {
			waits++
		}
	}
	if waits == 0 {
		t.Error("the trace has no wait for memory")
	}
}

// TestBounded: a loop that is longer than the trace is cut off, said so, and timed as if it went on; what waits for
// what was cut off does not wait forever.
func TestBounded(t *testing.T) {
	t.Parallel()
	k := &micro{arch: "sm_90", warps: 4, grid: 1, body: "mov.u32 %r2, 0;\nLOOP: add.u32 %r2, %r2, 1; bar.sync 0; setp.lt.u32 %p1, %r2, 10000; @%p1 bra LOOP;"}
	var cycles [2]int64
	for i, limit := range []int{0, 999} {
		e, err := emulate.New("k.ptx", []byte(k.ptx()))
		if err != nil {
			t.Fatal(err)
		}
		e.Profile = &emu.Profile{Trace: &emu.Trace{Limit: limit}}
		if err := e.Run(t.Context(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{4}, Data: make([]byte, 16)}}}}); err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, w := range e.Profile.Trace.Warps {
			kept += len(w)
		}
		if limit > 0 && (kept != limit || !e.Profile.Trace.Truncated) {
			t.Errorf("%d events are kept of %d", kept, limit)
		}
		got, err := e.Estimate(t.Context(), "k", mustArch(t, "sm_90"), sass.Code{Registers: 32})
		if err != nil {
			t.Fatal(err)
		}
		if got.Truncated != (limit > 0) || got.RegistersFrom != "ptxas" {
			t.Errorf("limit %d: truncated %v, registers from %s", limit, got.Truncated, got.RegistersFrom)
		}
		cycles[i] = got.KernelCycles
	}
	if ratio := float64(cycles[1]) / float64(cycles[0]); ratio < 0.7 || ratio > 1.3 {
		t.Errorf("%d cycles in full, %d from the beginning", cycles[0], cycles[1])
	}
}
