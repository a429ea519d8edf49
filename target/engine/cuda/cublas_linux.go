package cuda

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// blasNames are the names under which cuBLAS is installed, the newest first.
var blasNames = []string{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}

func openBLAS() (*blas, error) { return openBLASLibrary(blasNames) }

// openBLASLibrary loads the first library that is there.
func openBLASLibrary(names []string) (*blas, error) {
	var err error
	for _, name := range names {
		var handle uintptr
		if handle, err = purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL); err != nil {
			continue
		}
		b := new(blas)
		for name, function := range b.symbols() {
			symbol, err := purego.Dlsym(handle, name)
			if err != nil {
				return nil, fmt.Errorf("%w: it has no %s", ErrNoBLAS, name)
			}
			purego.RegisterFunc(function, symbol)
		}
		return b, nil
	}
	return nil, fmt.Errorf("%w: %w", ErrNoBLAS, err)
}
