package cudatile_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/asm"
)

// inputRE finds the operands of a case, which are written as %{type}.
var inputRE = regexp.MustCompile(`%\{([^}]*)\}`)

// kernel makes a module out of the operations of a case. Each operand %{tile<8xf32>} becomes a value of that type from an operation of which
// nothing is known.
func kernel(body string) string {
	var defs strings.Builder
	n := 0
	body = inputRE.ReplaceAllStringFunc(body, func(m string) string {
		t := m[2 : len(m)-1]
		if !strings.HasPrefix(t, "!") && !strings.HasPrefix(t, "i") && !strings.HasPrefix(t, "f") {
			t = "!cuda_tile." + t
		}
		n++
		fmt.Fprintf(&defs, "%%in%d = \"t.v\"() : () -> %s\n", n, t)
		return fmt.Sprintf("%%in%d", n)
	})
	return "cuda_tile.module @m {\nentry @k(%arg: tile<i32>) {\n" + defs.String() + body + "\nreturn\n}\n}"
}

// check parses and verifies a text and returns all diagnostics.
func check(text string) string {
	c := ir.NewContext(cudatile.D)
	c.AllowUnregistered = true
	var all []string
	c.Diag.Push(func(d *ir.Diagnostic) { all = append(all, d.Error()) })
	if op, err := asm.Parse(c, "in", []byte(text), asm.ParseOptions{}); err == nil {
		_ = ir.Verify(op) // the errors went to the handler
	}
	return strings.Join(all, "\n")
}

func testRejected(t *testing.T, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		body, want := c[0], c[1]
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			text := body
			if !strings.HasPrefix(body, "cuda_tile.module") {
				text = kernel(body)
			}
			if got := check(text); !strings.Contains(got, want) {
				t.Errorf("%s\ngot  %s\nwant %s", body, got, want)
			}
		})
	}
}

func TestRejectedTypes(t *testing.T) {
	t.Parallel()
	var cases [][2]string
	for _, c := range [][2]string{
		{"tile<0xf32>", "all dimensions must be positive constants, got 0"},
		{"tile<3xf32>", "all dimensions must be powers of two, got 3"},
		{"tile<4096x8192xf32>", "tile would exceed the maximum of 16777216 elements"},
		{"tile<f4E2M1FN>", "F4E2M1FN tiles must have an even number of elements"},
		{"tile<4xindex>", "failed to verify 'elementType'"},
		{"ptr<ptr<f32>>", "failed to verify 'pointeeType'"},
		{"ptr<i4>", "failed to verify 'pointeeType'"},
		{"tensor_view<4x4xf32, strides=[1]>", "expected shape and stride to be of same rank but got shape of rank 2 and stride of rank 1"},
		{"tensor_view<0xf32, strides=[1]>", "dimensions must have strictly positive constant sizes but got [0]"},
		{"tensor_view<4xf32, strides=[x]>", "expected either 64-bit integer or question mark"},
		{"tensor_view<4xf32, strides=[-1]>", "expected strictly positive integer, got -1"},
		{"tensor_view<f32, strides=[]>", "strides must not be provided for 0-d tiles"},
		{"tensor_view<f32, foo>", "unexpected token after element type in 0-d tensor_view"},
		{"tensor_view<4xf32>", "expected 'strides'"},
		{"tensor_view<4xptr<f32>, strides=[1]>", "failed to verify 'elementType'"},
		{"partition_view<tile=(), tensor_view<f32>>", "0-dimension tile shape is not supported"},
		{"partition_view<tile=(2), tensor_view<4x4xf32, strides=[4,1]>>", "expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1"},
		{"partition_view<tile=(3), tensor_view<4xf32, strides=[1]>>", "tile shape dimensions must have power of two length but got [3]"},
		{"partition_view<tile=(4294967296), tensor_view<4xf32, strides=[1]>>", "exceeds i32 limitations (got 4294967296"},
		{"partition_view<tile=(2), tile<2xf32>>", "expected 'tensor_view' type, but got '!cuda_tile.tile<2xf32>'"},
		{"partition_view<tile=(2), padding_value = foo, tensor_view<4xf32, strides=[1]>>", "invalid padding_value attribute specification. Got \"foo\""},
		{"partition_view<tile=(2), padding_value = nan, tensor_view<4xi32, strides=[1]>>", "can only be used with floating point element types, got 'i32'"},
		{"partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0]>", "expected dim_map to map exactly all 2 dimensions of the tile, got 1"},
		{"partition_view<tile=(2), tensor_view<4xf32, strides=[1]>, dim_map=[-1]>", "target dimension must not be negative, got -1"},
		{"partition_view<tile=(2), tensor_view<4xf32, strides=[1]>, dim_map=[1]>", "expected strictly less than 1, got 1"},
		{"partition_view<tile=(2x2), tensor_view<4x4xf32, strides=[4,1]>, dim_map=[0, 0]>", "target dimension 0 mapped at least twice (for tile dimensions 0 and 1)"},
		{"partition_view<tile=(8192x4096), tensor_view<4x4xf32, strides=[4,1]>>", "tile would exceed the maximum of"},
		{"strided_view<tile=(2), traversal_strides=[1,1], tensor_view<4xf32, strides=[1]>>", "expected 1 traversal strides, got 2"},
		{"strided_view<tile=(2), traversal_strides=[0], tensor_view<4xf32, strides=[1]>>", "traversal strides must be strictly positive but got [0]"},
		{"gather_scatter_view<tile=(2), tensor_view<4xf32, strides=[1]>, sparse_dim=1>", "gather dimension is outside of tensor view dimensions, expected strictly less than 1, got 1"},
		{"gather_scatter_view<tile=(2), tensor_view<4xf32, strides=[1]>>", "expected ','"},
		{"frob<4>", "unknown type"},
	} {
		cases = append(cases, [2]string{"%x = \"t.v\"() : () -> !cuda_tile." + c[0], c[1]})
	}
	testRejected(t, cases)
}

func TestRejectedArithmetic(t *testing.T) {
	t.Parallel()
	testRejected(t, [][2]string{
		{"%0 = addf %{tile<4xi32>}, %{tile<4xi32>} : tile<4xi32>", "operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<4xi32>'"},
		{`%0 = "cuda_tile.addi"(%{tile<4xi32>}, %{tile<8xi32>}) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<8xi32>) -> !cuda_tile.tile<4xi32>`,
			"failed to verify that all of {lhs, rhs, result} have same type"},
		{`%0 = "cuda_tile.addf"(%{tile<f32>}, %{tile<f32>}) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>`,
			"invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]"},
		{`%0 = "cuda_tile.addf"(%{tile<f32>}, %{tile<f32>}) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>`, "requires attribute 'rounding_mode'"},
		{"%0 = addf %{tile<f32>}, %{tile<f32>} rounding<full> : tile<f32>", "expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'full'"},
		{"%0 = exp2 %{tile<f16>} flush_to_zero : tile<f16>", "flush_to_zero modifier only supported for f32 data type, but got: 'f16'"},
		{"%0 = sqrt %{tile<f16>} rounding<approx> : tile<f16>", "approx modifier only supported for f32 data type, but got: 'f16'"},
		{"%0 = divf %{tile<f16>}, %{tile<f16>} rounding<full> : tile<f16>", "full modifier only supported for f32 data type, but got: 'f16'"},
		{"%0 = tanh %{tile<f16>} rounding<zero> : tile<f16>", "invalid rounding mode specified, expect one of [approx, full]"},
		{"%0 = fpowi %{tile<4xf32>}, %{tile<8xi32>} : tile<4xf32>, tile<8xi32>", "failed to verify that all of {source, exponent} have same shape"},
		{"%0 = divi %{tile<i32>}, %{tile<i32>} unsigned rounding<negative_inf> : tile<i32>", "rounding mode 'negative_inf' is not allowed with 'unsigned' flag"},
		{"%0 = divi %{tile<i32>}, %{tile<i32>} signed rounding<full> : tile<i32>", "expect one of [zero, negative_inf, positive_inf]"},
		{"%0 = negi %{tile<i32>} overflow<no_unsigned_wrap> : tile<i32>", "'no_unsigned_wrap' overflow flag is not supported"},
		{"%0 = maxi %{tile<i32>}, %{tile<i32>} : tile<i32>", "expected signedness to be one of: {'signed', 'unsigned'}"},
		{"%0 = cmpi below %{tile<i32>}, %{tile<i32>}, signed : tile<i32> -> tile<i1>", "expected 'comparison_predicate' to be one of: {'equal'"},
		{"%0 = cmpf equal maybe %{tile<f32>}, %{tile<f32>} : tile<f32> -> tile<i1>", "expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}"},
		{"%0 = cmpi equal %{tile<4xi32>}, %{tile<4xi32>}, signed : tile<4xi32> -> tile<8xi1>", "Result type has i1 element type and same shape as operands"},
		{"%0 = bitcast %{tile<4xi32>} : tile<4xi32> -> tile<4xf16>", "types must be equal width, cannot convert '!cuda_tile.tile<4xi32>' of width 32"},
		{"%0 = exti %{tile<4xi32>} signed : tile<4xi32> -> tile<4xi32>", "extending to smaller or identical integer"},
		{"%0 = trunci %{tile<4xi8>} : tile<4xi8> -> tile<4xi32>", "truncating to larger or identical integer"},
		{"%0 = ftof %{tile<f32>} : tile<f32> -> tile<f32>", "converting tiles must not be a no-op"},
		{"%0 = ftof %{tile<f32>} : tile<f32> -> tile<f8E8M0FNU>", "invalid rounding mode specified for conversion to f8E8M0FNU"},
		{"%0 = ftof %{tile<f16>} rounding<zero> : tile<f16> -> tile<f32>", "Only 'nearest_even' is supported"},
		{"%0 = ftof %{tile<f32>} rounding<negative_inf> : tile<f32> -> tile<f16>", "Only 'nearest_even' and 'zero' are supported for narrowing conversions"},
		{"%0 = itof %{tile<i32>} signed : tile<i32> -> tile<f8E8M0FNU>", "integer to f8E8M0FNU conversion is not supported"},
		{"%0 = itof %{tile<i32>} signed rounding<zero> : tile<i32> -> tile<f32>", "Only 'nearest_even' is supported"},
		{"%0 = pack %{tile<2x2xi32>} : tile<2x2xi32> -> tile<2x8xi8>", "expects source and result to be rank-1 tiles"},
		{"%0 = pack %{tile<4xi8>} : tile<4xi8> -> tile<4xi8>", "expects source and result to have different element type widths"},
		{"%0 = pack %{tile<2xi1>} : tile<2xi1> -> tile<1xi8>", "expects source tile to be byte-aligned"},
		{"%0 = pack %{tile<4xi32>} : tile<4xi32> -> tile<8xi8>", "got source tile size 16 bytes and result tile size 8 bytes"},
		{"%0 = mmaf %{tile<4xf16>}, %{tile<4xf16>}, %{tile<4xf32>} : tile<4xf16>, tile<4xf16>, tile<4xf32>", "operands must be 2D or 3D tiles"},
		{"%0 = mmaf %{tile<4x8xf16>}, %{tile<4x8xf16>}, %{tile<4x8xf32>} : tile<4x8xf16>, tile<4x8xf16>, tile<4x8xf32>", "shape error: dim 1 of lhs (8) and dim 0 of rhs (4) must match"},
		{"%0 = mmaf %{tile<4x4xbf16>}, %{tile<4x4xbf16>}, %{tile<4x4xf16>} : tile<4x4xbf16>, tile<4x4xbf16>, tile<4x4xf16>", "Input type 'bf16' expects accumulator/result type to be one of {'f32'}, but got 'f16'"},
		{"%0 = mmai %{tile<2x4x4xi8>}, %{tile<4x4x4xi8>}, %{tile<2x4x4xi32>} signed signed : tile<2x4x4xi8>, tile<4x4x4xi8>, tile<2x4x4xi32>", "shape error: dim 0 of lhs (2) and dim 0 of rhs (4)"},
		{scaled("f8E4M3FN", "f8E8M0FNU", 4), "shape error: f8 element type requires block scale factor of lhs_scale and rhs_scale to be 32, but got 16"},
		{scaled("f8E4M3FN", "f8E4M3FN", 2), "unsupported combination of element types. Scale type 'f8E4M3FN'"},
		{scaled("f4E2M1FN", "f8E4M3FN", 2), "shape error: f4E2M1FN element type with f8E4M3FN scales"},
		{scaled("f4E2M1FN", "f8E8M0FNU", 8), "shape error: f4E2M1FN element type with f8E8M0FNU scales"},
		{scaled("f8E4M3FN", "f8E8M0FNU", 128), ") must be a divisor of dim 1 of lhs (64)"},
	})
}

// scaled returns a product with ks scales for each 64 elements.
func scaled(elem, scale string, ks int) string {
	types := fmt.Sprintf("tile<4x64x%[1]s>, tile<64x4x%[1]s>, tile<4x4xf32>, tile<4x%[3]dx%[2]s>, tile<%[3]dx4x%[2]s>", elem, scale, ks)
	return "%0 = mmaf_scaled %{" + strings.ReplaceAll(types, ", ", "}, %{") + "} : " + types
}

func TestRejectedShapes(t *testing.T) {
	t.Parallel()
	reduce := func(attrs, out, args, body string) string {
		return "%0 = reduce %{tile<4x8xf32>} " + attrs + " : tile<4x8xf32> -> " + out + " (" + args + ") {\n" + body + "\n}"
	}
	const ok, args = "dim=1 identities=[0.0 : f32]", "%a: tile<f32>, %b: tile<f32>"
	testRejected(t, [][2]string{
		{"%0 = broadcast %{tile<2xf32>} : tile<2xf32> -> tile<4xf32>", "expects the shape of source tile to be compatible with that of the result tile, but got: 2 and 4"},
		{"%0 = cat %{tile<2xf32>}, %{tile<2xf32>} dim = 1 : tile<2xf32>, tile<2xf32> -> tile<4xf32>", "expect dim to be [0, 1), but got: 1"},
		{"%0 = cat %{tile<2xf32>}, %{tile<2xf32>} dim = 0 : tile<2xf32>, tile<2xf32> -> tile<8xf32>", "invalid concat at position 0, expected: 4 but got: 8"},
		{"%0 = cat %{tile<2x2xf32>}, %{tile<2x4xf32>} dim = 0 : tile<2x2xf32>, tile<2x4xf32> -> tile<4x2xf32>", "expect lhs and rhs shapes to match at non-concat position 1"},
		{"%0 = cat %{tile<2x2xf32>}, %{tile<2x2xf32>} dim = 0 : tile<2x2xf32>, tile<2x2xf32> -> tile<4x4xf32>", "expect lhs and result shapes to match at non-concat position 1"},
		{"%0 = extract %{tile<4xf32>}[%arg] : tile<4xf32> -> tile<2xf16>", "source and result element type do not match"},
		{"%0 = extract %{tile<4xf32>}[%arg] : tile<4xf32> -> tile<8xf32>", "must be evenly divisible by result dimension 0 size (8)"},
		{"%0 = extract %{tile<4xf32>}[%arg, %arg] : tile<4xf32> -> tile<2xf32>", "expected 1 indices, but got 2"},
		{"%c = constant <i32: 2> : tile<i32>\n%0 = extract %{tile<4xf32>}[%c] : tile<4xf32> -> tile<2xf32>", "warning: extract index 0 value 2 may be out of bounds (max valid index: 1)"},
		{"%c = constant <i32: -1> : tile<i32>\n%0 = extract %{tile<4xf32>}[%c] : tile<4xf32> -> tile<2xf32>", "extract index 0 has negative value -1"},
		{"%0 = insert %{tile<8xf32>}, %{tile<4xf32>}[%arg] : tile<8xf32>, tile<4xf32>", "must be evenly divisible by source dimension 0 size (8)"},
		{"%0 = iota : tile<2x2xi32>", "expects result type to be 1-d tile"},
		{"%0 = iota : tile<4xi1>", "the number of elements 4 exceeds the maximum value of element type 'i1'"},
		{"%0 = permute %{tile<4xf32>} [0] : tile<4xf32> -> tile<4xf32>", "expects at least rank 2, but got: 1"},
		{"%0 = permute %{tile<4x8xf32>} [0] : tile<4x8xf32> -> tile<4x8xf32>", "expect permutation size (1) to equal the rank of the source (2)"},
		{"%0 = permute %{tile<4x8xf32>} [1, 1] : tile<4x8xf32> -> tile<4x8xf32>", "expect permutation elements to be unique"},
		{"%0 = permute %{tile<4x8xf32>} [1, 2] : tile<4x8xf32> -> tile<4x8xf32>", "permutation element at index 1 (2) is out of bound [0, 2)"},
		{"%0 = permute %{tile<4x8xf32>} [1, 0] : tile<4x8xf32> -> tile<4x8xf32>", "result shape invalid at index 0, expected: 8, but got: 4"},
		{"%0 = reshape %{tile<4x8xf32>} : tile<4x8xf32> -> tile<16xf32>", "expected source tile and result tile to have the same number of elements"},
		{"%0 = select %{tile<2xi1>}, %{tile<2xf4E2M1FN>}, %{tile<2xf4E2M1FN>} : tile<2xi1>, tile<2xf4E2M1FN>", "cannot operate on sub-byte type F4E2M1FN"},
		{"%0 = select %{tile<4xi1>}, %{tile<2xf32>}, %{tile<2xf32>} : tile<4xi1>, tile<2xf32>", "failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape"},
		{reduce("dim=2 identities=[0.0 : f32]", "tile<4xf32>", args, "yield %a : tile<f32>"), "dimension (2) is out of bound [0, 2)"},
		{reduce("dim=1 identities=[]", "tile<4xf32>", args, "yield %a : tile<f32>"), "expect identities to match the number of operands but got: 1 operands and 0 identities"},
		{reduce("dim=1 identities=[0 : i32]", "tile<4xf32>", args, "yield %a : tile<f32>"), "operand at index: 0 and identity at index: 0 but got: 'f32' and 'i32'"},
		{reduce(ok, "tile<8xf32>", args, "yield %a : tile<f32>"), "inferred type(s) '!cuda_tile.tile<4xf32>' are incompatible"},
		{reduce(ok, "tile<4xf32>", "%a: tile<f32>", "yield %a : tile<f32>"), "expect 2 block arguments but got: 1"},
		{reduce(ok, "tile<4xf32>", "%a: tile<1xf32>, %b: tile<f32>", "yield %b : tile<f32>"), "expect 0-rank tile type at index: 0 but got: '!cuda_tile.tile<1xf32>'"},
		{reduce(ok, "tile<4xf32>", "%a: tile<f32>, %b: tile<f16>", "yield %a : tile<f32>"), "expect same element type for block argument at index: 0 and 1"},
		{reduce(ok, "tile<4xf32>", "%a: tile<f16>, %b: tile<f16>", "yield %a : tile<f16>"), "expect same type for operand at index: 0 and block argument at index: 0"},
		{reduce(ok, "tile<4xf32>", args, "yield"), "expect number of terminators operands (0) to match number of operands (1)"},
		{reduce(ok, "tile<4xf32>", args, "%c = constant <f16: 0.0> : tile<f16>\nyield %c : tile<f16>"), "expect same type for operand at index: 0 and terminator argument at index: 0"},
		{reduce(ok, "tile<4xf32>", args, "assert %arg1, \"\" : tile<i1>\nyield %a : tile<f32>"), "use of undeclared SSA value"},
		{reduce(ok, "tile<4xf32>", args, "%t = print_tko \"\" -> token\nyield %a : tile<f32>"), "only pure operations are allowed inside 'cuda_tile.reduce'"},
		{"%0 = scan %{tile<4xf32>} dim=0 reverse=false identities=[0.0 : f32] : tile<4xf32> -> tile<8xf32> (%a: tile<f32>, %b: tile<f32>) { yield %a : tile<f32> }",
			"expect same type for operand at index: 0 and result at index: 0"},
		{"%0 = constant <i8: 256> : tile<i8>", "integer constant out of range for type"},
		{"%0 = constant <i8: [1, 2]> : tile<4xi8>", "inferred shape of elements literal ([2]) does not match type ([4])"},
		{"%0 = constant <i8: [[1, 2], [1]]> : tile<2x2xi8>", "tensor literal is invalid; ranks are not consistent between elements"},
		{"%0 = constant <i8: [[1, 2], 1]> : tile<2x2xi8>", "tensor literal is invalid; ranks are not consistent between elements"},
		{"%0 = constant <i8: 1> : tile<i16>", "mismatch between the element type: 'i8' and the tile element type 'i16'"},
		{"%0 = constant <i4: 1> : tile<i4>", "expect element type to be one of i1 or i8"},
		{"%0 = constant <i8: 1> : token", "result #0 must be tile of i1 or i8"},
		{"%0 = constant <i8: true> : tile<i8>", "expected integer value"},
	})
}

func TestRejectedControlFlow(t *testing.T) {
	t.Parallel()
	loop := func(s string) string { return "loop {\n" + s + "\n}" }
	testRejected(t, [][2]string{
		{"if %{tile<i1>} {\nbreak\n}", "can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations"},
		{"for %i in (%arg to %arg, step %arg) : tile<i32> {\nif %{tile<i1>} {\nbreak\n}\n}", "can only be nested within a ancestor chain of"},
		{"if %{tile<i1>} {\ncontinue\n}", "can only be nested within a ancestor chain of 'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if'"},
		{loop("break %arg : tile<i32>"), "operand types must correspond to the parent loop result types: ('!cuda_tile.tile<i32>') vs ()"},
		{loop("continue %arg : tile<i32>"), "`loop` is missing a valid terminator. `continue` op should have operand types that match the parent loop iter_values"},
		{"for %i in (%arg to %arg, step %arg) : tile<i32> {\ncontinue %i : tile<i32>\n}", "`for` is missing a valid terminator. `continue` op should"},
		{loop("return"), "expects parent op to be one of"},
		{"%0 = if %{tile<i1>} -> (tile<i32>) {\n} else {\n}", "has return type of '!cuda_tile.tile<i32>' but then branch does not yield anything"},
		{"if %{tile<i1>} {\nyield %arg : tile<i32>\n}", "does not return a value, but then branch yields '!cuda_tile.tile<i32>'"},
		{"%0 = if %{tile<i1>} -> (tile<i8>) {\nyield %arg : tile<i32>\n} else {\nyield %arg : tile<i32>\n}", "type does not match yield type, then branch yields"},
		{"%0 = if %{tile<i1>} -> (tile<i32>) {\nyield %arg : tile<i32>\n}", "has non-empty return type, must define else branch"},
		{"%0 = loop : tensor_view<f32> {\nbreak %{tensor_view<f32>} : tensor_view<f32>\n}", "result type 0 is a tensor_view, which is not supported"},
		{"%0 = loop iter_values(%a = %{tensor_view<f32>}) : tensor_view<f32> -> tile<i32> {\nbreak %arg : tile<i32>\n}", "loop-carried value 0 is a tensor_view, which is not supported"},
		{"%0 = loop iter_values(%a = %arg, %b = %arg) : tile<i32> {\nbreak\n}", "found different number of iter_values and types"},
		{"%0 = for %i in (%arg to %arg, step %arg) : tile<i32> iter_values(%a = %arg) -> (tile<i32>, tile<i32>) {\n}", "mismatch in number of loop-carried values and defined values"},
		{"cuda_tile.module @m {\nentry @k() -> tile<i32> {\n}\n}", "entry op must not return values"},
		{"cuda_tile.module @m {\nentry @k(%a: tile<4xi32>) {\n}\n}", "entry op must have scalar types (rank 0 !cuda_tile.tile)"},
		{"cuda_tile.module @m {\nentry @k(%a: tile<i32>, tile<i32>) {\n}\n}", "expected SSA identifier"},
		{"cuda_tile.module @m {\nentry @k() {\n}\nentry @k() {\n}\n}", "redefinition of symbol named 'k'"},
		{"cuda_tile.module @m {\nentry @k() {\nreturn\nreturn\n}\n}", "must be the last operation in the parent block"},
		{`cuda_tile.module @m {` + "\n" + `"cuda_tile.entry"() <{sym_name = "k", function_type = (i32) -> ()}> ({` + "\n" + `"cuda_tile.return"() : () -> ()}) : () -> ()` + "\n}",
			"entry block arguments () must match the function signature ('i32')"},
		{"cuda_tile.module @m {\nglobal @g <f32: 1.0> : tile<f32>\n}", "type must have rank 1"},
		{"%0 = get_global @nowhere : tile<ptr<f32>>", "'nowhere' does not reference a valid global"},
		{"cuda_tile.module @m {\nglobal @g <f32: 1.0> : tile<4xf32>\nentry @k() {\n%0 = get_global @g : tile<ptr<i32>>\nreturn\n}\n}",
			"pointee type of result type '!cuda_tile.ptr<i32>' does not match type 'f32' of the global @g"},
		{"%0 = print_tko \"%d %\" , %arg : tile<i32> -> token", "found unterminated format expression"},
		{"%0 = print_tko \"%d %% %d\", %arg : tile<i32> -> token", "incorrect number of operands: expected 2, found 1"},
		{"%0 = assume div_by<3>, %arg : tile<i32>", "'cuda_tile.div_by' divisor must be a power of 2"},
		{"%0 = assume div_by<9223372036854775808>, %arg : tile<i32>", "'cuda_tile.div_by' divisor is too large"},
		{"%0 = assume div_by<4, every 1 along 0>, %arg : tile<i32>", "cannot be used if the constrained value is a 0D tile"},
		{"%0 = assume div_by<4, every 1 along 0>, %{tensor_view<f32>} : tensor_view<f32>", "cannot be used if the constrained value is a tensor_view"},
		{"%0 = assume div_by<4>, %{tile<f32>} : tile<f32>", "is valid only for tile of integer/pointer or tensor_view values"},
		{"%0 = assume div_by<4, every 1 along 1>, %{tile<4xi32>} : tile<4xi32>", "every_dim (1) must be >= 0 and < tile rank (1)"},
		{"%0 = assume div_by<4, every 8 along 0>, %{tile<4xi32>} : tile<4xi32>", "every_dim to be within 0 and the size of the respective dimension (4)"},
		{"%0 = assume same_elements<[1]>, %{tile<f32>} : tile<f32>", "is valid only for tile of integer/pointer values"},
		{"%0 = assume same_elements<[1]>, %arg : tile<i32>", "(1) to match rank of constrained tile (0)"},
		{"%0 = assume same_elements<[8]>, %{tile<4xi32>} : tile<4xi32>", "value 0 to be within 0 and the size of the respective dimension (4)"},
		{"%0 = assume bounded<0, 1>, %{tile<f32>} : tile<f32>", "is valid only for tile of integer values"},
		{"%0 = assume bounded<-129, ?>, %{tile<i8>} : tile<i8>", "expects lower bound to be within [-128, 127]"},
		{"%0 = assume bounded<?, 128>, %{tile<i8>} : tile<i8>", "expects upper bound to be within [-128, 127]"},
		{"%0 = assume bounded<2, 1>, %{tile<i8>} : tile<i8>", "expects lower bound to be less than or equal to upper bound"},
		{"%0 = assume even, %arg : tile<i32>", "unknown assume predicate attribute: even"},
		{"%0 = assume #cuda_tile.rounding<zero>, %arg : tile<i32>", "expected assume predicate attribute"},
		{`%0 = "cuda_tile.pow"(%{tile<f32>}, %{tile<f32>}) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>`, "is now called 'cuda_tile.fpowf'"},
		{"cuda_tile.module @m {\nentry @k() optimization_hints=<a = 1> {\n}\n}", "expected dictionary attribute for optimization_hints entry `a`"},
		{"cuda_tile.module @m {\nentry @k() optimization_hints=<a = {}, a = {}> {\n}\n}", "duplicate optimization_hints key `a`"},
	})
}

func TestRejectedMemory(t *testing.T) {
	t.Parallel()
	const tv = "tensor_view<8x8xf32, strides=[8,1]>"
	const pv = "partition_view<tile=(2x4), " + tv + ">"
	const gv = "gather_scatter_view<tile=(2x4), " + tv + ", sparse_dim=0>"
	load := func(view, what, types string) string {
		return "%0, %1 = load_view_tko weak %{" + view + "}[" + what + "] : " + view + types + " -> tile<2x4xf32>, token"
	}
	red := func(view, elem, head, tail string) string {
		return "%0 = atomic_red_view_tko " + head + " %{" + view + "}[%arg, %arg], " + tail + ", %{tile<2x4x" + elem + ">} : tile<2x4x" + elem + ">, " + view + ", tile<i32> -> token"
	}
	const iv = "partition_view<tile=(2x4), tensor_view<8x8xi32, strides=[8,1]>>"
	testRejected(t, [][2]string{
		{"%0, %1 = load_ptr_tko release sys %{tile<ptr<f32>>} : tile<ptr<f32>> -> tile<f32>, token", "expect one of: weak, relaxed, or acquire, but got: release"},
		{"%0, %1 = load_ptr_tko weak sys %{tile<ptr<f32>>} : tile<ptr<f32>> -> tile<f32>, token", "weak load must not have memory scope"},
		{"%0, %1 = load_ptr_tko relaxed %{tile<ptr<f32>>} : tile<ptr<f32>> -> tile<f32>, token", "memory scope is required for relaxed load"},
		{"%0 = store_ptr_tko acquire sys %{tile<ptr<f32>>}, %{tile<f32>} : tile<ptr<f32>>, tile<f32> -> token", "expect one of: weak, relaxed, or release, but got: acquire"},
		{"%0, %1 = load_ptr_tko weak %{tile<ptr<f32>>} : tile<ptr<f32>> -> tile<i32>, token", "`source` type is expected a pointer type of `result` type"},
		{"%0 = store_ptr_tko weak %{tile<ptr<f32>>}, %{tile<f16>} : tile<ptr<f32>>, tile<f16> -> token", "`destination` type is expected a pointer type of `value` type"},
		{"%0, %1 = load_ptr_tko weak %{tile<ptr<f32>>}, %{tile<2xi1>} : tile<ptr<f32>>, tile<2xi1> -> tile<f32>, token", "shape of 'mask' must match the shape of 'source'"},
		{"%0, %1 = load_ptr_tko weak %{tile<ptr<f32>>}, %{tile<i1>}, %{tile<f16>} : tile<ptr<f32>>, tile<i1>, tile<f16> -> tile<f32>, token", "type of 'paddingValue' must match the type of 'result'"},
		{"%0 = store_ptr_tko weak %{tile<ptr<f32>>}, %{tile<f32>}, %{tile<2xi1>} : tile<ptr<f32>>, tile<f32>, tile<2xi1> -> token", "shape of 'destination' must match the shape of 'mask'"},
		{"%0 = join_tokens %{token} : token", "expect two or more tokens"},
		{"%0 = alloca num_elem = 4, alignment = 3 : tile<ptr<f32>>", "'alignment' must be power of two"},
		{"%0 = alloca num_elem = 4, alignment = 2 : tile<ptr<f32>>", "'alignment' (2) must be at least the natural size (4 bytes) for element type 'f32'"},
		{"%0 = alloca num_elem = -4, alignment = 2 : tile<ptr<f32>>", "failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0"},
		{"%0, %1 = atomic_rmw_tko weak sys %{tile<ptr<i32>>}, add, %{tile<i32>} : tile<ptr<i32>>, tile<i32> -> tile<i32>, token", "memory ordering semantics must be one of: relaxed, acquire, release, acq_rel"},
		{"%0, %1 = atomic_rmw_tko relaxed sys %{tile<ptr<i32>>}, frob, %{tile<i32>} : tile<ptr<i32>>, tile<i32> -> tile<i32>, token", "enum values for attribute 'mode' [and, or, xor"},
		{"%0, %1 = atomic_rmw_tko relaxed sys %{tile<ptr<f32>>}, add, %{tile<f32>} : tile<ptr<f32>>, tile<f32> -> tile<f32>, token", "'add' works only with integers i32 and i64"},
		{"%0, %1 = atomic_rmw_tko relaxed sys %{tile<ptr<i32>>}, addf, %{tile<i32>} : tile<ptr<i32>>, tile<i32> -> tile<i32>, token", "'addf' works only with floats f16, bf16, f32, and f64"},
		{"%0, %1 = atomic_rmw_tko relaxed sys %{tile<ptr<tf32>>}, xchg, %{tile<tf32>} : tile<ptr<tf32>>, tile<tf32> -> tile<tf32>, token", "'xchg' works only with integers or float of 32 or 64 bitwidth"},
		{"%0, %1 = atomic_rmw_tko relaxed sys %{tile<ptr<i64>>}, add, %{tile<i32>} : tile<ptr<i64>>, tile<i32> -> tile<i32>, token", "expected pointee type ('i64') to match element type of 'arg' ('i32')"},
		{"%0, %1 = atomic_rmw_tko relaxed sys %{tile<ptr<i32>>}, add, %{tile<i32>}, %{tile<2xi1>} : tile<ptr<i32>>, tile<i32>, tile<2xi1> -> tile<i32>, token", "all of {pointers, arg, mask} have same shape"},
		{"%0, %1 = atomic_cas_tko relaxed sys %{tile<ptr<i8>>}, %{tile<i8>}, %{tile<i8>} : tile<ptr<i8>>, tile<i8> -> tile<i8>, token", "expect only float or integer types with 32 or 64 bit"},
		{red(gv, "f32", "relaxed device", "addf"), "gather_scatter_view is not supported; use partition_view instead"},
		{red(strings.Replace(pv, "tensor", "padding_value = zero, tensor", 1), "f32", "relaxed device", "addf"), "views with padding_value are not supported for atomic reductions"},
		{red(pv, "f16", "relaxed device", "addf"), "view element type ('f32') must match value element type ('f16')"},
		{red(iv, "i32", "relaxed device", "xchg"), "atomic_red_view_tko op cannot use xchg operation"},
		{red(iv, "i32", "acquire device", "add"), "only 'relaxed' memory ordering is supported for view-based atomic reductions"},
		{red(iv, "i32", "relaxed sys", "add"), "memory scope 'sys' is not supported for view-based atomic reductions"},
		{load(pv, "%arg", ", tile<i32>"), "expected 2 index operands (based on view type), got 1"},
		{load(strings.Replace(pv, "2x4", "2x2", 1), "%arg, %arg", ", tile<i32>"), "expected tile type to be '!cuda_tile.tile<2x2xf32>' (based on view type)"},
		{load(pv, "%arg, %{tile<2xi32>}", ", tile<i32>, tile<2xi32>"), "expected index type to be a scalar tile, got '!cuda_tile.tile<2xi32>'"},
		{load(pv, "%arg, %{tile<i64>}", ", tile<i32>, tile<i64>"), "expected index type 1 to be the same as other index types"},
		{load(pv, "%arg, %arg", ""), "index types must be specified when indices are present"},
		{load(gv, "%arg, %arg", ", tile<i32>"), "expected index at sparse_dim position 0 to be a 1D tensor for GatherScatterView, got rank 0"},
		{load(gv, "%{tile<4xi32>}, %arg", ", tile<4xi32>, tile<i32>"), "expected gather/scatter index size (4) to match tile shape at gather/scatter dimension 0 (2)"},
		{load(gv, "%{tile<2xi32>}, %{tile<2xi32>}", ", tile<2xi32>, tile<2xi32>"), "expected index 1 to be a scalar tile for GatherScatterView"},
		{"%0, %1 = load_view_tko weak %{" + pv + "}[%arg, %arg] inbounds = [true] : " + pv + ", tile<i32> -> tile<2x4xf32>, token", "inbounds size (1) must match the number of indices (2)"},
		{"%0, %1 = load_view_tko weak sys %{" + pv + "}[%arg, %arg] : " + pv + ", tile<i32> -> tile<2x4xf32>, token", "then provides \"sys\" scope"},
		{"%0, %1 = load_view_tko strong %{" + pv + "}[%arg, %arg] : " + pv + ", tile<i32> -> tile<2x4xf32>, token", "invalid memory_ordering_semantics"},
		{"%0, %1 = load_view_tko relaxed here %{" + pv + "}[%arg, %arg] : " + pv + ", tile<i32> -> tile<2x4xf32>, token", "invalid memory_scope"},
		{"%0 = make_tensor_view %{tile<ptr<f32>>}, shape = [4], strides = [1] : tensor_view<8xf32, strides=[1]>", "input shape dimension 0 does not match tensor_view type (expected 8, got 4)"},
		{"%0 = make_tensor_view %{tile<ptr<f32>>}, shape = [8, 8], strides = [1] : tensor_view<8xf32, strides=[1]>", "expected shape declaration to contain 1 elements due to tensor_view type, but 2 were provided"},
		{"%0 = make_tensor_view %{tile<ptr<f32>>}, shape = [x], strides = [1] : tensor_view<8xf32, strides=[1]>", "expected either integer or SSA value"},
		{"%0 = make_tensor_view %{tile<ptr<f32>>}, shape = [8], strides = [1] : tile<f32>", "expected 'tensor_view' type, but got '!cuda_tile.tile<f32>'"},
		{`%0 = "cuda_tile.make_tensor_view"(%{tile<ptr<f32>>}) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<?xf32, strides=[1]>`,
			"expected 1 dynamic shape operands, got 0"},
		{`%0 = "cuda_tile.make_tensor_view"(%{tile<ptr<f16>>}) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f16>>) -> !cuda_tile.tensor_view<f32>`,
			"expected pointer to 'f32' to build tensor_view of this type, got 'f16'"},
		{"%0 = make_partition_view %{" + tv + "} : " + tv, "expected 'partition_view' type, but got"},
		{"%0 = make_strided_view %{" + tv + "} : " + pv, "expected 'strided_view' type, but got"},
		{"%0 = get_tensor_shape %{" + pv + "} : " + pv + " -> tile<i32>", "expected tensor_view, got"},
		{"%0 = get_index_space_shape %{" + tv + "} : " + tv + " -> tile<i32>", "expected tile view, got"},
		{`%0 = "cuda_tile.get_tensor_shape"(%{` + tv + `}) : (!cuda_tile.` + tv + `) -> !cuda_tile.tile<i32>`, "expected 2 results due to tensor rank, but got 1"},
		{"%0 = multimem_store_view_tko weak %{" + pv + "}, %{tile<2x4xf32>}[%arg, %arg] : " + pv + ", tile<2x4xf32>, tile<i32> -> token", "expected a multicast pointer, but got"},
	})
}
