package show

import (
	"fmt"
	"strings"

	"github.com/tilewright/tilewright/passes/schedule/modulo"
	"github.com/tilewright/tilewright/target/sm"
)

// Graph prints dependence graphs as text: a line for each operation with its role and time, and below it the
// operations that wait for it.
func Graph(loops []*Loop) string {
	return list(loops, func(sb *strings.Builder, l *Loop) {
		if l.Rejected != nil {
			fmt.Fprintf(sb, "%s: cannot be pipelined: %v\n", l.Name, l.Rejected)
			return
		}
		fmt.Fprintf(sb, "%s: %d operations, %d dependences\n", l.Name, len(l.Graph.Nodes), len(l.Graph.Edges))
		for n := range l.Graph.Nodes {
			fmt.Fprintf(sb, "  %s: %s\n", l.op(n), l.time(n))
			for e, edge := range l.Graph.Edges {
				if edge.From == n {
					fmt.Fprintf(sb, "    -> %s: %s\n", l.op(edge.To), l.edge(e))
				}
			}
		}
	})
}

// list returns the texts of loops.
func list(loops []*Loop, text func(sb *strings.Builder, l *Loop)) string {
	var sb strings.Builder
	for i, l := range loops {
		if i > 0 {
			sb.WriteByte('\n')
		}
		text(&sb, l)
	}
	if len(loops) == 0 {
		sb.WriteString(noLoops + "\n")
	}
	return sb.String()
}

const noLoops = "no loops at nv_tileas"

// time says what an operation is to a schedule, and how long it occupies each unit.
func (l *Loop) time(i int) string {
	n := &l.Graph.Nodes[i]
	parts := []string{n.Role.String()}
	if n.Timing.Latency > 0 {
		parts = append(parts, fmt.Sprintf("latency %d", n.Timing.Latency))
	}
	for u, c := range n.Timing.Busy {
		if c > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", sm.Unit(u), c))
		}
	}
	return strings.Join(parts, ", ")
}

func (l *Loop) edge(e int) string {
	edge := l.Graph.Edges[e]
	s := edge.Kind.String()
	if edge.Latency > 0 {
		s += fmt.Sprintf(", latency %d", edge.Latency)
	}
	if edge.Distance > 0 {
		s += fmt.Sprintf(", %d iterations later", edge.Distance)
	}
	return s
}

// DOT prints dependence graphs as one Graphviz graph, with a cluster for each loop.
func DOT(loops []*Loop) string {
	var sb strings.Builder
	sb.WriteString("digraph dependences {\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9];\n")
	for k, l := range loops {
		fmt.Fprintf(&sb, "  subgraph cluster_%d {\n    label=%q;\n", k, l.Name)
		if l.Rejected != nil {
			fmt.Fprintf(&sb, "    n%d [label=%q, style=dashed];\n  }\n", k, "cannot be pipelined: "+l.Rejected.Error())
			continue
		}
		for i := range l.Graph.Nodes {
			fmt.Fprintf(&sb, "    n%d_%d [label=%q];\n", k, i, l.op(i)+"\n"+l.time(i))
		}
		for i, e := range l.Graph.Edges {
			style := "solid"
			if e.Kind != modulo.Flow {
				style = "dashed"
			}
			back := ""
			if e.Distance > 0 {
				back = ", constraint=false, color=\"#b04a00\"" // otherwise a back edge would turn the loop body upside down
			}
			fmt.Fprintf(&sb, "    n%d_%d -> n%d_%d [label=%q, style=%s%s];\n", k, e.From, k, e.To, l.edge(i), style, back)
		}
		sb.WriteString("  }\n")
	}
	sb.WriteString("}\n")
	return sb.String()
}
