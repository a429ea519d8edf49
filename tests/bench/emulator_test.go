//go:build unix

package bench

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tilewright/tilewright/internal/testing/corpus"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// cpuTime is the time that the process has spent on processors.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkEmulator runs compiled cases of the corpus in the emulator: thread instructions for each second of a
// processor.
func BenchmarkEmulator(b *testing.B) {
	for _, gpu := range []string{"sm_80", "sm_90", "sm_100"} {
		for _, name := range []string{"matmul_f16", "matmul_bf16", "matmul_f32_tf32", "mma_e4m3", "mma_i8", "fmha_causal_f16_gqa", "softmax_rows_f16", "softmax_online_bf16",
			"layer_norm_fwd", "vadd_f32", "reduce_f32", "int_arith_i32", "math_f32", "transpose_f16"} {
			b.Run(strings.TrimPrefix(gpu, "sm_")+"/"+name, func(b *testing.B) {
				dir := filepath.Join(corpus.Dir(b), "cases", name)
				c, err := launch.LoadCase(dir)
				if err != nil {
					b.Fatal(err)
				}
				data, err := os.ReadFile(filepath.Join(dir, c.Module))
				if err != nil {
					b.Fatal(err)
				}
				module, err := tileir.Read(tileir.NewContext(), c.Module, data)
				if err != nil {
					b.Fatal(err)
				}
				result, err := compile.To(b.Context(), module, compile.Options{GPU: gpu, OptLevel: 3})
				if err != nil {
					b.Fatal(err)
				}
				e, err := result.Emulator(name+".ptx", c.Entry)
				if err != nil {
					b.Fatal(err)
				}
				req := c.Request()
				b.ReportAllocs()
				start := cpuTime(b)
				for b.Loop() {
					if err := e.Run(b.Context(), req); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(e.Stats.ThreadInstructions)/(cpuTime(b)-start).Seconds()/1e6, "Minst/cpu-s")
				b.ReportMetric(float64(e.Stats.ThreadInstructions)/float64(b.N)/1e6, "Minst")
			})
		}
	}
}
