package lowerpipes

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A position is where a role is in the pipes that advance together.
type position struct {
	stages        int64
	place, parity ir.Value // the index of the stage, and the parity of the phase to wait for
}

// A side is one of the two of a pipe.
type side struct {
	*pipe
	fills bool
}

// An end is that side in the role that has it.
type end struct {
	side
	at *position
	// opens and closes are the stretches of code in which the role opens and closes stages, in the order of the text.
	// Loops and ifs with operations on pipes are between two stretches.
	opens, closes  []int
	opened, closed bool // since the position advanced
}

// first returns where a role begins. A role that fills a pipe waits for arrivals ahead of its stage, if releases
// lag. The parity before the first phase lets its first waits pass.
func (e *end) first() (at struct{ place, parity int64 }) {
	if e.fills {
		at.place, at.parity = e.lag, 1
	}
	return at
}

// stays reports whether the position never advances. The drain of a pipe that is filled once needs to know whether an if
// has filled it.
func (e *end) stays() bool { return e.once() && !(e.fills && e.drained) }

// goesWith reports whether two ends advance in the same stretches, from the same position, through equally many stages.
func (e *end) goesWith(o *end) bool {
	if e.stays() || o.stays() || e.typ.Stages() != o.typ.Stages() || e.first() != o.first() {
		return false
	}
	// With two stages in one stretch, one would advance while the other is held.
	single := len(slices.Compact(slices.Clone(e.opens))) == len(e.opens)
	return single && slices.Equal(e.opens, o.opens) && slices.Equal(e.closes, o.closes)
}

// slots returns where positions have the values that loops carry. With one stage the index never changes.
func slots(positions []*position) (out []*ir.Value) {
	for _, p := range positions {
		if p.stages > 1 {
			out = append(out, &p.place)
		}
		out = append(out, &p.parity)
	}
	return out
}

func values(positions []*position) []ir.Value {
	return ir.Map(slots(positions), func(v *ir.Value) ir.Value { return *v })
}

func take(positions []*position, from []ir.Value) {
	for i, v := range slots(positions) {
		*v = from[i]
	}
}

// advance moves a position one stage further.
func (p *position) advance(b *ir.Builder) {
	from := p.place
	if p.stages > 1 {
		p.place = tileas.NextStage(b, from, p.stages)
	}
	p.parity = tileas.NextParity(b, p.parity, from, p.stages)
}

// before returns the position one stage back, of a role that fills.
func (p *position) before(b *ir.Builder) *position {
	if p.stages == 1 { // the phase of the stage that was filled last has the parity for which the next fill waits
		return p
	}
	first := arith.NewCmpI(b, "eq", p.place, arith.NewI32(b, 0))
	place := arith.New(b, arith.Select, first, arith.NewI32(b, p.stages-1), arith.New(b, arith.SubI, p.place, arith.NewI32(b, 1)))
	return &position{stages: p.stages, place: place, parity: arith.New(b, arith.Select, first, p.parity, arith.New(b, arith.XOrI, p.parity, arith.NewI32(b, 1)))}
}

// stage returns a stage of a buffer, some stages further than the position.
func (p *position) stage(b *ir.Builder, all ir.Value, further int64) ir.Value {
	return tileas.NewStage(b, all, func() ir.Value { return p.place }, further)
}
