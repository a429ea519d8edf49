package compiletool

import (
	"context"
	"fmt"
	"io"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/internal/tooling/cli"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/ptxas"
)

// writeVersion writes what front ends take as the key of their caches. It changes with everything that changes the
// output. The hash of the program covers the compiler and the plugins linked into it. The assembler and the flags of
// the environment have lines of their own.
func (c *config) writeVersion(ctx context.Context, w io.Writer) error {
	if err := cli.WriteVersion(w, c.name); err != nil {
		return err
	}
	assembler := "none found"
	if tool, err := ptxas.Find(c.ptxas); err == nil {
		if assembler, err = tool.Version(ctx); err != nil {
			assembler = "of unknown version"
		}
	}
	if c.added != nil {
		fmt.Fprintf(w, "Flags of %s: %q\n", flagsVar, c.added)
	}
	_, err := fmt.Fprintf(w, "Assembler ptxas: %s\n", assembler)
	return err
}

// writeVersions lists the versions of bytecode.
func writeVersions(w io.Writer) {
	newest := bytecode.Newest()
	for minor := uint8(1); minor <= newest.Minor; minor++ {
		fmt.Fprintln(w, ir.Version{Major: newest.Major, Minor: minor})
	}
}
