package exact

import (
	"slices"

	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// noPath is the longest path between operations without one; a sum with it is one as well (isPath).
const noPath = -1 << 60

func isPath(d int) bool { return d > noPath/2 }

// longest returns the longest path between all pairs of operations at an II (Floyd-Warshall). ok is false if a
// recurrence exceeds the II.
func longest(p *modulo.Problem, ii int) (d [][]int, ok bool) {
	n := len(p.Ops)
	d = make([][]int, n)
	for i := range d {
		d[i] = slices.Repeat([]int{noPath}, n)
		d[i][i] = 0
	}
	for _, e := range p.Edges {
		d[e.From][e.To] = max(d[e.From][e.To], e.Latency-ii*e.Distance)
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = max(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	for i := range n {
		if d[i][i] > 0 {
			return nil, false
		}
	}
	return d, true
}

// roots returns for each operation the first one of its strongly connected component.
func roots(d [][]int) []int {
	out := make([]int, len(d))
	for i := range d {
		for out[i] < i && !(isPath(d[i][out[i]]) && isPath(d[out[i]][i])) {
			out[i]++
		}
	}
	return out
}
