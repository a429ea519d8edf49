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
	d := &driver{text: cString}
	for name, function := range d.symbols() {
		symbol, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("%w: %s has no %s, so it is too old", ErrNoDriver, library, name)
		}
		purego.RegisterFunc(function, symbol)
	}
	return d, nil
}

// cString copies a string that the library owns. No message of the driver comes near the bound.
func cString(address uintptr) string {
	const limit = 4096
	p := *(**byte)(unsafe.Pointer(&address)) // an address outside of Go's heap, which the collector does not move
	n := 0
	for n < limit && *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
