package exact

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/crillab/gophersat/solver"
	"github.com/tilewright/tilewright/passes/schedule/modulo"
)

// MaxVariables bounds the constraints of one II, so that memory and time stay in proportion to a small body.
const MaxVariables = 200_000

// ErrTooLarge is the error for a body with more than MaxVariables.
var ErrTooLarge = errors.New("the body is too large for the exact solver")

// solving is held while gophersat 1.4 learns clauses: all of its solvers share one buffer (bufLits), and the solvers of two
// kernels would overwrite each other's.
var solving sync.Mutex

// At returns a schedule of that II, or nil if there is none. It ignores the limits of classes.
func At(p *modulo.Problem, ii int) (*modulo.Schedule, error) {
	e := &encoding{p: p, ii: ii}
	if !e.windows() {
		return nil, nil
	}
	if e.vars > MaxVariables {
		return nil, fmt.Errorf("%w: %d operations at II %d", ErrTooLarge, len(p.Ops), ii)
	}
	for i := range p.Ops {
		e.precedes(i, i, -1) // starting at t or earlier, it also starts at t + 1 or earlier
	}
	for _, edge := range p.Edges {
		if e.root[edge.From] == e.root[edge.To] {
			e.precedes(edge.From, edge.To, edge.Latency-ii*edge.Distance)
		}
	}
	e.rows()
	solving.Lock()
	defer solving.Unlock()
	s := solver.New(solver.ParsePBConstrs(e.constraints))
	if s.Solve() != solver.Sat {
		return nil, nil
	}
	return e.schedule(s.Model()), nil
}

// An encoding turns one II into constraints. Operation i starts in [first[i], last[i]], counted from the earliest
// start of its component's root. The variable atMost(i, t) says that it starts at t or earlier.
type encoding struct {
	p           *modulo.Problem
	ii          int
	root        []int // of the component of each operation
	first, last []int
	base        []int // number of the variable of first[i]
	rowBase     []int
	vars        int
	constraints []solver.PBConstr
}

// windows computes where operations can start relative to their components; false if a recurrence or the work of a unit
// exceeds the II.
func (e *encoding) windows() bool {
	d, ok := longest(e.p, e.ii)
	if work, _ := modulo.ResMII(e.p); !ok || work > e.ii {
		return false
	}
	n := len(e.p.Ops)
	e.root = roots(d)
	e.first, e.last, e.base, e.rowBase = make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	for i := range n {
		r := e.root[i]
		e.first[i], e.last[i] = d[r][i], e.ii-1-d[i][r]
		if r == 0 { // rotating all rows changes nothing, so fix the first component's root on row 0
			e.last[i] = -d[i][r]
		}
		e.base[i] = e.vars + 1
		e.vars += e.last[i] - e.first[i]
		e.rowBase[i] = e.vars + 1
		e.vars += e.ii
	}
	return true
}

// always is the literal that is true, and -always the one that is false: those of cycles outside an operation's window.
const always = 1 << 62

// add adds a clause. One of false literals alone cannot be satisfied.
func (e *encoding) add(lits ...int) {
	if !slices.Contains(lits, always) {
		e.constraints = append(e.constraints, solver.PropClause(slices.DeleteFunc(lits, func(l int) bool { return l == -always })...))
	}
}

// atMost returns the literal of "operation i starts at t or earlier".
func (e *encoding) atMost(i, t int) int {
	switch {
	case t < e.first[i]:
		return -always
	case t >= e.last[i]:
		return always
	}
	return e.base[i] + t - e.first[i]
}

// precedes adds: if one operation starts at t or earlier, another one starts at t minus so many cycles or earlier.
func (e *encoding) precedes(from, to, cycles int) {
	for t := e.first[to]; t <= e.last[to]; t++ {
		e.add(-e.atMost(to, t), e.atMost(from, t-cycles))
	}
}

// rows defines the row of each operation that uses a unit, and lets one operation use a unit on a row.
func (e *encoding) rows() {
	for i, op := range e.p.Ops {
		if len(op.Uses) == 0 {
			continue
		}
		for t := e.first[i]; t <= e.last[i]; t++ {
			e.add(e.rowBase[i]+modulo.Mod(t, e.ii), -e.atMost(i, t), e.atMost(i, t-1)) // starting at t implies the row
		}
	}
	for u := range e.p.Units {
		for r := range e.ii {
			var lits []int
			for i, op := range e.p.Ops {
				for _, use := range op.Uses {
					for start := range e.ii { // starting on such a row, operation i uses the unit on row r
						if use.Unit == u && modulo.Mod(r-start-use.At, e.ii) < use.Cycles {
							lits = append(lits, e.rowBase[i]+start)
						}
					}
				}
			}
			if len(lits) > 0 {
				e.constraints = append(e.constraints, solver.AtMost(lits, 1))
			}
		}
	}
}

// schedule reads the cycles from a model, and adds multiples of II until the edges between components hold.
func (e *encoding) schedule(model []bool) *modulo.Schedule {
	s := &modulo.Schedule{II: e.ii, Cycle: make([]int, len(e.p.Ops))}
	for i := range e.p.Ops {
		t := e.first[i]
		for t < e.last[i] && !(e.atMost(i, t) <= len(model) && model[e.atMost(i, t)-1]) { // a variable in no constraint has no value
			t++
		}
		s.Cycle[i] = t
	}
	iterations := make([]int, len(e.p.Ops)) // of each root
	for i, r := range e.root {
		if s.Cycle[i] < 0 {
			iterations[r] = max(iterations[r], (-s.Cycle[i]+e.ii-1)/e.ii)
		}
	}
	for changed := true; changed; { // the graph of components is acyclic, so this ends
		changed = false
		for _, edge := range e.p.Edges {
			from, to := e.root[edge.From], e.root[edge.To]
			short := s.Cycle[edge.From] + iterations[from]*e.ii + edge.Latency - e.ii*edge.Distance - s.Cycle[edge.To] - iterations[to]*e.ii
			if from != to && short > 0 {
				iterations[to] += (short + e.ii - 1) / e.ii
				changed = true
			}
		}
	}
	for i, r := range e.root {
		s.Cycle[i] += iterations[r] * e.ii
	}
	return s
}

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
