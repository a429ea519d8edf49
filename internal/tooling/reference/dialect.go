package reference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/cudatile/ops"
	"github.com/tilewright/tilewright/ir"
)

// A group is a part of a dialect's operations under a title.
type group struct {
	title string
	ops   []*ir.OpDef
}

// groups divides the operations of a dialect as the specification does; without a specification they are one group.
// The order is that of the alphabet: the order of definition is that in which Go initialises variables.
func groups(d *ir.Dialect) []group {
	byTitle := make(map[string][]*ir.OpDef)
	var titles []string
	for _, def := range d.Ops() {
		title := "Operations"
		if row := ops.RowOf(def); row != nil {
			title = row.Group
		}
		if byTitle[title] == nil {
			titles = append(titles, title)
		}
		byTitle[title] = append(byTitle[title], def)
	}
	slices.Sort(titles)
	var out []group
	for _, title := range titles {
		ops := byTitle[title]
		slices.SortFunc(ops, func(a, b *ir.OpDef) int { return strings.Compare(a.Name, b.Name) })
		out = append(out, group{title, ops})
	}
	return out
}

func dialectPage(root string, d *ir.Dialect, w *words) (string, error) {
	page := newDoc("Dialect `" + d.Name + "`")
	page.para(d.Doc)
	var depends []string
	for _, other := range d.Depends {
		depends = append(depends, "[`"+other.Name+"`]("+other.Name+".md)")
	}
	if depends != nil {
		page.printf("It uses %s.\n\n", strings.Join(depends, ", "))
	}
	gs := groups(d)
	for _, g := range gs {
		var links []string
		for _, def := range g.ops {
			links = append(links, link(def.Name, def.FullName()))
		}
		title := fmt.Sprintf("[%s](#%s)", g.title, anchor(g.title))
		page.printf("- %s (%d): %s\n", title, len(g.ops), strings.Join(links, ", "))
	}
	data, contents := dataSections(d)
	for _, line := range contents {
		page.printf("- %s\n", line)
	}
	if len(gs) > 0 {
		page.WriteString("\nThe [index](README.md#entries) explains how to read the entries.\n\n")
	}
	for _, g := range gs {
		page.heading(2, g.title)
		for _, def := range g.ops {
			if err := opSection(page, root, def, w); err != nil {
				return "", err
			}
		}
	}
	page.WriteString(data)
	return strings.TrimRight(page.String(), "\n") + "\n", nil
}
