package show

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Table writes schedules as tables.
func Table(w io.Writer, loops []*Loop) error {
	var sb strings.Builder
	for i, l := range loops {
		if i > 0 {
			sb.WriteByte('\n')
		}
		l.table(&sb)
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
	case l.Refuse != nil:
		return fmt.Sprintf("cannot be pipelined: %v", l.Refuse)
	case l.Attr == nil:
		return "has no schedule (--remarks says why)"
	case l.Broken != nil:
		return fmt.Sprintf("has a schedule that does not hold: %v", l.Broken)
	}
	return ""
}

func (l *Loop) table(sb *strings.Builder) {
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
	rows = append(rows, l.rows()...)
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

// rows returns the rows of the table. A new one begins wherever an operation begins or ends. Since the schedule holds, each unit has one operation at a time.
func (l *Loop) rows() (rows [][]string) {
	bars := l.bars()
	times := []int{0}
	next := make([]int, len(l.unitsInUse)) // bar of each unit
	for i, b := range bars {
		times = append(times, b.from, b.to)
		if i == 0 || bars[i-1].unit != b.unit {
			next[slices.Index(l.unitsInUse, b.unit)] = i
		}
	}
	slices.Sort(times)
	for _, t := range slices.Compact(times) {
		if t == l.Attr.II {
			break
		}
		row := []string{fmt.Sprint(t * l.Attr.Unit)}
		for c, u := range l.unitsInUse {
			for next[c] < len(bars) && bars[next[c]].unit == u && bars[next[c]].to <= t {
				next[c]++
			}
			cell := ""
			if next[c] < len(bars) && bars[next[c]].unit == u && bars[next[c]].from <= t {
				cell = fmt.Sprintf("%s s%d", l.op(bars[next[c]].op), l.Attr.Stage(bars[next[c]].op))
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}
