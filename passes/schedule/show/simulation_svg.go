package show

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/tilewright/tilewright/target/sm"
)

// waitLane is where the waits of a role are drawn, after its units.
const waitLane = "waits"

// lanes returns the units that a role uses in the window, and its waits.
func (p *RolePlay) lanes(r *PlayedRole) (units []sm.Unit) {
	var used [sm.NumUnits + 1]bool
	for _, a := range r.Acts {
		used[a.Unit] = used[a.Unit] || a.To > p.From && a.From < p.To
	}
	for u, is := range used {
		if is {
			units = append(units, sm.Unit(u))
		}
	}
	return units
}

func (r *PlayedRole) title() string {
	if r.Warps == 1 {
		return r.Name + ": 1 warp"
	}
	return fmt.Sprintf("%s: %d warps", r.Name, r.Warps)
}

func laneName(u sm.Unit) string {
	if u == sm.NumUnits {
		return waitLane
	}
	return u.String()
}

// RolesSVG draws simulated roles, one below the other: time to the right, a lane for each unit of each role, a colour
// for each iteration.
func RolesSVG(w io.Writer, plays []*RolePlay) error {
	var body strings.Builder
	y := float64(svgMargin)
	for _, p := range plays {
		y = p.draw(&body, y)
	}
	width, height := float64(svgLeft+svgWidth+2*svgMargin), y+svgMargin
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n<title>roles</title>\n<style>%s.wait{fill:none;stroke:#5a6875;stroke-dasharray:3 3}</style>\n"+
		`<rect class="back" width="100%%" height="100%%"/>`+"\n%s</svg>\n", width, height, width, height, svgStyle, body.String())
	return err
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
		for _, u := range p.lanes(r) {
			fmt.Fprintf(sb, `<rect class="lane" x="%.1f" y="%.1f" width="%d" height="%d"/>`+"\n", x(p.From), y+2, svgWidth, svgLane-4)
			line(sb, "text", svgMargin, y+4, laneName(u))
			for _, a := range r.Acts {
				if a.Unit == u && a.To > p.From && a.From < p.To {
					a.draw(sb, x(a.From), x(a.To), y+3)
				}
			}
			y += svgLane
		}
	}
	for q := range playedShown + 1 {
		t := p.From + (p.To-p.From)*q/playedShown
		class := "note"
		if q == playedShown { // the label would cross the edge
			class = "note end"
		}
		line(sb, class, x(t), y, fmt.Sprint(t-p.From))
	}
	y = line(sb, "note", svgMargin+svgLeft, y+svgHeader, "a colour for each iteration; dashed: waits for another role, or for an MMA")
	return y + svgHeader
}

func (a Act) draw(sb *strings.Builder, from, to, y float64) {
	class := fmt.Sprintf("bar s%d", a.Iteration%svgColours)
	title := fmt.Sprintf("%s, iteration %d: %d cycles", a.Op, a.Iteration, a.To-a.From)
	if a.Unit == sm.NumUnits {
		class, title = "wait", title+" of waiting"
	}
	fmt.Fprintf(sb, `<g><title>%s</title><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="2"/>`, html.EscapeString(title), class, from, y, to-from, svgLane-6)
	if float64(len(a.Op))*svgCharWidth < to-from {
		label := "label"
		if a.Unit == sm.NumUnits {
			label = "note"
		}
		fmt.Fprintf(sb, `<text class="%s" x="%.1f" y="%.1f">%s</text>`, label, from+3, y+16, html.EscapeString(a.Op))
	}
	sb.WriteString("</g>\n")
}

// RolesTable prints for each role how long it occupies each unit in the window, and how long it waits.
func RolesTable(w io.Writer, plays []*RolePlay) error {
	var sb strings.Builder
	for _, p := range plays {
		sb.WriteString(p.text() + "\n")
		if p.Stuck {
			continue
		}
		for i := range p.Roles {
			r := &p.Roles[i]
			fmt.Fprintf(&sb, "  %s\n", r.title())
			for _, u := range p.lanes(r) {
				busy := 0
				for _, a := range r.Acts {
					if a.Unit == u {
						busy += max(0, min(a.To, p.To)-max(a.From, p.From))
					}
				}
				fmt.Fprintf(&sb, "    %-8s %5d of %d cycles, %d%%\n", laneName(u), busy, p.To-p.From, 100*busy/(p.To-p.From))
			}
		}
	}
	_, err := io.WriteString(w, sb.String())
	return err
}
