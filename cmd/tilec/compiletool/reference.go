package compiletool

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"
	"github.com/tilewright/tilewright/target/sm"
)

// words are the values of options that take one of several.
var words = map[string][]string{
	"gpu-name": sm.Names(), "sanitize": {"memcheck"}, "host-arch": {"x86_64", "aarch64"}, "host-os": {"linux", "windows"}, "remark-format": remarkFormats,
	"remarks": remarkCategories, "remarks-analysis": remarkCategories, "remarks-failed": remarkCategories, "remarks-missed": remarkCategories, "remarks-passed": remarkCategories,
}

// suggested are the names that tileiras suggests for one that it does not know; of equally near ones the first.
var suggested = []string{"l", "o", "g", "O", "h", "gpu-name", "opt-level", "device-debug", "lineinfo", "output-file", "sanitize", "preview", "host-arch", "host-os", "remarks",
	"remark-format", "remarks-passed", "remarks-missed", "remarks-failed", "remarks-analysis", "remarks-output-file", "list-versions", "apply-controls", "version", "help", "help-list", "arch"}

// writeReferenceHelp writes the options: those of tileiras, and after them those that are ours alone.
func writeReferenceHelp(w io.Writer, p *persona, hidden bool) {
	c := newConfig(p)
	theirs, ours := pflag.NewFlagSet("", 0), pflag.NewFlagSet("", 0)
	theirs.SortFlags, ours.SortFlags = false, false
	c.flags.VisitAll(func(f *pflag.Flag) {
		switch {
		case slices.Contains(suggested, f.Name) || f.Name == "link-library":
			theirs.AddFlag(f)
		case hidden || !f.Hidden:
			ours.AddFlag(f)
		}
	})
	fmt.Fprintf(w, "OVERVIEW: %s: Tilewright in the place of the Cuda Tile IR optimizing assembler\n\nUSAGE: %s [options] <tile bytecode file>\n\nOPTIONS:\n\n", p.name, p.name)
	fmt.Fprintf(w, "Options of the assembler:\n%s\nOptions of Tilewright alone:\n%s", theirs.FlagUsagesWrapped(helpWidth), ours.FlagUsagesWrapped(helpWidth))
}

const helpWidth = 110
