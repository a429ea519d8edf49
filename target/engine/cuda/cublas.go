package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// ErrNoBLAS is wrapped by the error of Multiply where cuBLAS is not installed, or cannot be called.
var ErrNoBLAS = errors.New("no cuBLAS")

// A blas is the part of cuBLAS that is used. Its functions return a cublasStatus_t, 0 for success.
type blas struct {
	create  func(handle *uintptr) int32          // cublasCreate_v2
	destroy func(handle uintptr) int32           // cublasDestroy_v2
	gemm    func(arguments *gemmArguments) int32 // cublasGemmStridedBatchedEx
}

// gemmArguments are those of cublasGemmStridedBatchedEx, in its order. Each takes a word, as integers do in calls.
type gemmArguments struct {
	handle, _, _, m, n, k     uintptr // neither matrix is transposed: CUBLAS_OP_N is 0
	alpha                     unsafe.Pointer
	a                         uint64
	typeA, lda, strideA       uintptr
	b                         uint64
	typeB, ldb, strideB       uintptr
	beta                      unsafe.Pointer
	c                         uint64
	typeC, ldc, strideC       uintptr
	batch, compute, algorithm uintptr
}

// Values of cudaDataType_t and of cublasComputeType_t.
const (
	real32F, real16F, real16BF = 0, 2, 14
	compute32F, computeTF32    = 68, 77
)

var blasTypes = map[launch.DType]uintptr{launch.F16: real16F, launch.BF16: real16BF, launch.F32: real32F}

// A Product is a multiplication of matrices that lie row by row: C = A B, of Batch pairs that follow each other. A has
// M x K elements, and B has K x N. Sums are f32.
type Product struct {
	Batch, M, N, K int
	Type           launch.DType // of elements: f16, bf16 or f32
	TF32           bool         // multiply f32 as tf32
	A, B           []byte
}

// check rejects matrices of other sizes, and types of which cuBLAS has no product of this kind.
func (p *Product) check() error {
	if _, ok := blasTypes[p.Type]; !ok {
		return fmt.Errorf("%w for products of %s", ErrNoBLAS, p.Type)
	}
	for _, x := range []struct {
		got, rows, columns int
	}{{len(p.A), p.M, p.K}, {len(p.B), p.K, p.N}} {
		if want := p.Type.Bytes(p.Batch * x.rows * x.columns); x.got != want || want == 0 {
			return fmt.Errorf("a matrix of %d bytes, expected %d", x.got, want)
		}
	}
	return nil
}

// Multiply multiplies by cuBLAS. It returns the product, and the median time of so many multiplications; one before them
// is not counted. What the matrices hold matters: a device is faster on zeros, which take less power.
func (l *Library) Multiply(p *Product, repeat int) (c []byte, median time.Duration, err error) {
	if err := p.check(); err != nil {
		return nil, 0, err
	}
	b, err := l.blas()
	if err != nil {
		return nil, 0, err
	}
	e, err := l.New(nil)
	if err != nil {
		return nil, 0, err
	}
	defer e.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d := l.driver
	if err := d.check("using the CUDA device", d.ctxSetCurrent(e.ctx)); err != nil {
		return nil, 0, err
	}
	var handle uintptr
	if status := b.create(&handle); status != 0 {
		return nil, 0, fmt.Errorf("cublasCreate: status %d", status)
	}
	defer b.destroy(handle)
	c = make([]byte, p.Type.Bytes(p.Batch*p.M*p.N))
	var at [3]uint64
	for i, matrix := range [][]byte{p.A, p.B, c} {
		if err := d.check("reserving device memory", d.memAlloc(&at[i], uint64(len(matrix)))); err != nil {
			return nil, 0, err
		}
		defer d.memFree(at[i])
		if err := d.check("copying arguments", d.copyToDevice(at[i], &matrix[0], uint64(len(matrix)))); err != nil {
			return nil, 0, err
		}
	}
	multiply := func() error { return p.multiply(b, handle, at) }
	if err := multiply(); err != nil {
		return nil, 0, err
	}
	if err := d.check("running cuBLAS", d.ctxSynchronize()); err != nil {
		return nil, 0, err
	}
	if err := d.check("copying results", d.copyFromDevice(&c[0], at[2], uint64(len(c)))); err != nil {
		return nil, 0, err
	}
	e.Times = nil
	for range repeat {
		elapsed, err := e.elapsed("running cuBLAS", multiply)
		if err != nil {
			return nil, 0, err
		}
		e.Times = append(e.Times, elapsed)
	}
	return c, e.Median(), nil
}

// multiply calls cuBLAS. Its matrices lie column by column, in which order ours are transposed: so it multiplies B by A.
func (p *Product) multiply(b *blas, handle uintptr, at [3]uint64) error {
	one, zero := float32(1), float32(0)
	kind, m, n, k := blasTypes[p.Type], uintptr(p.M), uintptr(p.N), uintptr(p.K)
	x := gemmArguments{handle: handle, m: n, n: m, k: k, alpha: unsafe.Pointer(&one), a: at[1], typeA: kind, lda: n, strideA: k * n,
		b: at[0], typeB: kind, ldb: k, strideB: m * k, beta: unsafe.Pointer(&zero), c: at[2], typeC: kind, ldc: n, strideC: m * n,
		batch: uintptr(p.Batch), compute: compute32F, algorithm: ^uintptr(0)} // CUBLAS_GEMM_DEFAULT is -1
	if p.TF32 {
		x.compute = computeTF32
	}
	if status := b.gemm(&x); status != 0 {
		return fmt.Errorf("cublasGemmStridedBatchedEx: status %d", status)
	}
	return nil
}
