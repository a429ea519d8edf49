package opttool

import "github.com/tilewright/tilewright/pipeline"

// scheduling is the pass that --schedule chooses a scheduler of.
const scheduling = "tileas-schedule-loops"

// A view is a flag that shows something of a kernel on its way: a property to lower to, and a pass that prints what is there then.
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
	if c.schedule == "" {
		return nil
	}
	return map[string]string{scheduling: "scheduler=" + c.schedule}
}

// show puts the pass that prints behind a pipeline.
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
