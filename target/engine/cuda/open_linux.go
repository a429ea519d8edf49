package cuda

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// library is the name under which NVIDIA's driver installs its user-mode library; the loader finds its folder.
const library = "libcuda.so.1"

func open() (*driver, error) { return openLibrary(library) }

// openLibrary loads the driver library, which stays loaded.
func openLibrary(library string) (*driver, error) {
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be loaded (%v); running on a GPU needs NVIDIA's driver; engines interp and ptx need none", ErrNoDriver, library, err)
	}
	d := &driver{text: func(address uintptr) string { return cString(*(**byte)(unsafe.Pointer(&address))) }} // outside of Go's heap
	for name, function := range d.symbols() {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("%w: %s has no %s, so it is too old", ErrNoDriver, library, name)
		}
		purego.RegisterFunc(function, symbol)
	}
	return d, nil
}
