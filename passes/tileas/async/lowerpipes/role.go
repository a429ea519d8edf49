package lowerpipes

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A role is a region of a warp_specialize whose pipes are lowered.
type role struct {
	b         *ir.Builder
	sides     map[side]*end
	of        map[ir.Value]*pipe
	ends      []*end // in the order of their first operations
	positions []*position
	carried   map[ir.Op][]*position // by the loops and ifs that carry them
	meets     ir.Value              // the mbarriers of its barriers of the cluster, if it has any
	met       *position             // at which, in which phase
}

// lowered reports whether an operation becomes one on mbarriers.
func lowered(op ir.Op) bool { return tileas.IsPipeOp(op) || op.Is(tileas.Level.ClusterSync) }

// lower lowers the operations on pipes in a role.
func lower(region ir.Region, of map[ir.Value]*pipe) error {
	r := &role{of: of, sides: make(map[side]*end), carried: make(map[ir.Op][]*position)}
	body := region.First()
	r.find(body, new(int))
	r.b = ir.BuilderBefore(body.First()).WithLoc(body.First().Loc())
	for i, e := range r.ends {
		if k := slices.IndexFunc(r.ends[:i], func(o *end) bool { return o.goesWith(e) }); k >= 0 {
			e.at = r.ends[k].at
			continue
		}
		at := e.first()
		e.at = &position{stages: e.typ.Stages(), place: arith.NewI32(r.b, at.place), parity: arith.NewI32(r.b, at.parity)}
		r.positions = append(r.positions, e.at)
	}
	const turns = 2 // once all have come to one, the other is over in all CTAs: no arrival counts in the phase before
	if role, _ := tileas.RoleOf(body.First()); ir.Any(body.Ops(), func(op ir.Op) bool { return op.Contains(tileas.Level.ClusterSync.Is) }) {
		r.meets = tileas.NewMbarriers(ir.BuilderBefore(role.Op).WithLoc(role.Op.Loc()), turns, role.Warps*int64(contract.CTAsOf(role.Op.ParentOp())))
		r.met = &position{stages: turns, place: arith.NewI32(r.b, 0), parity: arith.NewI32(r.b, 0)}
		r.positions = append(r.positions, r.met)
		tileas.MeetAround(role.Op)
	}
	return r.block(body)
}

// find finds the ends that a role has, and where it closes stages.
func (r *role) find(block ir.Block, stretch *int) {
	for op := range block.Ops() {
		switch {
		case op.Is(tileas.PipeAcquire), op.Is(tileas.PipeWait):
			e := r.end(op)
			e.opens = append(e.opens, *stretch)
		case op.Is(tileas.PipeCommit), op.Is(tileas.PipeRelease):
			e := r.end(op)
			e.closes = append(e.closes, *stretch)
		case op.NumRegions() > 0 && op.Contains(tileas.IsPipeOp):
			for b := range op.Blocks() {
				*stretch++
				r.find(b, stretch)
			}
			*stretch++
		}
	}
}

// end returns the end of a pipe that an operation is about.
func (r *role) end(op ir.Op) *end {
	s := side{r.of[op.Operand(0)], op.Is(tileas.PipeAcquire) || op.Is(tileas.PipeCommit)}
	if r.sides[s] == nil {
		r.sides[s] = &end{side: s}
		r.ends = append(r.ends, r.sides[s])
	}
	return r.sides[s]
}

// block lowers the operations of a block.
func (r *role) block(block ir.Block) error {
	moves := func(op ir.Op) bool { // the pipe, or leaves or continues a loop that carries positions
		return lowered(op) || op.HasTrait(ir.Terminator) && r.carried[ir.ExitTarget(op)] != nil
	}
	for _, op := range slices.Collect(block.Ops()) {
		r.b = ir.BuilderBefore(op).WithLoc(op.Loc())
		switch {
		case lowered(op):
			r.lower(op)
		case op.NumRegions() > 0 && op.Contains(moves):
			if err := r.rebuild(op); err != nil {
				return err
			}
		case op.HasTrait(ir.Terminator):
			for _, p := range r.positions {
				r.advance(p)
			}
			op.SetOperands(append(op.Operands(), values(r.carried[ir.ExitTarget(op)])...))
		}
	}
	return nil
}

// advance moves a position whose stages have been opened and closed.
func (r *role) advance(p *position) {
	ends := ir.Filter(r.ends, func(e *end) bool { return e.at == p })
	// That of barriers moves with each of them.
	if p == r.met || slices.ContainsFunc(ends, func(e *end) bool { return !e.opened || !e.closed || e.stays() }) {
		return
	}
	p.advance(r.b)
	for _, e := range ends {
		e.opened, e.closed = false, false
	}
}

// rebuild gives a loop or an if the positions that change in it, as further values to carry.
func (r *role) rebuild(op ir.Op) error {
	if !op.Is(scf.For) && !op.Is(scf.Loop) && !op.Is(scf.If) {
		return op.Errorf("uses pipes, whose positions it cannot carry")
	}
	for _, p := range r.positions { // inside, they would advance for this operation only
		r.advance(p)
	}
	positions := r.movedIn(op)
	after, err := scf.Carry(op, values(positions), func(made ir.Op, body ir.Block, at []ir.Value) error {
		r.carried[made] = positions
		take(positions, at)
		return r.block(body)
	})
	if err == nil {
		take(positions, after)
	}
	return err
}

// movedIn returns the positions that advance inside an operation.
func (r *role) movedIn(op ir.Op) (out []*position) {
	for inner := range op.All() {
		if inner.Is(tileas.PipeCommit) || inner.Is(tileas.PipeRelease) {
			if e := r.end(inner); !e.stays() && !slices.Contains(out, e.at) {
				out = append(out, e.at)
			}
		} else if inner.Is(tileas.Level.ClusterSync) && !slices.Contains(out, r.met) {
			out = append(out, r.met)
		}
	}
	// As the role began them, so that loops carry them in one order.
	slices.SortFunc(out, func(a, b *position) int { return slices.Index(r.positions, a) - slices.Index(r.positions, b) })
	return out
}
