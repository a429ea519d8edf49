//go:build !linux

package cuda

import "fmt"

func open() (*driver, error) {
	return nil, fmt.Errorf("%w: running on a GPU is supported on Linux only; engines interp and ptx run everywhere", ErrNoDriver)
}

func openBLAS() (*blas, error) { return nil, ErrNoBLAS }
