package timing

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// maxText is how much of an instruction a table shows.
const maxText = 72

// WriteText writes the estimate for people, with so many lines of those that take most cycles.
func (e *Estimate) WriteText(w io.Writer, hottest int) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "\nestimate of time on %s (%s), by a model: %d cycles, %.3g us\n", e.Arch, e.Chip, e.KernelCycles, e.Microseconds)
	registers := "as ptxas says"
	if e.RegistersFrom != "ptxas" {
		registers = "by estimate"
	}
	fmt.Fprintf(b, "tile block %d,%d,%d of %d x %d x %d: %d warps, %d registers a thread %s, %d bytes of shared memory; an SM holds %d (%s)\n",
		e.TileBlock[0], e.TileBlock[1], e.TileBlock[2], e.Grid[0], e.Grid[1], e.Grid[2], e.Warps, e.Registers, registers, e.SharedBytes, e.Resident, e.Limit)
	fmt.Fprintf(b, "an SM with %d of them: %d cycles, %d instructions issued, %.2f a cycle\n", e.Modelled, e.Cycles, e.Issued, float64(e.Issued)/float64(max(1, e.Cycles)))
	r := &e.Roofline
	fmt.Fprintf(b, "roofline: %.3g operations, %.3g bytes of memory: %.3g a byte, balance at %.3g: bound by %s, of which %.0f%% is attained\n", r.Flops, r.Bytes, r.Intensity, r.Ridge, r.Bound, 100*r.Attained)
	rows := func(heading string, each func(t io.Writer)) {
		t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		fmt.Fprint(t, heading)
		each(t)
		t.Flush()
	}
	rows("\nunit\tbusy (estimate)\n", func(t io.Writer) {
		for _, u := range e.Units {
			fmt.Fprintf(t, "%s\t%.1f%%\n", u.Unit, 100*u.Share)
		}
	})
	all := e.Stalls.sum() + e.Issued
	rows("\nwarps\tof their cycles (estimate)\n", func(t io.Writer) {
		fmt.Fprintf(t, "issuing\t%.1f%%\n", 100*float64(e.Issued)/float64(max(1, all)))
		for i, n := range e.Stalls {
			if n > 0 {
				fmt.Fprintf(t, "%s\t%.1f%%\n", reasonNames[i], 100*float64(n)/float64(all))
			}
		}
	})
	hot(b, rows, "line", e.Lines, hottest)
	hot(b, rows, "source", e.Sources, hottest)
	for _, n := range e.Notes {
		fmt.Fprintf(b, "note: %s\n", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hot writes the lines that take most cycles.
func hot(b *strings.Builder, rows func(string, func(io.Writer)), what string, lines []Line, n int) {
	if len(lines) == 0 || n == 0 {
		return
	}
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b Line) int { return int(min(1, max(-1, b.Cycles-a.Cycles))) })
	rows(fmt.Sprintf("\n%s\tcycles of warps\tshare\tissued\twaits most for\t\n", what), func(t io.Writer) {
		for i := range lines[:min(n, len(lines))] {
			l := &lines[i]
			name := fmt.Sprint(l.Line)
			if l.Text == "" {
				name = l.Source.String()
			}
			text := strings.Join(strings.Fields(l.Text), " ")
			if r := []rune(text); len(r) > maxText {
				text = string(r[:maxText]) + "..."
			}
			fmt.Fprintf(t, "%s\t%d\t%.1f%%\t%d\t%s\t%s\n", name, l.Cycles, 100*l.Share, l.Issued, l.Worst(), text)
		}
	})
}
