package tests

import (
	"fmt"
	"strings"
)

// A counting is how the loop of a kernel counts: the k-th iteration has the counter lower + k*step.
type counting struct {
	name        string
	typ, sign   string
	lower, step int64
	constant    bool // lower and step are constants of the kernel; else they are parameters
}

// Parameters of the loop below that are no constants keep passes from seeing what they are.
var countings = []counting{
	{"from 0 by 1", "i32", "", 0, 1, true},
	{"from 3 by 2", "i32", "", 3, 2, true},
	{"from -5 by 3, parameters", "i32", "", -5, 3, false},
	{"unsigned, across the sign", "i32", "unsigned ", 1<<31 - 4, 3, false},
	{"to the largest number", "i32", "", 1<<31 - 1 - 60, 1, false},
	{"i64 from 7 by 1", "i64", "", 7, 1, false},
	{"unsigned i64 from 2 by 4", "i64", "unsigned ", 2, 4, true},
}

// upper is a bound with which the loop has so many iterations: every second one such that the last counter plus the step is beyond it.
func (c counting) upper(trips int) int64 {
	n := c.lower + c.step*int64(trips)
	if trips > 0 && trips%2 == 1 {
		n -= c.step - 1
	}
	return n
}

// A piped is a kernel with one loop. Its parameters are an output, three inputs, and three scalars of the counter's type: lower, upper, step.
type piped struct {
	name    string
	inputs  [3]string // element types
	out     string    // element type
	results int       // elements of the output
	// overlaps says that iterations compute at once where they may: there is a unit that waits for others.
	overlaps bool
	// phases is how many copies may start apart, each with what reads it done before the next one is read; 0: none.
	phases  int
	before  string // of the loop
	carried string // of the loop: "%a = %b"
	types   string
	body    string // of the loop, given %x: how many steps the counter is from its start
	after   string // given the results %r#0...
}

// text is the kernel as Tile IR.
func (k piped) text(c counting) string {
	var sb strings.Builder
	t := "tile<" + c.typ + ">"
	fmt.Fprintf(&sb, "cuda_tile.module @m {\nentry @k(%%out: tile<ptr<%s>>, %%pa: tile<ptr<%s>>, %%pb: tile<ptr<%s>>, %%pc: tile<ptr<%s>>, %%lo: %s, %%hi: %s, %%by: %s) {\n", k.out, k.inputs[0], k.inputs[1], k.inputs[2], t, t, t)
	sb.WriteString("  %tok = make_token : token\n  %zero = constant <i32: 0> : tile<i32>\n")
	for i, p := range []string{"a", "b", "c"} {
		fmt.Fprintf(&sb, "  %%%s = assume div_by<16>, %%p%s : tile<ptr<%s>>\n", p, p, k.inputs[i])
	}
	lower, step := "%lo", "%by"
	if c.constant {
		fmt.Fprintf(&sb, "  %%l = constant <%s: %d> : %s\n  %%s = constant <%s: %d> : %s\n", c.typ, c.lower, t, c.typ, c.step, t)
		lower, step = "%l", "%s"
	}
	sb.WriteString(k.before)
	fmt.Fprintf(&sb, "  %%r:%d = for %s%%i in (%s to %%hi, step %s) : %s iter_values(%s) -> (%s) {\n", strings.Count(k.carried, "="), c.sign, lower, step, t, k.carried, k.types)
	fmt.Fprintf(&sb, "  %%d = subi %%i, %s : %s\n", lower, t)
	if c.typ == "i64" {
		fmt.Fprintf(&sb, "  %%x = trunci %%d : %s -> tile<i32>\n", t)
	} else {
		sb.WriteString("  %one = constant <i32: 1> : tile<i32>\n  %x = muli %d, %one : tile<i32>\n")
	}
	fmt.Fprintf(&sb, "%s : %s\n  }\n%s\n  return\n}\n}\n", k.body, k.types, k.after)
	return sb.String()
}

const pipedViews = `
  %va = make_tensor_view %a, shape = [32, 700], strides = [704, 1] : tensor_view<32x700xf16, strides=[704,1]>
  %pva = make_partition_view %va : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>
  %none = constant <f32: 0.0> : tile<32x32xf32>
`

// pipedAttention makes %q, which all products begin with, and views that bring what is multiplied by it and by what follows: columns of %pvb and rows of %pvc.
const pipedAttention = `
  %vq = make_tensor_view %a, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32,1]>
  %pvq = make_partition_view %vq : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>
  %q, %tq = load_view_tko weak %pvq[%zero, %zero] token = %tok : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
  %vb = make_tensor_view %b, shape = [32, 700], strides = [704, 1] : tensor_view<32x700xf16, strides=[704,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>
  %vc = make_tensor_view %c, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xf16, strides=[32,1]>
  %pvc = make_partition_view %vc : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>
  %none = constant <f32: 0.0> : tile<32x32xf32>
  %nos = constant <f32: 0.0> : tile<32x16xf32>
`

const pipedStore = `
  %vo = make_tensor_view %out, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
  %done = store_view_tko weak %r#0, %pvo[%zero, %zero] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token`

var pipedKernels = []piped{
	{
		name: "product", inputs: [3]string{"f16", "f16", "f16"}, out: "f32", results: 32 * 32,
		before: pipedViews + `
  %vb = make_tensor_view %b, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xf16, strides=[32,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>
`,
		carried: "%acc = %none", types: "tile<32x32xf32>",
		body: `
  %ta, %t1 = load_view_tko weak %pva[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>, tile<i32> -> tile<32x16xf16>, token
  %tb, %t2 = load_view_tko weak %pvb[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token
  %n = mmaf %ta, %tb, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
  continue %n`,
		after: pipedStore,
	},
	{ // what is converted passes registers; its load runs one turn ahead, the copies of the other operand lead turns
		name: "product with an operand through registers", inputs: [3]string{"f16", "i8", "f16"}, out: "f32", results: 32 * 32,
		before: pipedViews + `
  %vb = make_tensor_view %b, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xi8, strides=[32,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xi8, strides=[32,1]>>
`,
		carried: "%acc = %none", types: "tile<32x32xf32>",
		body: `
  %ta, %t1 = load_view_tko weak %pva[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>, tile<i32> -> tile<32x16xf16>, token
  %ti, %t2 = load_view_tko weak %pvb[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xi8, strides=[32,1]>>, tile<i32> -> tile<16x32xi8>, token
  %tb = itof %ti signed : tile<16x32xi8> -> tile<16x32xf16>
  %n = mmaf %ta, %tb, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
  continue %n`,
		after: pipedStore,
	},
	{ // f32 is copied, and converted behind the copy; rows of the second operand lie along its columns, once as they are and once transposed
		name: "product of converted elements", inputs: [3]string{"f32", "f32", "f32"}, out: "f32", results: 32 * 32,
		before: `
  %va = make_tensor_view %a, shape = [32, 700], strides = [704, 1] : tensor_view<32x700xf32, strides=[704,1]>
  %pva = make_partition_view %va : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf32, strides=[704,1]>>
  %none = constant <f32: 0.0> : tile<32x32xf32>
  %vb = make_tensor_view %b, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xf32, strides=[32,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf32, strides=[32,1]>>
  %vc = make_tensor_view %c, shape = [32, 700], strides = [704, 1] : tensor_view<32x700xf32, strides=[704,1]>
  %pvc = make_partition_view %vc : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf32, strides=[704,1]>>
`,
		carried: "%acc = %none", types: "tile<32x32xf32>",
		body: `
  %fa, %t1 = load_view_tko weak %pva[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf32, strides=[704,1]>>, tile<i32> -> tile<32x16xf32>, token
  %fb, %t2 = load_view_tko weak %pvb[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf32, strides=[32,1]>>, tile<i32> -> tile<16x32xf32>, token
  %fc, %t3 = load_view_tko weak %pvc[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf32, strides=[704,1]>>, tile<i32> -> tile<32x16xf32>, token
  %ta = ftof %fa : tile<32x16xf32> -> tile<32x16xtf32>
  %tb = ftof %fb : tile<16x32xf32> -> tile<16x32xtf32>
  %fd = permute %fc [1, 0] : tile<32x16xf32> -> tile<16x32xf32>
  %tc = ftof %fd : tile<16x32xf32> -> tile<16x32xtf32>
  %m = mmaf %ta, %tb, %acc : tile<32x16xtf32>, tile<16x32xtf32>, tile<32x32xf32>
  %n = mmaf %ta, %tc, %m : tile<32x16xtf32>, tile<16x32xtf32>, tile<32x32xf32>
  continue %n`,
		after: pipedStore,
	},
	{ // two products with a running maximum between them; all numbers are exact
		name: "attention", overlaps: true, phases: 2, inputs: [3]string{"f16", "f16", "f16"}, out: "f32", results: 32*32 + 64,
		before: pipedAttention + `
  %low = constant <f32: -100.0> : tile<32xf32>
  %nol = constant <f32: 0.0> : tile<32xf32>
  %half = constant <f32: 0.5> : tile<32xf32>
  %whole = constant <f32: 1.0> : tile<32xf32>
  %least = constant <f32: -8.0> : tile<32x16xf32>
`,
		carried: "%acc = %none, %max = %low, %sum = %nol", types: "tile<32x32xf32>, tile<32xf32>, tile<32xf32>",
		body: `
  %tk, %t1 = load_view_tko weak %pvb[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>, tile<i32> -> tile<32x16xf16>, token
  %s0 = mmaf %q, %tk, %nos : tile<32x32xf16>, tile<32x16xf16>, tile<32x16xf32>
  %m0 = reduce %s0 dim=1 identities=[-100.0 : f32] : tile<32x16xf32> -> tile<32xf32>
  (%u: tile<f32>, %v: tile<f32>) {
    %w = maxf %u, %v : tile<f32>
    yield %w : tile<f32>
  }
  %m1 = maxf %m0, %max : tile<32xf32>
  %grew = cmpf greater_than ordered %m1, %max : tile<32xf32> -> tile<32xi1>
  %alpha = select %grew, %half, %whole : tile<32xi1>, tile<32xf32>
  %m2 = reshape %m1 : tile<32xf32> -> tile<32x1xf32>
  %m3 = broadcast %m2 : tile<32x1xf32> -> tile<32x16xf32>
  %p0 = subf %s0, %m3 : tile<32x16xf32>
  %p1 = maxf %p0, %least : tile<32x16xf32>
  %l0 = reduce %p1 dim=1 identities=[0.0 : f32] : tile<32x16xf32> -> tile<32xf32>
  (%u: tile<f32>, %v: tile<f32>) {
    %w = addf %u, %v : tile<f32>
    yield %w : tile<f32>
  }
  %l1 = mulf %sum, %alpha : tile<32xf32>
  %l2 = addf %l1, %l0 : tile<32xf32>
  %a1 = reshape %alpha : tile<32xf32> -> tile<32x1xf32>
  %a2 = broadcast %a1 : tile<32x1xf32> -> tile<32x32xf32>
  %o0 = mulf %acc, %a2 : tile<32x32xf32>
  %p2 = ftof %p1 : tile<32x16xf32> -> tile<32x16xf16>
  %tv, %t2 = load_view_tko weak %pvc[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token
  %o1 = mmaf %p2, %tv, %o0 : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
  continue %o1, %m1, %l2`,
		after: pipedStore + pipedRows("%r#1", 32) + pipedRows("%r#2", 33),
	},
	{ // three products, each of which takes what the one before computed
		name: "chain of products", overlaps: true, phases: 3, inputs: [3]string{"f16", "f16", "f16"}, out: "f32", results: 32 * 32,
		before: pipedAttention + `
  %vd = make_tensor_view %a, shape = [1400, 32], strides = [8, 1] : tensor_view<1400x32xf16, strides=[8,1]>
  %pvd = make_partition_view %vd : partition_view<tile=(32x32), padding_value = zero, tensor_view<1400x32xf16, strides=[8,1]>>
  %low = constant <f32: -2.0> : tile<32x16xf32>
  %least = constant <f32: -3.0> : tile<32x32xf32>
  %most = constant <f32: 3.0> : tile<32x32xf32>
`,
		carried: "%acc = %none", types: "tile<32x32xf32>",
		body: `
  %tk, %t1 = load_view_tko weak %pvb[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>, tile<i32> -> tile<32x16xf16>, token
  %s0 = mmaf %q, %tk, %nos : tile<32x32xf16>, tile<32x16xf16>, tile<32x16xf32>
  %s1 = maxf %s0, %low : tile<32x16xf32>
  %s2 = ftof %s1 : tile<32x16xf32> -> tile<32x16xf16>
  %tv, %t2 = load_view_tko weak %pvc[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token
  %u0 = mmaf %s2, %tv, %none : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
  %u1 = maxf %u0, %least : tile<32x32xf32>
  %u2 = minf %u1, %most : tile<32x32xf32>
  %u3 = ftof %u2 : tile<32x32xf32> -> tile<32x32xf16>
  %tw, %t3 = load_view_tko weak %pvd[%x, %zero] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<1400x32xf16, strides=[8,1]>>, tile<i32> -> tile<32x32xf16>, token
  %n = mmaf %u3, %tw, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
  continue %n`,
		after: pipedStore,
	},
	{
		name: "streaming reduction", inputs: [3]string{"i32", "i32", "i32"}, out: "i32", results: 512,
		before: `
  %va = make_tensor_view %a, shape = [64, 512], strides = [512, 1] : tensor_view<64x512xi32, strides=[512,1]>
  %pva = make_partition_view %va : partition_view<tile=(1x512), padding_value = zero, tensor_view<64x512xi32, strides=[512,1]>>
  %none = constant <i32: 1> : tile<1x512xi32>
  %three = constant <i32: 3> : tile<1x512xi32>
`,
		// The second value rests on the counter alone, so that it is made again wherever it is wanted, and not carried.
		carried: "%acc = %none, %last = %zero", types: "tile<1x512xi32>, tile<i32>",
		body: `
  %ta, %t1 = load_view_tko weak %pva[%x, %zero] token = %tok : partition_view<tile=(1x512), padding_value = zero, tensor_view<64x512xi32, strides=[512,1]>>, tile<i32> -> tile<1x512xi32>, token
  %n0 = muli %acc, %three : tile<1x512xi32>
  %x0 = addi %x, %last : tile<i32>
  %x1 = reshape %x0 : tile<i32> -> tile<1x1xi32>
  %x2 = broadcast %x1 : tile<1x1xi32> -> tile<1x512xi32>
  %n1 = addi %n0, %x2 : tile<1x512xi32>
  %n2 = addi %n1, %ta : tile<1x512xi32>
  %next = addi %x, %x : tile<i32>
  continue %n2, %next`,
		after: `
  %l1 = reshape %r#1 : tile<i32> -> tile<1x1xi32>
  %l2 = broadcast %l1 : tile<1x1xi32> -> tile<1x512xi32>
  %l3 = xori %l2, %r#0 : tile<1x512xi32>
  %vo = make_tensor_view %out, shape = [1, 512], strides = [512, 1] : tensor_view<1x512xi32, strides=[512,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>
  %done = store_view_tko weak %l3, %pvo[%zero, %zero] token = %tok : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>, tile<i32> -> token`,
	},
	{ // rows that numbers name, by copies through pointers: the last columns, and one of the rows, are masked off
		name: "product of gathered rows", inputs: [3]string{"f16", "f16", "i32"}, out: "f32", results: 32 * 32,
		before: pipedGather("32", "f16", "704") + `
  %vb = make_tensor_view %b, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xf16, strides=[32,1]>
  %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>
  %none = constant <f32: 0.0> : tile<32x32xf32>
  %end = constant <i32: 72> : tile<32x16xi32>
  %width = constant <i32: 16> : tile<i32>
  %others = constant <f16: 0.0> : tile<32x16xf16>
`,
		carried: "%acc = %none", types: "tile<32x32xf32>",
		body: `
  %k0 = muli %x, %width : tile<i32>
  %k1 = reshape %k0 : tile<i32> -> tile<1xi32>
  %k2 = broadcast %k1 : tile<1xi32> -> tile<16xi32>
  %k3 = iota : tile<16xi32>
  %k4 = addi %k2, %k3 : tile<16xi32>
  %k5 = reshape %k4 : tile<16xi32> -> tile<1x16xi32>
  %k6 = broadcast %k5 : tile<1x16xi32> -> tile<32x16xi32>
  %r0 = broadcast %firsts : tile<32x1xi32> -> tile<32x16xi32>
  %at = addi %r0, %k6 : tile<32x16xi32>
  %ps = offset %tables, %at : tile<32x16xptr<f16>>, tile<32x16xi32> -> tile<32x16xptr<f16>>
  %in0 = cmpi less_than %k6, %end, signed : tile<32x16xi32> -> tile<32x16xi1>
  %in1 = broadcast %given : tile<32x1xi1> -> tile<32x16xi1>
  %in = andi %in0, %in1 : tile<32x16xi1>
  %ta, %t1 = load_ptr_tko weak %ps, %in, %others token = %tok : tile<32x16xptr<f16>>, tile<32x16xi1>, tile<32x16xf16> -> tile<32x16xf16>, token
  %tb, %t2 = load_view_tko weak %pvb[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token
  %n = mmaf %ta, %tb, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
  continue %n`,
		after: pipedStore,
	},
	{ // every third element of a row that is a turn further each time, to registers: the load has a mask only where it runs ahead
		name: "streaming gather", inputs: [3]string{"i32", "i32", "i32"}, out: "i32", results: 512,
		before: `
  %a1 = reshape %a : tile<ptr<i32>> -> tile<1x1xptr<i32>>
  %as = broadcast %a1 : tile<1x1xptr<i32>> -> tile<1x512xptr<i32>>
  %i0 = iota : tile<512xi32>
  %i1 = reshape %i0 : tile<512xi32> -> tile<1x512xi32>
  %three = constant <i32: 3> : tile<1x512xi32>
  %i2 = muli %i1, %three : tile<1x512xi32>
  %none = constant <i32: 1> : tile<1x512xi32>
  %width = constant <i32: 512> : tile<i32>
`,
		carried: "%acc = %none", types: "tile<1x512xi32>",
		body: `
  %k0 = muli %x, %width : tile<i32>
  %k1 = reshape %k0 : tile<i32> -> tile<1x1xi32>
  %k2 = broadcast %k1 : tile<1x1xi32> -> tile<1x512xi32>
  %at = addi %k2, %i2 : tile<1x512xi32>
  %ps = offset %as, %at : tile<1x512xptr<i32>>, tile<1x512xi32> -> tile<1x512xptr<i32>>
  %ta, %t1 = load_ptr_tko weak %ps token = %tok : tile<1x512xptr<i32>> -> tile<1x512xi32>, token
  %n0 = muli %acc, %three : tile<1x512xi32>
  %n1 = addi %n0, %ta : tile<1x512xi32>
  continue %n1`,
		after: `
  %vo = make_tensor_view %out, shape = [1, 512], strides = [512, 1] : tensor_view<1x512xi32, strides=[512,1]>
  %pvo = make_partition_view %vo : partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>
  %done = store_view_tko weak %r#0, %pvo[%zero, %zero] token = %tok : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>, tile<i32> -> token`,
	},
}

// pipedGather makes the beginnings of rows of a table that numbers name: %firsts, %tables for 16 columns, and %given, which leaves one of the rows out.
func pipedGather(rows, elem, stride string) string {
	return strings.NewReplacer("ROWS", rows, "ELEM", elem, "STRIDE", stride).Replace(`
  %g0 = iota : tile<ROWSxi32>
  %g1 = reshape %c : tile<ptr<i32>> -> tile<1xptr<i32>>
  %g2 = broadcast %g1 : tile<1xptr<i32>> -> tile<ROWSxptr<i32>>
  %g3 = offset %g2, %g0 : tile<ROWSxptr<i32>>, tile<ROWSxi32> -> tile<ROWSxptr<i32>>
  %numbers, %tn = load_ptr_tko weak %g3 token = %tok : tile<ROWSxptr<i32>> -> tile<ROWSxi32>, token
  %g4 = constant <i32: 1> : tile<ROWSxi32>
  %g5 = addi %numbers, %g4 : tile<ROWSxi32>
  %g6 = reshape %g5 : tile<ROWSxi32> -> tile<ROWSx1xi32>
  %g7 = constant <i32: STRIDE> : tile<ROWSx1xi32>
  %firsts = muli %g6, %g7 : tile<ROWSx1xi32>
  %g8 = constant <i32: 2> : tile<ROWSx1xi32>
  %given = cmpi less_than %g6, %g8, signed : tile<ROWSx1xi32> -> tile<ROWSx1xi1>
  %g9 = reshape %a : tile<ptr<ELEM>> -> tile<1x1xptr<ELEM>>
  %tables = broadcast %g9 : tile<1x1xptr<ELEM>> -> tile<ROWSx16xptr<ELEM>>
`)
}

// pipedRows stores a line of 32 elements behind the tile of the output.
func pipedRows(value string, row int) string {
	return strings.NewReplacer("VALUE", value, "ROW", fmt.Sprint(row)).Replace(`
  %rROW = constant <i32: ROW> : tile<i32>
  %voROW = make_tensor_view %out, shape = [34, 32], strides = [32, 1] : tensor_view<34x32xf32, strides=[32,1]>
  %pvoROW = make_partition_view %voROW : partition_view<tile=(1x32), tensor_view<34x32xf32, strides=[32,1]>>
  %lineROW = reshape VALUE : tile<32xf32> -> tile<1x32xf32>
  %doneROW = store_view_tko weak %lineROW, %pvoROW[%rROW, %zero] token = %tok : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<34x32xf32, strides=[32,1]>>, tile<i32> -> token`)
}
