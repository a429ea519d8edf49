package show

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// Measures of the drawing.
const (
	svgWidth   = 960 // of the steady state
	svgLeft    = 150 // for the names of units
	svgLane    = 30
	svgHeader  = 22 // a line of the header
	svgMargin  = 16
	svgColours = 6
	// svgCharWidth is about how wide a character of a label is.
	svgCharWidth = 6.2
)

// The colours of stages differ in both schemes, also for those who do not tell red from green (Okabe and Ito's set).
const svgStyle = `
svg{color-scheme:light dark}
.back{fill:#ffffff}.text{fill:#1b242d}.note{fill:#5a6875}.grid{stroke:#d7dee5}.lane{fill:#f4f6f8}
text{font:12px system-ui,sans-serif}.name{font-weight:600}.end{text-anchor:end}.label{font-size:11px;fill:#10161c}
.s0{fill:#e69f00}.s1{fill:#56b4e9}.s2{fill:#2fbf90}.s3{fill:#f0e442}.s4{fill:#cc79a7}.s5{fill:#d5835a}
.bar{stroke:#1b242d;stroke-opacity:.35}
@media (prefers-color-scheme:dark){.back{fill:#14191f}.text{fill:#e6ebf0}.note{fill:#9aa7b4}.grid{stroke:#36414c}.lane{fill:#1d242c}.bar{stroke:#ffffff}}
`

// SVG draws the steady states of schedules, one below the other, as a self-contained drawing: time to the right, a
// lane for each unit, a colour for each stage.
func SVG(loops []*Loop) string {
	var body strings.Builder
	y := float64(svgMargin)
	for _, l := range loops {
		y = l.draw(&body, y)
	}
	if len(loops) == 0 {
		y = line(&body, "text", svgMargin, y, noLoops)
	}
	return page("modulo schedules", "", body.String(), y)
}

// page returns a drawing that ends at y.
func page(title, style, body string, y float64) string {
	width, height := float64(svgLeft+svgWidth+2*svgMargin), y+svgMargin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n<title>%s</title>\n<style>%s%s</style>\n"+
		`<rect class="back" width="100%%" height="100%%"/>`+"\n%s</svg>\n", width, height, width, height, title, svgStyle, style, body)
}

// lane draws the background of a unit's lane, and its name.
func lane(sb *strings.Builder, name string, x, y float64) {
	fmt.Fprintf(sb, `<rect class="lane" x="%.1f" y="%.1f" width="%d" height="%d"/>`+"\n", x, y+2, svgWidth, svgLane-4)
	line(sb, "text", svgMargin, y+4, name)
}

// mark writes a time below the lanes. The last one would cross the edge, so it ends there.
func mark(sb *strings.Builder, x, y float64, time int, last bool) {
	class := "note"
	if last {
		class = "note end"
	}
	line(sb, class, x, y, fmt.Sprint(time))
}

// box draws what occupies a lane, with a label if there is room for it.
func box(sb *strings.Builder, class, title, labelClass, label string, from, to, y float64) {
	fmt.Fprintf(sb, `<g><title>%s</title><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="2"/>`, html.EscapeString(title), class, from, y, to-from, svgLane-6)
	if float64(len(label))*svgCharWidth < to-from {
		fmt.Fprintf(sb, `<text class="%s" x="%.1f" y="%.1f">%s</text>`, labelClass, from+3, y+16, html.EscapeString(label))
	}
	sb.WriteString("</g>\n")
}

// line writes a line of text, and returns where the next one begins.
func line(sb *strings.Builder, class string, x, y float64, text string) float64 {
	fmt.Fprintf(sb, `<text class="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, x, y+15, html.EscapeString(text))
	return y + svgHeader
}

func (l *Loop) draw(sb *strings.Builder, y float64) float64 {
	if l.without != "" {
		return line(sb, "text", svgMargin, y, l.Name+": "+l.without)
	}
	y = line(sb, "text name", svgMargin, y, l.Name)
	for _, h := range l.header() {
		line(sb, "note", svgMargin, y, h[0])
		y = line(sb, "text", svgMargin+svgLeft-30, y, h[1])
	}
	y += 6
	x := func(t int) float64 { return svgMargin + svgLeft + svgWidth*float64(t)/float64(l.Attr.II) }
	top := y
	for i, u := range l.unitsInUse {
		lane(sb, u.String(), x(0), top+float64(i*svgLane))
	}
	bottom := top + float64(len(l.unitsInUse)*svgLane)
	for q := range 5 {
		t := l.Attr.II * q / 4
		fmt.Fprintf(sb, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x(t), top, x(t), bottom)
		mark(sb, x(t), bottom, t*l.Attr.Unit, q == 4)
	}
	for _, b := range l.bars {
		title := fmt.Sprintf("%s, stage %d: from cycle %d of its iteration on", &b, b.Iteration, l.Attr.At[b.at]*l.Attr.Unit)
		box(sb, fmt.Sprintf("bar s%d", b.Iteration%svgColours), title, "label", b.String(), x(b.From), x(b.To), top+float64(slices.Index(l.unitsInUse, b.Unit)*svgLane)+3)
	}
	return l.legend(sb, bottom+svgHeader)
}

// legend names the colours of the stages, as far as there are colours.
func (l *Loop) legend(sb *strings.Builder, y float64) float64 {
	x := float64(svgMargin + svgLeft)
	for s := range min(l.Attr.Stages(), 2*svgColours) {
		if !slices.ContainsFunc(l.bars, func(b Act) bool { return b.Iteration == s }) {
			continue
		}
		text := fmt.Sprintf("stage %d: iteration i", s)
		if s > 0 {
			text += fmt.Sprintf(" - %d", s)
		}
		fmt.Fprintf(sb, `<rect class="bar s%d" x="%.1f" y="%.1f" width="14" height="12" rx="2"/>`, s%svgColours, x, y+5)
		line(sb, "text", x+20, y, text)
		x += 36 + svgCharWidth*float64(len(text)) + 14
	}
	return y + 2*svgHeader
}
