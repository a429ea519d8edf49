// Package crashdump opens what cuTile Python leaves when a compiler fails (CUDA_TILE_ENABLE_CRASH_DUMP=1): a zip file
// with the bytecode of the kernel, the command line, and cuTile's own IR.
package crashdump

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"
)

// Limits on what a dump may hold. A zip file can say much in few bytes: bytecode of a kernel compresses by less than
// maxRatio, of which the worst is a large constant of one value.
const (
	maxRatio = 64
	maxFree  = 1 << 20 // that a small dump may take whatever its size
	maxFiles = 1 << 12
)

// Is reports whether data is a zip file.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// suffix is what the name of the bytecode in a dump ends in.
const suffix = ".bytecode"

// Module returns the bytecode in a dump, of at most most bytes, and its name there.
func Module(data []byte, most int64) (name string, module []byte, err error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", nil, fmt.Errorf("no crash dump: %w", err)
	}
	if len(r.File) > maxFiles {
		return "", nil, fmt.Errorf("no crash dump: it has %d files", len(r.File))
	}
	var found *zip.File
	for _, f := range r.File {
		if !strings.HasSuffix(f.Name, suffix) {
			continue
		}
		if found != nil {
			return "", nil, fmt.Errorf("the crash dump has two modules, '%s' and '%s'", found.Name, f.Name)
		}
		found = f
	}
	if found == nil {
		return "", nil, fmt.Errorf("no crash dump: none of its %d files is called NAME%s", len(r.File), suffix)
	}
	limit := min(most, maxFree+maxRatio*int64(len(data)))
	body, err := found.Open()
	if err != nil {
		return "", nil, fmt.Errorf("'%s' of the crash dump: %w", found.Name, err)
	}
	defer body.Close()
	// What the directory of the file says of the size is the file's word for it.
	module, err = io.ReadAll(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("'%s' of the crash dump: %w", found.Name, err)
	case int64(len(module)) > limit:
		return "", nil, fmt.Errorf("'%s' of the crash dump is larger than %d bytes", found.Name, limit)
	}
	return path.Base(found.Name), module, nil
}
