package exact

import "github.com/tilewright/tilewright/passes/schedule/modulo"

const minusInf = -1 << 60

// longest returns the longest path between all pairs of operations at an II (Floyd-Warshall), minusInf if there is
// none. ok is false if a recurrence exceeds the II.
func longest(p *modulo.Problem, ii int) (d [][]int, ok bool) {
	n := len(p.Ops)
	d = make([][]int, n)
	for i := range d {
		d[i] = make([]int, n)
		for j := range d[i] {
			d[i][j] = minusInf
		}
		d[i][i] = 0
	}
	for _, e := range p.Edges {
		d[e.From][e.To] = max(d[e.From][e.To], e.Latency-ii*e.Distance)
	}
	for k := range n {
		for i := range n {
			if d[i][k] == minusInf {
				continue
			}
			for j := range n {
				if d[k][j] != minusInf {
					d[i][j] = max(d[i][j], d[i][k]+d[k][j])
				}
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
		for j := range i + 1 {
			if d[i][j] != minusInf && d[j][i] != minusInf {
				out[i] = j
				break
			}
		}
	}
	return out
}
