package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Table prints schedules as tables. With rows, a table has that many at equal distances, each with the operation that
// takes most of its time. Without, it has a row wherever an operation begins or ends.
func Table(loops []*Loop, rows int) string {
	return list(loops, func(sb *strings.Builder, l *Loop) { l.table(sb, rows) })
}

// Drawn reports whether SVG shows more of a loop than why there is nothing to show.
func (l *Loop) Drawn() bool { return l.without == "" }

func (l *Loop) table(sb *strings.Builder, most int) {
	if l.play != nil {
		l.play.table(sb, most)
		return
	}
	if l.without != "" {
		fmt.Fprintf(sb, "%s: %s\n", l.Name, l.without)
		return
	}
	fmt.Fprintf(sb, "%s\n", l.Name)
	for _, line := range l.header() {
		fmt.Fprintf(sb, "  %-14s %s\n", line[0], line[1])
	}
	sb.WriteByte('\n')
	rows := [][]string{append([]string{"cycle"}, ir.Map(l.unitsInUse, sm.Unit.String)...)}
	rows = append(rows, l.rows(most)...)
	grid(sb, rows)
}

// table prints an iteration of a role's loop in the steady state: what the tensor cores and its groups of warps do.
func (p *RolePlay) table(sb *strings.Builder, rows int) {
	groups := p.Roles
	fmt.Fprintf(sb, "loop of role \"%s\" in @%s", p.First, tileas.KernelOf(groups[0].loop).SymbolName())
	if p.Stuck {
		sb.WriteString(": its groups wait for each other\n")
		return
	}
	from, rows := p.To-p.Interval, cmp.Or(min(rows, mostRows), 32)
	var all []Act
	busy, head := 0, []string{"cycle", "tensor"}
	for g, r := range groups {
		all = append(all, r.Acts...)
		busy += r.busy(sm.UnitTensor, from, p.To)
		head = append(head, fmt.Sprintf("warps %d to %d", r.Warps*int64(g), r.Warps*int64(g+1)-1))
	}
	lines := [][]string{head}
	for i := range rows {
		a, b := from+p.Interval*i/rows, from+p.Interval*(i+1)/rows
		most := busiest(all, a, b, func(act Act) bool { return act.Unit == sm.UnitTensor })
		name := most.String()
		if most != nil && len(groups) > 1 {
			name += fmt.Sprintf(" of group %d", most.group)
		}
		row := []string{fmt.Sprint(a - from), name}
		for _, r := range groups {
			row = append(row, busiest(r.Acts, a, b, func(act Act) bool { return act.Unit != sm.UnitTensor }).String())
		}
		lines = append(lines, row)
	}
	fmt.Fprintf(sb, "\n  %-14s %d cycles by the cost model, of which the tensor cores are busy for %d\n", "iteration", p.Interval, busy)
	if len(groups) > 1 {
		fmt.Fprintf(sb, "  %-14s %d groups of %d warps\n", "ping-pong", len(groups), groups[0].Warps)
	}
	sb.WriteByte('\n')
	grid(sb, lines)
}

// busy returns for how long a role occupies a unit during a time.
func (r *PlayedRole) busy(u sm.Unit, from, to int) (cycles int) {
	for _, a := range r.Acts {
		if a.Unit == u {
			cycles += max(0, a.during(from, to))
		}
	}
	return cycles
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
	times := []int{0, l.Attr.II}
	for _, b := range l.bars {
		times = append(times, b.From, b.To)
	}
	if n := min(most, l.Attr.II, mostRows); n > 0 {
		times = times[:0]
		for i := range n + 1 {
			times = append(times, l.Attr.II*i/n)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for i, from := range times[:len(times)-1] {
		row := []string{fmt.Sprint(from * l.Attr.Unit)}
		for _, u := range l.unitsInUse {
			cell := ""
			if most := busiest(l.bars, from, times[i+1], func(a Act) bool { return a.Unit == u }); most != nil {
				cell = fmt.Sprintf("%s s%d", most, most.Iteration)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}
