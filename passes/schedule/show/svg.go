package show

import (
	"fmt"
	"html"
	"io"
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
func SVG(w io.Writer, loops []*Loop) error {
	var body strings.Builder
	y := float64(svgMargin)
	for _, l := range loops {
		y = l.draw(&body, y)
	}
	if len(loops) == 0 {
		y = line(&body, "text", svgMargin, y, "no loops at nv_tileas")
	}
	width, height := float64(svgLeft+svgWidth+2*svgMargin), y+svgMargin
	var sb strings.Builder
	fmt.Fprintf(&sb, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">`+"\n<title>modulo schedules</title>\n<style>%s</style>\n", width, height, width, height, svgStyle)
	sb.WriteString(`<rect class="back" width="100%" height="100%"/>` + "\n" + body.String() + "</svg>\n")
	_, err := io.WriteString(w, sb.String())
	return err
}

// line writes a line of text, and returns where the next one begins.
func line(sb *strings.Builder, class string, x, y float64, text string) float64 {
	fmt.Fprintf(sb, `<text class="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, x, y+15, html.EscapeString(text))
	return y + svgHeader
}

func (l *Loop) draw(sb *strings.Builder, y float64) float64 {
	if why := l.without(); why != "" {
		return line(sb, "text", svgMargin, y, l.Name+": "+why)
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
		at := top + float64(i*svgLane)
		fmt.Fprintf(sb, `<rect class="lane" x="%.1f" y="%.1f" width="%d" height="%d"/>`+"\n", x(0), at+2, svgWidth, svgLane-4)
		line(sb, "text", svgMargin, at+4, l.unitOfNames[u])
	}
	bottom := top + float64(len(l.unitsInUse)*svgLane)
	for q := range 5 {
		t := l.Attr.II * q / 4
		fmt.Fprintf(sb, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x(t), top, x(t), bottom)
		anchor := "note"
		if q == 4 { // the label would cross the edge
			anchor = "note end"
		}
		line(sb, anchor, x(t), bottom, fmt.Sprint(t*l.Attr.Unit))
	}
	for _, b := range l.bars() {
		l.bar(sb, b, x(b.from), x(b.to), top+float64(slices.Index(l.unitsInUse, b.unit)*svgLane)+3)
	}
	return l.legend(sb, bottom+svgHeader)
}

func (l *Loop) bar(sb *strings.Builder, b bar, from, to, y float64) {
	stage := l.Attr.Stage(b.op)
	name := fmt.Sprintf("%s, stage %d", l.op(b.op), stage)
	fmt.Fprintf(sb, `<g><title>%s: from cycle %d of its iteration on</title><rect class="bar s%d" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="2"/>`, html.EscapeString(name), l.Attr.At[b.op]*l.Attr.Unit,
		stage%svgColours, from, y, to-from, svgLane-6)
	if label := l.op(b.op); float64(len(label))*svgCharWidth < to-from {
		fmt.Fprintf(sb, `<text class="label" x="%.1f" y="%.1f">%s</text>`, from+3, y+16, html.EscapeString(label))
	}
	sb.WriteString("</g>\n")
}

// legend names the colours of the stages, as far as there are colours.
func (l *Loop) legend(sb *strings.Builder, y float64) float64 {
	used := make(map[int]bool)
	for _, b := range l.bars() {
		used[l.Attr.Stage(b.op)] = true
	}
	x := float64(svgMargin + svgLeft)
	for s := range min(l.Attr.Stages(), 2*svgColours) {
		if !used[s] {
			continue
		}
		text := fmt.Sprintf("stage %d", s)
		if s > 0 {
			text += fmt.Sprintf(": iteration i - %d", s)
		} else {
			text += ": iteration i"
		}
		fmt.Fprintf(sb, `<rect class="bar s%d" x="%.1f" y="%.1f" width="14" height="12" rx="2"/>`, s%svgColours, x, y+5)
		line(sb, "text", x+20, y, text)
		x += 36 + svgCharWidth*float64(len(text)) + 14
	}
	return y + 2*svgHeader
}
