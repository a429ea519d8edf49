package emulate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/target/engine/emulate"
	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/sm"
	"github.com/tilewright/tilewright/target/timing"
)

// adds is a kernel that adds vectors of f32, with so many multiplications of each element.
func adds(work int) string {
	return `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)
.reqntid 256, 1, 1
{
	.reg .b32 %r<4>; .reg .b64 %rd<5>; .reg .f32 %f<3>;
	ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 256, %r1; mul.wide.u32 %rd4, %r3, 4;
	add.u64 %rd1, %rd1, %rd4; add.u64 %rd2, %rd2, %rd4; add.u64 %rd3, %rd3, %rd4;
	ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd2]; add.f32 %f1, %f1, %f2;
	` + strings.Repeat("mul.f32 %f1, %f1, %f2;\n", work) + `
	st.global.f32 [%rd3], %f1;
	ret;
}
`
}

func sampled(t *testing.T, text string, elements int, w emulate.Where) *timing.Estimate {
	t.Helper()
	e := engine(t, text)
	e.DynamicShared = 0
	vector := func() launch.Arg {
		return launch.Arg{Buffer: &launch.Buffer{DType: launch.F32, Shape: []int{elements}, Data: make([]byte, 4*elements), Uninitialized: true}}
	}
	out, err := e.Sample(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{uint32(elements / 256), 1, 1}, Args: []launch.Arg{vector(), vector(), vector()}}, w)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func where(t *testing.T, device string) emulate.Where {
	t.Helper()
	chip := sm.ChipNamed(device)
	arch, err := sm.Lookup(chip.Archs()[0])
	if err != nil {
		t.Fatal(err)
	}
	return emulate.Where{Chip: chip, Arch: arch}
}

// TestSample: a long vector takes the bandwidth of memory for what it reads, since L2 keeps the result; the estimate grows with the grid and with the work of an
// element, falls with the clock where units are busy and not where memory is, and is the same each time.
func TestSample(t *testing.T) {
	t.Parallel()
	w := where(t, "H100 SXM5")
	const n = 1 << 22
	e := sampled(t, adds(0), n, w)
	least := 2 * 4 * n / (w.Chip.GBytes * 1e3)
	if us := e.Microseconds; us < least || us > 1.6*least {
		t.Errorf("%d elements take %.1f us, and memory %.1f us", n, us, least)
	}
	if again := sampled(t, adds(0), n, w); fmt.Sprint(*again) != fmt.Sprint(*e) {
		t.Error("a second estimate differs")
	}
	last := 0.0
	for n := 1 << 12; n <= 1<<20; n <<= 4 {
		us := sampled(t, adds(8), n, w).Microseconds
		if us < last {
			t.Errorf("%d elements take %g us, and a quarter %g", n, us, last)
		}
		last = us
	}
	last = 0
	for work := 1; work <= 256; work *= 16 {
		us := sampled(t, adds(work), 1<<18, w).Microseconds
		if us < last {
			t.Errorf("%d multiplications take %g us, and a quarter %g", work, us, last)
		}
		last = us
	}
	slow := w
	slow.MHz = float64(w.Chip.MHz) / 2
	if a, b := e.Microseconds, sampled(t, adds(0), n, slow).Microseconds; b > 1.7*a {
		t.Errorf("at half the clock %.1f us and not %.1f, though memory bounds it", b, a)
	}
	if a, b := last, sampled(t, adds(256), 1<<18, slow).Microseconds; b < 1.7*a {
		t.Errorf("at half the clock %.1f us and not twice %.1f", b, a)
	}
	warm := w
	warm.Warm = true
	if a, b := sampled(t, adds(0), 1<<18, w).Microseconds, sampled(t, adds(0), 1<<18, warm).Microseconds; b >= a {
		t.Errorf("with a warm cache %.2f us, and %.2f us with a cold one", b, a)
	}
	w.Events = true
	if x := sampled(t, adds(0), 1<<12, w); x.LaunchMicroseconds <= sm.Starts.Kernel {
		t.Errorf("events see a launch of %g us, and a profiler %g", x.LaunchMicroseconds, sm.Starts.Kernel)
	}
}

// late is a kernel of which eight CTAs read the same 32 KiB, after so many multiplications.
func late(work int) string {
	return `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a)
.reqntid 256, 1, 1
{
	.reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .f32 %f<2>; .reg .pred %p<2>;
	ld.param.u64 %rd1, [a];
	mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.f32 %f1, 0f3f800000;
	` + strings.Repeat("mul.f32 %f1, %f1, %f1;\n", work) + `
	shr.u32 %r2, %r2, 3; shl.b32 %r2, %r2, 15; shl.b32 %r1, %r1, 4; add.u32 %r2, %r2, %r1;
	cvt.u64.u32 %rd2, %r2; add.u64 %rd1, %rd1, %rd2; mov.u32 %r3, 8;
LOOP:
	ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd1];
	add.u64 %rd1, %rd1, 4096; sub.u32 %r3, %r3, 1; setp.ne.u32 %p1, %r3, 0;
	@%p1 bra LOOP;
	ret;
}
`
}

// TestLate: what CTAs share is found where their loads begin late too, on a buffer that L2 does not hold.
func TestLate(t *testing.T) {
	t.Parallel()
	const bytes, ctas = 16 << 20, 4096
	w := where(t, "RTX A6000")
	least := bytes / (w.Chip.GBytes * 1e3)
	for _, work := range []int{0, 400} {
		e := engine(t, late(work))
		e.DynamicShared = 0
		data := launch.Arg{Buffer: &launch.Buffer{DType: launch.F32, Shape: []int{bytes / 4}, Data: make([]byte, bytes), Uninitialized: true}}
		out, err := e.Sample(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{ctas, 1, 1}, Args: []launch.Arg{data}}, w)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range out.Units {
			if busy := u.Share * out.Microseconds; u.Unit == "memory" && (busy < 0.8*least || busy > 1.5*least) {
				t.Errorf("after %d multiplications memory is busy for %.0f us, and takes %.0f us for the buffer", work, busy, least)
			}
		}
	}
}

// growing is a kernel whose tile blocks do more work, the greater their number in the first dimension is.
const growing = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a)
.reqntid 128, 1, 1
{
	.reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<3>; .reg .pred %p<2>;
	ld.param.u64 %rd1, [a];
	mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 300, 300;
	mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f3F800000;
LOOP:
	fma.rn.f32 %f1, %f1, %f2, %f1;
	sub.u32 %r1, %r1, 1;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra LOOP;
	st.global.f32 [%rd1], %f1;
	ret;
}
`

// TestLeast: no bound is above the estimate by more than searches allow, 6%, though the tile block in the middle of four
// does a fifth more than the mean.
func TestLeast(t *testing.T) {
	t.Parallel()
	e := engine(t, growing)
	e.DynamicShared = 0
	req := &launch.Request{Entry: "k", Grid: [3]uint32{4, 4096, 1},
		Args: []launch.Arg{{Buffer: &launch.Buffer{DType: launch.F32, Shape: []int{1}, Data: make([]byte, 4), Uninitialized: true}}}}
	w := where(t, "RTX A6000")
	least, err := e.Least(context.Background(), req, w)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Sample(context.Background(), req, w)
	if err != nil {
		t.Fatal(err)
	}
	if least.Microseconds > 1.06*out.Microseconds || least.Microseconds < 0.9*out.Microseconds {
		t.Errorf("bound %.1f us, estimate %.1f us", least.Microseconds, out.Microseconds)
	}
}

// TestKept: neither what a bound leaves behind changes an estimate, nor the number of workers.
func TestKept(t *testing.T) {
	t.Parallel()
	e := engine(t, late(20))
	e.DynamicShared = 0
	req := &launch.Request{Entry: "k", Grid: [3]uint32{64, 1, 1},
		Args: []launch.Arg{{Buffer: &launch.Buffer{DType: launch.F32, Shape: []int{1 << 16}, Data: make([]byte, 1<<18), Uninitialized: true}}}}
	w := where(t, "RTX A6000")
	w.Workers = 1
	alone, err := e.Sample(context.Background(), req, w)
	if err != nil {
		t.Fatal(err)
	}
	w.Kept, w.Workers = new(emulate.Kept), 3
	if _, err := e.Least(context.Background(), req, w); err != nil {
		t.Fatal(err)
	}
	after, err := e.Sample(context.Background(), req, w)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(*alone) != fmt.Sprint(*after) {
		t.Errorf("alone %.4f us, after a bound by three workers %.4f us", alone.Microseconds, after.Microseconds)
	}
}
