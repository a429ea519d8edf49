package bench

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// benchSizes are about how many operations the inputs of BenchmarkPasses have at the level of the input.
var benchSizes = []int{100, 1000, 10000}

// BenchmarkPasses runs every pass alone, on a kernel of each size as it is where the pass first stands in the default
// pipeline of -O3; passes that are in no pipeline get the kernel as it is written. Neither the verifier nor the check
// of properties is in the time. What tells is cpu-ns/irop, the processor's time for each operation of the input: it
// should not grow with the size.
func BenchmarkPasses(b *testing.B) {
	for _, p := range passes.Default.Passes() {
		b.Run(p.Name, func(b *testing.B) {
			for _, size := range benchSizes {
				b.Run(fmt.Sprint(size), func(b *testing.B) { benchPass(b, p, size) })
			}
		})
	}
}

func benchPass(b *testing.B, p *passes.Pass, size int) {
	in := benchInputs(b, size)
	module, ok := in.before[p.Name]
	if !ok {
		module = in.before[""]
	}
	ops := countOps(module)
	run := in.pipelines[p.Name]
	if run == nil { // in no pipeline
		run = pipeline.New(module.Name())
		item, err := pipeline.ParsePass(passes.Default, p.Name, benchOptions[p.Name])
		if err != nil {
			b.Fatal(err)
		}
		on := p.On
		if on == "" {
			on = property.CudaTile.Unit()
		}
		run.Append(pipeline.NestPath(module.Context(), module.Name(), on), item)
	}
	m := &pipeline.Manager{Target: in.target, NoVerify: true, Workers: 1}
	b.ReportAllocs()
	var busy time.Duration
	for b.Loop() {
		b.StopTimer()
		fresh := ir.NewBuilder(module.Context().NewArena()).Clone(module, ir.NewMapping())
		start := cpuTime(b)
		b.StartTimer()
		if _, err := m.Run(context.Background(), run, fresh); err != nil {
			b.Fatal(err)
		}
		busy += cpuTime(b) - start
	}
	b.ReportMetric(float64(ops), "irops")
	b.ReportMetric(float64(busy.Nanoseconds())/float64(b.N)/float64(ops), "cpu-ns/irop")
}

// benchOptions are those of passes that do not run without.
var benchOptions = map[string]string{"test-debuginfo-update-symbol-name": "symbol-to-rename=kernels::k new-name=l"}

// A benchInput is a kernel of one size, on its way to PTX.
type benchInput struct {
	target    *passes.Target
	before    map[string]ir.Op              // what each pass gets, by its name; "": the input
	pipelines map[string]*pipeline.Pipeline // of the one pass
}

var (
	benchMu     sync.Mutex
	benchBySize = make(map[int]*benchInput)
)

func benchInputs(b *testing.B, size int) *benchInput {
	b.Helper()
	benchMu.Lock()
	defer benchMu.Unlock()
	if in := benchBySize[size]; in != nil {
		return in
	}
	module, err := tileir.Read(tileir.NewContext(), "bench", benchKernel(size))
	if err != nil {
		b.Fatal(err)
	}
	in := &benchInput{target: &passes.Target{GPU: "sm_80", OptLevel: 3}, before: map[string]ir.Op{}, pipelines: map[string]*pipeline.Pipeline{}}
	keep := func(name string) {
		in.before[name] = ir.NewBuilder(module.Context().NewArena()).Clone(module, ir.NewMapping())
	}
	keep("")
	plan, err := pipeline.NewPlan(passes.Default, pipeline.Goal{From: property.CudaTile, To: property.PTX, Target: in.target})
	if err != nil {
		b.Fatal(err)
	}
	m := &pipeline.Manager{Target: in.target, NoVerify: true}
	for i, v := range plan.Steps {
		one := &pipeline.Plan{Goal: plan.Goal, Steps: plan.Steps[i : i+1], Graph: plan.Graph}
		p, err := one.Pipeline(passes.Default, module.Name(), module.Context())
		if err != nil {
			b.Fatal(err)
		}
		if in.pipelines[v.Pass.Name] == nil {
			in.pipelines[v.Pass.Name] = p
			keep(v.Pass.Name)
		}
		if _, err := m.Run(context.Background(), p, module); err != nil {
			b.Fatal(err)
		}
	}
	benchBySize[size] = in
	return in
}

// benchKernel returns a kernel of at least so many operations, all of which count: stages of a load, arithmetic, a
// reduction along each line, a product in a loop, and a store that is ordered behind the one before. Every stage has
// a constant of its own, so that no two are the same.
func benchKernel(size int) []byte {
	var b strings.Builder
	b.WriteString("entry @k(%p: tile<ptr<f32>>, %h: tile<ptr<f16>>, %n: tile<i32>) {\n  %zero = constant <i32: 0> : tile<i32>\n  %one = constant <i32: 1> : tile<i32>\n" +
		"  %t0 = make_token : token\n  %x, %y, %z = get_tile_block_id : tile<i32>\n" +
		"  %pa = assume div_by<16>, %p : tile<ptr<f32>>\n  %ha = assume div_by<16>, %h : tile<ptr<f16>>\n" +
		"  %pt = make_tensor_view %pa, shape = [%n, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf32, strides=[32,1]>\n" +
		"  %ht = make_tensor_view %ha, shape = [%n, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf16, strides=[32,1]>\n" +
		"  %pv = make_partition_view %pt : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf32, strides=[32,1]>>\n" +
		"  %hv = make_partition_view %ht : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>\n")
	lines := 12
	for i := 1; lines < size; i++ {
		stage := strings.ReplaceAll(strings.ReplaceAll(benchStage, "BEFORE", fmt.Sprint(i-1)), "NUMBER", fmt.Sprint(i))
		lines += strings.Count(stage, "\n")
		b.WriteString(stage)
	}
	b.WriteString("  return\n}\n")
	return []byte(b.String())
}

const benchStage = `  %kNUMBER = constant <f32: NUMBER.5> : tile<32x32xf32>
  %iNUMBER = constant <i32: NUMBER> : tile<i32>
  %jNUMBER = addi %x, %iNUMBER : tile<i32>
  %lNUMBER, %uNUMBER = load_view_tko weak %pv[%jNUMBER, %zero] token = %tBEFORE : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf32, strides=[32,1]>>, tile<i32> -> tile<32x32xf32>, token
  %aNUMBER = mulf %lNUMBER, %kNUMBER : tile<32x32xf32>
  %bNUMBER = maxf %aNUMBER, %lNUMBER : tile<32x32xf32>
  %cNUMBER = exp %bNUMBER : tile<32x32xf32>
  %rNUMBER = reduce %cNUMBER dim=1 identities=[0.0 : f32] : tile<32x32xf32> -> tile<32xf32>
  (%e: tile<f32>, %f: tile<f32>) {
    %g = addf %e, %f : tile<f32>
    yield %g : tile<f32>
  }
  %sNUMBER = reshape %rNUMBER : tile<32xf32> -> tile<32x1xf32>
  %vNUMBER = broadcast %sNUMBER : tile<32x1xf32> -> tile<32x32xf32>
  %dNUMBER = divf %cNUMBER, %vNUMBER : tile<32x32xf32>
  %qNUMBER = for %m in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %dNUMBER) -> (tile<32x32xf32>) {
    %o, %w = load_view_tko weak %hv[%m, %zero] token = %uNUMBER : partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
    %g = mmaf %o, %o, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
    continue %g : tile<32x32xf32>
  }
  %tNUMBER = store_view_tko weak %qNUMBER, %pv[%jNUMBER, %zero] token = %uNUMBER : tile<32x32xf32>, partition_view<tile=(32x32), padding_value = zero, tensor_view<?x32xf32, strides=[32,1]>>, tile<i32> -> token
`
