package pipeline

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"
)

// The drawing: a lane is a column, and its steps are in it from top to bottom in the order in which they run. An edge
// between steps that are not neighbours is an arc on the right of the boxes, the wider the further it leads. A reader
// hovers over a box or an arc to see what the pass declares, or the reason.
const (
	svgMargin   = 24
	svgHeader   = 92 // above the first row
	svgRow      = 58
	svgBox      = 40
	svgCharName = 7.3 // width of a character of a name
	svgBadge    = 34  // room for the number in a box
	svgLaneGap  = 26
	svgArcStep  = 15
	svgArcMax   = 120
)

const svgStyle = `
  text { font-family: Helvetica, Arial, sans-serif; fill: #1b2733; }
  .title { font-size: 17px; font-weight: 600; }
  .lane { fill: #f4f6f8; stroke: #dde3e8; }
  .lanename { font-size: 14px; font-weight: 600; }
  .lanedoc { font-size: 10px; fill: #5c6b7a; }
  .box { fill: #ffffff; stroke: #9fb0bf; stroke-width: 1.2; }
  .conversion .box { fill: #e8f0fe; stroke: #3b6fd4; }
  .property .box { fill: #e9f7ee; stroke: #37945a; }
  .needed .box { stroke-dasharray: 5 3; }
  .num { font-size: 10px; fill: #7a8896; text-anchor: end; }
  .name { font-size: 12px; font-family: Menlo, Consolas, monospace; }
  .sub { font-size: 9.5px; fill: #5c6b7a; }
  .edge { fill: none; stroke: #8a98a6; stroke-width: 1.3; marker-end: url(#arrow); }
  .hit { fill: none; stroke: transparent; stroke-width: 9; pointer-events: stroke; }
  .next { fill: none; stroke: #3b6fd4; stroke-width: 1.8; marker-end: url(#arrow-next); }
  g.e:hover .edge { stroke: #d4572b; stroke-width: 2.4; }
  g.step:hover .box { stroke-width: 2.4; }
`

type svgLane struct {
	x, boxWidth, width float64
}

type svgPoint struct{ x, y float64 }

// svgDrawing places boxes before anything is written.
type svgDrawing struct {
	view          *GraphView
	lanes         []svgLane
	at            map[string]svgPoint // upper left corner of a step's box
	laneOf        map[string]int
	width, height float64
}

func layOut(v *GraphView) *svgDrawing {
	d := &svgDrawing{view: v, at: make(map[string]svgPoint), laneOf: make(map[string]int)}
	row := make(map[string]int)
	for i, lane := range v.Lanes {
		for k, step := range lane.Steps {
			d.laneOf[step.ID], row[step.ID] = i, k
		}
	}
	x, rows := float64(svgMargin), 1
	for i, lane := range v.Lanes {
		l := svgLane{x: x, boxWidth: 150}
		arc := 0.0
		for _, step := range lane.Steps {
			l.boxWidth = max(l.boxWidth, svgBadge+svgCharName*float64(utf8.RuneCountInString(step.ID))+14)
		}
		for _, e := range v.Edges {
			if d.laneOf[e.From] == i && d.laneOf[e.To] == i {
				arc = max(arc, arcWidth(row[e.To]-row[e.From]))
			}
		}
		l.width = l.boxWidth + 2*16 + arc
		for k, step := range lane.Steps {
			d.at[step.ID] = svgPoint{x + 16, float64(svgHeader + k*svgRow)}
		}
		d.lanes = append(d.lanes, l)
		x += l.width + svgLaneGap
		rows = max(rows, len(lane.Steps))
	}
	d.width = max(x-svgLaneGap+svgMargin, 640)
	d.height = float64(svgHeader + rows*svgRow + svgMargin + 22)
	return d
}

// arcWidth returns how far an arc over that many rows leads to the right.
func arcWidth(rows int) float64 {
	if rows <= 1 {
		return 0
	}
	return min(float64(rows)*svgArcStep, svgArcMax)
}

// WriteSVG writes the graph as a drawing that needs nothing but the file.
func (v *GraphView) WriteSVG(w io.Writer) error {
	d := layOut(v)
	var sb strings.Builder
	fmt.Fprintf(&sb, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n", d.width, d.height, d.width, d.height)
	fmt.Fprintf(&sb, "<title>%s</title>\n<style>%s</style>\n", html.EscapeString(v.Title), svgStyle)
	sb.WriteString("<defs>\n" + svgArrow("arrow", "#8a98a6") + svgArrow("arrow-next", "#3b6fd4") + "</defs>\n")
	fmt.Fprintf(&sb, `<rect width="100%%" height="100%%" fill="#ffffff"/><text class="title" x="%d" y="32">%s</text>`+"\n", svgMargin, html.EscapeString(v.Title))
	for i := range d.lanes {
		d.lane(&sb, i)
	}
	for _, e := range v.Edges {
		d.edge(&sb, e)
	}
	for i := 0; i+1 < len(d.lanes); i++ {
		d.next(&sb, i)
	}
	for _, lane := range v.Lanes {
		for _, step := range lane.Steps {
			d.step(&sb, step)
		}
	}
	d.legend(&sb)
	sb.WriteString("</svg>\n")
	_, err := io.WriteString(w, sb.String())
	return err
}

func svgArrow(id, color string) string {
	return fmt.Sprintf(`<marker id="%s" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6.5" markerHeight="6.5" orient="auto"><path d="M0 0.6 L7.4 4 L0 7.4 Z" fill="%s"/></marker>`+"\n", id, color)
}

func (d *svgDrawing) lane(sb *strings.Builder, i int) {
	l, lane := d.lanes[i], d.view.Lanes[i]
	fmt.Fprintf(sb, `<g><rect class="lane" x="%.1f" y="48" width="%.1f" height="%.1f" rx="8"/>`, l.x, l.width, d.height-48-svgMargin-14)
	fmt.Fprintf(sb, `<text class="lanename" x="%.1f" y="70">%s</text>`, l.x+16, html.EscapeString(lane.title()))
	if lane.Level != nil {
		fmt.Fprintf(sb, `<title>the IR %s</title>`, html.EscapeString(lane.Level.Doc))
	}
	sb.WriteString("</g>\n")
}

func (d *svgDrawing) step(sb *strings.Builder, v *Vertex) {
	p, l := d.at[v.ID], d.lanes[d.laneOf[v.ID]]
	class := "step"
	switch {
	case v.Pass.TargetLevel() != nil:
		class += " conversion"
	case len(v.Pass.Establishes) > 0:
		class += " property"
	}
	if v.Why != "" && v.Pass.TargetLevel() == nil {
		class += " needed"
	}
	fmt.Fprintf(sb, `<g class="%s"><title>%s</title>`, class, html.EscapeString(strings.Join(v.details(), "\n")))
	fmt.Fprintf(sb, `<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="6"/>`, p.x, p.y, l.boxWidth, svgBox)
	fmt.Fprintf(sb, `<text class="num" x="%.1f" y="%.1f">%d</text>`, p.x+24, p.y+18, d.view.rank[v.ID]+1)
	fmt.Fprintf(sb, `<text class="name" x="%.1f" y="%.1f">%s</text>`, p.x+svgBadge, p.y+18, html.EscapeString(v.ID))
	sub := v.anchor()
	if n := v.notes(); n != "" {
		sub += ", " + n
	}
	if limit := int((l.boxWidth - svgBadge - 6) / 5); utf8.RuneCountInString(sub) > limit {
		sub = string([]rune(sub)[:limit-3]) + "..."
	}
	fmt.Fprintf(sb, `<text class="sub" x="%.1f" y="%.1f">%s</text></g>`+"\n", p.x+svgBadge, p.y+32, html.EscapeString(sub))
}

func (d *svgDrawing) edge(sb *strings.Builder, e *Edge) {
	from, to := d.at[e.From], d.at[e.To]
	lf, lt := d.lanes[d.laneOf[e.From]], d.lanes[d.laneOf[e.To]]
	var path string
	switch rows := int((to.y - from.y) / svgRow); {
	case d.laneOf[e.From] != d.laneOf[e.To]:
		x1, y1, x2, y2 := from.x+lf.boxWidth, from.y+svgBox/2, to.x, to.y+svgBox/2
		path = fmt.Sprintf("M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1+60, y1, x2-60, y2, x2, y2)
	case rows == 1:
		x := from.x + lf.boxWidth/2
		path = fmt.Sprintf("M%.1f %.1f L%.1f %.1f", x, from.y+svgBox, x, to.y)
	default:
		x, bulge := from.x+lt.boxWidth, arcWidth(rows)*4/3
		y1, y2 := from.y+svgBox*0.72, to.y+svgBox*0.28
		path = fmt.Sprintf("M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", x, y1, x+bulge, y1, x+bulge, y2, x+1, y2)
	}
	title := fmt.Sprintf("%s before %s: %s", e.From, e.To, e.Reason())
	fmt.Fprintf(sb, `<g class="e"><title>%s</title><path class="edge" d="%s"/><path class="hit" d="%s"/></g>`+"\n", html.EscapeString(title), path, path)
}

// next draws the way from a lane's last step, when it is a conversion, to the first step of the following lane.
func (d *svgDrawing) next(sb *strings.Builder, i int) {
	steps := d.view.Lanes[i].Steps
	last, first := steps[len(steps)-1], d.view.Lanes[i+1].Steps[0]
	if d.view.Lanes[i+1].Level == nil || last.Pass.TargetLevel() != d.view.Lanes[i+1].Level {
		return
	}
	a, b := d.at[last.ID], d.at[first.ID]
	mid := d.lanes[i].x + d.lanes[i].width + svgLaneGap/2
	y1, y2 := a.y+svgBox/2, b.y+svgBox/2
	fmt.Fprintf(sb, `<path class="next" d="M%.1f %.1f H%.1f`, a.x+d.lanes[i].boxWidth, y1, mid-8)
	if y1 > y2 {
		fmt.Fprintf(sb, " Q%.1f %.1f %.1f %.1f V%.1f Q%.1f %.1f %.1f %.1f H%.1f\"/>\n", mid, y1, mid, y1-8, y2+8, mid, y2, mid+8, y2, b.x)
		return
	}
	fmt.Fprintf(sb, " L%.1f %.1f\"/>\n", b.x, y2)
}

func (d *svgDrawing) legend(sb *strings.Builder) {
	x, y := float64(svgMargin), d.height-svgMargin
	for _, item := range []struct{ class, text string }{
		{"conversion", "conversion to the next level"}, {"property", "establishes a property"}, {"", "other pass"}, {"property needed", "there because another step needs it"},
	} {
		fmt.Fprintf(sb, `<g class="%s"><rect class="box" x="%.1f" y="%.1f" width="18" height="11" rx="2"/><text class="sub" x="%.1f" y="%.1f">%s</text></g>`+"\n",
			item.class, x, y, x+24, y+9.5, item.text)
		x += 48 + 5*float64(len(item.text))
	}
}
