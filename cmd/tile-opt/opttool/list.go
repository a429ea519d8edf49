package opttool

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
)

// answer answers the flags that ask about the tool itself.
func (s *session) answer(w io.Writer) (done bool, err error) {
	c := s.config
	switch {
	case c.about.Asked():
		return true, c.about.Answer(w, s.tool.tool(c.flags))
	case c.listPasses && c.json:
		return true, writePassesJSON(w, s.tool.Registry.Passes())
	case c.listPasses:
		writePassLines(w, s.tool.Registry.Passes(), "")
		return true, nil
	case c.authors.listPipelines:
		return true, s.listPipelines(w)
	case c.helpPass != "":
		p := s.tool.Registry.Lookup(c.helpPass)
		if p == nil {
			return false, s.unknownPass(c.helpPass)
		}
		_, err := io.WriteString(w, passPage(p))
		return true, err
	case c.showGraph != "":
		return true, s.writeGraph(w)
	case c.onlyDump:
		return true, s.writeDefaultPipeline(w)
	case c.showDialects:
		for _, d := range s.newContext().Dialects() {
			fmt.Fprintln(w, d.Name)
		}
		return true, nil
	}
	return false, nil
}

func (s *session) writeGraph(w io.Writer) error {
	var view *pipeline.GraphView
	if s.config.lowerTo != "" {
		plan, err := s.plan(s.asked())
		if err != nil {
			return err
		}
		view = pipeline.ViewPlan(plan)
	} else {
		var err error
		if view, err = pipeline.ViewRegistry(s.tool.Registry); err != nil {
			return err
		}
	}
	switch s.config.showGraph {
	case "dot":
		return view.WriteDOT(w)
	case "svg":
		return view.WriteSVG(w)
	}
	return view.WriteText(w)
}

// writeDefaultPipeline writes the pipeline to the last level, which an empty module would get.
func (s *session) writeDefaultPipeline(w io.Writer) error {
	all := levels(s.tool.Registry)
	if len(all) == 0 {
		return fmt.Errorf("no pass lowers anything, so that there is no default pipeline")
	}
	s.config.lowerTo = all[len(all)-1].Level()
	k := &chunk{session: s, name: "the default pipeline"}
	k.ctx = s.newContext()
	op, err := k.read(k.ctx)
	if err != nil {
		return err
	}
	target, err := s.target(op)
	if err != nil {
		return err
	}
	plan, err := s.plan(target)
	if err != nil {
		return err
	}
	pl, err := plan.Pipeline(s.tool.Registry, op.Name(), k.ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, pl)
	return err
}

func byName(ps []*passes.Pass) []*passes.Pass {
	sorted := slices.Clone(ps)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	return sorted
}

func anchor(p *passes.Pass) string {
	if p.On == "" {
		return "any operation"
	}
	return p.On
}

// writePassLines writes a line for each pass.
func writePassLines(w io.Writer, ps []*passes.Pass, prefix string) {
	nameWidth, onWidth := 0, 0
	for _, p := range ps {
		nameWidth, onWidth = max(nameWidth, len(p.Name)), max(onWidth, len(anchor(p)))
	}
	for _, p := range byName(ps) {
		fmt.Fprintf(w, "%s%-*s  %-*s  %s\n", prefix, nameWidth, p.Name, onWidth, anchor(p), p.Summary)
	}
}

// passPage is what --help-pass prints.
func passPage(p *passes.Pass) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s: %s\n\n%s\n\n", p.Name, p.Summary, strings.TrimSpace(p.Doc))
	row := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&sb, "  %-12s %s\n", label, text)
		}
	}
	row("runs on", anchor(p))
	row("requires", propertyList(p.Requires))
	row("establishes", propertyList(p.Establishes))
	row("destroys", propertyList(p.Destroys))
	row("creates", strings.Join(p.Creates, ", "))
	row("preserves", analysisList(p.Preserves))
	row("for", p.WhenDoc)
	for _, e := range p.After {
		row("after", e.Pass+": "+e.Reason)
	}
	for _, e := range p.Before {
		row("before", e.Pass+": "+e.Reason)
	}
	for _, st := range p.Steps {
		level := st.Level
		if level == nil {
			level = p.Level()
		}
		row("step", fmt.Sprintf("%s at %s from -O%d", p.ID(st), level.Level(), st.MinOpt))
	}
	if opts := passes.DescribeOptions(p.NewOptions()); opts != nil {
		sb.WriteString("\nOptions:\n")
		for _, o := range opts {
			def := ""
			if o.Value != "" {
				def = " (default " + o.Value + ")"
			}
			fmt.Fprintf(&sb, "  %s=<%s>%s\n      %s\n", o.Name, o.Type, def, o.Help)
		}
	}
	if p.Statistics != nil {
		sb.WriteString("\nStatistics:\n")
		for _, st := range p.Statistics {
			fmt.Fprintf(&sb, "  %s - %s\n", st.Name, st.Doc)
		}
	}
	return sb.String()
}

func propertyList(props []*passes.Property) string {
	names := make([]string, len(props))
	for i, p := range props {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

func analysisList(as []*passes.Analysis) string {
	names := make([]string, len(as))
	for i, a := range as {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}

// quoteList spells names for a message.
func quoteList(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return "'" + strings.Join(names, "', '") + "'"
}

// The JSON form of --list-passes. Fields are only ever added.
type passJSON struct {
	Name        string       `json:"name"`
	Title       string       `json:"title"`
	Summary     string       `json:"summary"`
	Doc         string       `json:"doc"`
	On          string       `json:"on,omitempty"`
	Options     []optionJSON `json:"options,omitempty"`
	Statistics  []namedJSON  `json:"statistics,omitempty"`
	Requires    []string     `json:"requires,omitempty"`
	Establishes []string     `json:"establishes,omitempty"`
	Destroys    []string     `json:"destroys,omitempty"`
	After       []edgeJSON   `json:"after,omitempty"`
	Before      []edgeJSON   `json:"before,omitempty"`
	Steps       []stepJSON   `json:"steps,omitempty"`
	Creates     []string     `json:"creates,omitempty"`
	Preserves   []string     `json:"preserves,omitempty"`
	Target      string       `json:"target,omitempty"`
}

type optionJSON struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default"`
	Help    string `json:"help"`
}

type namedJSON struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

type edgeJSON struct {
	Pass   string `json:"pass"`
	Reason string `json:"reason"`
}

type stepJSON struct {
	ID     string `json:"id"`
	Level  string `json:"level"`
	MinOpt int    `json:"min_opt"`
}

func writePassesJSON(w io.Writer, ps []*passes.Pass) error {
	out := []passJSON{}
	for _, p := range byName(ps) {
		j := passJSON{Name: p.Name, Title: p.DisplayTitle(), Summary: p.Summary, Doc: strings.TrimSpace(p.Doc), On: p.On, Creates: p.Creates, Target: p.WhenDoc,
			Requires: propertyNames(p.Requires), Establishes: propertyNames(p.Establishes), Destroys: propertyNames(p.Destroys)}
		for _, o := range passes.DescribeOptions(p.NewOptions()) {
			j.Options = append(j.Options, optionJSON{o.Name, o.Type, o.Value, o.Help})
		}
		for _, s := range p.Statistics {
			j.Statistics = append(j.Statistics, namedJSON{s.Name, s.Doc})
		}
		for _, e := range p.After {
			j.After = append(j.After, edgeJSON(e))
		}
		for _, e := range p.Before {
			j.Before = append(j.Before, edgeJSON(e))
		}
		for _, s := range p.Steps {
			level := s.Level
			if level == nil {
				level = p.Level()
			}
			j.Steps = append(j.Steps, stepJSON{p.ID(s), level.Level(), s.MinOpt})
		}
		for _, a := range p.Preserves {
			j.Preserves = append(j.Preserves, a.Name)
		}
		out = append(out, j)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func propertyNames(props []*passes.Property) (names []string) {
	for _, p := range props {
		names = append(names, p.Name)
	}
	return names
}

// listPipelines writes what has a name, and what it stands for.
func (s *session) listPipelines(w io.Writer) error {
	all := pipeline.Pipelines(s.tool.Registry, s.asked())
	width := 0
	for _, p := range all {
		width = max(width, len(p.Name))
	}
	for _, p := range all {
		if _, err := fmt.Fprintf(w, "%-*s  %s\n%-*s    %s\n", width, p.Name, p.Summary, width, "", p.Elements); err != nil {
			return err
		}
	}
	return nil
}
