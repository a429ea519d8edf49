package expr

import (
	"fmt"
	"math"
	"strings"
)

// The bounds of what is shown.
const (
	tableRows, tableColumns     = 20, 10
	pictureRows, pictureColumns = 32, 64
	inline                      = 8 // elements that a summary lists
	summarized                  = 1 << 16
)

// Summary describes an array in a line: a number is its value; a few elements are listed; of more there are the type,
// the shape, and the range.
func (a Array) Summary() string {
	n := a.Count()
	switch {
	case a.Text != "":
		return a.Text
	case len(a.Shape) == 0:
		return a.Format(a.Get(a.Offset))
	case a.Tuple:
		if n == 1 {
			return "(" + a.list() + ",)"
		}
		return "(" + a.list() + ")"
	case len(a.Shape) == 1 && n <= inline:
		return "[" + a.list() + "]"
	}
	head := fmt.Sprintf("%s %s", a.typeName(), a.Dims())
	if n == 0 || n > summarized || a.Hex {
		return head
	}
	lo, hi, nan, undef, seen := math.Inf(1), math.Inf(-1), 0, 0, false
	var least, most Elem
	a.Each(func(_ int64, e Elem) bool {
		x := e.float(a.Kind)
		switch {
		case e.Undef:
			undef++
		case math.IsNaN(x):
			nan++
		default:
			if x < lo || !seen {
				lo, least = x, e
			}
			if x > hi || !seen {
				hi, most = x, e
			}
			seen = true
		}
		return true
	})
	if seen && lo == hi {
		head += ", all " + a.Format(least)
	} else if seen {
		head += fmt.Sprintf(", %s to %s", a.Format(least), a.Format(most))
	}
	if nan > 0 {
		head += fmt.Sprintf(", %d NaN", nan)
	}
	if undef > 0 {
		head += fmt.Sprintf(", %d unspecified", undef)
	}
	return head
}

func (a Array) list() string {
	var parts []string
	a.Each(func(_ int64, e Elem) bool { parts = append(parts, a.Format(e)); return true })
	return strings.Join(parts, ", ")
}

// Show describes an array in lines: a table, of which the middle is left out where it is large, or the picture that was
// asked for.
func (a Array) Show() string {
	switch {
	case len(a.Shape) == 0 || a.Tuple || a.Text != "" || a.Count() == 0:
		return a.Summary()
	case a.Picture:
		return a.Summary() + "\n" + a.picture()
	}
	a, where := a.plane()
	return a.Summary() + where + "\n" + a.table()
}

// plane is the part that is shown: all of an array of two dimensions; else the first rows and columns of the last two.
func (a Array) plane() (Array, string) {
	where := ""
	if len(a.Shape) > 2 {
		where = ", at " + strings.Repeat("0, ", len(a.Shape)-2) + "..."
	}
	for len(a.Shape) > 2 {
		a = a.Row(0)
	}
	return a, where
}

// picked are the coordinates of up to n elements, the first and the last ones; -1 stands for those in between.
func picked(size int64, n int) (list []int64) {
	for i := range min(size, int64(n)) {
		list = append(list, i)
	}
	if size > int64(n) {
		half := n / 2
		list = append(list[:half], -1)
		for i := size - int64(n-half); i < size; i++ {
			list = append(list, i)
		}
	}
	return list
}

func (a Array) table() string {
	if len(a.Shape) == 1 { // a row of a table
		a.Shape, a.Strides = []int64{1, a.Shape[0]}, []int64{0, a.Strides[0]}
	}
	columns := picked(a.Shape[1], tableColumns)
	lines := [][]string{{""}}
	for _, c := range columns {
		lines[0] = append(lines[0], label(c))
	}
	for _, r := range picked(a.Shape[0], tableRows) {
		line := []string{label(r)}
		for _, c := range columns {
			if r < 0 || c < 0 {
				line = append(line, "...")
			} else {
				line = append(line, a.short(a.At(r, c)))
			}
		}
		lines = append(lines, line)
	}
	width := make([]int, len(columns)+1)
	for _, line := range lines {
		for i, cell := range line {
			width[i] = max(width[i], len(cell))
		}
	}
	var b strings.Builder
	for _, line := range lines {
		text := ""
		for i, cell := range line {
			text += fmt.Sprintf("%*s  ", width[i], cell)
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func label(i int64) string {
	if i < 0 {
		return "..."
	}
	return fmt.Sprintf("[%d]", i)
}

// short spells an element of a table, in which many digits hide the pattern.
func (a Array) short(e Elem) string {
	if a.Kind != Float || e.Undef || math.IsNaN(e.F) || math.IsInf(e.F, 0) {
		return a.Format(e)
	}
	return fmt.Sprintf("%.5g", e.F)
}

// shades go from the least element to the largest.
var shades = []rune(" .:-=+*#%@")

// picture draws an array with a character for each element, or for a part of it. NaN is N, and what is unspecified is ?.
func (a Array) picture() string {
	a, _ = a.plane()
	if len(a.Shape) == 1 {
		a.Shape, a.Strides = []int64{1, a.Shape[0]}, []int64{0, a.Strides[0]}
	}
	rows, columns := min(a.Shape[0], pictureRows), min(a.Shape[1], pictureColumns)
	at := func(r, c int64) Elem { return a.At(r*a.Shape[0]/rows, c*a.Shape[1]/columns) }
	lo, hi := math.Inf(1), math.Inf(-1)
	for r := range rows {
		for c := range columns {
			if e := at(r, c); !e.Undef && !math.IsNaN(e.float(a.Kind)) && !math.IsInf(e.float(a.Kind), 0) {
				lo, hi = min(lo, e.float(a.Kind)), max(hi, e.float(a.Kind))
			}
		}
	}
	var b strings.Builder
	for r := range rows {
		for c := range columns {
			e := at(r, c)
			x := e.float(a.Kind)
			switch {
			case e.Undef:
				b.WriteRune('?')
			case math.IsNaN(x):
				b.WriteRune('N')
			case x > hi || hi > lo && x == hi:
				b.WriteRune(shades[len(shades)-1])
			case x < lo || !(hi > lo):
				b.WriteRune(shades[0])
			default:
				b.WriteRune(shades[int((x-lo)/(hi-lo)*float64(len(shades)-1)+0.5)])
			}
		}
		b.WriteByte('\n')
	}
	if rows < a.Shape[0] || columns < a.Shape[1] {
		fmt.Fprintf(&b, "(every %d-th row, every %d-th column)\n", (a.Shape[0]+rows-1)/rows, (a.Shape[1]+columns-1)/columns)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
