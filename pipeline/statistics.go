package pipeline

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// WriteStatistics writes MLIR's pass statistics report in the shape of the pipeline. Passes without statistics are
// left out.
func WriteStatistics(w io.Writer, p *Pipeline, values []StatisticValue) error {
	of := make(map[*Item][]StatisticValue)
	for _, v := range values {
		of[v.Item] = append(of[v.Item], v)
	}
	var sb strings.Builder
	statisticsHeader(&sb)
	var walk func(n *OpPipeline, depth int)
	walk = func(n *OpPipeline, depth int) {
		fmt.Fprintf(&sb, "%s'%s' Pipeline\n", strings.Repeat("  ", depth), n.Op)
		for i := range n.Items {
			it := &n.Items[i]
			if it.Nest != nil {
				walk(it.Nest, depth+1)
			} else if of[it] != nil {
				fmt.Fprintf(&sb, "%s%s\n", strings.Repeat("  ", depth+1), it.Pass.DisplayTitle())
				writeStatistics(&sb, of[it], depth+2)
			}
		}
	}
	walk(p.Root, 0)
	_, err := io.WriteString(w, sb.String())
	return err
}

// WriteStatisticsList writes the report as a list of passes by name, each once.
func WriteStatisticsList(w io.Writer, values []StatisticValue) error {
	type key struct{ pass, stat string }
	sums := make(map[key]*StatisticValue)
	var titles []string
	byTitle := make(map[string][]StatisticValue)
	for _, v := range values {
		k := key{v.Item.Pass.DisplayTitle(), v.Statistic.Name}
		if sums[k] == nil {
			if byTitle[k.pass] == nil {
				titles = append(titles, k.pass)
			}
			sums[k] = &StatisticValue{Item: v.Item, Statistic: v.Statistic}
			byTitle[k.pass] = append(byTitle[k.pass], v)
		}
		sums[k].Value += v.Value
	}
	sort.Strings(titles)
	var sb strings.Builder
	statisticsHeader(&sb)
	for _, title := range titles {
		sb.WriteString(title + "\n")
		list := byTitle[title]
		for i := range list {
			list[i].Value = sums[key{title, list[i].Statistic.Name}].Value
		}
		writeStatistics(&sb, list, 1)
	}
	_, err := io.WriteString(w, sb.String())
	return err
}

func statisticsHeader(sb *strings.Builder) {
	fmt.Fprintf(sb, "%s\n%26s... Pass statistics report ...\n%s\n", reportRule, "", reportRule)
}

func writeStatistics(sb *strings.Builder, values []StatisticValue, depth int) {
	width, nameWidth := 0, 0
	for _, v := range values {
		width = max(width, len(fmt.Sprint(v.Value)))
		nameWidth = max(nameWidth, len(v.Statistic.Name))
	}
	for _, v := range values {
		fmt.Fprintf(sb, "%s(S) %*d %-*s - %s\n", strings.Repeat("  ", depth), width, v.Value, nameWidth, v.Statistic.Name, v.Statistic.Doc)
	}
}
