package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// The plot, in pixels: logarithmic axes from 10 us to 10 ms.
const (
	size   = 480
	margin = 56
	least  = 1.0 // of the decimal logarithm
	most   = 4.0
)

var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555"}

// plot draws estimates over published times. On the diagonal they are equal; dotted lines are a factor of two off.
func (t *table) plot() string {
	var b strings.Builder
	at := func(us float64) float64 {
		return (math.Log10(us) - least) / (most - least) * (size - 2*margin)
	}
	x := func(us float64) float64 { return margin + at(us) }
	y := func(us float64) float64 { return size - margin - at(us) }
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", size+170, size)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", size+170, size)
	for k := least; k <= most; k++ {
		us := math.Pow(10, k)
		fmt.Fprintf(&b, `<path d="M%.1f %d V%d M%d %.1f H%d" stroke="#ddd"/>`+"\n", x(us), margin, size-margin, margin, y(us), size-margin)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%.0f</text><text x="%d" y="%.1f" text-anchor="end">%.0f</text>`+"\n", x(us), size-margin+16, us, margin-6, y(us)+4, us)
	}
	line := func(factor float64, style string) {
		lo, hi := math.Pow(10, least), math.Pow(10, most)
		from, to := max(lo, lo/factor), min(hi, hi/factor)
		fmt.Fprintf(&b, `<path d="M%.1f %.1f L%.1f %.1f" %s/>`+"\n", x(from), y(from*factor), x(to), y(to*factor), style)
	}
	line(1, `stroke="#888"`)
	line(2, `stroke="#bbb" stroke-dasharray="3"`)
	line(0.5, `stroke="#bbb" stroke-dasharray="3"`)
	families := t.families()
	for i, f := range families {
		colour := colours[i%len(colours)]
		for _, r := range t.Rows {
			if r.Family != f {
				continue
			}
			fill := colour
			if r.Nearest != "" {
				fill = "white"
			}
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s" stroke="%s"><title>%s: %.1f us, estimate %.1f us</title></circle>`+"\n",
				x(r.Microseconds), y(r.after), fill, colour, html.EscapeString(r.Row), r.Microseconds, r.after)
		}
		fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="4" fill="%s"/><text x="%d" y="%d">%s</text>`+"\n", size-30, margin+18*i, colour, size-20, margin+4+18*i, html.EscapeString(f))
	}
	below := margin + 18*len(families)
	fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="4" fill="white" stroke="#000"/><text x="%d" y="%d">the nearest kernel</text>`+"\n", size-30, below, size-20, below+4)
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">published, microseconds</text>`+"\n", size/2, size-14)
	fmt.Fprintf(&b, `<text x="16" y="%d" text-anchor="middle" transform="rotate(-90 16 %d)">estimate, microseconds</text>`+"\n</svg>\n", size/2, size/2)
	return b.String()
}
