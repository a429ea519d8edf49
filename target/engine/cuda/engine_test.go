//go:build linux

package cuda

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tilewright/tilewright/target/engine/launch"
	"github.com/tilewright/tilewright/target/tensormap"
)

// fake builds the driver library that has no device, and returns its path.
func fake(t *testing.T) string {
	t.Helper()
	return built(t, "fakecuda.c")
}

// built builds a library of a file in testdata.
func built(t *testing.T, source string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler, with which to build a driver library that needs no device")
	}
	lib := filepath.Join(t.TempDir(), "libfake.so")
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", lib, filepath.Join("testdata", source)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return lib
}

func engine(t *testing.T, image string) *Engine {
	t.Helper()
	d, err := openLibrary(fake(t))
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(d, []byte(image))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func request(entry string) *launch.Request {
	data := make([]byte, 4*8)
	for i := range 8 {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
	}
	return &launch.Request{Entry: entry, Grid: [3]uint32{2, 1, 1}, Args: []launch.Arg{
		{Buffer: &launch.Buffer{DType: launch.I32, Shape: []int{8}, Data: data}},
		{Scalar: launch.Scalar{DType: launch.I32, Bits: 100}},
	}}
}

func TestRun(t *testing.T) {
	t.Parallel()
	e := engine(t, ".version 8.0")
	e.DynamicShared, e.Repeat = 1024, 4
	req := request("add")
	if err := e.Run(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if got := binary.LittleEndian.Uint32(req.Args[0].Buffer.Data[4*i:]); got != uint32(i+100) {
			t.Errorf("element %d: got %d, want %d", i, got, i+100)
		}
	}
	if want := []time.Duration{3e6, 1e6, 2.5e6, 2e6}; !slices.Equal(e.Times, want) || e.Median() != 2250*time.Microsecond {
		t.Errorf("times %v, median %v", e.Times, e.Median())
	}
	if d, err := e.Device(); err != nil || *d != (Device{Name: "Fake GPU", Major: 9, SMs: 3, Driver: 12080}) {
		t.Errorf("device %+v, %v", d, err)
	}
	if err := e.Close(); err != nil { // which the fake rejects while memory is held
		t.Error(err)
	}
}

// TestTensorMaps: hidden parameters after the others, made by the driver. The second one describes nothing that a
// map can.
func TestTensorMaps(t *testing.T) {
	t.Parallel()
	e := engine(t, ".version 8.0")
	good := tensormap.Map{Element: 2, Base: tensormap.Operation("andi", 64, tensormap.Param(0), tensormap.Const(-16)), Sizes: []tensormap.Expr{tensormap.Const(64), tensormap.Operation("extsi", 32, tensormap.Param(1))},
		Strides: []tensormap.Expr{tensormap.Const(72)}, Box: []int{64, 8}, Swizzle: 128}
	line := tensormap.Map{Element: 8, Base: tensormap.Const(0), Sizes: []tensormap.Expr{tensormap.Const(0)}, Box: []int{4}}
	unfit := good
	unfit.Strides = []tensormap.Expr{tensormap.Const(71)}
	e.TensorMaps = []tensormap.Map{good, unfit, line}
	req := request("maps")
	if err := e.Run(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	// Whether the address is that of the buffer; of the first map the size and the stride of the outer dimension, and
	// its type, rank and swizzle; of the others their types, ranks and swizzles.
	for i, n := range map[int]uint32{0: 1, 2: 100, 3: 144, 4: 1<<16 | 2<<8 | 3, 5: 0, 6: 4<<16 | 1<<8, 7: 0} {
		if got := binary.LittleEndian.Uint32(req.Args[0].Buffer.Data[4*i:]); got != n {
			t.Errorf("element %d: got %#x, want %#x", i, got, n)
		}
	}
	e.TensorMaps[0].Element = 16
	if err := e.Run(context.Background(), request("maps")); err == nil || !strings.Contains(err.Error(), "no elements of 16 bytes") {
		t.Errorf("got %v", err)
	}
	e.TensorMaps[0] = good
	e.TensorMaps[0].Box = []int{64, 512}
	if err := e.Run(context.Background(), request("maps")); err == nil || err.Error() != "entry 'maps': making a tensor map: CUDA_ERROR_INVALID_VALUE: invalid argument" {
		t.Errorf("got %v", err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// TestLargeClusters: clusters beyond the portable size are allowed before the launch.
func TestLargeClusters(t *testing.T) {
	t.Parallel()
	e := engine(t, ".version 8.0")
	if err := e.Run(context.Background(), request("clustered")); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ image, entry, want string }{
		{"bad", "add", "loading the module: CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed\nptxas application ptx input, line 1: fatal"},
		{"good", "sub", "finding entry 'sub': CUDA_ERROR_INVALID_VALUE: invalid argument"},
	} {
		err := engine(t, tt.image).Run(context.Background(), request(tt.entry))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.image, err, tt.want)
		}
	}
}

// TestMultiply: cuBLAS is found, called with all of its arguments and timed; where there is none, the error says so.
func TestMultiply(t *testing.T) {
	t.Parallel()
	d, err := openLibrary(fake(t))
	if err != nil {
		t.Fatal(err)
	}
	b, err := openBLASLibrary([]string{"libnone.so", built(t, "fakecublas.c")})
	if errors.Is(err, ErrNoBLAS) && runtime.GOARCH != "amd64" {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	l := &Library{d, func() (*blas, error) { return b, nil }}
	p := &Product{Batch: 2, M: 8, N: 24, K: 16, Type: launch.F32, TF32: true, A: make([]byte, 4*2*8*16), B: make([]byte, 4*2*16*24)}
	launch.F32.Store(p.A, 0, uint64(math.Float32bits(3)))
	launch.F32.Store(p.B, 0, uint64(math.Float32bits(5)))
	c, median, err := l.Multiply(p, 4)
	if err != nil || median != 2250*time.Microsecond || len(c) != 4*2*8*24 {
		t.Fatalf("median %v, %v, %d bytes", median, err, len(c))
	}
	if last := launch.F32.Load(c, 2*8*24-1); last != uint64(math.Float32bits(5+2*3)) {
		t.Errorf("the last element is %#x", last)
	}
	p.TF32 = false
	if _, _, err := l.Multiply(p, 4); err == nil || !strings.Contains(err.Error(), "status 8") {
		t.Errorf("got %v", err)
	}
	p.M = 7
	if _, _, err := l.Multiply(p, 4); err == nil || !strings.Contains(err.Error(), "a matrix of 1024 bytes, expected 896") {
		t.Errorf("got %v", err)
	}
	p.Type = launch.F8E4M3
	if _, _, err := l.Multiply(p, 4); !errors.Is(err, ErrNoBLAS) {
		t.Errorf("got %v", err)
	}
	if _, err := openBLASLibrary([]string{"libnone.so"}); !errors.Is(err, ErrNoBLAS) {
		t.Errorf("got %v", err)
	}
}

func TestNoDriver(t *testing.T) {
	t.Parallel()
	_, err := openLibrary(filepath.Join(t.TempDir(), "libcuda.so.1"))
	if !errors.Is(err, ErrNoDriver) || !strings.Contains(err.Error(), "needs NVIDIA's driver") {
		t.Errorf("got %v", err)
	}
	empty := filepath.Join(t.TempDir(), "libcuda.so.1")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := openLibrary(empty); !errors.Is(err, ErrNoDriver) {
		t.Errorf("got %v", err)
	}
}
