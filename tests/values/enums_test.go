package values

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/dialects/cudatile/wire"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/pipeline/tileir"
	"github.com/tilewright/tilewright/target/engine/interp"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// An enumBench is a kernel around an operation that accesses memory, and what the operation computes from elements.
// The kernel has a pointer to elements 5, 6, 7 and 8, of type ELEM, on as many devices as there are rows in memory.
type enumBench struct {
	body   string
	device [][]float64 // what other devices hold
	want   func(n model) [][]float64
}

// neverLegal are the values of attributes that no form of an operation has: every other one is executed.
var neverLegal = map[*ir.OpDef]string{
	cudatile.LoadPtr: loadsAs, cudatile.LoadView: loadsAs, cudatile.MultimemLoadReduceView: loadsAs,
	cudatile.StorePtr: storesAs, cudatile.StoreView: storesAs, cudatile.MultimemStoreView: storesAs,
	cudatile.MultimemReduceView: storesAs + " memory_ordering_semantics=weak",
	cudatile.AtomicRMW:          "memory_ordering_semantics=weak", cudatile.AtomicCAS: "memory_ordering_semantics=weak",
	cudatile.AtomicRedView: storesAs + " memory_ordering_semantics=weak memory_ordering_semantics=release memory_scope=sys mode=xchg",
}

const (
	loadsAs  = "memory_ordering_semantics=release memory_ordering_semantics=acq_rel"
	storesAs = "memory_ordering_semantics=acquire memory_ordering_semantics=acq_rel"

	enumPrefix = `%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%io = iota : tile<2xi32>
%p1 = reshape %p : tile<PTR> -> tile<1xPTR>
%p2 = broadcast %p1 : tile<1xPTR> -> tile<2xPTR>
%q = offset %p2, %io : tile<2xPTR>, tile<2xi32> -> tile<2xPTR>
%c2 = constant <i32: 2> : tile<2xi32>
%r = offset %q, %c2 : tile<2xPTR>, tile<2xi32> -> tile<2xPTR>
%tv = make_tensor_view %p, shape = [4], strides = [1] : BASETENSOR
%v = make_partition_view %tv : VIEW
%x = constant <ELEM: [3, -4]> : tile<2xELEM>
%cmp = constant <ELEM: [5, 9]> : tile<2xELEM>
`
	enumKeep = "\n%keep = store_ptr_tko weak %r, %y : tile<2xPTR>, tile<2xELEM> -> token"
)

var enumBenches = map[*ir.OpDef]enumBench{
	cudatile.LoadPtr:  {"%y, %t = load_ptr_tko weak %q : tile<2xPTR> -> tile<2xELEM>, token" + enumKeep, nil, func(model) [][]float64 { return [][]float64{{5, 6, 5, 6}} }},
	cudatile.StorePtr: {"%t = store_ptr_tko weak %q, %x : tile<2xPTR>, tile<2xELEM> -> token", nil, func(model) [][]float64 { return [][]float64{{3, -4, 7, 8}} }},
	cudatile.LoadView: {"%y, %t = load_view_tko weak %v[%c0] : VIEW, tile<i32> -> tile<2xELEM>, token" + enumKeep, nil, func(model) [][]float64 { return [][]float64{{5, 6, 5, 6}} }},
	cudatile.StoreView: {"%t = store_view_tko weak %x, %v[%c0] : tile<2xELEM>, VIEW, tile<i32> -> token", nil,
		func(model) [][]float64 { return [][]float64{{3, -4, 7, 8}} }},
	cudatile.AtomicCAS: {"%y, %t = atomic_cas_tko relaxed device %q, %cmp, %x : tile<2xPTR>, tile<2xELEM> -> tile<2xELEM>, token" + enumKeep, nil,
		func(model) [][]float64 { return [][]float64{{3, 6, 5, 6}} }},
	cudatile.AtomicRMW: {"%y, %t = atomic_rmw_tko relaxed device %q, xchg, %x : tile<2xPTR>, tile<2xELEM> -> tile<2xELEM>, token" + enumKeep, nil,
		func(m model) [][]float64 { return [][]float64{{m(5, 3), m(6, -4), 5, 6}} }},
	cudatile.AtomicRedView: {"%t = atomic_red_view_tko relaxed device %v[%c0], RED, %x : tile<2xELEM>, VIEW, tile<i32> -> token", nil,
		func(m model) [][]float64 { return [][]float64{{m(5, 3), m(6, -4), 7, 8}} }},
	cudatile.MultimemLoadReduceView: {"%y, %t = multimem_load_reduce_view_tko relaxed sys %v[%c0] : VIEW, tile<i32> -> tile<2xELEM>, token" + enumKeep, [][]float64{{3, -4, 1, 2}},
		func(m model) [][]float64 { return [][]float64{{5, 6, m(5, 3), m(6, -4)}, {3, -4, 1, 2}} }},
	cudatile.MultimemReduceView: {"%t = multimem_reduce_view_tko relaxed sys %v, %x[%c0] : VIEW, tile<2xELEM>, tile<i32> -> token", [][]float64{{1, 2, 1, 2}},
		func(m model) [][]float64 { return [][]float64{{m(5, 3), m(6, -4), 7, 8}, {m(1, 3), m(2, -4), 1, 2}} }},
	cudatile.MultimemStoreView: {"%t = multimem_store_view_tko weak %v, %x[%c0] : VIEW, tile<2xELEM>, tile<i32> -> token", [][]float64{{1, 2, 1, 2}},
		func(model) [][]float64 { return [][]float64{{3, -4, 7, 8}, {3, -4, 1, 2}} }},
	cudatile.Global: {"%g = get_global @g : tile<ptr<ELEM>>\n%y0, %t = load_ptr_tko weak %g : tile<ptr<ELEM>> -> tile<ELEM>, token\n%y1 = reshape %y0 : tile<ELEM> -> tile<1xELEM>\n" +
		"%y = broadcast %y1 : tile<1xELEM> -> tile<2xELEM>" + enumKeep, nil, func(model) [][]float64 { return [][]float64{{5, 6, 9, 9}} }},
}

// A model is what an atomic or a reduction makes of two elements.
type model func(a, b float64) float64

// modelOf returns the meaning of a keyword of AtomicRMWMode or MultimemReductionKind; nil for a new one.
func modelOf(keyword string) model {
	bitwise := func(f func(a, b int32) int32) model {
		return func(a, b float64) float64 { return float64(f(int32(a), int32(b))) }
	}
	unsigned := func(f func(a, b uint32) uint32) model {
		return bitwise(func(a, b int32) int32 { return int32(f(uint32(a), uint32(b))) })
	}
	return map[string]model{
		"":    func(a, _ float64) float64 { return a },
		"and": bitwise(func(a, b int32) int32 { return a & b }), "or": bitwise(func(a, b int32) int32 { return a | b }),
		"xor": bitwise(func(a, b int32) int32 { return a ^ b }),
		"add": func(a, b float64) float64 { return a + b }, "addf": func(a, b float64) float64 { return a + b },
		"max": math.Max, "min": math.Min,
		"umax": unsigned(func(a, b uint32) uint32 { return max(a, b) }), "umin": unsigned(func(a, b uint32) uint32 { return min(a, b) }),
		"xchg": func(_, b float64) float64 { return b },
	}[keyword]
}

// kernel returns the text of the kernel of an operation for elements of a type.
func (b *enumBench) kernel(def *ir.OpDef, elem string) string {
	ptr, base, view, red := "ptr<ELEM>", "tensor_view<4xELEM, strides=[1]>", "tensor_view<4xELEM, strides=[1]>", "add"
	if b.device != nil {
		ptr = "ptr<ELEM, <multicast>>"
		view = "tensor_view<4xELEM, strides=[1], #cuda_tile.ptr_attr<multicast>>"
		base = "tile<ptr<ELEM, <multicast>>> -> " + view
	}
	if elem != "i32" {
		red = "addf"
	}
	text := "global @g <ELEM: 9> : tile<1xELEM>\nentry @k(%p: tile<PTR>) {\n" + enumPrefix + b.body + "\nreturn\n}\n"
	for _, r := range [][2]string{{"BASETENSOR", base}, {"VIEW", "partition_view<tile=(2), " + view + ">"}, {"RED", red}, {"PTR", ptr}, {"ELEM", elem}} {
		text = strings.ReplaceAll(text, r[0], r[1])
	}
	if elem != "i32" {
		for _, n := range []string{"[3, -4]", "[5, 9]", ": 9>"} {
			text = strings.ReplaceAll(text, n, strings.NewReplacer("3,", "3.0,", "-4]", "-4.0]", "5,", "5.0,", "9]", "9.0]", "9>", "9.0>").Replace(n))
		}
	}
	return text
}

// TestEveryAttributeCase executes the operations that TestValues does not with every value of their enums, and finds
// the values that none has.
func TestEveryAttributeCase(t *testing.T) {
	t.Parallel()
	for _, def := range ops.Dialect.Ops() {
		var enums []string
		for i := range def.Attrs {
			if e := wire.Of(&def.Attrs[i]).Enum; e != nil {
				for _, c := range e.Cases {
					enums = append(enums, def.Attrs[i].Name+"="+c.Keyword)
				}
			}
		}
		lines := linesOf(t, def)
		if len(enums) == 0 || len(lines) > 0 && lines[0].Text == "" {
			continue // TestValues tries every value
		}
		t.Run(def.Name, func(t *testing.T) {
			t.Parallel()
			executed := make(map[string]bool)
			if len(lines) > 0 {
				for _, l := range lines {
					for _, e := range enums {
						name, value, _ := strings.Cut(e, "=")
						executed[e] = executed[e] || strings.Contains(l.Text, name+"="+value) || wordsOf(l.Text)[value]
					}
				}
			} else if b, ok := enumBenches[def]; ok {
				b.execute(t, def, executed)
			} else {
				t.Fatal("no test executes the values of its attributes")
			}
			for _, e := range enums {
				if rejected := slices.Contains(strings.Fields(neverLegal[def]), e); rejected == executed[e] {
					t.Errorf("%s: executed %v, but said to be rejected %v", e, executed[e], rejected)
				}
			}
		})
	}
}

func wordsOf(text string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}

// execute runs the kernel with each combination of attributes that the verifier admits, and notes which values there
// were.
func (b *enumBench) execute(t *testing.T, def *ir.OpDef, executed map[string]bool) {
	for _, elem := range []string{"i32", "f32"} {
		c := tileir.NewContext()
		module, err := tileir.Read(c, "k.mlir", []byte(b.kernel(def, elem)))
		if err != nil {
			t.Fatalf("%v\n%s", err, b.kernel(def, elem))
		}
		var op ir.Op
		module.Walk(func(o ir.Op) ir.WalkResult {
			if o.Is(def) && op.IsNil() {
				op = o
			}
			return ir.Advance
		})
		for _, attrs := range enumCombinations(c, def) {
			for i := range def.Attrs {
				if wire.Of(&def.Attrs[i]).Enum != nil {
					op.SetAttr(def.Attrs[i].Name, nil)
				}
			}
			kind := ""
			for _, a := range attrs {
				op.SetAttr(a.Name, a.Value)
				if a.Name == "mode" || a.Name == "reduction" {
					kind = fmt.Sprint(a.Value)
				}
			}
			if kind == "" && def.AttrSlot("reduction") >= 0 {
				kind = "add" // the default
			}
			if ir.Verify(module) != nil {
				continue
			}
			b.compare(t, module, elem, kind, attrs)
			for _, a := range attrs {
				executed[a.Name+"="+fmt.Sprint(a.Value)] = true
			}
		}
	}
}

// enumCombinations returns all combinations of the values of the enums of a row, with optional ones left out as well.
func enumCombinations(c *ir.Context, def *ir.OpDef) [][]ir.NamedAttr {
	only := *def
	only.Attrs = slices.DeleteFunc(slices.Clone(def.Attrs), func(f ir.Field) bool { return wire.Of(&f).Enum == nil })
	return attributes(c, &only)
}

func (b *enumBench) compare(t *testing.T, module ir.Op, elem, kind string, attrs []ir.NamedAttr) {
	t.Helper()
	d, err := launch.ParseDType(elem)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(x float64) uint64 {
		if elem == "i32" {
			return uint64(uint32(int32(x)))
		}
		return numeric.F32.Encode(x, numeric.Env{})
	}
	m := modelOf(kind)
	if m == nil {
		t.Errorf("no model of '%s'", kind)
		return
	}
	flat := func(rows [][]float64) *launch.Buffer {
		buf := &launch.Buffer{DType: d, Replicas: len(rows), Data: make([]byte, d.Bytes(4*len(rows)))}
		for i, x := range slices.Concat(rows...) {
			d.Store(buf.Data, i, encode(x))
		}
		return buf
	}
	got, want := flat(append([][]float64{{5, 6, 7, 8}}, b.device...)), flat(b.want(m))
	err = interp.New(module).Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: got}}})
	if err != nil {
		t.Errorf("%s %v: %v", elem, attrs, err)
		return
	}
	if diff, err := launch.Compare(got, want, launch.Tolerance{}); err != nil || !diff.OK() {
		t.Errorf("%s %v: %+v, %v", elem, attrs, diff, err)
	}
}

// Every padding value in every kind of view, for elements of every kind, with and without a dim_map.
func TestEveryPadding(t *testing.T) {
	t.Parallel()
	ints := map[string]uint64{"zero": 0}
	floats := func(f numeric.Format) map[string]uint64 {
		return map[string]uint64{"zero": f.Zero(false), "neg_zero": f.Zero(true), "nan": f.NaN(), "pos_inf": f.Inf(false), "neg_inf": f.Inf(true)}
	}
	views := map[string]string{
		"partition": "partition_view<tile=(2x4), padding_value = PAD, TENSOR>", "transposed": "partition_view<tile=(2x4), padding_value = PAD, TENSOR, dim_map=[1, 0]>",
		"strided": "strided_view<tile=(2x4), traversal_strides=[2,4], padding_value = PAD, TENSOR>",
		"gather":  "gather_scatter_view<tile=(2x4), padding_value = PAD, TENSOR, sparse_dim=0>",
	}
	for _, elem := range []string{"i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "tf32", "f8E4M3FN", "f8E5M2"} {
		want := ints
		d, err := launch.ParseDType(elem)
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := d.Format(); ok {
			want = floats(f)
		}
		ran := make(map[string]bool)
		for _, padding := range cudatile.PaddingValues.Cases {
			for name, view := range views {
				index, types, make := "%c0, %c0", "tile<i32>", name+"_view"
				switch name {
				case "gather":
					index, types, make = "%far, %c0", "tile<2xi32>, tile<i32>", "gather_scatter_view"
				case "transposed":
					make = "partition_view"
				}
				text := strings.NewReplacer("MAKE", make, "VIEW", view, "INDEX", index, "TYPES", types).Replace(`entry @k(%p: tile<ptr<ELEM>>, %out: tile<ptr<ELEM>>) {
%c0 = constant <i32: 0> : tile<i32>
%far = constant <i32: [1, -1]> : tile<2xi32>
%tv = make_tensor_view %p, shape = [1, 1], strides = [1, 1] : TENSOR
%v = make_MAKE %tv : VIEW
%x, %t = load_view_tko weak %v[INDEX] : VIEW, TYPES -> tile<2x4xELEM>, token
%ov = make_tensor_view %out, shape = [2, 4], strides = [4, 1] : tensor_view<2x4xELEM, strides=[4,1]>
%ow = make_partition_view %ov : partition_view<tile=(2x4), tensor_view<2x4xELEM, strides=[4,1]>>
%s = store_view_tko weak %x, %ow[%c0, %c0] : tile<2x4xELEM>, partition_view<tile=(2x4), tensor_view<2x4xELEM, strides=[4,1]>>, tile<i32> -> token
return
}`)
				text = strings.NewReplacer("TENSOR", "tensor_view<1x1x"+elem+", strides=[1,1]>", "PAD", padding.Keyword, "ELEM", elem).Replace(
					strings.NewReplacer("TENSOR", "tensor_view<1x1x"+elem+", strides=[1,1]>").Replace(text))
				c := tileir.NewContext()
				module, err := tileir.Read(c, "k.mlir", []byte(text))
				if err != nil || ir.Verify(module) != nil {
					if _, legal := want[padding.Keyword]; legal {
						t.Errorf("%s %s %s: %v\n%s", elem, name, padding.Keyword, err, text)
					}
					continue
				}
				in := &launch.Buffer{DType: d, Data: slices.Repeat([]byte{0}, d.Size())}
				out := &launch.Buffer{DType: d, Data: slices.Repeat([]byte{1}, 8*d.Size())}
				err = interp.New(module).Run(context.Background(), &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: in}, {Buffer: out}}})
				if err != nil {
					t.Errorf("%s %s %s: %v", elem, name, padding.Keyword, err)
					continue
				}
				ran[padding.Keyword] = true
				for i := range 8 {
					pad, inside := want[padding.Keyword], i == 0 && name != "gather"
					if got := d.Load(out.Data, i); !inside && got != pad {
						t.Errorf("%s %s %s: element %d is %#x, want %#x", elem, name, padding.Keyword, i, got, pad)
					}
				}
			}
		}
		if got, all := slices.Sorted(maps.Keys(ran)), slices.Sorted(maps.Keys(want)); !slices.Equal(got, all) {
			t.Errorf("%s: executed %v, want %v", elem, got, all)
		}
	}
}
