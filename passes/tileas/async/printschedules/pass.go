package printschedules

import (
	"slices"
	"strings"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/schedule/show"
)

// GraphOptions are the options of test-print-ddg.
type GraphOptions struct {
	Format string `opt:"format" help:"text or dot"`
}

// ScheduleOptions are the options of test-print-schedule.
type ScheduleOptions struct {
	Format string `opt:"format" help:"text or svg"`
	Rows   int    `opt:"rows" help:"how many rows the table has, each with what takes most of its time; 0: one wherever an operation begins or ends"`
}

// A format is a way to print loops.
type format struct {
	name  string
	write func(loops []*show.Loop) string
}

// GraphPass is test-print-ddg.
var GraphPass = passes.Register(&passes.Pass{
	Name:    "test-print-ddg",
	Summary: "print the data dependence graphs of loops",
	Doc:     "Prints the graph that the scheduler sees: each operation of a loop with its role, its latency and its dependences.",
	Options: func() any { return &GraphOptions{Format: "text"} },
	Run: func(r *passes.Run) error {
		return list(r, passes.OptionsOf[GraphOptions](r).Format, format{"text", show.Graph}, format{"dot", show.DOT})
	},
})

// SchedulePass is test-print-schedule.
var SchedulePass = passes.Register(&passes.Pass{
	Name:    "test-print-schedule",
	Summary: "print the modulo schedules of loops",
	Doc:     "Prints the steady state of each scheduled loop as a table of cycles and units, with its initiation interval, the bound on it and the shared memory it takes.",
	Options: func() any { return &ScheduleOptions{Format: "text"} },
	Run: func(r *passes.Run) error {
		opts := passes.OptionsOf[ScheduleOptions](r)
		if opts.Rows < 0 {
			return r.Op.Errorf("option rows must not be negative, but is %d", opts.Rows)
		}
		table := func(loops []*show.Loop) string { return show.Table(loops, opts.Rows) }
		return list(r, opts.Format, format{"text", table}, format{"svg", show.SVG})
	},
})

// list prints the loops of a kernel to the listing, in the format of that name.
func list(r *passes.Run, name string, formats ...format) error {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		names := ir.Map(formats, func(f format) string { return f.name })
		return r.Op.Errorf("format must be %s, but is '%s'", strings.Join(names, " or "), name)
	}
	loops, err := show.LoopsOf(r.Op, r.Target)
	if err != nil {
		return err
	}
	r.SetArtifact(passes.Listing, passes.Text(formats[i].write(loops)))
	return nil
}
