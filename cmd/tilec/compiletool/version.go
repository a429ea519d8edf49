package compiletool

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptxas"
)

// The release of the CUDA tools whose input this compiler takes. Front ends look for a version of this form.
const compatible = "release 13.5, V13.5.37"

// writeVersion writes what front ends take as the key of their caches, so that it changes with everything that changes the output: the hash
// of the program covers the compiler and the plugins linked into it, and the assembler has a line of its own.
func (c *config) writeVersion(ctx context.Context, w io.Writer) error {
	hash, err := programHash()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: Tilewright, an open compiler for NVIDIA Tile IR\n", c.name)
	fmt.Fprintf(w, "Compatible with Cuda compilation tools, %s\n", compatible)
	fmt.Fprintf(w, "Build %s %s, program hash %x\n", revision(), runtime.Version(), hash[:8])
	assembler := "none found"
	if tool, err := ptxas.Find(c.ptxas); err == nil {
		if assembler, err = tool.Version(ctx); err != nil {
			assembler = "of unknown version"
		}
	}
	_, err = fmt.Fprintf(w, "Assembler ptxas: %s\n", assembler)
	return err
}

func programHash() ([]byte, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// revision is the version of the module or the commit that the program was built from, as far as it is known.
func revision() string {
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

// writeVersions lists the versions of bytecode.
func writeVersions(w io.Writer) {
	newest := bytecode.Newest()
	for minor := uint8(1); minor <= newest.Minor; minor++ {
		fmt.Fprintln(w, ir.Version{Major: newest.Major, Minor: minor})
	}
}
