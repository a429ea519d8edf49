package kerneltest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tilewright/tilewright/cmd/tile-run/runtool"
	"github.com/tilewright/tilewright/target/engine/npy"
	"github.com/tilewright/tilewright/tests/tiles"
)

// relative finds the greatest relative difference of a buffer.
var relative = regexp.MustCompile(`(\w+)\[\d+\]\): .*max rel (\S+)`)

const tolerance = 1e-5

// DiffEngines runs a kernel on the engines that the flags name and compares all its buffers.
func DiffEngines(t *testing.T, k tiles.Kernel, way string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "k.mlir")
	if err := os.WriteFile(file, []byte(k.Text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"--entry=k", "--grid=1,1,1", "--timeout=120s"}, strings.Fields("--diff-engines="+way)...)
	for i, b := range k.Buffers {
		path := filepath.Join(dir, fmt.Sprintf("%d.npy", i))
		a := Numbers(b, uint64(i))
		if err := npy.WriteFile(path, &a); err != nil {
			t.Fatal(err)
		}
		args = append(args, fmt.Sprintf("--arg=%s:%s", b.Elem, path))
	}
	var out, errs bytes.Buffer
	status := runtool.Main(context.Background(), append(args, file), strings.NewReader(""), &out, &errs)
	for _, m := range relative.FindAllStringSubmatch(out.String(), -1) {
		// Elementary functions and sums of their results are not exact; everything else is.
		if rel, err := strconv.ParseFloat(m[2], 64); err == nil && strings.HasPrefix(m[1], "f32") && rel <= tolerance {
			status = 0
		} else {
			t.Errorf("arg %s differs", m[1])
		}
	}
	if status != 0 || strings.Count(out.String(), "[ptx against ") != len(k.Buffers) {
		t.Errorf("%s: status %d\n%s%s", way, status, &out, &errs)
	}
}

// Numbers returns random integers, or floats that are multiples of 1/64. Floats of few bits are small integers.
func Numbers(b tiles.Buffer, seed uint64) npy.Array {
	r := rand.New(rand.NewPCG(seed, 5))
	dtype := map[string]npy.DType{"i8": npy.Int8, "i32": npy.Int32, "i64": npy.Int64, "f32": npy.Float32, "f16": npy.Float16, "bf16": npy.Uint16, "f8E4M3FN": npy.Uint8}[b.Elem]
	a := npy.Array{DType: dtype, Shape: []int{b.Count}}
	least, most := b.Least, b.Most
	if least == most {
		least, most = -3, 3
	}
	for range b.Count {
		element := make([]byte, a.DType.Size())
		for k := range element {
			element[k] = byte(r.Uint32())
		}
		small := math.Float32bits(float32(r.IntN(most+1-least) + least))
		switch b.Elem {
		case "f32": // sixty-fourths, whose sums are exact in any order
			binary.LittleEndian.PutUint32(element, math.Float32bits(float32(int8(element[0]))/64))
		case "f16":
			binary.LittleEndian.PutUint16(element, uint16(narrowed(small, 5, 10)))
		case "bf16":
			binary.LittleEndian.PutUint16(element, uint16(narrowed(small, 8, 7)))
		case "f8E4M3FN":
			element[0] = byte(narrowed(small, 4, 3))
		}
		a.Data = append(a.Data, element...)
	}
	return a
}

// narrowed returns the bits of a float with so many of exponent and mantissa, which holds the f32 of those bits
// exactly, as a normal number or zero.
func narrowed(bits uint32, exponent, mantissa int) uint32 {
	const signBit, wide, bias = 31, 23, 127
	sign, rest := bits>>signBit, bits&(1<<signBit-1)
	if rest == 0 {
		return sign << (exponent + mantissa)
	}
	return sign<<(exponent+mantissa) | (rest-uint32(bias-(1<<(exponent-1)-1))<<wide)>>(wide-mantissa)
}
