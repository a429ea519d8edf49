package show

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table writes schedules as tables. With rows, a table has so many at equal distances, each with what takes most of its time; without, one wherever an operation begins or ends.
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

// without says in a line why a loop has no table; "" when it has one.
func (l *Loop) without() string {
	switch {
	case l.Ahead:
		return "is pipelined across the loop inside: behind that, the copies with which it begins start for the next iteration"
	case l.meets && l.Attr == nil:
		return "is of a role that waits for others: its order is that of the text"
	case l.Refuse != nil:
		return fmt.Sprintf("cannot be pipelined: %v", l.Refuse)
	case l.Attr == nil:
		return "has no schedule (--remarks says why)"
	case l.Broken != nil:
		return fmt.Sprintf("has a schedule that does not hold: %v", l.Broken)
	}
	return ""
}

func (l *Loop) table(sb *strings.Builder, most int) {
	if l.turns != nil {
		l.turns.table(sb, most)
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

// grid writes rows in columns, of which the first row is the head.
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

// mostRows bounds what is asked for.
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

// cell names the operation that takes most of a time, with its stage. Times come in order, and bars that are over are dropped; since the schedule holds, a unit has one operation at a time, so that
// all rows together look at each bar a few times.
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
