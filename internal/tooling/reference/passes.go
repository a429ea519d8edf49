package reference

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/pipeline"
	"github.com/tilewright/tilewright/target/sm"
)

// A course is the default pipeline from cuda_tile to PTX at the highest optimisation level, with the targets that
// have it.
type course struct {
	gpus  []string
	steps []*pipeline.Vertex
}

// courses computes the default pipelines of all targets.
func courses(reg *passes.Registry) ([]course, error) {
	var out []course
	for _, gpu := range sm.Names() {
		plan, err := pipeline.NewPlan(reg, pipeline.Goal{From: property.CudaTile, To: property.PTX,
			Target: &passes.Target{GPU: gpu, OptLevel: 3}})
		if err != nil {
			return nil, err
		}
		same := func(c course) bool {
			return slices.EqualFunc(c.steps, plan.Steps, func(a, b *pipeline.Vertex) bool {
				return a.ID == b.ID && a.Options == b.Options && a.Level == b.Level
			})
		}
		if i := slices.IndexFunc(out, same); i >= 0 {
			out[i].gpus = append(out[i].gpus, gpu)
		} else {
			out = append(out, course{[]string{gpu}, plan.Steps})
		}
	}
	return out, nil
}

func passesPage(reg *passes.Registry) (string, error) {
	cs, err := courses(reg)
	if err != nil {
		return "", err
	}
	page := newDoc("Passes")
	page.WriteString("`tile-opt --help-pass=NAME` prints an entry of this page, and `--show-pass-graph` the graph with the reason of every edge. " +
		"[PIPELINE.md](../../PIPELINE.md) describes each level.\n\n")
	byLevel := passesByLevel(reg)
	for _, l := range byLevel {
		var links []string
		for _, p := range l.passes {
			links = append(links, link(p.Name, p.Name))
		}
		page.printf("- %s: %s\n", l.title(), strings.Join(links, ", "))
	}
	page.printf("- [Default pipelines](#default-pipelines)\n- [Properties](#properties)\n\n")
	for _, l := range byLevel {
		for _, p := range l.passes {
			passSection(page, p, cs)
		}
	}
	courseSections(page, cs)
	propertySection(page, reg)
	return strings.TrimRight(page.String(), "\n") + "\n", nil
}

// A levelPasses is a level with the passes that require it; level nil: those that run anywhere.
type levelPasses struct {
	level  *passes.Property
	passes []*passes.Pass
}

func (l levelPasses) title() string {
	if l.level == nil {
		return "Any level"
	}
	return "Level `" + l.level.Level() + "`"
}

func passesByLevel(reg *passes.Registry) (out []levelPasses) {
	for _, p := range reg.Passes() {
		i := slices.IndexFunc(out, func(l levelPasses) bool { return l.level == p.Level() })
		if i < 0 {
			i = len(out)
			out = append(out, levelPasses{level: p.Level()})
		}
		out[i].passes = append(out[i].passes, p)
	}
	rank := func(l levelPasses) int {
		if l.level == nil {
			return -1
		}
		return l.level.Rank()
	}
	slices.SortFunc(out, func(a, b levelPasses) int { return cmp.Compare(rank(a), rank(b)) })
	for _, l := range out {
		slices.SortFunc(l.passes, func(a, b *passes.Pass) int { return strings.Compare(a.Name, b.Name) })
	}
	return out
}

// passSection writes the entry of a pass.
func passSection(page *doc, p *passes.Pass, cs []course) {
	page.heading(2, "`"+p.Name+"`")
	page.para(sentence([]string{p.Summary}))
	for _, paragraph := range strings.Split(p.Doc, "\n\n") {
		page.para(paragraph)
	}
	var facts []string
	add := func(label, text string) {
		if text != "" {
			facts = append(facts, label+": "+text)
		}
	}
	on := "any operation that is isolated from above"
	if p.On != "" {
		on = "`" + p.On + "`"
	}
	add("Runs on", on)
	add("Requires", propertyLinks(p.Requires))
	add("Establishes", propertyLinks(p.Establishes))
	add("Destroys", propertyLinks(p.Destroys))
	add("Creates operations of", strings.Join(codes(p.Creates), ", "))
	add("Asks for the analyses", analyses(p.Uses))
	add("Preserves the analyses", analyses(p.Preserves))
	add("In default pipelines", places(p, cs))
	if p.When != nil {
		add("Only for", escape(p.WhenDoc))
	}
	for _, e := range p.After {
		add("After "+edgeLink(e), escape(e.Reason))
	}
	for _, e := range p.Before {
		add("Before "+edgeLink(e), escape(e.Reason))
	}
	for _, st := range p.Steps {
		for _, e := range st.After {
			add(fmt.Sprintf("Step `%s` after %s", p.ID(st), edgeLink(e)), escape(e.Reason))
		}
		for _, e := range st.Before {
			add(fmt.Sprintf("Step `%s` before %s", p.ID(st), edgeLink(e)), escape(e.Reason))
		}
	}
	page.list("", facts)

	var options []string
	for _, o := range passes.DescribeOptions(p.NewOptions()) {
		text := fmt.Sprintf("`%s` (%s", o.Name, o.Type)
		if o.Value != "" {
			text += ", default `" + o.Value + "`"
		}
		options = append(options, text+"): "+escape(o.Help))
	}
	page.list("Options", options)
	var statistics []string
	for _, s := range p.Statistics {
		statistics = append(statistics, "`"+s.Name+"`: "+escape(s.Doc))
	}
	page.list("Statistics", statistics)
}

// places says which steps of the default pipelines are the pass.
func places(p *passes.Pass, cs []course) string {
	var out []string
	for _, c := range cs {
		for i, v := range c.steps {
			if v.Pass != p {
				continue
			}
			text := fmt.Sprintf("step %d at `%s`", i+1, v.Level.Level())
			if v.MinOpt > 0 {
				text += fmt.Sprintf(" from -O%d", v.MinOpt)
			}
			if len(cs) > 1 {
				text += " for " + strings.Join(c.gpus, ", ")
			}
			if v.Why != "" {
				text += ", because it " + escape(v.Why)
			}
			out = append(out, text)
		}
	}
	if out == nil {
		return "no, it runs by name only"
	}
	return strings.Join(out, "; ")
}

func edgeLink(e passes.Edge) string {
	name, _, _ := strings.Cut(e.Pass, "#")
	return link(e.Pass, name)
}

func analyses(as []*passes.Analysis) string {
	var names []string
	for _, a := range as {
		names = append(names, a.Name)
	}
	return strings.Join(codes(names), ", ")
}

func propertyLinks(props []*passes.Property) string {
	var out []string
	for _, p := range props {
		out = append(out, "[`"+p.Name+"`](#properties)")
	}
	return strings.Join(out, ", ")
}

// courseSections writes the default pipelines.
func courseSections(page *doc, cs []course) {
	page.heading(2, "Default pipelines")
	page.WriteString("From `cuda_tile` to `ptx` at -O3. A lower level leaves out the steps that are marked with a higher one. " +
		"`tile-opt --lower-to=ptx --gpu-name=GPU --dump-pass-pipeline` prints the pipeline of a target as text.\n\n")
	for _, c := range cs {
		page.heading(3, "For "+strings.Join(c.gpus, ", "))
		for i, v := range c.steps {
			page.printf("%d. %s at `%s`", i+1, link(v.ID, v.Pass.Name), v.Level.Level())
			if v.MinOpt > 0 {
				page.printf(", from -O%d", v.MinOpt)
			}
			if v.Options != "" {
				page.printf(", with `%s`", v.Options)
			}
			page.printf(": %s\n", escape(v.Pass.Summary))
		}
		page.WriteString("\n")
	}
}

// propertySection explains the properties that passes speak of.
func propertySection(page *doc, reg *passes.Registry) {
	page.heading(2, "Properties")
	var all []*passes.Property
	for _, p := range reg.Passes() {
		for _, prop := range slices.Concat(p.Requires, p.Establishes, p.Destroys) {
			if !slices.Contains(all, prop) {
				all = append(all, prop)
			}
		}
	}
	slices.SortFunc(all, func(a, b *passes.Property) int {
		if a.IsLevel() != b.IsLevel() {
			return map[bool]int{true: -1, false: 1}[a.IsLevel()]
		}
		return cmp.Or(cmp.Compare(a.Rank(), b.Rank()), strings.Compare(a.Name, b.Name))
	})
	var items []string
	for _, p := range all {
		items = append(items, "`"+p.Name+"`: the IR "+escape(p.Doc))
	}
	page.list("", items)
}
