package cli

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
)

// compatible is the release of the CUDA tools whose input is taken. Front ends look for a version of this form.
const compatible = "release 13.5, V13.5.37"

// WriteVersion writes the version of a tool. The hash of the program, which covers the plugins linked into it, tells
// builds apart.
func WriteVersion(w io.Writer, tool string) error {
	hash, err := ProgramHash()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s: Tilewright, an open compiler for NVIDIA Tile IR\nCompatible with Cuda compilation tools, %s\nBuild %s %s, program hash %x\n",
		tool, compatible, Revision(), runtime.Version(), hash[:8])
	return err
}

// ProgramHash is the SHA-256 of the running program.
func ProgramHash() ([]byte, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return HashOf(f)
}

// HashOf is the SHA-256 of what a reader has.
func HashOf(r io.Reader) ([]byte, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// Revision is the version of the module or the commit that the program was built from, as far as it is known.
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return info.Main.Version
}
