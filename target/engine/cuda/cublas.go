package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// ErrNoBLAS is wrapped by the error of GEMM where cuBLAS is not installed, or is not asked: a StandIn has none.
var ErrNoBLAS = errors.New("no cuBLAS")

// A blas is the part of cuBLAS that is used. Its functions return a cublasStatus_t, 0 for success.
type blas struct {
	create  func(handle *uintptr) int32 // cublasCreate_v2
	destroy func(handle uintptr) int32  // cublasDestroy_v2
	// cublasHgemm; alpha and beta point to halves
	hgemm func(handle uintptr, transA, transB, m, n, k int32, alpha *uint16, a uint64, lda int32, b uint64, ldb int32, beta *uint16, c uint64, ldc int32) int32
}

func (b *blas) symbols() map[string]any {
	return map[string]any{"cublasCreate_v2": &b.create, "cublasDestroy_v2": &b.destroy, "cublasHgemm": &b.hgemm}
}

// halfOne is 1 as a half.
const halfOne = 0x3c00

// GEMM squares a matrix of n rows of halves by cuBLAS, and returns the median time of so many multiplications. One
// before them is not counted. What the matrix holds matters: a device is faster on zeros, which take less power. The
// device must be in use by an Engine.
func (l *Library) GEMM(matrix []byte, n, repeat int) (time.Duration, error) {
	if len(matrix) != 2*n*n || n == 0 {
		return 0, fmt.Errorf("a matrix of %d bytes, expected %d rows of as many halves", len(matrix), n)
	}
	if l.blas == nil {
		return 0, fmt.Errorf("%w for a stand-in", ErrNoBLAS)
	}
	b, err := l.blas()
	if err != nil {
		return 0, err
	}
	e, err := l.New(nil)
	if err != nil {
		return 0, err
	}
	defer e.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d := l.driver
	if err := d.check("using the CUDA device", d.ctxSetCurrent(e.ctx)); err != nil {
		return 0, err
	}
	var handle uintptr
	if status := b.create(&handle); status != 0 {
		return 0, fmt.Errorf("cublasCreate: status %d", status)
	}
	defer b.destroy(handle)
	var matrices [3]uint64
	for i := range matrices {
		if err := d.check("reserving device memory", d.memAlloc(&matrices[i], uint64(len(matrix)))); err != nil {
			return 0, err
		}
		defer d.memFree(matrices[i])
		if err := d.check("copying arguments", d.copyToDevice(matrices[i], &matrix[0], uint64(len(matrix)))); err != nil {
			return 0, err
		}
	}
	multiply := func() error {
		one, zero, rows := uint16(halfOne), uint16(0), int32(n)
		if status := b.hgemm(handle, 0, 0, rows, rows, rows, &one, matrices[0], rows, matrices[1], rows, &zero, matrices[2], rows); status != 0 {
			return fmt.Errorf("cublasHgemm: status %d", status)
		}
		return nil
	}
	if err := multiply(); err != nil {
		return 0, err
	}
	e.Times = nil
	for range repeat {
		elapsed, err := e.elapsed("running cublasHgemm", multiply)
		if err != nil {
			return 0, err
		}
		e.Times = append(e.Times, elapsed)
	}
	return e.Median(), nil
}
