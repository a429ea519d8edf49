package tests

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// A nested is a kernel with a loop over tiles, and a loop in it that sums products. Its parameters are an output, three inputs, a table of i32, the bounds and the step of the outer loop, and how many steps the
// inner one takes.
type nested struct {
	name    string
	carried string // by the outer loop, besides the token %done
	types   string
	first   string // what stands in front of the loop inside; it makes %row, %col and %steps of %i
	product string // the loop inside, which gives %sum; empty: one product
	last    string // what is carried on, besides the token
	order   string // the token that loads come after
	stays   string // why the copies cannot go ahead; empty: they do
}

const nestedHead = `cuda_tile.module @m {
entry @k(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %table: tile<ptr<i32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>, %n: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %six = constant <i32: 6> : tile<i32>
  %a = assume div_by<16>, %pa : tile<ptr<f16>>
  %b = assume div_by<16>, %pb : tile<ptr<f16>>
  %c = assume div_by<16>, %pc : tile<ptr<f16>>
  %va = make_tensor_view %a, shape = [70, 300], strides = [304, 1] : tensor_view<70x300xf16, strides=[304,1]>
  %pva = make_partition_view %va : partition_view<tile=(32x16), padding_value = zero, tensor_view<70x300xf16, strides=[304,1]>>
  %vb = make_tensor_view %b, shape = [300, 96], strides = [96, 1] : tensor_view<300x96xf16, strides=[96,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<300x96xf16, strides=[96,1]>>
  %vo = make_tensor_view %out, shape = [704, 32], strides = [32, 1] : tensor_view<704x32xf32, strides=[32,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<704x32xf32, strides=[32,1]>>
  %none = constant <f32: 0.0> : tile<32x32xf32>
  %twice = constant <f32: 2.0> : tile<32x32xf32>
`

const nestedProduct = `
  %sum = for %x in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
    %ta, %t1 = load_view_tko weak %pva[%row, %x] token = ORDER : partition_view<tile=(32x16), padding_value = zero, tensor_view<70x300xf16, strides=[304,1]>>, tile<i32> -> tile<32x16xf16>, token
    %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = ORDER : partition_view<tile=(16x32), padding_value = zero, tensor_view<300x96xf16, strides=[96,1]>>, tile<i32> -> tile<16x32xf16>, token
    %s = mmaf %ta, %tb, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
    continue %s : tile<32x32xf32>
  }`

// Two products, the second of the first's result, whose copies may start apart.
const nestedChain = `
  %sum = for %x in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
    %ta, %t1 = load_view_tko weak %pva[%row, %x] token = ORDER : partition_view<tile=(32x16), padding_value = zero, tensor_view<70x300xf16, strides=[304,1]>>, tile<i32> -> tile<32x16xf16>, token
    %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = ORDER : partition_view<tile=(16x32), padding_value = zero, tensor_view<300x96xf16, strides=[96,1]>>, tile<i32> -> tile<16x32xf16>, token
    %tc, %t3 = load_view_tko weak %pvc[%x, %zero] token = ORDER : partition_view<tile=(32x32), padding_value = zero, tensor_view<600x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
    %s = mmaf %ta, %tb, %none : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
    %h = ftof %s : tile<32x32xf32> -> tile<32x32xf16>
    %s2 = mmaf %h, %tc, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
    continue %s2 : tile<32x32xf32>
  }`

const nestedChainView = `
  %vc = make_tensor_view %c, shape = [600, 32], strides = [32, 1] : tensor_view<600x32xf16, strides=[32,1]>
  %pvc = make_partition_view %vc : partition_view<tile=(32x32), padding_value = zero, tensor_view<600x32xf16, strides=[32,1]>>
`

var nestedKernels = []nested{
	{ // as a persistent product chooses its tiles: by division and remainder of a number that the program does not divide by without a next iteration
		name: "tiles by division", first: `
  %left = subi %hi, %i : tile<i32>
  %few = mini %left, %two signed : tile<i32>
  %row = remi %i, %few signed : tile<i32>
  %q = divi %i, %few signed : tile<i32>
  %col = remi %q, %two signed : tile<i32>
  %steps = addi %n, %zero : tile<i32>`,
		product: nestedProduct, order: "%tok",
	},
	{
		name: "steps by tile", first: `
  %row = remi %i, %two signed : tile<i32>
  %col = subi %one, %row : tile<i32>
  %steps = subi %n, %col : tile<i32>`,
		product: nestedProduct, order: "%tok",
	},
	{
		name: "carried place", carried: "%row = %one, %col = %zero", types: "tile<i32>, tile<i32>", first: `
  %steps = addi %n, %zero : tile<i32>`,
		product: nestedProduct, order: "%tok", last: `
  %r1 = addi %row, %one : tile<i32>
  %r2 = remi %r1, %two signed : tile<i32>
  NEXT %r2, %row`,
	},
	{
		name: "place from a table", first: `
  %at = offset %table, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %row, %t9 = load_ptr_tko weak %at token = %tok : tile<ptr<i32>> -> tile<i32>, token
  %col = remi %row, %two signed : tile<i32>
  %steps = addi %n, %zero : tile<i32>`,
		product: nestedProduct, order: "%tok",
	},
	{
		name: "chain", first: nestedChainView + `
  %row = remi %i, %two signed : tile<i32>
  %col = subi %one, %row : tile<i32>
  %steps = addi %n, %row : tile<i32>`,
		product: nestedChain, order: "%tok",
	},
	{
		name: "loads behind stores", first: `
  %row = remi %i, %two signed : tile<i32>
  %col = subi %one, %row : tile<i32>
  %steps = addi %n, %zero : tile<i32>`,
		product: nestedProduct, order: "%done", stays: "its copies rest on what 'nv_tileas.tiled_store' makes in the iteration before",
	},
}

func (k nested) text(sign string) string {
	carried, types := "%done = %tok", "token"
	if k.carried != "" {
		carried, types = k.carried+", %done = %tok", k.types+", token"
	}
	next := "continue %stored"
	body := k.first + strings.ReplaceAll(k.product, "ORDER", k.order) + `
  %w = mulf %sum, %twice : tile<32x32xf32>
  %at7 = subi %i, %lo : tile<i32>
  %at8 = divi %at7, %by signed : tile<i32>
  %stored = store_view_tko weak %w, %pvo[%at8, %zero] token = %done : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<704x32xf32, strides=[32,1]>>, tile<i32> -> token`
	if before, values, ok := strings.Cut(k.last, "NEXT "); ok {
		body += before
		next = "continue " + values + ", %stored"
	}
	n := strings.Count(carried, "=")
	return fmt.Sprintf("%s  %%r:%d = for %s%%i in (%%lo to %%hi, step %%by) : tile<i32> iter_values(%s) -> (%s) {\n%s\n  %s : %s\n  }\n  return\n}\n}\n", nestedHead, n, sign, carried, types, body, next, types)
}

// A turning is how often the outer loop of a nest runs, and how many steps the inner one takes.
type turning struct{ lower, upper, step, steps int64 }

func (k nested) request(t *testing.T, c turning) *launch.Request {
	t.Helper()
	args := []launch.Arg{pipedBuffer(t, launch.F32, 704*32, func(int) int64 { return 77 })}
	for j := range 3 {
		args = append(args, pipedBuffer(t, launch.F16, 304*96, func(i int) int64 { return int64((i*(7+2*j)+i/37+i/701*5)%3 - 1) }))
	}
	args = append(args, pipedBuffer(t, launch.I32, 16, func(i int) int64 { return int64(i * i % 3) }))
	for _, v := range []int64{c.lower, c.upper, c.step, c.steps} {
		args = append(args, launch.Arg{Scalar: launch.Scalar{DType: launch.I32, Bits: pipedValue(t, launch.I32, v)}})
	}
	return &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: args}
}

// turnings are outer loops of no iteration to twice the stages and one, with inner ones of as many steps.
func turnings(stages int) (out []turning) {
	for outer := range int64(2*stages + 2) {
		for steps := range int64(2*stages + 2) {
			if outer > 2 && (steps+outer)%5 != 0 { // all have been seen by then
				continue
			}
			c := turning{1, 1 + outer*2, 2, steps}
			switch (outer + steps) % 3 {
			case 1:
				c = turning{0, outer, 1, steps}
			case 2: // a last step that goes beyond the bound
				c = turning{1, 1 + outer*3 - min(outer, 1), 3, steps}
			}
			out = append(out, c)
		}
	}
	return out
}

// A nestWatch executes the module behind the expansion of loops, and counts the nests that the schedule made.
type nestWatch struct {
	behind func(module ir.Op)
	ahead  int
}

func (w *nestWatch) Serial() bool { return true }

func (w *nestWatch) BeforePass(*pipeline.Event) {}

func (w *nestWatch) AfterPass(ev *pipeline.Event) {
	if ev.Err != nil {
		return
	}
	switch ev.Item.Pass.Name {
	case "tileas-schedule-loops":
		ev.Op.Walk(func(op ir.Op) ir.WalkResult {
			if op.HasUnitAttr(tileas.AttrFillAhead) {
				w.ahead++
			}
			return ir.Advance
		})
	case "tileas-pipeline-loops":
		w.behind(ev.Root)
	}
}

// TestNests: loops in loops give the same as in the program, for few and many iterations of both, in the interpreter behind the expansion, where races are looked for too, and as PTX, in order and adversarially.
func TestNests(t *testing.T) {
	t.Parallel()
	for _, k := range nestedKernels {
		for i, what := range []string{"lead=1 at-once=1", "lead=2 at-once=1", "lead=3 at-once=2", "lead=1 at-once=2", "apart=true"} {
			if apart := what == "apart=true"; apart && k.product != nestedChain || testing.Short() && i > 1 && !apart || k.product != nestedChain && k.name != nestedKernels[0].name && i > 0 {
				continue
			}
			t.Run(k.name+"/"+what, func(t *testing.T) {
				t.Parallel()
				k.run(t, what)
			})
		}
	}
}

func (k nested) run(t *testing.T, what string) {
	var said bytes.Buffer
	read := func() ir.Op { return readSaying(t, &said, "k.mlir", []byte(k.text(""))) }
	program := read()
	all := turnings(2 + strings.Count(what, "2") + 2*strings.Count(what, "3"))
	want := make([]*launch.Request, len(all))
	for i, c := range all {
		want[i] = k.request(t, c)
		if err := interp.New(program).Run(context.Background(), want[i]); err != nil {
			t.Fatalf("%+v: %v\n%s", c, err, k.text(""))
		}
	}
	compare := func(engine string, e launch.Engine, i int) {
		t.Helper()
		leaves(t, fmt.Sprintf("%s, %+v", engine, all[i]), e, k.request(t, all[i]), 0, want[i].Args[0].Buffer)
	}
	w := &nestWatch{behind: func(m ir.Op) {
		for i := range all {
			e := interp.New(m)
			e.Adversarial, e.Races = i%4 != 0, true
			compare("tileas behind the expansion", e, i)
		}
	}}
	result, err := compile.To(context.Background(), read(), compile.Options{GPU: "sm_80", OptLevel: 3, Decisions: true, Instruments: []pipeline.Instrument{w},
		PassOptions: map[string]string{"tileas-schedule-loops": what}})
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	switch {
	case k.stays == "" && w.ahead == 0:
		t.Errorf("the loop inside is not filled ahead\n%s", &said)
	case k.stays != "" && (w.ahead > 0 || !strings.Contains(said.String(), k.stays)):
		t.Errorf("%d loops are filled ahead; want none, and '%s'\n%s", w.ahead, k.stays, &said)
	}
	for i := range all {
		if i%2 > 0 && testing.Short() {
			continue
		}
		e := emulated(t, result, "k")
		e.Adversarial, e.Seed = i%5 != 0, uint64(i)
		compare(fmt.Sprintf("ptx, seed %d", i), e, i)
	}
}
