package defects

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

// TestManyMMAsInARow compiles a kernel of many MMAs in a row. The emitter counted the registers of all of their
// accumulators together, and ended the compile beyond 16384.
func TestManyMMAsInARow(t *testing.T) {
	t.Parallel()
	const products = 110 // of 160 such registers each
	var sb strings.Builder
	sb.WriteString(`cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16>>, %n: tile<i32>) {
    %t = make_token : token
    %v = make_tensor_view %p, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %pv = make_partition_view %v : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>
    %z = constant <f32: 0.0> : tile<64x64xf32>
`)
	for i := range products {
		fmt.Fprintf(&sb, `    %%i%[1]d = constant <i32: %[1]d> : tile<i32>
    %%a%[1]d, %%ta%[1]d = load_view_tko weak %%pv[%%i%[1]d, %%i%[1]d] token = %%t : partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
    %%m%[1]d = mmaf %%a%[1]d, %%a%[1]d, %%z : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
    %%h%[1]d = ftof %%m%[1]d : tile<64x64xf32> -> tile<64x64xf16>
    %%s%[1]d = store_view_tko weak %%h%[1]d, %%pv[%%i%[1]d, %%i%[1]d] token = %%ta%[1]d : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x?xf16, strides=[?,1]>>, tile<i32> -> token
`, i)
	}
	sb.WriteString("    return\n  }\n}\n")
	c := tileir.NewContext()
	module, err := tileir.Read(c, "k.mlir", []byte(sb.String()))
	if err != nil {
		t.Fatal(err)
	}
	code, err := compile.To(context.Background(), module, compile.Options{GPU: "sm_90", OptLevel: 3})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(code.PTX), "wgmma.mma_async"); got < products {
		t.Errorf("%d wgmma for %d products", got, products)
	}
}
