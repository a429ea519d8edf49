package inspect

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tilewright/tilewright/bytecode"
	"github.com/tilewright/tilewright/ir"
)

// Stat writes a summary of a file: its version, the sections with their places, the functions, and how often each
// operation occurs. When the file is damaged it writes what could be read, and returns the error.
func Stat(ctx *ir.Context, w io.Writer, data []byte) error {
	out := bufio.NewWriter(w)
	err := stat(ctx, out, data)
	if e := out.Flush(); e != nil {
		return e
	}
	return err
}

func stat(ctx *ir.Context, w io.Writer, data []byte) error {
	layout, err := bytecode.ReadLayout(ctx, data)
	if err != nil && layout.Version == (ir.Version{}) {
		return err // nothing could be read
	}
	fmt.Fprintf(w, "Tile IR bytecode %v, %d bytes\n\n", layout.Version, len(data))
	fmt.Fprintf(w, "%-34s %9s %9s %9s\n", "section", "offset", "length", "alignment")
	for _, s := range layout.Sections {
		fmt.Fprintf(w, "%-34s %9d %9d %9d\n", s.ID, s.Offset, s.Length, s.Align)
	}
	if err != nil {
		return err
	}
	f, err := bytecode.Open(ctx, data)
	if err != nil {
		return err
	}
	n := f.Counts()
	fmt.Fprintf(w, "\n%d strings, %d types, %d constants, %d globals, %d debug attributes\n", n.Strings, n.Types, n.Constants, n.Globals,
		n.DebugAttrs)
	if f.Producer != "" {
		fmt.Fprintf(w, "producer %q\n", f.Producer)
	}
	return functions(w, f)
}

// A count is how often an operation occurs, and how many bytes its records take.
type count struct {
	name       string
	ops, bytes int
}

func functions(w io.Writer, f *bytecode.File) error {
	byName := make(map[string]*count)
	fmt.Fprintf(w, "\n%-34s %9s %10s %9s\n", "function", "bytes", "operations", "depth")
	for i := range f.Functions {
		ops, depth := 0, 0
		if err := f.Records(i, func(r bytecode.Record) {
			ops++
			depth = max(depth, r.Depth)
			c := byName[r.Op.Name()]
			if c == nil {
				c = &count{name: r.Op.Name()}
				byName[c.name] = c
			}
			c.ops++
			c.bytes += r.End - r.Start
		}); err != nil {
			return err
		}
		fmt.Fprintf(w, "%-34s %9d %10d %9d\n", "@"+f.Functions[i].Name, f.Functions[i].Size, ops, depth)
	}
	fmt.Fprintf(w, "\n%-34s %9s %9s\n", "operation", "count", "bytes")
	var all []*count
	for _, c := range byName {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *count) int { return cmp.Or(b.ops-a.ops, cmp.Compare(a.name, b.name)) })
	for _, c := range all {
		fmt.Fprintf(w, "%-34s %9d %9d\n", c.name, c.ops, c.bytes)
	}
	return nil
}
