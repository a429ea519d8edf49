package runtool

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/tilewright/tilewright/target/engine/launch"
)

// writeTable writes a line per outcome, and how many there are of each verdict.
func writeTable(w io.Writer, outcomes []*outcome) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "case\tengine\tresult\tmax abs\tmax rel\tlaunch")
	count := make(map[string]int)
	for _, o := range outcomes {
		count[o.Verdict]++
		absolute, relative := o.worst()
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%.1f ms\n", o.Case, o.engine(), o.Verdict, absolute, relative, o.Seconds*1e3)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	parts := []string{fmt.Sprintf("%d ok", count[verdictOK])}
	for _, v := range []string{verdictMismatch, verdictSync, verdictError} {
		if count[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[v], v))
		}
	}
	_, err := fmt.Fprintf(w, "%d runs: %s\n", len(outcomes), strings.Join(parts, ", "))
	return err
}

// engine is the engine with the GPU that it got code for.
func (o *outcome) engine() string {
	switch {
	case o.Engine == "":
		return "-"
	case o.GPU == "":
		return o.Engine
	}
	return o.Engine + " " + o.GPU
}

// worst returns the largest errors over all outputs.
func (o *outcome) worst() (absolute, relative string) {
	if o.report == nil {
		return "-", "-"
	}
	var abs, rel launch.Number
	for _, out := range o.Outputs {
		abs, rel = max(abs, out.Diff.Absolute.Value), max(rel, out.Diff.Relative.Value)
	}
	return abs.String(), rel.String()
}
