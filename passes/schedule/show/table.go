package show

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table prints schedules as tables. With rows, a table has that many at equal distances, each with the operation that
// takes most of its time. Without, it has a row wherever an operation begins or ends.
func Table(w io.Writer, loops []*Loop, rows int) error {
	var sb strings.Builder
	for i, l := range loops {
		if i > 0 {
			sb.WriteByte('\n')
		}
		l.table(&sb, rows)
	}
	if len(loops) == 0 {
		sb.WriteString("no loops at nv_tileas\n")
	}
	_, err := io.WriteString(w, sb.String())
	return err
}

// without says why a loop has no table; "" if it has one.
func (l *Loop) without() string {
	switch {
	case l.FillAhead:
		return "is pipelined as an outer loop: the prologue of the inner loop for the next iteration starts after it"
	case l.waits && l.Attr == nil:
		return "is of a role that waits for others: its order is that of the text"
	case l.Rejected != nil:
		return fmt.Sprintf("cannot be pipelined: %v", l.Rejected)
	case l.Attr == nil:
		return "has no schedule (--remarks says why)"
	case l.Broken != nil:
		return fmt.Sprintf("has a schedule that does not hold: %v", l.Broken)
	}
	return ""
}

// Drawn reports whether SVG shows more of a loop than why there is nothing to show.
func (l *Loop) Drawn() bool { return l.without() == "" }

func (l *Loop) table(sb *strings.Builder, most int) {
	if l.role != nil {
		l.role.table(sb, most)
		return
	}
	if why := l.without(); why != "" {
		fmt.Fprintf(sb, "%s: %s\n", l.Name, why)
		return
	}
	fmt.Fprintf(sb, "%s\n", l.Name)
	for _, line := range l.header() {
		fmt.Fprintf(sb, "  %-14s %s\n", line[0], line[1])
	}
	sb.WriteByte('\n')
	rows := [][]string{{"cycle"}}
	for _, u := range l.unitsInUse {
		rows[0] = append(rows[0], l.unitOfNames[u])
	}
	rows = append(rows, l.rows(most)...)
	grid(sb, rows)
}

// grid prints rows in columns; the first row is the header.
func grid(sb *strings.Builder, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for c, cell := range r {
			width[c] = max(width[c], len(cell))
		}
	}
	for i, r := range rows {
		line := ""
		for c, cell := range r {
			if c == 0 {
				line = fmt.Sprintf("  %*s", width[0], cell)
			} else {
				line += fmt.Sprintf(" | %-*s", width[c], cell)
			}
		}
		sb.WriteString(strings.TrimRight(line, " ") + "\n")
		if i == 0 {
			sb.WriteString("  " + strings.Repeat("-", width[0]))
			for _, n := range width[1:] {
				sb.WriteString("-+-" + strings.Repeat("-", n))
			}
			sb.WriteByte('\n')
		}
	}
}

// mostRows bounds the option rows.
const mostRows = 1000

// rows returns the rows of the table.
func (l *Loop) rows(most int) (rows [][]string) {
	bars := l.bars()
	times := []int{0, l.Attr.II}
	for _, b := range bars {
		times = append(times, b.from, b.to)
	}
	if n := min(most, l.Attr.II, mostRows); n > 0 {
		times = times[:0]
		for i := range n + 1 {
			times = append(times, l.Attr.II*i/n)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	byUnit := make(map[int][]bar)
	for _, b := range bars {
		byUnit[b.unit] = append(byUnit[b.unit], b)
	}
	for i, from := range times[:len(times)-1] {
		row := []string{fmt.Sprint(from * l.Attr.Unit)}
		for _, u := range l.unitsInUse {
			row = append(row, l.cell(byUnit, u, from, times[i+1]))
		}
		rows = append(rows, row)
	}
	return rows
}

// cell names the operation that takes most of a time, with its stage.
//
// Times ascend, so bars that have ended are dropped. A unit has one operation at a time, so all rows together look at
// each bar only a few times.
func (l *Loop) cell(byUnit map[int][]bar, unit, from, to int) string {
	bars := byUnit[unit]
	for len(bars) > 0 && bars[0].to <= from {
		bars = bars[1:]
	}
	byUnit[unit] = bars
	best, longest := -1, 0
	for _, b := range bars {
		if b.from >= to {
			break
		}
		if n := min(b.to, to) - max(b.from, from); n > longest {
			best, longest = b.op, n
		}
	}
	if best < 0 {
		return ""
	}
	return fmt.Sprintf("%s s%d", l.op(best), l.Attr.Stage(best))
}
