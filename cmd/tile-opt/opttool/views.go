package opttool

import (
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/pipeline/tileir"
)

const scheduling = "tileas-schedule-loops" // which --schedule chooses a scheduler of

// A view is a flag that shows something of a kernel on its way: a property to lower to, and a pass that prints what
// is there then.
type view struct{ after, pass, format string }

// view returns what is asked for, or nil.
func (c *config) view() *view {
	switch {
	case c.printDDG != "":
		return &view{"loops-scheduled", "test-print-ddg", c.printDDG}
	case c.printSchedule != "":
		return &view{"loops-scheduled", "test-print-schedule", c.printSchedule}
	}
	return nil
}

// options returns the options of passes of the default pipeline that flags stand for.
func (c *config) options() map[string]string {
	out := make(map[string]string)
	if c.schedule != "" {
		out[scheduling] = "scheduler=" + c.schedule
	}
	tileir.WarpRoles(out, c.warpRoles)
	tileir.Math(out, c.math)
	return out
}

// show puts the pass that prints after a pipeline.
func (s *session) show(p *pipeline.Pipeline) error {
	v := s.config.view()
	if v == nil {
		return nil
	}
	it, err := pipeline.ParsePass(s.tool.Registry, v.pass, "format="+v.format)
	if err != nil {
		return err
	}
	p.Append(nil, it)
	return nil
}
