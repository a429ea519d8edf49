package cases

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/testing/judges"
	"github.com/tilewright/tilewright/internal/testing/kerneltest"
	"github.com/tilewright/tilewright/internal/testing/tier"
	"github.com/tilewright/tilewright/pipeline/compile"
	"github.com/tilewright/tilewright/target/cubin"
)

// A viewed is a view of a tensor of f32, and who tests bounds in its accesses.
type viewed struct {
	tile, tensor string // shapes
	more         string // of the type
	sizes        string // values of the tensor's shape
	promise      string // of the access
	tested, ours bool   // by tileiras, and by us alone
}

var boundsCases = []viewed{
	{tile: "1x256", tensor: "?x1024", sizes: "%m, 1024"},
	{tile: "8x128", tensor: "1000x1024", sizes: "1000, 1024", ours: true},
	{tile: "8x128", tensor: "1024x1000", sizes: "1024, 1000", tested: true},
	{tile: "1x256", tensor: "?x?", sizes: "%m, %n", tested: true},
	{tile: "1x256", tensor: "?x?", sizes: "%m, %n256", tested: true}, // a multiple of 256 by an assumption
	{tile: "256x1", tensor: "?x1024", more: ", dim_map=[1, 0]", sizes: "%m, 1024"},
	{tile: "1x256", tensor: "?x?", sizes: "%m, %n", promise: " inbounds = [false, true]"},
	{tile: "1x256", tensor: "?x?", sizes: "%m, %n", promise: " inbounds = [true, false]", tested: true},
	{tile: "1x256", tensor: "?x1024", more: ", traversal_strides=[1,128]", sizes: "%m, 1024", tested: true},
	{tile: "1x256", tensor: "?x1024", more: ", traversal_strides=[1,512]", sizes: "%m, 1024"},
}

// module is a kernel with one access of the view; what is loaded is stored to constant places. Strides may be anything,
// so that nothing goes by TMA.
func (v viewed) module(access string) string {
	tensor := fmt.Sprintf("tensor_view<%sxf32, strides=[?,1]>", v.tensor)
	kind, view := "partition", fmt.Sprintf("partition_view<tile=(%s), %s%s>", v.tile, tensor, v.more)
	if strings.Contains(v.more, "traversal") {
		kind, view = "strided", fmt.Sprintf("strided_view<tile=(%s)%s, %s>", v.tile, v.more, tensor)
	}
	tile := "tile<" + v.tile + "xf32>"
	body := map[string]string{
		"load": "%t, %k = load_view_tko weak %v[%x, %y]" + v.promise + " : " + view + ", tile<i32> -> " + tile + ", token\n" +
			"%c = reshape %q : tile<ptr<f32>> -> tile<1x1xptr<f32>>\n" +
			"%to = broadcast %c : tile<1x1xptr<f32>> -> tile<" + v.tile + "xptr<f32>>\n" +
			"%s = store_ptr_tko weak %to, %t : tile<" + v.tile + "xptr<f32>>, " + tile + " -> token",
		"store":  "%s = store_view_tko weak %t, %v[%x, %y]" + v.promise + " : " + tile + ", " + view + ", tile<i32> -> token",
		"atomic": "%s = atomic_red_view_tko relaxed device %v[%x, %y], addf, %t" + v.promise + " : " + tile + ", " + view + ", tile<i32> -> token",
	}[access]
	if access != "load" {
		body = "%t = constant <f32: 1.0> : " + tile + "\n" + body
	}
	return `cuda_tile.module @m {
entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %stride: tile<i32>) {
%n256 = assume div_by<256>, %n : tile<i32>
%x, %y, %z = get_tile_block_id : tile<i32>
%tv = make_tensor_view %p, shape = [` + v.sizes + `], strides = [%stride, 1] : tile<i32> -> ` + tensor + `
%v = make_` + kind + `_view %tv : ` + view + `
` + body + `
return
}
}
`
}

// TestTileirasBounds: our code tests the bounds of a view where that of tileiras does, and where all
// sizes are static (docs/conformance.md). These kernels have no other comparisons for sm_80.
func TestTileirasBounds(t *testing.T) {
	t.Parallel()
	compiler := judges.Tool(t, "tileiras")
	for i, v := range boundsCases {
		for k, access := range []string{"load", "store", "atomic"} {
			if !tier.Try(i+k, 3) {
				continue
			}
			t.Run(strings.Join([]string{access, v.tile, v.sizes, v.more, v.promise}, " "), func(t *testing.T) {
				t.Parallel()
				module := kerneltest.ReadQuiet(t, "k.mlir", []byte(v.module(access)))
				var data bytes.Buffer
				if err := bytecode.Write(&data, module.Body().First(), bytecode.Options{}); err != nil {
					t.Fatal(err)
				}
				in, out := filepath.Join(t.TempDir(), "k.tileirbc"), filepath.Join(t.TempDir(), "k.cubin")
				if err := os.WriteFile(in, data.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				args := []string{"--gpu-name", "sm_80", "--lineinfo", in, "-o", out}
				if text, err := exec.CommandContext(t.Context(), compiler, args...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				made, err := os.ReadFile(out)
				if err != nil {
					t.Fatal(err)
				}
				theirs, err := cubin.PTX(made)
				if err != nil {
					t.Fatal(err)
				}
				ours, err := compile.To(t.Context(), module, compile.Options{GPU: "sm_80", OptLevel: 3})
				if err != nil {
					t.Fatal(err)
				}
				tests := func(ptx []byte) bool { return bytes.Contains(ptx, []byte("setp.")) }
				if got := tests(theirs); got != v.tested {
					t.Errorf("tileiras tests bounds: %t, want %t\n%s", got, v.tested, theirs)
				}
				if got, want := tests(ours.PTX), v.tested || v.ours; got != want {
					t.Errorf("we test bounds: %t, want %t\n%s", got, want, ours.PTX)
				}
			})
		}
	}
}
