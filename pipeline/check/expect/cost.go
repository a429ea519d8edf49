package expect

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/tilewright/tilewright/ir"
)

// Kinds of costs.
const (
	II     = "ii"     // cycles from one iteration of a pipelined loop to the next, by the schedule
	Shared = "shared" // bytes of shared memory of a kernel
	Spills = "spills" // bytes that ptxas stores to and loads from memory for want of registers, in a thread of a kernel
)

// A Cost is what something at a place costs. Where there are several of a kind at one place, as versions of a loop
// are, the greatest counts.
type Cost struct {
	Kind  string
	Loc   ir.Location
	Value int
}

var bound = regexp.MustCompile(`^ *(<=|>=|=|) *([0-9]+) *$`)

// A limit is what a comment says of a cost.
type limit struct {
	relation string
	value    int
}

func parseLimit(text string) (*limit, error) {
	m := bound.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("expected a number, or '<= N' or '>= N', but got '%s'", text)
	}
	n, err := strconv.Atoi(m[2])
	if err != nil {
		return nil, err
	}
	if m[1] == "" {
		m[1] = "="
	}
	return &limit{m[1], n}, nil
}

func (l *limit) holds(v int) bool {
	switch l.relation {
	case "<=":
		return v <= l.value
	case ">=":
		return v >= l.value
	}
	return v == l.value
}

// Costs returns the kinds of costs that comments speak of.
func (e *Expectations) Costs() (kinds []string) {
	for _, x := range e.list {
		if x.limit != nil && !slices.Contains(kinds, x.kind) {
			kinds = append(kinds, x.kind)
		}
	}
	return kinds
}

// CompareCosts returns which of the comments about costs do not hold.
func (e *Expectations) CompareCosts(file string, got []Cost) (problems []string) {
	for _, x := range e.list {
		if x.limit == nil {
			continue
		}
		most := -1
		for _, c := range got {
			if f := ir.FileLocOf(c.Loc); c.Kind == x.kind && f != nil && f.File == file && int(f.Line) == x.line {
				most = max(most, c.Value)
			}
		}
		switch {
		case most < 0:
			problems = append(problems, fmt.Sprintf("%s:%d: error: there is no %s at line %d, which was expected to be %s %d", file, x.at, x.kind, x.line, x.limit.relation, x.limit.value))
		case !x.limit.holds(most):
			problems = append(problems, fmt.Sprintf("%s:%d: error: expected %s %s %d, but it is %d", file, x.at, x.kind, x.limit.relation, x.limit.value, most))
		}
	}
	return problems
}
