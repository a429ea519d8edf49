package cuda

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// blasNames are the names under which cuBLAS is installed, the newest first.
var blasNames = []string{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}

func openBLAS() (*blas, error) { return openBLASLibrary(blasNames) }

// openBLASLibrary loads the first library that is there.
func openBLASLibrary(names []string) (*blas, error) {
	if spreadAddress == 0 {
		return nil, fmt.Errorf("%w: it is called on x86-64 only", ErrNoBLAS)
	}
	var handle uintptr
	var err error
	for _, name := range names {
		if handle, err = purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoBLAS, err)
	}
	b := new(blas)
	var gemm uintptr
	for name, set := range map[string]func(symbol uintptr){
		"cublasCreate_v2":            func(s uintptr) { purego.RegisterFunc(&b.create, s) },
		"cublasDestroy_v2":           func(s uintptr) { purego.RegisterFunc(&b.destroy, s) },
		"cublasGemmStridedBatchedEx": func(s uintptr) { gemm = s },
	} {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("%w: it has no %s", ErrNoBLAS, name)
		}
		set(symbol)
	}
	// It has more arguments than purego passes.
	var spread func(function uintptr, arguments *gemmArguments, count uintptr) int32
	purego.RegisterFunc(&spread, spreadAddress)
	b.gemm = func(x *gemmArguments) int32 { return spread(gemm, x, unsafe.Sizeof(*x)/unsafe.Sizeof(uintptr(0))) }
	return b, nil
}
