package profile

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/tilewright/tilewright/target/engine/emu/machine"
)

// maxText is how much of an instruction a table shows.
const maxText = 72

// maxPath is how much of a path a table shows.
const maxPath = 36

// WriteText writes a summary, and the instructions and source lines with the most work, so many of each.
func (r *Report) WriteText(w io.Writer, hottest int) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s %s: %s, %s\n", r.Entry, r.Target, plural(r.Launches, "launch", "launches"), plural(r.TileBlocks, "tile block", "tile blocks"))
	r.summary(b)
	r.hot(b, hottest)
	_, err := io.WriteString(w, b.String())
	return err
}

func plural(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// table writes rows of columns that are aligned.
func table(b *strings.Builder, rows func(t io.Writer)) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	rows(t)
	t.Flush()
}

func (r *Report) summary(b *strings.Builder) {
	sum := &r.Total.Counters
	table(b, func(t io.Writer) {
		fmt.Fprint(t, "\nunit\twarp instructions\tshare\tlanes\t\n")
		for _, u := range r.Units {
			if u.WarpInstructions > 0 {
				fmt.Fprintf(t, "%s\t%d\t%s\t%s\n", u.Unit, u.WarpInstructions, percent(u.WarpInstructions, sum[machine.WarpInstructions]), ratio(u.ThreadInstructions, u.WarpInstructions))
			}
		}
		fmt.Fprintf(t, "all\t%d\t\t%s\n", sum[machine.WarpInstructions], ratio(sum[machine.ThreadInstructions], sum[machine.WarpInstructions]))
	})
	table(b, func(t io.Writer) {
		heading := ""
		for _, a := range machine.Accesses() {
			n := [4]uint64(sum[a.First:][:4])
			if n[0] == 0 {
				continue
			}
			if a.Unit != heading {
				heading = a.Unit
				fmt.Fprintf(t, "\nmemory\trequests\t%s\tideal\ta request\tbytes\n", heading)
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t%d\n", strings.ReplaceAll(a.Name, "_", " "), n[0], n[1], n[2], ratio(n[1], n[0]), n[3])
		}
	})
	table(b, func(t io.Writer) {
		fmt.Fprint(t, "\nother\tnumber\tleast and most of a tile block\n")
		for k := range machine.NumCounters {
			if sum[k] > 0 && !machine.OfAccess(k) && k > machine.ThreadInstructions {
				fmt.Fprintf(t, "%s\t%d\t%d, %d\n", strings.ReplaceAll(k.String(), "_", " "), sum[k], r.Least.Counters[k], r.Most.Counters[k])
			}
		}
		for _, bar := range r.Barriers {
			fmt.Fprintf(t, "barrier %d\t%d\tof %d warps\n", bar.ID, bar.Phases, bar.Arrivals)
		}
	})
	if len(r.Uncounted) > 0 {
		fmt.Fprintf(b, "\nnot in the numbers of memory: what %s access\n", strings.Join(r.Uncounted, ", "))
	}
}

// parts are the sectors and wavefronts of a line, and the ideal of both.
func (l *Line) parts() (sectors, wavefronts [2]uint64) {
	c := &l.Counters.Counters
	for _, a := range machine.Accesses() {
		to := &sectors
		if a.Unit == machine.WavefrontUnit {
			to = &wavefronts
		}
		to[0], to[1] = machine.Sum(to[0], c[a.First+1]), machine.Sum(to[1], c[a.First+2])
	}
	return sectors, wavefronts
}

// work is how many cycles a line keeps units busy: the busiest unit, then all together. An issue slot, a wavefront of
// shared memory, and four sectors take one cycle each.
func (l *Line) work() [2]uint64 {
	sectors, wavefronts := l.parts()
	issued, shared, global := l.Counters.Counters[machine.WarpInstructions], wavefronts[0], sectors[0]/4
	return [2]uint64{max(issued, shared, global), machine.Sum(machine.Sum(issued, shared), global)}
}

// Hottest are the n lines with the most work: by the busiest unit, then by all units, then as they stand.
func Hottest(lines []Line, n int) []Line {
	sorted := slices.Clone(lines)
	slices.SortStableFunc(sorted, func(a, b Line) int { x, y := a.work(), b.work(); return slices.Compare(y[:], x[:]) })
	return sorted[:min(max(n, 0), len(sorted))]
}

// hot writes the hottest instructions and source lines.
func (r *Report) hot(b *strings.Builder, n int) {
	if n <= 0 {
		return
	}
	for _, list := range []struct {
		title string
		lines []Line
	}{{"PTX line", r.Lines}, {"source line", r.Sources}} {
		if len(list.lines) == 0 {
			continue
		}
		table(b, func(t io.Writer) {
			fmt.Fprintf(t, "\n%s\tissued\tlanes\tsectors\tideal\twavefronts\tideal\t\n", list.title)
			for _, l := range Hottest(list.lines, n) {
				c := &l.Counters.Counters
				sectors, wavefronts := l.parts()
				fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", l.where(), c[machine.WarpInstructions], ratio(c[machine.ThreadInstructions], c[machine.WarpInstructions]),
					some(sectors[0]), some(sectors[1]), some(wavefronts[0]), some(wavefronts[1]), l.shown())
			}
		})
	}
}

func (l *Line) where() string {
	if l.Line > 0 {
		return fmt.Sprint(l.Line)
	}
	return shortened(l.Source.String())
}

// shown is the text of a line, and where in the source it comes from.
func (l *Line) shown() string {
	text := l.Text
	if len(text) > maxText {
		text = text[:maxText] + "..."
	}
	if l.Line > 0 && l.Source != nil {
		text += "  (" + shortened(l.Source.String()) + ")"
	}
	return text
}

func some(n uint64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func ratio(a, b uint64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4g", float64(a)/float64(b))
}

func percent(a, b uint64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(a)/float64(b))
}

// shortened is the end of a long path.
func shortened(path string) string {
	if len(path) <= maxPath {
		return path
	}
	path = path[len(path)-maxPath:]
	if _, rest, ok := strings.Cut(path, "/"); ok {
		path = rest
	}
	return ".../" + path
}
