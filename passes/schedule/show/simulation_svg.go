package show

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/target/sm"
)

func (r *PlayedRole) title() string {
	if r.Warps == 1 {
		return r.Name + ": 1 warp"
	}
	return fmt.Sprintf("%s: %d warps", r.Name, r.Warps)
}

// laneName names the lane of a unit. The waits of a role are drawn after its units.
func laneName(u sm.Unit) string {
	if u == sm.NumUnits {
		return "waits"
	}
	return u.String()
}

// RolesSVG draws simulated roles, one below the other: time to the right, a lane for each unit of each role, a colour
// for each iteration.
func RolesSVG(plays []*RolePlay) string {
	var body strings.Builder
	y := float64(svgMargin)
	for _, p := range plays {
		y = p.draw(&body, y)
	}
	return page("roles", ".wait{fill:none;stroke:#5a6875;stroke-dasharray:3 3}", body.String(), y)
}

func (p *RolePlay) draw(sb *strings.Builder, y float64) float64 {
	y = line(sb, "text name", svgMargin, y, p.text())
	if p.Stuck {
		return y
	}
	x := func(t int) float64 {
		return svgMargin + svgLeft + svgWidth*float64(min(max(t, p.From), p.To)-p.From)/float64(p.To-p.From)
	}
	for i := range p.Roles {
		r := &p.Roles[i]
		y = line(sb, "note", svgMargin, y+6, r.title())
		for _, u := range unitsOf(r.Acts, p.From, p.To) {
			lane(sb, laneName(u), x(p.From), y)
			for _, a := range r.Acts {
				if a.Unit == u && a.during(p.From, p.To) > 0 {
					a.draw(sb, x(a.From), x(a.To), y+3)
				}
			}
			y += svgLane
		}
	}
	for q := range playedShown + 1 {
		t := p.From + (p.To-p.From)*q/playedShown
		mark(sb, x(t), y, t-p.From, q == playedShown)
	}
	y = line(sb, "note", svgMargin+svgLeft, y+svgHeader, "a colour for each iteration; dashed: waits for another role, or for an MMA")
	return y + svgHeader
}

func (a Act) draw(sb *strings.Builder, from, to, y float64) {
	class, label := fmt.Sprintf("bar s%d", a.Iteration%svgColours), "label"
	title := fmt.Sprintf("%s, iteration %d: %d cycles", a.Op, a.Iteration, a.To-a.From)
	if a.Unit == sm.NumUnits {
		class, label, title = "wait", "note", title+" of waiting"
	}
	box(sb, class, title, label, a.Op, from, to, y)
}

// RolesTable prints for each role how long it occupies each unit in the window, and how long it waits.
func RolesTable(plays []*RolePlay) string {
	var sb strings.Builder
	for _, p := range plays {
		sb.WriteString(p.text() + "\n")
		if p.Stuck {
			continue
		}
		for i := range p.Roles {
			r := &p.Roles[i]
			fmt.Fprintf(&sb, "  %s\n", r.title())
			for _, u := range unitsOf(r.Acts, p.From, p.To) {
				busy := r.busy(u, p.From, p.To)
				fmt.Fprintf(&sb, "    %-8s %5d of %d cycles, %d%%\n", laneName(u), busy, p.To-p.From, 100*busy/(p.To-p.From))
			}
		}
	}
	return sb.String()
}
