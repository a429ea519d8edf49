package modulo

import (
	"fmt"
	"math"
	"slices"
)

// A Problem describes a loop body. It must not change while it is scheduled.
type Problem struct {
	Units   []string // names of resources, each of which serves one operation at a time
	Ops     []Op
	Edges   []Edge
	Values  []Value
	Classes []Class
	// Backwards places operations from the end of an iteration, as late as they can be. What has no place left when all
	// begin early may have one then.
	Backwards bool
}

// An Op is an operation of the body.
type Op struct {
	Name string
	Uses []Use
}

// A Use occupies a unit for some cycles, starting At cycles after the operation. An operation uses each unit once at most.
type Use struct {
	Unit, At, Cycles int
}

// An Edge lets To, Distance iterations later, start no earlier than Latency cycles after From. With a negative latency
// it may start before From.
type Edge struct {
	From, To          int
	Latency, Distance int
	Kind              Kind
}

// Kind is the reason for an edge. Schedulers ignore it; remarks and graphs show it.
type Kind uint8

// The kinds of edge.
const (
	Flow   Kind = iota // To reads the value that From defines
	Output             // To overwrites what From writes
	Token              // a token orders them
	Async              // To waits for what From starts
)

var kindNames = [...]string{"flow", "output", "token", "async"}

func (k Kind) String() string { return kindNames[k] }

// A Value occupies room from the start of its definition to Hold cycles after the start of its last reader.
type Value struct {
	Def     int
	Size    int // in units of its class
	Class   int
	Readers []Reader
}

// A Reader is an operation that reads a value some iterations later.
type Reader struct {
	Op, Distance, Hold int
}

// A Class is a kind of room: registers of a thread, bytes of shared memory.
type Class struct {
	Name  string
	Limit int // 0: none
	// Buffered says that each instance of a value has a place of its own for its entire life, and iterations alternate
	// between the places, as with stages of a buffer. Otherwise instances share what is free on each row, as registers
	// do.
	Buffered bool
}

// Limits on a problem, so that no sum of cycles overflows.
const (
	MaxOps    = 1 << 16
	MaxCycles = 1 << 24 // of a latency or use
)

// Check reports what is malformed in the problem.
func (p *Problem) Check() error {
	if len(p.Ops) > MaxOps {
		return fmt.Errorf("%d operations are more than %d", len(p.Ops), MaxOps)
	}
	isOp := func(i int) bool { return 0 <= i && i < len(p.Ops) }
	for i, op := range p.Ops {
		for k, u := range op.Uses {
			if u.Unit < 0 || u.Unit >= len(p.Units) || u.At < 0 || u.Cycles < 1 || u.At > MaxCycles || u.Cycles > MaxCycles {
				return fmt.Errorf("operation %d (%s) has a malformed use of unit %d", i, op.Name, u.Unit)
			}
			if slices.ContainsFunc(op.Uses[:k], func(other Use) bool { return other.Unit == u.Unit }) {
				return fmt.Errorf("operation %d (%s) uses unit %s twice", i, op.Name, p.Units[u.Unit])
			}
		}
	}
	for i, e := range p.Edges {
		if !isOp(e.From) || !isOp(e.To) || e.Distance < 0 || e.Distance > MaxCycles || e.Latency > MaxCycles || e.Latency < -MaxCycles {
			return fmt.Errorf("edge %d is malformed: %+v", i, e)
		}
	}
	for i, v := range p.Values {
		if !isOp(v.Def) || v.Class < 0 || v.Class >= len(p.Classes) || v.Size < 0 {
			return fmt.Errorf("value %d is malformed", i)
		}
		for _, r := range v.Readers {
			if !isOp(r.Op) || r.Distance < 0 {
				return fmt.Errorf("value %d has a malformed reader", i)
			}
		}
	}
	return nil
}

// A Schedule places every operation.
type Schedule struct {
	II    int
	Cycle []int // of each operation, from 0; its stage is Cycle/II, its row Cycle%II
}

// Length returns the cycles from the start of an iteration to the start of its last operation.
func (s *Schedule) Length() int { return slices.Max(append([]int{0}, s.Cycle...)) }

// life returns when an instance of the value is defined and when it is no longer needed (exclusive). A value without
// readers takes no room.
func (s *Schedule) life(v *Value) (from, to int) {
	from = s.Cycle[v.Def]
	to = from
	for _, r := range v.Readers {
		to = max(to, s.Cycle[r.Op]+r.Distance*s.II+r.Hold)
	}
	return from, to
}

// Instances returns how many instances of a value are live at the same time at most.
func (s *Schedule) Instances(v *Value) int {
	from, to := s.life(v)
	return (to - from + s.II - 1) / s.II
}

// Pressure returns, for each class, the most room that the steady state takes on any row.
func (s *Schedule) Pressure(p *Problem) []int {
	out := make([]int, len(p.Classes))
	for c := range p.Classes {
		out[c] = slices.Max(s.room(p, c))
	}
	return out
}

// room returns the room that the values of a class take on each row.
func (s *Schedule) room(p *Problem, class int) []int {
	rows := make([]int, s.II)
	for i := range p.Values {
		v := &p.Values[i]
		if v.Class != class {
			continue
		}
		// A life of n full iterations counts n times on every row, and the rest once on the rows that it covers.
		from, to := s.life(v)
		whole, rest := (to-from)/s.II, (to-from)%s.II
		if p.Classes[class].Buffered {
			whole, rest = s.Instances(v), 0
		}
		for r := range rows {
			rows[r] += whole * v.Size
		}
		for k := range rest {
			rows[(from+k)%s.II] += v.Size
		}
	}
	return rows
}

// fits returns a class whose limit is exceeded; ok is true if there is none.
func (s *Schedule) fits(p *Problem) (class int, ok bool) {
	for c, n := range s.Pressure(p) {
		if limit := p.Classes[c].Limit; limit > 0 && n > limit {
			return c, false
		}
	}
	return 0, true
}

// ceilDiv rounds up; a is not negative, and b is positive.
func ceilDiv(a, b int) int { return (a + b - 1) / b }

// Mod returns the remainder that is not negative.
func Mod(a, b int) int { return (a%b + b) % b }

const minusInf = math.MinInt / 4
