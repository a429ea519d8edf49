package exec

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/pipeline/check/generate"
	"github.com/tilewright/tilewright/target/engine/launch"
)

// TestIntegerPowers raises numbers whose powers are exact to exponents that the format of the number does not hold:
// 257 in bf16, 2049 in f16, 2^24 + 1 in f32. Rounded, these are even, and the power of a negative number lost its
// sign.
func TestIntegerPowers(t *testing.T) {
	t.Parallel()
	exponents := []int32{0, 1, 2, 3, -1, -3, 255, 256, 257, -257, 2047, 2049, -2049, 1<<24 - 1, 1 << 24, 1<<24 + 1, -1<<24 - 1, 1<<31 - 1, -1 << 31, 70001}
	const n = 32
	in := &launch.Buffer{DType: parseDType(t, "i32"), Shape: []int{n}, Data: make([]byte, 4*n)}
	for i, e := range exponents {
		binary.LittleEndian.PutUint32(in.Data[4*i:], uint32(e))
	}
	req := &launch.Request{Entry: "k", Grid: [3]uint32{1, 1, 1}, Args: []launch.Arg{{Buffer: in}}}
	var params, body strings.Builder
	address := func(ptr, elem string) string {
		fmt.Fprintf(&body, `  %%%[1]s1 = reshape %%%[1]s : tile<ptr<%[2]s>> -> tile<1xptr<%[2]s>>
  %%%[1]s2 = broadcast %%%[1]s1 : tile<1xptr<%[2]s>> -> tile<%[3]dxptr<%[2]s>>
  %%%[1]s3 = offset %%%[1]s2, %%at : tile<%[3]dxptr<%[2]s>>, tile<%[3]dxi32> -> tile<%[3]dxptr<%[2]s>>
`, ptr, elem, n)
		return "%" + ptr + "3"
	}
	fmt.Fprintf(&body, "  %%at = iota : tile<%dxi32>\n", n)
	fmt.Fprintf(&body, "  %%n, %%t = load_ptr_tko weak %s : tile<%[2]dxptr<i32>> -> tile<%[2]dxi32>, token\n", address("p", "i32"), n)
	for i, format := range []string{"f16", "bf16", "f32", "f64"} {
		for j, base := range []string{"-1.0", "1.0", "-0.0", "0.0"} {
			name := fmt.Sprintf("q%d_%d_", i, j)
			fmt.Fprintf(&params, ", %%%s: tile<ptr<%s>>", name, format)
			at := address(name, format)
			fmt.Fprintf(&body, `  %%x%[1]s = constant <%[2]s: %[3]s> : tile<%[4]dx%[2]s>
  %%y%[1]s = fpowi %%x%[1]s, %%n : tile<%[4]dx%[2]s>, tile<%[4]dxi32>
  %%t%[1]s = store_ptr_tko weak %[5]s, %%y%[1]s : tile<%[4]dxptr<%[2]s>>, tile<%[4]dx%[2]s> -> token
`, name, format, base, n, at)
			d := parseDType(t, format)
			req.Args = append(req.Args, launch.Arg{Buffer: &launch.Buffer{DType: d, Shape: []int{n}, Data: make([]byte, n*d.Size())}})
		}
	}
	agrees(t, &generate.Kernel{Text: []byte(fmt.Sprintf("entry @k(%%p: tile<ptr<i32>>%s) {\n%s  return\n}\n", &params, &body)), Launch: req})
}

func parseDType(t *testing.T, name string) launch.DType {
	t.Helper()
	d, err := launch.ParseDType(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
